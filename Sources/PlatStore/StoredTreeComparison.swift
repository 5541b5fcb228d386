internal import PlatTree

/// Finds out what a tree has in common with the newest snapshot of its store, which was loaded before.
///
/// Two directories have the same row if what is known of them alone is the same, and the same is true
/// of everything below them: a row holds nothing else.
internal struct StoredTreeComparison {
  /// The snapshot.
  internal let stored: StoredTree
  /// The directory of the snapshot that each one was.
  internal let earlier: [DirectoryID?]
  /// Whether each directory and everything below it is as it was.
  internal private(set) var isUnchanged: [Bool] = []
  /// Whether each directory has the listing that it had.
  internal private(set) var hasSameListing: [Bool] = []

  /// Compares.
  ///
  /// - Parameters:
  ///   - rows: The rows of the tree.
  ///   - stored: The snapshot.
  ///   - earlier: The directory of the snapshot that each one was.
  /// - Complexity: O(*n*), where *n* is the number of bytes of the trees.
  internal init(_ rows: TreeRows, _ stored: StoredTree, _ earlier: [DirectoryID?]) {
    self.stored = stored
    self.earlier = earlier
    let tree = rows.tree
    let notes = DirectoryNotes.grouped(stored.tree)
    isUnchanged.reserveCapacity(earlier.count)
    hasSameListing.reserveCapacity(earlier.count)
    for directory in tree.directories {
      guard let before = earlier[directory.index] else {
        isUnchanged.append(false)
        hasSameListing.append(false)
        continue
      }
      // A scan that built upon the snapshot shares its listings.
      let isSameListing = tree.hasSameListing(directory, as: stored.tree, before)
      hasSameListing.append(isSameListing)
      isUnchanged.append(
        isSameListing && isAlike(rows, directory, before)
          && rows.notes[directory.index]?.hash == notes[before.index]?.hash
      )
    }
    for directory in tree.directories.reversed() where !isUnchanged[directory.index] {
      if let parent = tree.parent(of: directory) { isUnchanged[parent.index] = false }
    }
  }

  /// The largest files of a directory of the tree, if it and everything below it is as it was.
  internal func unchanged(_ directory: DirectoryID) -> StoredTree.LargestFiles? {
    guard isUnchanged[directory.index], let before = earlier[directory.index] else { return nil }
    return stored.largestFiles[before.index]
  }

  /// Whether all but the listing and the notes of a directory itself is as it was.
  private func isAlike(_ rows: TreeRows, _ directory: DirectoryID, _ before: DirectoryID) -> Bool {
    let (now, then) = (rows.tree, stored.tree)
    var (details, detailsBefore) = (now.details(of: directory), then.details(of: before))
    // The store knows file systems by more than the number of their device.
    (details.device, detailsBefore.device) = (0, 0)
    return details == detailsBefore
      && rows.fileSystemNumbers[now.fileSystemIndex(of: directory)]
        == stored.fileSystemNumbers[then.fileSystemIndex(of: before)]
      && now.subdirectories(of: directory).count == then.subdirectories(of: before).count
      && now.ordinalsCountedElsewhere(in: directory) == then.ordinalsCountedElsewhere(in: before)
  }

  /// The directories of the snapshot that are not in the tree.
  internal var gone: [DirectoryID] {
    var isThere = [Bool](repeating: false, count: stored.tree.directoryCount)
    for case let directory? in earlier { isThere[directory.index] = true }
    return stored.tree.directories.filter { !isThere[$0.index] }
  }
}
