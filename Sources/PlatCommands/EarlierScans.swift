import Glibc
import PlatScan
import PlatStore
import PlatTree
import Synchronization

/// Finds the snapshots that a scan can build upon.
internal struct EarlierScans: Sendable {
  internal let context: CommandContext

  /// Directories that changed in so many scans have all their files looked at.
  private static let recentScans = 8

  /// What was found.
  internal struct Found: Sendable {
    internal var baselines: [DirectoryScanner.Baseline] = []
    /// The snapshots that they are of.
    internal var stored: [StoredTree] = []
    /// Why everything below a root is read although there are snapshots, for who wants to know.
    internal var notes: [String] = []
  }

  /// Loads the newest snapshot of each root that was made with the same options by this machine and
  /// user.
  ///
  /// What cannot be loaded is no failure: everything is read then.
  internal func find(
    _ roots: [[UInt8]],
    options: DirectoryScanner.Options,
    level: DirectoryScanner.Level
  ) -> Found {
    var found = Found()
    guard level != .full, let location = try? context.storeLocation() else { return found }
    for root in roots {
      // As a scan has it.
      let path = pathWithoutLinks(root) ?? (try? lexicalPath(root)) ?? root
      do throws(StoreError) {
        let store = try SnapshotStore(location.database(forRoot: path), for: .reading)
        guard try store.root() == path else { throw .noSnapshot(path: "", id: nil) }
        let usable = try baseline(in: store, options: options, level: level)
        guard let (baseline, stored) = usable else {
          let reason = "no snapshot with these options, of this machine and user"
          found.notes.append("\(context.shown(path)): everything is read: \(reason)")
          continue
        }
        found.baselines.append(baseline)
        found.stored.append(stored)
      } catch {
        switch error {
        case .noSnapshot, .notFound: break
        default:
          let reason = "the snapshots cannot be read: \(error)"
          found.notes.append("\(context.shown(path)): everything is read: \(reason)")
        }
      }
    }
    return found
  }

  private func baseline(
    in store: SnapshotStore,
    options: DirectoryScanner.Options,
    level: DirectoryScanner.Level
  ) throws(StoreError) -> (baseline: DirectoryScanner.Baseline, stored: StoredTree)? {
    let (fingerprint, host) = (options.fingerprint, hostIdentity())
    let snapshots = try store.snapshots()
    let usable = snapshots.last { snapshot in
      snapshot.scan.isComplete && snapshot.scan.options == fingerprint
        && snapshot.scan.host == host
    }
    guard let usable else { return nil }
    let stored = try store.loadStored(usable.id)
    var baseline = DirectoryScanner.Baseline(
      tree: stored.tree,
      startedAt: usable.scan.startedAt,
      options: fingerprint,
      host: host
    )
    guard level == .fast else { return (baseline, stored) }
    baseline.number = try store.nextSnapshotNumber()
    baseline.changedInodes = try store.inodesOfDirectories(
      changedInLast: Self.recentScans,
      upTo: usable.id
    )
    let scans = snapshots.filter { $0.scan.options == fingerprint && $0.scan.host == host }
    (baseline.oldestObservation, baseline.oldestScanCount) = oldest(
      among: scans.map { ($0.id, $0.scan) },
      before: baseline.number
    )
    return (baseline, stored)
  }

  /// Finds out when the files were looked at last that a fast scan may leave.
  ///
  /// A fast scan looks at the sample of its number, and any other scan at everything.
  private func oldest(
    among scans: [(id: Int, scan: ScanDescription)],
    before number: Int
  ) -> (time: Int64?, scanCount: Int?) {
    let samples = DirectoryScanner.sampleCount
    var waiting = Set(0..<samples)
    waiting.remove(number % samples)
    for (id, scan) in scans.reversed() {
      if scan.level == DirectoryScanner.Level.fast.rawValue {
        waiting.remove(id % samples)
      } else {
        waiting.removeAll()
      }
      if waiting.isEmpty { return (scan.startedAt, number - id) }
    }
    return (nil, nil)
  }
}
