/// Packs the entries of one directory after the other into listings.
///
/// Add what one directory holds, in any order, then call ``encode(names:into:)``. An encoder keeps
/// its working storage, so that packing a directory allocates nothing once the storage has grown;
/// storage that a huge directory needed is given back.
public struct ListingEncoder: Sendable {
  @usableFromInline
  internal struct Record: Sendable {
    @usableFromInline internal var entry: ListingEntry
    @usableFromInline internal var nameStart: UInt32
    @usableFromInline internal var nameLength: UInt32

    @inlinable
    internal init(_ entry: ListingEntry, _ name: Range<Int>) {
      self.entry = entry
      nameStart = UInt32(name.lowerBound)
      nameLength = UInt32(name.count)
    }

    internal var name: Range<Int> { Int(nameStart)..<Int(nameStart) + Int(nameLength) }
  }

  @usableFromInline internal var records: [Record] = []
  private var order = NameOrder()
  private var columns = ColumnWriter()
  private var attributes = AttributeTable()
  private var flags: [UInt8] = []
  @usableFromInline internal var longestName = 0

  /// Storage for more entries than this, or more bytes, is not kept.
  private static let keptEntries = 4096
  private static let keptBytes = 1 << 18

  /// Creates an encoder with nothing added.
  public init() {}

  /// The number of entries added since the last listing.
  public var count: Int { records.count }

  /// Adds an entry of the directory in hand.
  ///
  /// - Parameters:
  ///   - entry: What the entry is; not a directory.
  ///   - name: Where its name is in the bytes that ``encode(names:into:)`` will be given.
  @inlinable
  public mutating func append(_ entry: ListingEntry, name: Range<Int>) {
    records.append(Record(entry, name))
    longestName = max(longestName, name.count)
  }

  /// Packs the entries added so far, appends the listing to `output`, and forgets them.
  ///
  /// Of several entries with the same name, the first added is kept: a directory has a name once,
  /// even if the file system lists it twice.
  ///
  /// - Parameters:
  ///   - names: The bytes that the entries' names are ranges of.
  ///   - output: Where the listing is appended; nothing is, if there is no entry.
  /// - Returns: The sizes and counts of the listing.
  /// - Complexity: O(*n* log *n*), or O(*n*) for entries that come in order of their names.
  public mutating func encode(names: Span<UInt8>, into output: inout [UInt8]) -> ListingSummary {
    var summary = ListingSummary()
    guard !records.isEmpty else { return summary }
    let records = records
    order.sort(records.count, names: names) { records[$0].name }
    let order = order.positions
    let count = order.count
    var flags = self.flags
    self.flags = []
    flags.removeAll(keepingCapacity: true)
    var allFlags: UInt8 = 0
    let first = records[order[0]].entry
    var varying = (flags: false, modification: false, change: false)
    attributes.reset()
    var last = (mode: first.mode, owner: first.owner, group: first.group)
    for position in 0..<count {
      let entry = records[order[position]].entry
      summary.add(entry)
      var flag = entry.kind.rawValue
      if entry.blocks != entry.expectedBlocks { flag |= ListingFormat.Flag.explicitBlocks }
      if entry.linkCount != 1 { flag |= ListingFormat.Flag.manyLinks }
      if entry.isUnreadable { flag |= ListingFormat.Flag.unreadable }
      if (entry.mode, entry.owner, entry.group) != last {
        flag |= ListingFormat.Flag.newAttributes
        last = (entry.mode, entry.owner, entry.group)
      }
      flags.append(flag)
      allFlags |= flag
      varying.flags = varying.flags || flag != flags[0]
      varying.modification =
        varying.modification || entry.modificationTime != first.modificationTime
      varying.change = varying.change || entry.changeTime != first.changeTime
    }

    let start = output.count
    output.appendVarint(count)
    var uniform: UInt8 = 0
    if !varying.flags { uniform |= ListingFormat.Uniform.flags }
    if !varying.modification { uniform |= ListingFormat.Uniform.modificationTime }
    if !varying.change { uniform |= ListingFormat.Uniform.changeTime }
    output.append(uniform)
    output.append(allFlags)

    if varying.flags {
      columns.column(0..<count, width: 1) { index, space, position in
        space[position] = flags[index]
        position += 1
      }
    }
    encodeNumbers(
      records,
      order,
      flags: flags,
      varying: (varying.modification, varying.change),
      into: &output
    )
    encodeNames(records, order, names)
    columns.append(to: &output)
    self.flags = flags
    let checksum = crc32c(output.span.extracting(start..<output.count))
    for shift in stride(from: 0, to: 32, by: 8) {
      output.append(UInt8(truncatingIfNeeded: checksum >> shift))
    }
    longestName = 0
    forget()
    return summary
  }

  private mutating func forget() {
    columns.reset(keeping: Self.keptBytes)
    if records.count > Self.keptEntries {
      records = []
      order = NameOrder()
      flags = []
    } else {
      records.removeAll(keepingCapacity: true)
    }
  }

  /// Writes the columns of numbers, and their lengths to `output`.
  private mutating func encodeNumbers(
    _ records: [Record],
    _ order: [Int],
    flags: [UInt8],
    varying: (modification: Bool, change: Bool),
    into output: inout [UInt8]
  ) {
    let count = order.count
    let first = records[order[0]].entry
    output.appendVarint(
      columns.column(0..<count, width: varintWidth) { index, space, position in
        putVarint(records[order[index]].entry.size, &space, &position)
      }
    )
    output.appendVarint(
      columns.column(0..<count, width: varintWidth) { index, space, position in
        guard flags[index] & ListingFormat.Flag.explicitBlocks != 0 else { return }
        putVarint(records[order[index]].entry.blocks, &space, &position)
      }
    )
    var before: Int64 = 0
    output.appendVarint(
      columns.column(0..<(varying.modification ? count : 1), width: varintWidth) {
        index,
        space,
        position in
        let time = records[order[index]].entry.modificationTime
        putVarint(zigzag(time &- before), &space, &position)
        before = time
      }
    )
    before = first.modificationTime
    output.appendVarint(
      columns.column(0..<(varying.change ? count : 1), width: varintWidth) {
        index,
        space,
        position in
        let time = records[order[index]].entry.changeTime
        putVarint(zigzag(time &- before), &space, &position)
        before = time
      }
    )
    var inode: UInt64 = 0
    output.appendVarint(
      columns.column(0..<count, width: varintWidth) { index, space, position in
        let next = records[order[index]].entry.inode
        putVarint(zigzag(Int64(bitPattern: next &- inode)), &space, &position)
        inode = next
      }
    )
    var table = attributes
    output.appendVarint(
      columns.column(0..<count, width: 5 * varintWidth) { index, space, position in
        let entry = records[order[index]].entry
        if flags[index] & ListingFormat.Flag.manyLinks != 0 {
          putVarint(UInt64(entry.linkCount), &space, &position)
        }
        guard index == 0 || flags[index] & ListingFormat.Flag.newAttributes != 0 else { return }
        let (row, isNew) = table.index(of: entry)
        putVarint(UInt64(row), &space, &position)
        guard isNew else { return }
        putVarint(UInt64(entry.mode), &space, &position)
        putVarint(UInt64(entry.owner), &space, &position)
        putVarint(UInt64(entry.group), &space, &position)
      }
    )
    attributes = table
  }

  /// Writes the column of names.
  private mutating func encodeNames(_ records: [Record], _ order: [Int], _ names: Span<UInt8>) {
    var before = 0..<0
    columns.column(order.indices, width: 1 + 2 * varintWidth + longestName) {
      index,
      space,
      position in
      let name = records[order[index]].name
      let shared = sharedPrefixLength(names, before, name)
      before = name
      let added = name.count - shared
      let prefix = min(shared, ListingFormat.prefixEscape)
      let suffix = min(added, ListingFormat.suffixEscape)
      space[position] = UInt8(truncatingIfNeeded: prefix << 5 | suffix)
      position += 1
      if prefix == ListingFormat.prefixEscape {
        putVarint(UInt64(shared - prefix), &space, &position)
      }
      if suffix == ListingFormat.suffixEscape {
        putVarint(UInt64(added - suffix), &space, &position)
      }
      var target = space._mutatingExtracting(position..<position + added)
      let source = names.extracting(name.lowerBound + shared..<name.lowerBound + shared + added)
      for index in 0..<added { target[index] = source[index] }
      position += added
    }
  }
}

extension ColumnWriter {
  /// Appends everything written to a byte string.
  internal func append(to output: inout [UInt8]) {
    output.append(contentsOf: bytes[..<count])
  }
}

/// The owners and modes that a listing has used so far.
///
/// A directory has one or two of them as a rule, so a search along the row beats hashing; a listing
/// of many owners falls back to a dictionary.
private struct AttributeTable: Sendable {
  private struct Row: Hashable, Sendable {
    var mode: UInt16
    var owner: UInt32
    var group: UInt32
  }

  private var rows: [Row] = []
  private var positions: [Row: Int] = [:]
  private static let searched = 16

  mutating func reset() {
    rows.removeAll(keepingCapacity: true)
    if !positions.isEmpty { positions = [:] }
  }

  /// Returns the row of an entry's attributes, and whether it was added just now.
  mutating func index(of entry: ListingEntry) -> (index: Int, isNew: Bool) {
    let row = Row(mode: entry.mode, owner: entry.owner, group: entry.group)
    for index in 0..<min(rows.count, Self.searched) where rows[index] == row {
      return (index, false)
    }
    if rows.count >= Self.searched {
      if let index = positions[row] { return (index, false) }
      positions[row] = rows.count
    }
    rows.append(row)
    return (rows.count - 1, true)
  }
}
