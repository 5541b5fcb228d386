internal import PlatScan
internal import PlatTree

/// What of a target a scan is to look at closely.
public enum ScanScope: Hashable, Sendable {
  /// All of it.
  case everything
  /// A directory, by its absolute path, with everything below it.
  ///
  /// The rest is taken from an earlier scan as far as a fast scan does that: its names are exact, and
  /// `ScanResult.unverified` tells how many of its files were not looked at.
  case directory([UInt8])

  /// Returns the scope of one scan in place of two.
  internal func joined(with other: ScanScope) -> ScanScope { self == other ? self : .everything }

  /// Has earlier scans serve a scan of this scope.
  ///
  /// - Returns: How much that scan relies on them.
  internal func focus(_ baselines: inout [DirectoryScanner.Baseline]) -> DirectoryScanner.Level {
    guard case .directory(let path) = self else { return .verified }
    for index in baselines.indices {
      let tree = baselines[index].tree
      guard let directory = tree.directory(atPath: path), directory != tree.root else { continue }
      baselines[index].focus = directory
    }
    // A directory that is not known cannot be looked at more closely than others.
    return baselines.contains { $0.focus != nil } ? .fast : .verified
  }
}
