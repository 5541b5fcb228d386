import PlatScan
import PlatStore
import PlatTree

/// Compares a directory of a snapshot with the disk, and writes nothing.
internal struct LiveComparison {
  internal let store: SnapshotStore
  internal let snapshot: SnapshotInfo
  /// The path of the directory; `nil` is the root.
  internal let path: [UInt8]?

  /// What became of it.
  internal enum Outcome {
    case finished(DiffReport, hasIssues: Bool)
    /// A signal ended it, and that was said.
    case ended(ExitStatus)
  }

  /// Scans, and compares.
  ///
  /// - Throws: ``CommandFailure`` if the snapshot or the disk cannot be read.
  internal func run(by measure: SizeMeasure, in context: CommandContext) async throws -> Outcome {
    guard let options = DirectoryScanner.Options(fingerprint: snapshot.scan.options) else {
      throw CommandFailure(
        .unwritable,
        "snapshot \(snapshot.id) was made with options that this version does not know"
      )
    }
    let (root, directory) = try usingStore { () throws(StoreError) in
      (try store.root(), try store.directory(atPath: path, in: snapshot.id))
    }
    let stored = try usingStore { () throws(StoreError) in try store.load(snapshot.id) }
    guard let top = stored.directory(atPath: directory.path) else { throw missing(directory.path) }
    // Patterns and ignore files count from the root, so without it they select other entries.
    let isPart = options.selectsAnywhere && top != stored.root
    // Of a part alone, hard links are charged to names in that part.
    let before = isPart ? stored.subtree(top) : stored
    let run = ScanRun(
      roots: [isPart ? directory.path : root],
      options: options,
      expectedEntries: isPart ? directory.totals.entries : snapshot.entries,
      baselines: snapshot.scan.isComplete ? [baseline(of: before)] : []
    )
    let result: ScanResult
    switch await run.run(in: context) {
    case .failed(let error): throw CommandFailure(error)
    case .interrupted(let status): return .ended(status)
    case .finished(let finished, _): result = finished
    }
    context.printIssues(of: result.tree)
    guard let now = result.tree.directory(atPath: directory.path) else {
      throw missing(directory.path)
    }
    let diff = TreeDiff(
      from: (before, isPart ? before.root : top),
      to: (result.tree, now),
      by: measure
    )
    var scan = snapshot.scan
    scan.startedAt = result.startedAt
    scan.finishedAt = result.finishedAt
    scan.level = result.level.rawValue
    scan.unverifiedFiles = 0
    let report = DiffReport(
      diff,
      from: snapshot,
      toScan: scan,
      path: directory.path
    )
    return .finished(report, hasIssues: !result.tree.issues.isEmpty)

    func missing(_ path: [UInt8]) -> CommandFailure {
      CommandFailure(.missing, "\(context.shown(path)): not a directory any more")
    }
  }

  /// The snapshot, or a part of it, for the scan to build upon: what has not changed since need not be
  /// read.
  private func baseline(of tree: FileTree) -> DirectoryScanner.Baseline {
    DirectoryScanner.Baseline(
      tree: tree,
      startedAt: snapshot.scan.startedAt,
      options: snapshot.scan.options,
      host: snapshot.scan.host
    )
  }
}

extension DirectoryScanner.Options {
  /// Whether any directory can be scanned by itself, with the entries that it has in a scan of the
  /// root.
  fileprivate var selectsAnywhere: Bool {
    exclusions.isEmpty && ignorePatterns.isEmpty && !honorsGitignore
  }
}
