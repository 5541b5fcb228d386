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
    let first = records[Int(order[0].position)]
    if order.count == count {
      for index in 0..<count { add(records[index], first) }
    } else {
      for key in order { add(records[Int(key.position)], first) }
    }
  }

  @inline(__always)
  private mutating func add(_ record: ListingPacker.Record, _ first: ListingPacker.Record) {
    summary.add(record.sizes)
    allFlags |= record.flags
    commonFlags &= record.flags
    modificationDifference |= record.modificationTime ^ first.modificationTime
    changeDifference |= record.changeTime ^ first.changeTime
    attributeDifference |= record.owner ^ first.owner
    attributeDifference |= record.group ^ first.group
    attributeDifference |= UInt32(record.mode ^ first.mode)
  }
}
