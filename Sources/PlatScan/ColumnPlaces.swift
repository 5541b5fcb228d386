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
  private static let slack = 32

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

  internal typealias Records = ListingPacker.Records
  internal typealias Order = ListingPacker.Order

  /// Writes all columns but the names.
  ///
  /// One pass a column, or a few that need the same: what a pass works with fits into registers. A
  /// column that is the same for all entries is told by the first.
  internal mutating func write(
    _ records: Records,
    _ order: Order,
    _ survey: ListingSurvey,
    _ table: inout AttributeTable
  ) {
    writeFlags(records, order, survey, &table)
    writeSizes(records, order)
    writeTimes(records, order, survey)
  }

  /// Writes the names.
  ///
  /// - Parameters:
  ///   - names: Where the names are, by the positions of their entries.
  ///   - bytes: What holds the names.
  ///   - order: The entries.
  internal mutating func writeNames(
    _ names: UnsafePointer<NameKeys.Name>,
    in bytes: UnsafeRawPointer,
    _ order: Order
  ) {
    var (column, before, length) = (self.names, UnsafeRawPointer(start), 0)
    for position in order {
      let name = names[Int(truncatingIfNeeded: position)]
      let start = bytes + name.start
      column.putName(start, name.length, after: before, length)
      (before, length) = (start, name.length)
    }
    self.names = column
  }

  /// Writes flags and attributes.
  private mutating func writeFlags(
    _ records: Records,
    _ order: Order,
    _ survey: ListingSurvey,
    _ table: inout AttributeTable
  ) {
    allFlags = survey.allFlags
    guard survey.hasOneRow, allFlags & ListingFormat.Flag.manyLinks == 0 else {
      return writeAttributes(records, order, &table)
    }
    attributes.put(0, AttributeTable.Row(records[Int(truncatingIfNeeded: order[0])]))
    if survey.hasOneFlag {
      uniform |= ListingFormat.Uniform.flags
    } else {
      var flags = flags
      for position in order { flags.putByte(records[Int(truncatingIfNeeded: position)].flags) }
      self.flags = flags
    }
  }

  /// Writes the flags and attributes of entries that have not all the same attributes, or many links.
  @inline(never)
  private mutating func writeAttributes(
    _ records: Records,
    _ order: Order,
    _ table: inout AttributeTable
  ) {
    var last = records[Int(truncatingIfNeeded: order[0])]
    table.reset()
    _ = table.index(of: AttributeTable.Row(last))
    var (flags, attributes) = (flags, attributes)
    var (every, common): (UInt8, UInt8) = (0, .max)
    for index in 0..<order.count {
      let record = records[Int(truncatingIfNeeded: order[index])]
      var flag = record.flags
      if record.linkCount != 1 { attributes.putSmall(UInt64(record.linkCount)) }
      if index == 0 {
        attributes.put(0, AttributeTable.Row(record))
      } else if record.mode != last.mode || record.owner != last.owner
        || record.group != last.group
      {
        flag |= ListingFormat.Flag.newAttributes
        last = record
        let row = AttributeTable.Row(record)
        let (number, isNew) = table.index(of: row)
        attributes.put(number, isNew ? row : nil)
      }
      flags.putByte(flag)
      every |= flag
      common &= flag
    }
    (self.flags, self.attributes) = (flags, attributes)
    allFlags = every
    guard every == common else { return }
    uniform |= ListingFormat.Uniform.flags
    self.flags.next = self.flags.start
  }

  private mutating func writeSizes(_ records: Records, _ order: Order) {
    var (sizes, inodes, inode) = (sizes, inodes, UInt64(0))
    for position in order {
      let record = records + Int(truncatingIfNeeded: position)
      sizes.putNumber(record.pointee.size)
      let next = record.pointee.inode
      inodes.putNumber(zigzag(Int64(bitPattern: next &- inode)))
      inode = next
    }
    (self.sizes, self.inodes) = (sizes, inodes)
    guard allFlags & ListingFormat.Flag.explicitBlocks != 0 else { return }
    var blocks = blocks
    for position in order {
      let record = records[Int(truncatingIfNeeded: position)]
      if record.flags & ListingFormat.Flag.explicitBlocks != 0 { blocks.putSmall(record.blocks) }
    }
    self.blocks = blocks
  }

  private mutating func writeTimes(_ records: Records, _ order: Order, _ survey: ListingSurvey) {
    let first = records[Int(truncatingIfNeeded: order[0])]
    modifications.putSmall(zigzag(first.modificationTime))
    changes.putSmall(zigzag(first.changeTime &- first.modificationTime))
    if survey.hasOneModificationTime {
      uniform |= ListingFormat.Uniform.modificationTime
    } else {
      var (modifications, before) = (modifications, first.modificationTime)
      for position in order.dropFirst() {
        let time = records[Int(truncatingIfNeeded: position)].modificationTime
        modifications.putSmall(zigzag(time &- before))
        before = time
      }
      self.modifications = modifications
    }
    if survey.hasOneChangeTime {
      uniform |= ListingFormat.Uniform.changeTime
    } else {
      var (changes, before) = (changes, first.changeTime)
      for position in order.dropFirst() {
        let time = records[Int(truncatingIfNeeded: position)].changeTime
        changes.putSmall(zigzag(time &- before))
        before = time
      }
      self.changes = changes
    }
  }

  // MARK: - The whole

  /// Moves the columns together, writes what precedes and what follows them, and returns it all.
  internal mutating func close(entries: Int) -> UnsafeRawBufferPointer {
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

extension AttributeTable.Row {
  @inline(__always)
  fileprivate init(_ record: ListingPacker.Record) {
    self.init(mode: record.mode, owner: record.owner, group: record.group)
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
