internal import PlatTree

/// Takes the parts of directories off what their rows say of the whole, which leaves nothing.
internal struct SubtreeSums {
  /// The sizes and counts of a subtree, in the signed numbers of the tables.
  internal struct Sums {
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

    /// Takes a part off.
    internal mutating func subtract(_ part: Sums) {
      Self.subtract(part.size, from: &size)
      Self.subtract(part.alloc, from: &alloc)
      files &-= part.files
      dirs &-= part.dirs
      links &-= part.links
      others &-= part.others
    }

    /// Takes a part off a size, which is -1 from then on if the part is more.
    private static func subtract(_ part: Int64, from size: inout Int64) {
      // A size that has reached the limit of the numbers says no more than that.
      guard size != .max else { return }
      size = part >= 0 && size >= part ? size - part : -1
    }

    /// Whether nothing is left, as far as the sizes can tell.
    internal var isNothing: Bool {
      (size == 0 || size == .max) && (alloc == 0 || alloc == .max)
        && (files, dirs, links, others) == (0, 0, 0, 0)
    }
  }

  /// What each directory says, less its parts that came so far.
  private var rests: [Sums] = []
  private var contradiction: Int?

  /// Makes room for a number of directories.
  internal mutating func reserveCapacity(_ count: Int) { rests.reserveCapacity(count) }

  /// Adds a directory, after that which holds it.
  ///
  /// - Parameters:
  ///   - row: The row of the directory.
  ///   - listing: The sums of its listing.
  ///   - parent: The position of the directory that holds it; `nil` for the top.
  internal mutating func append(
    _ row: DirectoryRow,
    _ listing: ListingSummary,
    parent: Int?
  ) {
    // Where nothing is counted elsewhere, the listing says the same as the row.
    if row.elsewhere.isEmpty,
      row[.ownSize] != Int64(clamping: listing.apparentSize)
        || row[.ownAlloc] != Int64(clamping: listing.allocatedSize)
    {
      contradiction = contradiction ?? rests.count
    }
    let whole = Sums(row)
    var rest = whole
    rest.subtract(Sums(own: row, listing))
    rests.append(rest)
    if let parent { rests[parent].subtract(whole) }
  }

  /// The position of a directory whose totals are wrong, once all directories were added.
  internal var firstContradiction: Int? {
    contradiction ?? rests.lastIndex { !$0.isNothing }
  }
}

extension Int64 {
  /// Returns the sum of numbers that are not negative, or 2⁶³ − 1 where it does not fit.
  internal func addingClamped(_ other: UInt64) -> Int64 {
    let (sum, overflow) = UInt64(clamping: self).addingReportingOverflow(other)
    return overflow ? .max : Int64(clamping: sum)
  }
}
