import Foundation
import PlatTestSupport
import PlatTree
import Testing

struct CivilDateTests {
  @Test(
    arguments: [
      (0, "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59Z"),
      (951_782_400, "2000-02-29T00:00:00Z"),
      (1_795_838_400, "2026-11-28T04:00:00Z"), (4_107_542_400, "2100-03-01T00:00:00Z"),
      (253_402_300_799, "9999-12-31T23:59:59Z"), (253_402_300_800, "+10000-01-01T00:00:00Z"),
      (-62_167_219_200, "0000-01-01T00:00:00Z"), (-62_167_219_201, "-0001-12-31T23:59:59Z"),
      (.max, "+292277026596-12-04T15:30:07Z"), (.min, "-292277022657-01-27T08:29:52Z"),
    ] as [(Int64, String)]
  )
  func `A time is written as RFC 3339 has it`(seconds: Int64, text: String) {
    #expect(CivilDate.timestamp(secondsSince1970: seconds) == text)
    #expect(CivilDate.date(secondsSince1970: seconds) == text.prefix { $0 != "T" })
  }

  @Test func `Foundation agrees on every day from 1800 to 2400`() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
    for days in stride(from: Int64(-62_091), to: 157_054, by: 1) {
      let date = CivilDate(daysSince1970: days)
      let instant = Date(timeIntervalSince1970: Double(days) * 86_400)
      let parts = calendar.dateComponents([.year, .month, .day], from: instant)
      guard parts.year == Int(date.year), parts.month == date.month, parts.day == date.day else {
        Issue.record("day \(days) is \(parts), not \(date)")
        return
      }
    }
  }

  @Test func `A date leads back to its day`() {
    var generator = SplitMix64(seed: 3)
    for _ in 0..<10_000 {
      let days = Int64.random(in: (.min / 86_400)...(.max / 86_400), using: &generator)
      #expect(CivilDate(daysSince1970: days).daysSince1970 == days)
    }
    #expect(CivilDate(year: 2026, month: 2, day: 29).daysSince1970 == 20_513)
  }

  @Test func `A month that does not exist stops the process`() async {
    await #expect(processExitsWith: .failure) {
      _ = CivilDate(year: 2026, month: 13, day: 1).daysSince1970
    }
  }
}
