import PlatTestSupport
import PlatTree
import Testing

struct TrendTests {
  private func points(_ values: [Double], every seconds: Double = 1) -> [Trend.Point] {
    values.enumerated().map { Trend.Point(time: 1.7e9 + Double($0) * seconds, value: $1) }
  }

  @Test func `The trend of a line is the line`() throws {
    let trend = try #require(Trend(points([10, 12, 14, 16], every: 86_400)))
    #expect(abs(trend.slope * 86_400 - 2) < 1e-9)
    #expect(abs(trend.value(at: 1.7e9 + 10 * 86_400) - 30) < 1e-4)
  }

  @Test func `The slope is the median of the slopes of all pairs`() throws {
    // The slopes are 1, 2, 1/3 (from 0), 3, 0, -3: sorted -3, 0, 1/3, 1, 2, 3.
    let trend = try #require(Trend(points([0, 1, 4, 1])))
    #expect(abs(trend.slope - 2.0 / 3) < 1e-12)
  }

  @Test func `A quarter of the values may be anything`() throws {
    var generator = SplitMix64(seed: 5)
    var values = (0..<40).map { 1000 + 5 * Double($0) }
    for index in 0..<10 { values[index * 4] = Double.random(in: 0...1e12, using: &generator) }
    let trend = try #require(Trend(points(values)))
    #expect(abs(trend.slope - 5) < 1e-6)
    #expect(abs(trend.value(at: 1.7e9) - 1000) < 1)
  }

  @Test func `Values of one time have no trend`() {
    #expect(Trend([]) == nil)
    #expect(Trend([Trend.Point(time: 1, value: 1)]) == nil)
    #expect(Trend([Trend.Point(time: 1, value: 1), Trend.Point(time: 1, value: 2)]) == nil)
  }

  @Test func `The order does not matter, and of many points some are enough`() throws {
    var generator = SplitMix64(seed: 6)
    let values = (0..<5000).map { 3 * Double($0) + Double.random(in: 0...100, using: &generator) }
    let trend = try #require(Trend(points(values)))
    #expect(abs(trend.slope - 3) < 0.01)
    let few = Array(points(values).prefix(100))
    let shuffled = try #require(Trend(few.shuffled(using: &generator)))
    let sorted = try #require(Trend(few))
    #expect(shuffled.slope == sorted.slope)
    #expect(abs(shuffled.value(at: 1.7e9) - sorted.value(at: 1.7e9)) < 1e-3)
  }
}
