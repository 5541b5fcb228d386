import CPlatSystem
import Glibc
import PlatTree

/// The places in memory where the columns of one listing are written.
///
/// Each column has room for the longest that it can be. This is unsafe code: the memory must have
/// ``room(entries:nameBytes:)`` bytes, which is also what keeps writes of several bytes at once inside.
internal struct ColumnPlaces {
  private let start: UnsafeMutableRawPointer
  private var flags: Column
  private var sizes: Column
  private var blocks: Column
  private var modifications: Column
  private var changes: Column
  private var inodes: Column
  private var attributes: Column
  private var names: Column

  private var uniform: UInt8 = 0
  private var allFlags: UInt8 = 0

  /// The most bytes of a number.
  private static let numberWidth = 10
  /// The most bytes of a link count and attributes.
  private static let attributeWidth = 25
  /// The most bytes of what precedes a name.
  private static let nameWidth = 7
  /// The most bytes of what precedes the columns.
  private static let headRoom = 64
  /// Bytes after a column that are written before those of the next column are.
  private static let slack = 16

  /// The bytes of memory that a listing needs.
  internal static func room(entries: Int, nameBytes: Int) -> Int {
    headRoom + entries * (1 + 5 * numberWidth + attributeWidth + nameWidth) + nameBytes + 9 * slack
  }

  internal init(_ memory: UnsafeMutableRawPointer, entries: Int) {
    start = memory + Self.headRoom
    var next = start
    func place(_ width: Int) -> Column {
      defer { next += entries * width + Self.slack }
      return Column(next)
    }
    flags = place(1)
    sizes = place(Self.numberWidth)
    blocks = place(Self.numberWidth)
    modifications = place(Self.numberWidth)
    changes = place(Self.numberWidth)
    inodes = place(Self.numberWidth)
    attributes = place(Self.attributeWidth)
    names = place(0)
  }

  // MARK: - Columns

  internal typealias Records = UnsafeMutablePointer<ListingPacker.Record>
  internal typealias Order = UnsafeBufferPointer<NameKeys.Key>

  /// Writes all columns, and adds up the entries.
  ///
  /// One pass a column, or a few that need the same: what a pass works with fits into registers.
  internal mutating func write(
    _ records: Records,
    _ order: Order,
    _ table: inout AttributeTable,
    _ summary: inout ListingSummary
  ) {
    writeFlags(records, order, &table, &summary)
    writeSizes(records, order)
    writeTimes(records, order)
    var (names, before, length) = (names, UnsafeRawPointer(start), 0)
    for key in order {
      let name = records[Int(key.position)].name
      names.putName(name, Int(key.length), after: before, length)
      (before, length) = (name, Int(key.length))
    }
    self.names = names
  }

  /// Writes flags and attributes, and finds out what the entries have in common.
  private mutating func writeFlags(
    _ records: Records,
    _ order: Order,
    _ table: inout AttributeTable,
    _ summary: inout ListingSummary
  ) {
    let first = records[Int(order[0].position)].entry
    var row = AttributeTable.Row(mode: first.mode, owner: first.owner, group: first.group)
    var hasTable = false
    var (flags, attributes, sums) = (flags, attributes, summary)
    var (every, common): (UInt8, UInt8) = (0, .max)
    if first.linkCount != 1 { attributes.putSmall(UInt64(first.linkCount)) }
    attributes.put(0, row)
    for index in 0..<order.count {
      let entry = records[Int(order[index].position)].entry
      sums.add(entry)
      var flag = entry.kind.rawValue
      if entry.blocks != entry.expectedBlocks { flag |= ListingFormat.Flag.explicitBlocks }
      if entry.isUnreadable { flag |= ListingFormat.Flag.unreadable }
      if entry.linkCount != 1 {
        flag |= ListingFormat.Flag.manyLinks
        if index > 0 { attributes.putSmall(UInt64(entry.linkCount)) }
      }
      if entry.mode != row.mode || entry.owner != row.owner || entry.group != row.group {
        flag |= ListingFormat.Flag.newAttributes
        if !hasTable {
          table.reset()
          _ = table.index(of: row)
          hasTable = true
        }
        row = AttributeTable.Row(mode: entry.mode, owner: entry.owner, group: entry.group)
        let (number, isNew) = table.index(of: row)
        attributes.put(number, isNew ? row : nil)
      }
      flags.putByte(flag)
      every |= flag
      common &= flag
    }
    (self.flags, self.attributes, summary) = (flags, attributes, sums)
    allFlags = every
    if every == common { uniform |= ListingFormat.Uniform.flags }
  }

  private mutating func writeSizes(_ records: Records, _ order: Order) {
    var sizes = sizes
    for key in order { sizes.putNumber(records[Int(key.position)].entry.size) }
    self.sizes = sizes
    var (inodes, inode) = (inodes, UInt64(0))
    for key in order {
      let next = records[Int(key.position)].entry.inode
      inodes.putNumber(zigzag(Int64(bitPattern: next &- inode)))
      inode = next
    }
    self.inodes = inodes
    guard allFlags & ListingFormat.Flag.explicitBlocks != 0 else { return }
    var blocks = blocks
    for key in order {
      let entry = records[Int(key.position)].entry
      if entry.blocks != entry.expectedBlocks { blocks.putSmall(entry.blocks) }
    }
    self.blocks = blocks
  }

  private mutating func writeTimes(_ records: Records, _ order: Order) {
    let first = records[Int(order[0].position)].entry
    var (modifications, changes) = (modifications, changes)
    modifications.putSmall(zigzag(first.modificationTime))
    changes.putSmall(zigzag(first.changeTime &- first.modificationTime))
    var (modification, change) = (first.modificationTime, first.changeTime)
    var (modificationsDiffer, changesDiffer) = (false, false)
    for index in 1..<max(order.count, 1) {
      let entry = records[Int(order[index].position)].entry
      let sinceModification = zigzag(entry.modificationTime &- modification)
      let sinceChange = zigzag(entry.changeTime &- change)
      modifications.putSmall(sinceModification)
      changes.putSmall(sinceChange)
      if sinceModification != 0 { modificationsDiffer = true }
      if sinceChange != 0 { changesDiffer = true }
      (modification, change) = (entry.modificationTime, entry.changeTime)
    }
    (self.modifications, self.changes) = (modifications, changes)
    if !modificationsDiffer { uniform |= ListingFormat.Uniform.modificationTime }
    if !changesDiffer { uniform |= ListingFormat.Uniform.changeTime }
  }

  // MARK: - The whole

  /// Moves the columns together, writes what precedes and what follows them, and returns it all.
  internal mutating func close(entries: Int) -> UnsafeRawBufferPointer {
    if uniform & ListingFormat.Uniform.flags != 0 { flags.next = flags.start }
    if uniform & ListingFormat.Uniform.modificationTime != 0 { modifications.cutAfterFirst() }
    if uniform & ListingFormat.Uniform.changeTime != 0 { changes.cutAfterFirst() }
    var end = flags.next
    sizes.move(to: &end)
    blocks.move(to: &end)
    modifications.move(to: &end)
    changes.move(to: &end)
    inodes.move(to: &end)
    attributes.move(to: &end)
    names.move(to: &end)
    let begin = writeHead(entries: entries)
    let checksum = checksum(of: UnsafeRawBufferPointer(start: begin, count: end - begin))
    end.storeBytes(of: checksum.littleEndian, as: UInt32.self)
    return UnsafeRawBufferPointer(start: begin, count: end - begin + 4)
  }

  /// Writes what precedes the columns, and returns where it starts.
  private func writeHead(entries: Int) -> UnsafeMutableRawPointer {
    var head = Column(start - Self.headRoom)
    head.putSmall(UInt64(entries))
    head.putByte(uniform)
    head.putByte(allFlags)
    head.putSmall(UInt64(sizes.length))
    head.putSmall(UInt64(blocks.length))
    head.putSmall(UInt64(modifications.length))
    head.putSmall(UInt64(changes.length))
    head.putSmall(UInt64(inodes.length))
    head.putSmall(UInt64(attributes.length))
    let begin = start - head.length
    memmove(begin, head.start, head.length)
    return begin
  }
}

/// Maps signed numbers to unsigned ones: 0, −1, 1, −2 and so on become 0, 1, 2, 3.
@inline(__always)
private func zigzag(_ value: Int64) -> UInt64 { UInt64(bitPattern: value << 1 ^ value >> 63) }

/// The CRC-32C of bytes, by the processor if it can.
private func checksum(of bytes: UnsafeRawBufferPointer) -> UInt32 {
  var sum: UInt32 = 0
  if let start = bytes.baseAddress, plat_crc32c(start, bytes.count, &sum) != 0 { return sum }
  return crc32c(bytes.assumingMemoryBound(to: UInt8.self).span)
}
