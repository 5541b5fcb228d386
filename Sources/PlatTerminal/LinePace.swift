/// Whether the line to a terminal is slow, and what is drawn later then.
///
/// The answers to frames tell. A line counts as slow until many answers in a row came quickly, so that
/// the colours of the screen do not go back and forth.
internal struct LinePace: Sendable {
  /// An answer that takes longer is slow, in milliseconds.
  internal static let slowAnswer: Int64 = 150
  /// How many slow answers in a row make a line slow.
  internal static let slowCount = 3
  /// How many quick answers in a row end that.
  internal static let quickCount = 32
  /// The map of a slow line is drawn when no key was pressed for this long, in milliseconds.
  internal static let rest: Int64 = 300

  /// Whether the line is slow.
  internal private(set) var isSlow: Bool
  private let isSaidToBeSlow: Bool
  /// How many answers in a row were of the other kind than the line counts as.
  private var count = 0

  /// Creates the pace of a line.
  ///
  /// - Parameter isSlow: Whether a person said that it is slow: then it is so for good.
  internal init(isSlow: Bool) {
    (self.isSlow, isSaidToBeSlow) = (isSlow, isSlow)
  }

  /// Takes note of how long the terminal took to answer, in milliseconds.
  internal mutating func answered(after time: Int64) {
    guard !isSaidToBeSlow else { return }
    count = (time > Self.slowAnswer) == isSlow ? 0 : count + 1
    guard count == (isSlow ? Self.quickCount : Self.slowCount) else { return }
    (isSlow, count) = (!isSlow, 0)
  }

  /// Tells for how long the map stays as it is.
  ///
  /// - Parameters:
  ///   - now: The time.
  ///   - key: When the last key was pressed, or the screen begun.
  /// - Returns: The time in milliseconds; 0 if it may change now.
  internal func mapWait(at now: Int64, lastKey key: Int64) -> Int64 {
    isSlow ? max(key + Self.rest - now, 0) : 0
  }
}
