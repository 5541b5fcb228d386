/// Takes the parts of directories off what their rows say of the whole, which leaves the entries of
/// their listings.
internal struct SubtreeSums {
  /// The sizes and counts of a subtree, in the signed numbers of the tables.
  internal struct Sums {
    internal var size: Int64 = 0
    internal var alloc: Int64 = 0
    internal var files: Int64 = 0
    internal var dirs: Int64 = 0
    internal var links: Int64 = 0
    internal var others: Int64 = 0
    internal var issues: Int64 = 0

    /// The sums that a row says.
    internal init(_ row: borrowing DirectoryRow) {
      size = row[.size]
      alloc = row[.alloc]
      files = row[.files]
      dirs = row[.dirs]
      links = row[.links]
      others = row[.others]
      issues = row[.issues]
    }

    /// The sums of a directory without its subdirectories, but for the counts of its listing.
    internal init(own row: borrowing DirectoryRow) {
      size = row[.ownSize]
      alloc = row[.ownAlloc].addingClamped(UInt64(bitPattern: row[.selfAlloc]))
      dirs = 1
    }

    /// Takes a part off.
    internal mutating func subtract(_ part: Sums) {
      Self.subtract(part.size, from: &size)
      Self.subtract(part.alloc, from: &alloc)
      files &-= part.files
      dirs &-= part.dirs
      links &-= part.links
      others &-= part.others
      issues &-= part.issues
    }

    /// Takes a part off a size, which is -1 from then on if the part is more.
    private static func subtract(_ part: Int64, from size: inout Int64) {
      // A size that has reached the limit of the numbers says no more than that.
      guard size != .max else { return }
      size = part >= 0 && size >= part ? size - part : -1
    }

    /// Whether nothing is left that a listing cannot account for, as far as the sizes can tell.
    internal var isListing: Bool {
      (size == 0 || size == .max) && (alloc == 0 || alloc == .max) && dirs == 0
        && files >= 0 && links >= 0 && others >= 0 && issues >= 0
    }
  }

  /// What each directory says, less its parts that came so far.
  private var rests: [Sums] = []

  /// Makes room for a number of directories.
  internal mutating func reserveCapacity(_ count: Int) { rests.reserveCapacity(count) }

  /// Adds a directory, after that which holds it.
  ///
  /// - Parameters:
  ///   - row: The row of the directory.
  ///   - parent: The position of the directory that holds it; `nil` for the top.
  internal mutating func append(_ row: borrowing DirectoryRow, parent: Int?) {
    let whole = Sums(row)
    var rest = whole
    rest.subtract(Sums(own: row))
    rests.append(rest)
    if let parent { rests[parent].subtract(whole) }
  }

  /// The number of issues that a directory has itself, once all directories were added.
  internal func ownIssues(at position: Int) -> Int64 { rests[position].issues }

  /// The position of a directory whose totals are wrong, once all directories were added.
  internal var firstContradiction: Int? {
    rests.lastIndex { !$0.isListing }
  }
}

extension Int64 {
  /// Returns the sum of numbers that are not negative, or 2⁶³ − 1 where it does not fit.
  internal func addingClamped(_ other: UInt64) -> Int64 {
    let (sum, overflow) = UInt64(clamping: self).addingReportingOverflow(other)
    return overflow ? .max : Int64(clamping: sum)
  }
}
