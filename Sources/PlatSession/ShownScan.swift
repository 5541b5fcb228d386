public import PlatScan
public import PlatTree

/// A complete scan, as a session shows it.
public struct ShownScan: Sendable {
  /// The scan: tree, roots and times.
  public let result: ScanResult

  /// A number that stands for the tree: no other tree in this process has it.
  ///
  /// A scan that finds what the one before found keeps its revision, and so does what is remembered
  /// of the tree: selections, positions, layouts.
  public let revision: Int

  /// Whether newer facts were asked for and did not come.
  ///
  /// That is so for a stored scan until a scan replaces it, and for any scan whose refresh failed or
  /// was cancelled. `finishedAt` of the result says how old it is.
  public internal(set) var isStale: Bool

  /// Whether the session made the scan, rather than find it in a store.
  internal let isOwn: Bool

  /// When the scan ended if it is stale, in nanoseconds since 1970; `nil` if it is not.
  public var staleSince: Int64? { isStale ? result.finishedAt : nil }

  /// The tree of the scan.
  public var tree: FileTree { result.tree }

  internal init(_ result: ScanResult, revision: Int, isStale: Bool, isOwn: Bool) {
    self.result = result
    self.revision = revision
    self.isStale = isStale
    self.isOwn = isOwn
  }
}

extension ShownScan: Equatable {
  /// Whether two values show the same tree of the same time.
  public static func == (first: ShownScan, second: ShownScan) -> Bool {
    // The revision stands for the tree, in which millions of entries would have to be compared.
    first.revision == second.revision && first.isStale == second.isStale
      && first.result.startedAt == second.result.startedAt
      && first.result.finishedAt == second.result.finishedAt
      && first.result.elapsed == second.result.elapsed
      && first.result.roots == second.result.roots
      && first.result.unverifiedByRoot == second.result.unverifiedByRoot
  }
}
