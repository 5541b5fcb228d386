import PlatTree

/// What the entries of one listing have in common, and what they add up to.
///
/// It is found in one pass over the entries in the order they came in, so that a column that is the
/// same for all of them needs no pass of its own.
internal struct ListingSurvey {
  internal private(set) var summary = ListingSummary()
  /// The flags of all entries, or-ed.
  internal private(set) var allFlags: UInt8 = 0
  private var commonFlags = UInt8.max
  // Bits in which an entry differs from the first.
  private var modificationDifference: Int64 = 0
  private var changeDifference: Int64 = 0
  private var attributeDifference: UInt32 = 0
  // Sums, and all their parts or-ed.
  private var size: UInt64 = 0
  private var blocks: UInt64 = 0
  private var symbolicLinks: UInt32 = 0
  private var allSizes: UInt64 = 0
  private var allBlocks: UInt64 = 0
  private var newest = Int64.min

  /// Whether all entries have the same flags, but for what their neighbours make of them.
  internal var hasOneFlag: Bool { allFlags == commonFlags }
  internal var hasOneModificationTime: Bool { modificationDifference == 0 }
  internal var hasOneChangeTime: Bool { changeDifference == 0 }
  /// Whether all entries have one mode, owner and group.
  internal var hasOneRow: Bool { attributeDifference == 0 }

  /// Looks at the entries.
  ///
  /// - Parameters:
  ///   - records: The entries, in the order they came in.
  ///   - count: How many came, from 1.
  ///   - order: Those of them that the listing has.
  internal init(_ records: ListingPacker.Records, _ count: Int, _ order: ListingPacker.Order) {
    let first = records[Int(order[0])]
    if order.count == count {
      for index in 0..<count { add(records[index], first) }
    } else {
      for position in order { add(records[Int(position)], first) }
    }
    // Entries of less than a tebibyte add up without a look at each sum.
    let isPlain =
      allFlags & (EntryKind.other.rawValue | ListingFormat.Flag.unreadable) == 0
      && allSizes >> 40 == 0 && allBlocks >> 31 == 0 && order.count < 1 << 20
    if isPlain {
      summary.allocatedSize = blocks << 9
      summary.apparentSize = size
      summary.files = UInt32(order.count) - symbolicLinks
      summary.symbolicLinks = symbolicLinks
      summary.newestModification = newest
    } else {
      for position in order { summary.add(records[Int(position)].sizes) }
    }
  }

  @inline(__always)
  private mutating func add(_ record: ListingPacker.Record, _ first: ListingPacker.Record) {
    allFlags |= record.flags
    commonFlags &= record.flags
    modificationDifference |= record.modificationTime ^ first.modificationTime
    changeDifference |= record.changeTime ^ first.changeTime
    attributeDifference |= record.owner ^ first.owner
    attributeDifference |= record.group ^ first.group
    attributeDifference |= UInt32(record.mode ^ first.mode)
    size &+= record.size
    blocks &+= record.blocks
    symbolicLinks &+= UInt32(record.flags & EntryKind.symbolicLink.rawValue)
    allSizes |= record.size
    allBlocks |= record.blocks
    newest = max(newest, record.modificationTime)
  }
}
