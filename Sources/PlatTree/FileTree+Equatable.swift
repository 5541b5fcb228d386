extension FileTree: Equatable {
  /// Whether two trees describe the same state of the same roots.
  ///
  /// Where the listings lie in memory does not matter, nor which numbers the kernel gave to devices
  /// that are known by their UUID.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes of the trees.
  public static func == (first: FileTree, second: FileTree) -> Bool {
    if first.isIdentical(to: second) { return true }
    return first.hasSameDirectories(as: second) && first.issues == second.issues
      && first.exclusions == second.exclusions
      && first.directories.allSatisfy { first.hasSameListing($0, as: second, $0) }
  }

  /// Whether a tree is a copy of another, which needs no look at either.
  ///
  /// Trees that are not can be equal all the same.
  ///
  /// - Complexity: O(1)
  public func isIdentical(to other: FileTree) -> Bool {
    // Nothing changes a tree that was built, so those that share a column share all.
    listings.span.isIdentical(to: other.listings.span)
      && parents.span.isIdentical(to: other.parents.span)
      && totalAllocated.span.isIdentical(to: other.totalAllocated.span)
      && fileSystems == other.fileSystems
  }

  private func hasSameDirectories(as other: FileTree) -> Bool {
    parents == other.parents && names == other.names && nameStarts == other.nameStarts
      && inodes == other.inodes && allocatedSizes == other.allocatedSizes
      && modificationTimes == other.modificationTimes && changeTimes == other.changeTimes
      && attributeIndices == other.attributeIndices && attributes == other.attributes
      && flags == other.flags && totalAllocated == other.totalAllocated
      && totalApparent == other.totalApparent && uncharged == other.uncharged
      && fileSystemIndices == other.fileSystemIndices
      && fileSystems.elementsEqual(other.fileSystems) { one, another in
        one.type == another.type && one.uuid == another.uuid
          && (!one.uuid.isEmpty || one.device == another.device)
      }
  }
}
