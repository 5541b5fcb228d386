package import PlatScan
package import PlatSession
package import PlatTree

/// What a screen is told of the session: a value that may cross threads.
package struct ShownState: Sendable {
  /// The tree to show, if there is one.
  package var tree: FileTree?
  /// The number that stands for the tree.
  package var revision = 0
  /// The absolute path of the root.
  package var root: [UInt8] = []
  /// When the tree was read, in seconds since 1970.
  package var checkedAt: Int64 = 0
  /// Whether newer facts were asked for and did not come.
  package var isStale = false
  /// Whether the tree is only what has been seen so far.
  package var isPartial = false
  /// Whether the tree is an import, of which nothing can be removed.
  package var isForeign = false
  /// How many files the last scan left unchecked, as it looked closely at one directory only.
  package var uncheckedFiles = 0
  /// How far the scan in progress has come.
  package var progress: ScanProgress?
  /// About how many entries the scan in progress will see.
  package var expectedEntries: Int?
  /// Why the last scan brought nothing.
  package var failure: ScanError?

  /// Creates the state of a session that shows nothing.
  package init() {}

  /// Creates the state of a session in a phase.
  ///
  /// - Parameters:
  ///   - phase: What the session is doing.
  ///   - root: The absolute path of the root.
  ///   - expectedEntries: About how many entries there are, if that is known.
  package init(_ phase: ScanSession.Phase, root: [UInt8], expectedEntries: Int?) {
    self.root = root
    tree = phase.tree
    revision = phase.revision ?? 0
    isPartial = phase.partial != nil
    if let shown = phase.shown {
      checkedAt = shown.result.finishedAt / 1_000_000_000
      isStale = shown.isStale
      uncheckedFiles = shown.result.unverified.files
      self.root = shown.result.roots.first ?? root
    }
    progress = phase.progress
    failure = phase.failure
    self.expectedEntries =
      expectedEntries ?? phase.shown.map { $0.tree.totals(of: $0.tree.root).entries }
  }

  /// The part of the scan in progress that is done, from 0 to 0.99; `nil` if there is no telling.
  internal var share: Double? {
    guard let progress, let expectedEntries, expectedEntries > 0 else { return nil }
    return min(0.99, Double(progress.entries) / Double(expectedEntries))
  }

  /// The seconds that the scan in progress will take; `nil` if there is no telling.
  internal var secondsLeft: Int? {
    guard let progress, let share, share > 0.01 else { return nil }
    return Int((progress.elapsed / share * (1 - share)).components.seconds) + 1
  }
}
