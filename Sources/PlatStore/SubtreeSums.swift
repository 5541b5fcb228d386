internal import PlatTree

/// Adds up the rows of a snapshot again, to compare them with what they say.
internal struct SubtreeSums {
  /// The sizes and counts of a subtree, in the signed numbers of the tables.
  internal struct Sums: Equatable {
    internal var size: Int64 = 0
    internal var alloc: Int64 = 0
    internal var files: Int64 = 0
    internal var dirs: Int64 = 0
    internal var links: Int64 = 0
    internal var others: Int64 = 0

    /// The sums that a row says.
    internal init(_ row: DirectoryRow) {
      size = row[.size]
      alloc = row[.alloc]
      files = row[.files]
      dirs = row[.dirs]
      links = row[.links]
      others = row[.others]
    }

    /// The sums of a directory without its subdirectories.
    internal init(own row: DirectoryRow, _ listing: ListingSummary) {
      size = row[.ownSize]
      alloc = row[.ownAlloc].addingClamped(UInt64(bitPattern: row[.selfAlloc]))
      files = Int64(listing.files)
      dirs = 1
      links = Int64(listing.symbolicLinks)
      others = Int64(listing.others)
    }

    /// Adds a subdirectory.
    internal mutating func add(_ other: Sums) {
      size = size.addingClamped(UInt64(clamping: other.size))
      alloc = alloc.addingClamped(UInt64(clamping: other.alloc))
      files &+= other.files
      dirs &+= other.dirs
      links &+= other.links
      others &+= other.others
    }

    /// Whether these sums are those of the parts; a size that has reached the limit of the numbers
    /// says no more than that.
    internal func fits(_ parts: Sums) -> Bool {
      (size == parts.size || size == .max) && (alloc == parts.alloc || alloc == .max)
        && (files, dirs, links, others) == (parts.files, parts.dirs, parts.links, parts.others)
    }
  }

  private var stored: [Sums] = []
  private var parts: [Sums] = []
  private var contradiction: Int?

  /// Adds a directory, after that which holds it.
  internal mutating func append(_ row: DirectoryRow, _ listing: ListingSummary) {
    // Where nothing is counted elsewhere, the listing says the same as the row.
    if row.elsewhere.isEmpty,
      row[.ownSize] != Int64(clamping: listing.apparentSize)
        || row[.ownAlloc] != Int64(clamping: listing.allocatedSize)
    {
      contradiction = contradiction ?? stored.count
    }
    stored.append(Sums(row))
    parts.append(Sums(own: row, listing))
  }

  /// Adds up all directories, and returns the position of one whose totals are wrong.
  internal mutating func firstContradiction(_ parents: [Int]) -> Int? {
    if let contradiction { return contradiction }
    for position in stored.indices.reversed() {
      guard stored[position].fits(parts[position]) else { return position }
      if position > 0 { parts[parents[position]].add(stored[position]) }
    }
    return nil
  }
}

extension Int64 {
  /// Returns the sum of numbers that are not negative, or 2⁶³ − 1 where it does not fit.
  internal func addingClamped(_ other: UInt64) -> Int64 {
    let (sum, overflow) = UInt64(clamping: self).addingReportingOverflow(other)
    return overflow ? .max : Int64(clamping: sum)
  }
}
