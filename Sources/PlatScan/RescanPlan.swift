import PlatTree

/// A directory of an earlier scan.
internal struct OldDirectory: Sendable {
  /// The position of its tree in the plan.
  internal var tree: UInt32
  internal var directory: DirectoryID
}

/// What a scan can take from earlier ones; the same for all its workers.
internal struct RescanPlan: Sendable {
  internal let level: DirectoryScanner.Level
  /// The earlier scans.
  internal let trees: [EarlierTree]

  /// Whether everything has to be read.
  internal var isEmpty: Bool { trees.isEmpty }

  /// A file system of this scan, as the earlier ones know it.
  internal struct KnownFileSystem: Sendable {
    internal let device: UInt64
    /// Its position among the file systems of each tree.
    internal let positions: [Int32?]
  }

  /// Creates a plan; without baselines everything will be read.
  internal init(_ baselines: [DirectoryScanner.Baseline], level: DirectoryScanner.Level) {
    self.level = level
    trees = level == .full ? [] : baselines.map { EarlierTree($0) }
  }

  /// Returns the directory that was the root at a path.
  internal func root(atPath path: [UInt8]) -> OldDirectory? {
    trees.firstIndex { $0.rootPath == path }
      .map { OldDirectory(tree: UInt32($0), directory: DirectoryID(0)) }
  }

  /// Returns which file systems of the earlier scans one of this scan is.
  internal func know(_ fileSystem: FileSystem) -> KnownFileSystem {
    KnownFileSystem(
      device: fileSystem.device,
      positions: trees.map { $0.position(of: fileSystem) }
    )
  }

  /// Returns whether a directory is the one that it was: what it holds may have changed.
  internal func isSame(
    _ old: OldDirectory,
    _ details: DirectoryDetails,
    on fileSystem: KnownFileSystem
  ) -> Bool {
    let row = trees[Int(old.tree)].row(of: old.directory)
    return fileSystem.positions[Int(old.tree)] == row.fileSystem
      && row.details.inode == details.inode
  }

  /// Finds a directory that has another name by now, or is in another place.
  internal func find(_ details: DirectoryDetails, on fileSystem: KnownFileSystem) -> OldDirectory? {
    for (index, position) in fileSystem.positions.enumerated() {
      guard let position else { continue }
      if let found = trees[index].directory(inode: details.inode, onFileSystem: position) {
        return OldDirectory(tree: UInt32(index), directory: found)
      }
    }
    return nil
  }

  /// Finds by their names what the subdirectories of a directory were.
  internal func match(
    _ names: ScanWorker.SubdirectoryNames,
    below old: OldDirectory
  ) -> OldDirectories {
    let tree = trees[Int(old.tree)]
    let candidates = tree.row(of: old.directory).children
    var position = candidates.lowerBound
    var found: [OldDirectory?] = []
    found.reserveCapacity(names.starts.count)
    // Both are sorted by name.
    for index in names.starts.indices {
      let name = names.name(at: index)
      while position < candidates.upperBound,
        tree.name(at: position).lexicographicallyPrecedes(name)
      { position += 1 }
      let isFound =
        position < candidates.upperBound && tree.name(at: position).elementsEqual(name)
      found.append(
        isFound ? OldDirectory(tree: old.tree, directory: DirectoryID(position)) : nil
      )
    }
    return .each(found)
  }
}

extension EarlierTree.Row {
  /// Returns whether a directory that is trusted has the names that it had, and they lead to the same
  /// inodes.
  internal func isUnchanged(
    _ now: DirectoryDetails,
    on fileSystem: RescanPlan.KnownFileSystem,
    ofTree tree: UInt32
  ) -> Bool {
    // Equal, and not just no newer: clocks are set back, and file systems are rolled back.
    fileSystem.positions[Int(tree)] == self.fileSystem && details.inode == now.inode
      && details.modificationTime == now.modificationTime
      && details.changeTime == now.changeTime
  }

  /// Returns whether nothing about a directory has changed but the number of its device.
  internal func isAlike(_ other: DirectoryDetails) -> Bool {
    var other = other
    other.device = details.device
    return other == details
  }
}
