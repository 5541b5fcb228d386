/// A straight line through values over time that a few odd ones do not bend.
///
/// The slope is the median of the slopes of all pairs of points, and the line leaves as many points
/// above as below: H. Theil, *A rank-invariant method of linear and polynomial regression analysis*
/// (1950), and P. K. Sen, *Estimates of the regression coefficient based on Kendall's tau*, Journal of
/// the American Statistical Association 63 (1968), 1379–1389. Up to 29 % of the values may be anything.
public struct Trend: Hashable, Sendable {
  /// A value at a time.
  public struct Point: Hashable, Sendable {
    /// The time in seconds.
    public var time: Double
    /// The value.
    public var value: Double

    /// Creates a point.
    public init(time: Double, value: Double) {
      self.time = time
      self.value = value
    }
  }

  /// By how much the value grows in a second.
  public let slope: Double
  /// The value of the line at time 0.
  public let intercept: Double

  /// The most points that are looked at: of more, evenly chosen ones, and the last.
  private static let mostPoints = 300

  /// Finds the line, or `nil` if no two points have different times.
  ///
  /// - Parameter points: Values in any order.
  /// - Complexity: O(*n*² log *n*) for *n* points; more than 300 cost no more than that many.
  public init?(_ points: [Point]) {
    let step = (points.count + Self.mostPoints - 1) / Self.mostPoints
    let last = points.count - 1
    let points = points.enumerated().filter { (last - $0.offset).isMultiple(of: max(step, 1)) }
      .map(\.element)
    var slopes: [Double] = []
    for (index, first) in points.enumerated() {
      for second in points[(index + 1)...] where second.time != first.time {
        slopes.append((second.value - first.value) / (second.time - first.time))
      }
    }
    guard let slope = Self.median(&slopes) else { return nil }
    // Times are far from 0, so offsets from the first one keep what precision there is.
    let start = points[0].time
    var offsets = points.map { $0.value - slope * ($0.time - start) }
    self.slope = slope
    intercept = (Self.median(&offsets) ?? 0) - slope * start
  }

  /// Returns the value of the line at a time.
  public func value(at time: Double) -> Double { intercept + slope * time }

  private static func median(_ numbers: inout [Double]) -> Double? {
    guard !numbers.isEmpty else { return nil }
    numbers.sort()
    let middle = numbers.count / 2
    return numbers.count.isMultiple(of: 2)
      ? (numbers[middle - 1] + numbers[middle]) / 2 : numbers[middle]
  }
}
