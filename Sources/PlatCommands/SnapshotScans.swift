import PlatScan
import PlatSession
import PlatStore
import PlatTree
import Synchronization

/// The scans of a session: they build upon the snapshots of the user, and become snapshots.
internal final class SnapshotScans: ScanStore {
  private let context: CommandContext
  /// The snapshots that the newest scan was built upon, until it is one itself.
  private let stored = Mutex<[StoredTree]>([])

  internal init(_ context: CommandContext) { self.context = context }

  /// Scans as a session asks for it.
  @concurrent
  @Sendable internal func scan(_ request: ScanRequest) async throws(ScanError) -> ScanResult {
    let found = EarlierScans(context: context).find(
      request.target.roots,
      options: request.target.options,
      level: request.scope == .everything ? .verified : .fast
    )
    stored.withLock { $0 = found.stored }
    return try await request.scan(reusing: found.baselines)
  }

  @concurrent
  internal func newestScan(of target: ScanTarget) async throws -> ScanResult? {
    guard let path = target.roots.first, target.roots.count == 1,
      let database = try context.storeLocation().existingDatabase(holding: path)
    else { return nil }
    let store = try SnapshotStore(database, for: .reading)
    let info: SnapshotInfo
    do throws(StoreError) {
      info = try store.snapshot()
    } catch {
      guard case .noSnapshot = error else { throw error }
      return nil
    }
    var tree = try store.load(info.id)
    guard let directory = tree.directory(atPath: path) else { return nil }
    if directory != tree.root { tree = tree.subtree(directory) }
    let (start, end) = (info.scan.startedAt, info.scan.finishedAt)
    return ScanResult(
      tree: tree,
      roots: [path],
      startedAt: start,
      finishedAt: end,
      elapsed: .nanoseconds(end - start)
    )
  }

  @concurrent
  internal func save(_ result: ScanResult, of target: ScanTarget) async throws -> Int {
    let earlier = stored.withLock { stored in
      defer { stored = [] }
      return stored
    }
    let outcome = SnapshotSaving(context)
      .save(result, after: earlier, options: target.options)
    if let failure = outcome.failure { throw failure }
    guard let snapshot = outcome.snapshots.first else {
      throw CommandFailure(.unwritable, outcome.warnings.first ?? "no snapshot is kept")
    }
    return snapshot.id
  }
}
