extension FileTree {
  /// What the entries of one listing add up to where every inode counts once.
  public struct ChargedSums: Hashable, Sendable {
    /// What the entries that are charged here occupy on disk, in bytes.
    public var allocatedSize: UInt64 = 0
    /// The lengths of the files and symbolic links that are charged here, in bytes.
    public var apparentSize: UInt64 = 0
    /// What the file that occupies most of them occupies, in bytes.
    public var largestAllocatedSize: UInt64 = 0
    /// The length of the longest file of them, in bytes.
    public var largestApparentSize: UInt64 = 0
    /// The number of entries that are charged to another name.
    public var countedElsewhere = 0
    /// When a file changed last, as `FileTree.fileChange(in:)` has it.
    public var fileChange: Int64?

    /// Creates the sums of an empty listing.
    public init() {}
  }

  /// Returns the entries of a directory's listing that are charged to another name of their inode.
  ///
  /// - Precondition: `directory` came from this tree.
  /// - Returns: Their ordinals, ascending.
  /// - Complexity: O(log *n* + *m*), where *n* is the number of such names in the tree, and *m* the
  ///   number returned.
  public func ordinalsCountedElsewhere(in directory: DirectoryID) -> [Int] {
    guard !uncharged.isEmpty else { return [] }
    let start = UInt64(directory.index) << 32
    var position = uncharged.partitioningIndex { $0 >= start }
    var ordinals: [Int] = []
    while position < uncharged.count, uncharged[position] >> 32 == UInt64(directory.index) {
      ordinals.append(Int(uncharged[position] & 0xffff_ffff))
      position += 1
    }
    return ordinals
  }

  /// Returns what the entries of a directory's listing add up to, and the largest files among them.
  ///
  /// - Precondition: `directory` came from this tree.
  /// - Complexity: O(*n*), where *n* is the number of entries of the listing.
  public func chargedSums(of directory: DirectoryID) -> ChargedSums {
    var sums = ChargedSums()
    let listing = listing(of: directory)
    var outline = ListingOutline(hasManyLinks: listing.hasManyLinks)
    var elsewhere = outline.hasManyLinks ? ordinalsCountedElsewhere(in: directory)[...] : []
    sums.countedElsewhere = elsewhere.count
    var cursor = listing.makeCursor()
    while cursor.advanceSizesAndTimes() {
      outline.add(cursor.entry)
      if elsewhere.first == cursor.ordinal {
        elsewhere.removeFirst()
        continue
      }
      let (allocated, apparent) = (cursor.entry.allocatedSize, cursor.entry.apparentSize)
      sums.allocatedSize = sums.allocatedSize.addingSaturated(allocated)
      sums.apparentSize = sums.apparentSize.addingSaturated(apparent)
      guard cursor.entry.kind == .file else { continue }
      sums.largestAllocatedSize = max(sums.largestAllocatedSize, allocated)
      sums.largestApparentSize = max(sums.largestApparentSize, apparent)
    }
    sums.fileChange = cursor.isDamaged ? nil : outline.fileChange
    return sums
  }
}
