public import PlatTree

/// Takes trees of what a scan has found so far, while it goes on.
///
/// They are made only when they are wanted, at most four times a second, and so seldom that they take
/// no more than a twentieth of the time. In none of them a number is less than in the one before, nor
/// greater than in the tree of the complete scan. Of file systems only the devices are known.
public struct PartialTrees: Sendable {
  /// Whether anybody looks at them.
  public let areWanted: @Sendable () -> Bool
  /// Takes a tree.
  public let deliver: @Sendable (FileTree) -> Void

  /// Creates a taker of partial trees.
  ///
  /// - Parameters:
  ///   - areWanted: Asked ten times a second whether anybody looks at them.
  ///   - deliver: Takes a tree; called from a thread of the scan.
  public init(
    areWanted: @escaping @Sendable () -> Bool,
    deliver: @escaping @Sendable (FileTree) -> Void
  ) {
    self.areWanted = areWanted
    self.deliver = deliver
  }
}

/// Decides when a scan makes the next tree of what it has found so far.
internal struct PartialTreePacing: Sendable {
  private static let interval = Duration.milliseconds(250)
  /// How many times as long as it takes to make a tree, none is made.
  private static let restFactor = 20

  private var due = Duration.zero

  internal init() {}

  /// Whether it is time for a tree.
  internal func isDue(at elapsed: Duration) -> Bool { elapsed >= due }

  /// Takes note that a tree was made.
  internal mutating func made(from start: Duration, to end: Duration) {
    due = max(start + Self.interval, end + (end - start) * Self.restFactor)
  }
}
