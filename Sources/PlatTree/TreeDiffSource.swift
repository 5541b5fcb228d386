/// One side of a comparison: the directories of a tree, wherever it is kept.
///
/// A source may leave out what it knows to be the same on both sides. Its directories have IDs of its
/// own: those of the other side mean nothing to it.
package protocol TreeDiffSource: TreeSource where Directory == DirectoryID {
  /// The file system that a directory is on.
  func fileSystem(of directory: DirectoryID) -> FileSystem
  /// Whether the listing of a directory is that of one of the other side, known without a look at it.
  func hasKnownListing(of other: DirectoryID, in source: Self, _ directory: DirectoryID) -> Bool
}

/// A tree in memory as a side of a comparison.
internal struct FileTreeDiffSource: TreeDiffSource {
  private let tree: FileTree

  internal init(_ tree: FileTree) { self.tree = tree }

  internal func name(of directory: DirectoryID) -> ArraySlice<UInt8> { tree.name(of: directory) }
  internal func subdirectories(of directory: DirectoryID) -> [DirectoryID] {
    Array(tree.subdirectories(of: directory))
  }
  internal func listing(of directory: DirectoryID) -> Listing { tree.listing(of: directory) }
  internal func ordinalsCountedElsewhere(in directory: DirectoryID) -> [Int] {
    tree.ordinalsCountedElsewhere(in: directory)
  }
  internal func totals(of directory: DirectoryID) -> Totals { tree.totals(of: directory) }
  internal func details(of directory: DirectoryID) -> DirectoryDetails {
    tree.details(of: directory)
  }
  internal func fileSystem(of directory: DirectoryID) -> FileSystem {
    tree.fileSystems[tree.fileSystemIndex(of: directory)]
  }
  internal func hasKnownListing(
    of other: DirectoryID,
    in source: Self,
    _ directory: DirectoryID
  ) -> Bool {
    tree.sharesListing(directory, with: source.tree, other)
  }
}

/// What tells an inode from all others, also in another snapshot.
internal struct InodeIdentity: Hashable {
  /// The number that a comparison gave the file system.
  internal var fileSystem: Int
  internal var inode: UInt64
}

/// Numbers for the file systems of both sides of a comparison.
internal struct FileSystemNumbers {
  private var known: [FileSystem] = []

  /// Returns the number of a file system, the same for it on both sides.
  internal mutating func number(of fileSystem: FileSystem) -> Int {
    var key = fileSystem
    // A device number may be another one after a boot.
    if !key.uuid.isEmpty { key.device = 0 }
    if let number = known.firstIndex(of: key) { return number }
    known.append(key)
    return known.count - 1
  }
}
