public import PlatTree

/// How a program shows the tree of a session; kept with the target.
public struct ViewOptions: Hashable, Sendable {
  /// What entries are sorted by.
  public enum SortKey: Hashable, Sendable, CaseIterable {
    /// The size, the largest first.
    case size
    /// The name, bytewise.
    case name
    /// The number of entries, the most first.
    case entries
    /// The time of the last modification, the newest first.
    case modification
  }

  /// What entries are sorted by.
  public var sortKey = SortKey.size
  /// Whether the order of ``sortKey`` is turned round.
  public var isReversed = false
  /// Which size is shown.
  public var measure = SizeMeasure.allocated
  /// What names have to contain to be shown; empty for all.
  public var filter: [UInt8] = []
  /// The name of the colours, which only the program knows.
  public var colors = ""

  /// Creates the options that a target is shown with at first.
  public init() {}
}
