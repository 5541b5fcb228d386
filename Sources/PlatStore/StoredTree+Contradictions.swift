internal import PlatTree

/// What rows say of listings, compared with the listings. That the rows of a directory and of its
/// subdirectories fit each other was found out when they were loaded.
extension StoredTree {
  /// What is wrong with the first directory whose row does not fit, as a phrase; `nil` if all is well.
  ///
  /// - Complexity: O(*n*), where *n* is the number of entries.
  internal var firstContradiction: String? {
    for directory in tree.directories {
      guard let what = contradiction(of: directory) else { continue }
      return "\(what) of directory \(numbers[directory.index]) do not fit its listing"
    }
    return nil
  }

  /// What of the row of a directory does not fit, if anything.
  private func contradiction(of directory: DirectoryID) -> String? {
    guard let outline = tree.listing(of: directory).outline() else { return "the sizes" }
    let (own, sums) = (tree.ownTotals(of: directory), tree.chargedSums(of: directory))
    if own.allocatedSize != sums.allocatedSize || own.apparentSize != sums.apparentSize {
      return "the sizes"
    }
    if !outline.hasManyLinks, !tree.ordinalsCountedElsewhere(in: directory).isEmpty {
      return "the hard links"
    }
    let summary = outline.summary
    if own.files != Int(summary.files) || own.symbolicLinks != Int(summary.symbolicLinks)
      || own.others != Int(summary.others)
    {
      return "the counts"
    }
    let change = tree.fileChange(in: directory)
    if (change ?? .max) < outline.newestChange || (change != nil && sums.fileChange == nil)
      || tree.newestModification(of: directory) != newestModification(of: directory, summary)
    {
      return "the times"
    }
    return hasLargestFiles(directory, sums) ? nil : "the largest files"
  }

  /// When something in or below a directory was modified last, made of its parts.
  private func newestModification(of directory: DirectoryID, _ listing: ListingSummary) -> Int64 {
    let modification = tree.details(of: directory).modificationTime.secondsFromNanoseconds
    return tree.subdirectories(of: directory).reduce(
      max(modification, listing.newestModification)
    ) { max($0, tree.newestModification(of: $1)) }
  }

  /// Whether the largest files of a directory are those of its parts.
  private func hasLargestFiles(_ directory: DirectoryID, _ own: FileTree.ChargedSums) -> Bool {
    var allocatedSize = Int64(clamping: own.largestAllocatedSize)
    var apparentSize = Int64(clamping: own.largestApparentSize)
    for child in tree.subdirectories(of: directory) {
      allocatedSize = max(allocatedSize, largestFiles[child.index].allocatedSize)
      apparentSize = max(apparentSize, largestFiles[child.index].apparentSize)
    }
    let stored = largestFiles[directory.index]
    return stored.allocatedSize == allocatedSize && stored.apparentSize == apparentSize
  }
}
