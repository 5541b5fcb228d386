/// The tree that a page carries: the largest entries, in columns that deflate well.
///
/// Entries are in breadth-first order. What a directory holds is one run, the largest first, equal
/// sizes by name; what is left out of it is the last of the run, as one group. Parents and depths
/// follow from the counts, and sums are made by the page.
///
/// - ``kinds``: a byte, kind × 16 + category.
/// - ``counts``: of a directory, how many entries it has; of a group, its items, and how many of
///   them are no files.
/// - ``sizes``: of a directory, its own; of the first other entry of a run, its size; of the next
///   ones, by how much they are smaller; of a group, its size.
/// - ``times``: of all but directories, seconds since the one before, zigzag.
/// - ``names``: bytes, each name ended by NUL; empty for groups.
/// - ``owners``: of all but directories, a byte: the position in ``shownOwners``, or their number for
///   everyone else; of a group, the owner of most of it.
/// - ``growths``: of all but directories, a byte: the class of growth; empty without an earlier tree.
///
/// Counts, sizes and times are unsigned LEB128 numbers.
internal struct PageTree: Sendable {
  /// What an entry is.
  internal enum Kind: UInt8 {
    case file, directory, symbolicLink, other, group
    /// A name of a hard link whose size is counted at another.
    case countedElsewhere
  }

  /// The category of a directory.
  internal static let directoryCategory: UInt8 = 15
  /// The category of what could not be read.
  internal static let unreadableCategory: UInt8 = 14

  internal var kinds: [UInt8] = []
  internal var counts: [UInt8] = []
  internal var sizes: [UInt8] = []
  internal var times: [UInt8] = []
  internal var names: [UInt8] = []
  internal var owners: [UInt8] = []
  internal var growths: [UInt8] = []
  /// The users with the most bytes.
  internal var shownOwners: [UInt32] = []
  /// The number of bytes that sizes are counted in: 512, or 1 if that does not divide them all.
  internal var unit: UInt64 = 512
  /// The items that groups stand for.
  internal var groupedItems = 0

  /// The columns, in the order in which a page has them.
  internal var columns: [[UInt8]] { [kinds, counts, sizes, times, names, owners, growths] }
}

extension [UInt8] {
  /// Appends an unsigned LEB128 number.
  internal mutating func appendVarint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(truncatingIfNeeded: rest))
  }
}
