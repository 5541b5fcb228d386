public import PlatScan
internal import PlatTree

/// What a session asks a scanner to do, and what it wants to hear of it.
///
/// What comes after the scan was cancelled is ignored.
public struct ScanRequest: Sendable {
  /// What to scan.
  public let target: ScanTarget

  /// What of it to look at closely.
  public let scope: ScanScope

  /// The newest complete scan of the target that the session made, as a base to start from; `nil` if
  /// it made none.
  public let previous: ScanResult?

  /// Takes trees of what was found so far, as often as the scanner likes, from one thread.
  public let partialTrees: PartialTrees

  /// Takes the counts so far, as often as the scanner likes, from one thread.
  public let onProgress: @Sendable (ScanProgress) -> Void
}

extension ScanRequest {
  /// Does what is asked for.
  ///
  /// - Parameter baselines: Earlier scans to build upon; without any, ``previous`` is one.
  /// - Returns: The scan.
  /// - Throws: `ScanError` if there is none.
  @concurrent
  public func scan(
    reusing baselines: [DirectoryScanner.Baseline] = []
  ) async throws(ScanError) -> ScanResult {
    var baselines = baselines.isEmpty ? ownBaselines : baselines
    let level = scope.focus(&baselines)
    let result = try await scan(reusing: baselines, level)
    // A file that was not looked at may have another name by now, and would be counted twice.
    guard level == .fast, hasLinkSeenAlone(result.tree) else { return result }
    return try await scan(reusing: baselines, .verified)
  }

  @concurrent
  private func scan(
    reusing baselines: [DirectoryScanner.Baseline],
    _ level: DirectoryScanner.Level
  ) async throws(ScanError) -> ScanResult {
    try await DirectoryScanner(options: target.options).scan(
      target.roots,
      reusing: baselines,
      level: level,
      partialTrees: partialTrees,
      onProgress: onProgress
    )
  }

  private var ownBaselines: [DirectoryScanner.Baseline] {
    guard let previous, !previous.tree.isGroup else { return [] }
    return [
      DirectoryScanner.Baseline(
        tree: previous.tree,
        startedAt: previous.startedAt,
        options: target.options.fingerprint,
        host: hostIdentity()
      )
    ]
  }
}

/// Whether an entry that is said to have one name has the inode of one that has several.
private func hasLinkSeenAlone(_ tree: FileTree) -> Bool {
  var links: Set<Inode> = []
  for directory in tree.directories where tree.fileChange(in: directory) == nil {
    var cursor = tree.listing(of: directory).makeCursor()
    while cursor.advanceWithoutName() {
      guard cursor.entry.linkCount > 1 else { continue }
      links.insert(Inode(cursor.entry, in: directory, of: tree))
    }
  }
  guard !links.isEmpty else { return false }
  for directory in tree.directories {
    var cursor = tree.listing(of: directory).makeCursor()
    while cursor.advanceWithoutName() {
      guard cursor.entry.linkCount == 1 else { continue }
      if links.contains(Inode(cursor.entry, in: directory, of: tree)) { return true }
    }
  }
  return false
}

private struct Inode: Hashable {
  var fileSystem: Int
  var number: UInt64

  init(_ entry: ListingEntry, in directory: DirectoryID, of tree: FileTree) {
    fileSystem = tree.fileSystemIndex(of: directory)
    number = entry.inode
  }
}
