import Glibc
import PlatRender
import PlatScan
import PlatStore
import PlatTree

/// Keeps a snapshot of each root of a scan.
internal struct SnapshotSaving {
  private let context: CommandContext

  /// What came of it.
  internal struct Outcome {
    /// The snapshots that were kept.
    internal var snapshots: [ScanReport.StoredSnapshot] = []
    /// What a person should know: that no snapshot could be kept at the usual place, for which the scan
    /// is no less right, or that a damaged file was put aside.
    internal var warnings: [String] = []
    /// How the last of them is arranged in pictures, as the bytes of a `PictureMemory`, if that had to be
    /// found out: the one that is kept is not read.
    internal var pictureMemory: [UInt8]?
    /// Why a snapshot that was asked for was not kept.
    internal var failure: CommandFailure?
  }

  internal init(_ context: CommandContext) { self.context = context }

  /// Refuses a file that is not ours before a long scan, not after it.
  ///
  /// - Throws: ``CommandFailure`` if the file that the person named cannot take a snapshot.
  internal func checkDatabase() throws(CommandFailure) {
    guard let database = context.database, !isDirectory(database) else { return }
    do throws(StoreError) {
      _ = try SnapshotStore(database, for: .writing)
    } catch .damaged {
      // It is put aside when there is a snapshot to take its place.
    } catch {
      throw CommandFailure(error)
    }
  }

  /// Returns how many entries the roots had when they were scanned last, or `nil` if one was not.
  internal func entriesBefore(_ roots: [[UInt8]]) -> Int? {
    guard let location = try? context.storeLocation() else { return nil }
    var total = 0
    for root in roots {
      guard let path = pathWithoutLinks(root),
        let store = try? SnapshotStore(location.database(forRoot: path), for: .reading),
        let snapshot = try? store.snapshot()
      else { return nil }
      total += snapshot.entries
    }
    return total
  }

  private func isDirectory(_ path: [UInt8]) -> Bool {
    var status = stat()
    return stat(path.map(CChar.init(bitPattern:)) + [0], &status) == 0
      && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Keeps a snapshot of each directory that was scanned.
  ///
  /// - Parameters:
  ///   - result: The scan.
  ///   - stored: The snapshots that it was built upon.
  ///   - options: The options of the scan.
  /// - Returns: What came of it.
  internal func save(
    _ result: ScanResult,
    after stored: [StoredTree] = [],
    options: DirectoryScanner.Options
  ) -> Outcome {
    var outcome = Outcome()
    let tree = result.tree
    let tops = tree.isGroup ? Array(tree.subdirectories(of: tree.root)) : [tree.root]
    do throws(StoreError) {
      outcome.warnings += filesWithoutSnapshot(tree).map { path in
        "\(context.shown(path)): is no directory, and no snapshot of it is kept"
      }
      let location = try StoreLocation(database: context.database) {
        context.environment[bytes: $0]
      }
      try location.makeFolder()
      for top in tops {
        let part = tree.isGroup ? tree.subtree(top) : tree
        let root = part.path(of: part.root)
        guard root.first == UInt8(ascii: "/") else {
          let reason = "no snapshot is kept: the working directory was removed"
          if context.database == nil {
            outcome.warnings.append(reason)
          } else {
            outcome.failure = CommandFailure(.unwritable, reason)
          }
          continue
        }
        let database = location.database(forRoot: root)
        let earlier = stored.first { $0.tree.name(of: $0.tree.root).elementsEqual(root) }
        let (snapshot, aside) = try SnapshotStore.save(
          part,
          description(of: root, result, options),
          after: earlier,
          to: database,
          isOurPlace: context.database == nil
        )
        if let aside {
          let path = context.shown(database)
          outcome.warnings.append("\(path): was damaged; it is now \(context.shown(aside))")
        }
        outcome.snapshots.append(
          ScanReport.StoredSnapshot(id: snapshot.id, database: database)
        )
        if let store = try? SnapshotStore(database, for: .writing) {
          let isUnchanged = earlier?.tree.isIdentical(to: part) ?? false
          outcome.pictureMemory = StoredPictures(store).add(
            part,
            snapshot: snapshot.id,
            sameAs: isUnchanged ? earlier?.snapshot.id : nil
          )
        }
      }
    } catch {
      if context.database == nil, isLackOfPlace(error) {
        outcome.warnings.append("no snapshot is kept: \(error)")
      } else {
        outcome.failure = CommandFailure(error)
      }
    }
    return outcome
  }

  /// The files among several roots: a snapshot is one of a directory.
  private func filesWithoutSnapshot(_ tree: FileTree) -> [[UInt8]] {
    guard tree.isGroup, !tree.subdirectories(of: tree.root).isEmpty else { return [] }
    var files: [[UInt8]] = []
    var cursor = tree.listing(of: tree.root).makeCursor()
    while cursor.advance() { files.append(cursor.name) }
    return files
  }

  /// Whether there is simply nowhere to write, as in a container or for a system user.
  private func isLackOfPlace(_ error: StoreError) -> Bool {
    switch error {
    case .noPlace, .readOnly: true
    case .system(_, _, let code): [EACCES, EPERM, EROFS].contains(code)
    default: false
    }
  }

  private func description(
    of root: [UInt8],
    _ result: ScanResult,
    _ options: DirectoryScanner.Options
  ) -> ScanDescription {
    var description = ScanDescription(
      startedAt: result.startedAt,
      finishedAt: result.finishedAt,
      level: result.level.rawValue,
      options: options.fingerprint,
      host: hostIdentity()
    )
    let space = FileSystemSpace(at: root)
    (description.totalSpace, description.freeSpace) = (space?.total, space?.free)
    guard result.level == .fast else { return description }
    let unverified = result.unverifiedByRoot[root] ?? UnverifiedFiles()
    description.unverifiedFiles = unverified.files
    description.unverifiedSize = unverified.allocatedSize
    description.oldestUnverified = unverified.oldestScanCount
    description.sampledFiles = unverified.sampledFiles
    description.sampledChanges = unverified.changedInSample
    description.sampledGrowth = unverified.growthInSample
    return description
  }
}
