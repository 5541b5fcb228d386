import CPlatSystem
import PlatTree

/// A directory of an earlier scan.
internal struct OldDirectory: Sendable {
  /// The position of the baseline in the plan.
  internal var baseline: UInt32
  internal var directory: DirectoryID
}

/// What a scan can take from earlier ones; the same for all its workers.
internal final class RescanPlan: Sendable {
  internal let level: DirectoryScanner.Level
  private let parts: [Part]

  /// The number of baselines.
  internal var count: Int { parts.count }

  /// A file system of this scan, as the baselines know it.
  internal struct KnownFileSystem: Sendable {
    internal let device: UInt64
    /// Its position among the file systems of each baseline's tree.
    fileprivate let positions: [Int?]
  }

  /// Creates a plan; without baselines everything will be read.
  internal init(_ baselines: [DirectoryScanner.Baseline], level: DirectoryScanner.Level) {
    self.level = level
    parts = level == .full ? [] : baselines.map { Part($0) }
  }

  /// Returns the directory that was the root at a path.
  internal func root(atPath path: [UInt8]) -> OldDirectory? {
    guard
      let index = parts.firstIndex(where: { part in
        part.baseline.tree.name(of: part.baseline.tree.root).elementsEqual(path)
      })
    else { return nil }
    return OldDirectory(baseline: UInt32(index), directory: DirectoryID(0))
  }

  /// Returns the tree that a directory is in.
  internal func tree(of old: OldDirectory) -> FileTree { parts[Int(old.baseline)].baseline.tree }

  /// Returns the patterns' exclusions of a directory.
  internal func exclusions(of old: OldDirectory) -> [Exclusion] {
    parts[Int(old.baseline)].exclusions[old.directory] ?? []
  }

  /// Adds when the files of a baseline that were not looked at were looked at last, at worst.
  internal func date(_ unverified: inout UnverifiedFiles, ofBaseline index: Int) {
    guard unverified.files > 0 else { return }
    unverified.oldestObservation = parts[index].baseline.oldestObservation
    unverified.oldestScanCount = parts[index].baseline.oldestScanCount
  }

  /// The path of the root of a baseline.
  internal func rootPath(ofBaseline index: Int) -> [UInt8] {
    let tree = parts[index].baseline.tree
    return Array(tree.name(of: tree.root))
  }
}

// MARK: What is unchanged

extension RescanPlan {
  /// Returns whether the names of a directory may be taken over if it is unchanged.
  internal func isTrusted(_ old: OldDirectory) -> Bool {
    parts[Int(old.baseline)].isTrusted[old.directory.index]
  }

  /// Returns whether a directory is the one that it was: what it holds may have changed.
  internal func isSame(
    _ old: OldDirectory,
    _ status: PlatStatus,
    on fileSystem: KnownFileSystem
  ) -> Bool {
    let tree = tree(of: old)
    return fileSystem.positions[Int(old.baseline)] == tree.fileSystemIndex(of: old.directory)
      && tree.details(of: old.directory).inode == status.inode
  }

  /// Returns whether a directory that is trusted has the names that it had, and they lead to the same
  /// inodes.
  internal func isUnchanged(
    _ old: OldDirectory,
    _ status: PlatStatus,
    on fileSystem: KnownFileSystem
  ) -> Bool {
    let tree = tree(of: old)
    let details = tree.details(of: old.directory)
    // Equal, and not just no newer: clocks are set back, and file systems are rolled back.
    return fileSystem.positions[Int(old.baseline)] == tree.fileSystemIndex(of: old.directory)
      && details.inode == status.inode
      && details.modificationTime == status.modificationTime
      && details.changeTime == status.changeTime
  }

  /// Finds by their names what the subdirectories of a directory were.
  internal func match(
    _ names: ScanWorker.SubdirectoryNames,
    below old: OldDirectory
  ) -> OldDirectories {
    let tree = tree(of: old)
    let candidates = tree.subdirectories(of: old.directory)
    var position = candidates.startIndex
    var found: [OldDirectory?] = []
    found.reserveCapacity(names.starts.count)
    // Both are sorted by name.
    for index in names.starts.indices {
      let name = names.name(at: index)
      while position < candidates.endIndex,
        tree.name(of: candidates[position]).lexicographicallyPrecedes(name)
      { position += 1 }
      let isFound =
        position < candidates.endIndex && tree.name(of: candidates[position]).elementsEqual(name)
      found.append(
        isFound ? OldDirectory(baseline: old.baseline, directory: candidates[position]) : nil
      )
    }
    return .each(found)
  }

  /// Returns which file systems of the baselines one of this scan is.
  internal func know(_ fileSystem: FileSystem) -> KnownFileSystem {
    KnownFileSystem(
      device: fileSystem.device,
      positions: parts.map { part in
        guard TrustRule(fileSystem) != .never else { return nil }
        return part.baseline.tree.fileSystems.firstIndex {
          $0.type == fileSystem.type && $0.uuid == fileSystem.uuid
        }
      }
    )
  }

  /// Finds a directory that has another name by now, or is in another place.
  internal func find(_ status: PlatStatus, on fileSystem: KnownFileSystem) -> OldDirectory? {
    for (index, position) in fileSystem.positions.enumerated() {
      guard let position else { continue }
      let inode = Inode(fileSystem: position, number: status.inode)
      let directory = parts[index].directories.withLock { known -> DirectoryID? in
        let directories = known ?? Self.directories(of: parts[index].baseline.tree)
        known = directories
        return directories[inode]
      }
      if let directory { return OldDirectory(baseline: UInt32(index), directory: directory) }
    }
    return nil
  }

  private static func directories(of tree: FileTree) -> [Inode: DirectoryID] {
    var found = [Inode: DirectoryID](minimumCapacity: tree.directoryCount)
    for directory in tree.directories {
      let inode = Inode(
        fileSystem: tree.fileSystemIndex(of: directory),
        number: tree.details(of: directory).inode
      )
      found[inode] = directory
    }
    return found
  }

  /// Returns which entries of an unchanged directory are to be looked at.
  internal func recheck(of old: OldDirectory) -> Recheck {
    let part = parts[Int(old.baseline)]
    let tree = part.baseline.tree
    let fileSystem = tree.fileSystemIndex(of: old.directory)
    if part.rules[fileSystem] == .everything { return .nothing }
    guard level == .fast else { return .everything }
    let inode = tree.details(of: old.directory).inode
    guard !part.baseline.changedInodes.contains(inode) else { return .files }
    var seed = part.seeds[fileSystem]
    seed.combine(inode)
    let lastObservation = part.baseline.startedAt.secondsFromNanoseconds
    return .due(
      DueRule(
        hotSince: lastObservation - DueRule.hotSeconds,
        seed: seed,
        sample: UInt64(part.baseline.number & (DueRule.sampleCount - 1))
      )
    )
  }
}
