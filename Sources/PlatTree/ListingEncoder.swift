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
  @usableFromInline internal var longestName = 0

  /// Storage for more entries than this, or more bytes, is not kept.
  private static let keptEntries = 4096
  private static let keptBytes = 1 << 18

  /// Creates an encoder with nothing added.
  public init() {}

  /// The number of entries added since the last listing.
  public var count: Int { records.count }

  /// Makes room for a number of entries, so that adding them copies none.
  public mutating func reserveCapacity(_ count: Int) { records.reserveCapacity(count) }

  /// Adds an entry of the directory in hand.
  ///
  /// - Parameters:
  ///   - entry: What the entry is; not a directory.
  ///   - name: Where its name is in the bytes that ``encode(names:into:)`` will be given.
  @inlinable @inline(__always)
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
    order.sort(records.count, names: names) { records[$0].name }
    columns.encode(
      records,
      order,
      names,
      longestName: longestName,
      &attributes,
      &summary
    )
    columns.append(to: &output)
    forget()
    return summary
  }

  private mutating func forget() {
    longestName = 0
    columns.reset(keeping: Self.keptBytes)
    if records.count > Self.keptEntries {
      records = []
      order = NameOrder()
    } else {
      records.removeAll(keepingCapacity: true)
    }
  }
}

extension ColumnWriter {
  /// What the entries of a listing have in common: the second and the third byte.
  private struct Common {
    var uniform: UInt8 = 0
    /// The flags of all entries, or-ed.
    var flags: UInt8 = 0

    func has(_ flag: UInt8) -> Bool { flags & flag != 0 }
    func isUniform(_ column: UInt8) -> Bool { uniform & column != 0 }
  }

  /// Writes a listing.
  fileprivate mutating func encode(
    _ records: [ListingEncoder.Record],
    _ order: NameOrder,
    _ names: Span<UInt8>,
    longestName: Int,
    _ attributes: inout AttributeTable,
    _ summary: inout ListingSummary
  ) {
    let records = records.span
    let order = order.keys.span.extracting(0..<order.count)
    let common = encodeFlags(records, order, &summary)
    let lengths = encodeNumbers(records, order, common, &attributes)
    encodeNames(records, order, names, longestName: longestName)
    head { space, position in
      putVarint(UInt64(order.count), &space, &position)
      space[position] = common.uniform
      space[position + 1] = common.flags
      position += 2
      for index in lengths.indices { putVarint(UInt64(lengths[index]), &space, &position) }
    }
  }

  /// Writes the column of flags, adds up the entries, and finds out what they have in common.
  private mutating func encodeFlags(
    _ records: Span<ListingEncoder.Record>,
    _ order: Span<NameOrder.Key>,
    _ summary: inout ListingSummary
  ) -> Common {
    let first = records[Int(order[0].position)].entry
    var last = (mode: first.mode, owner: first.owner, group: first.group)
    var (allFlags, commonFlags): (UInt8, UInt8) = (0, .max)
    var (isModificationUniform, isChangeUniform) = (true, true)
    column(0..<order.count, width: 1) { index, space, position in
      let entry = records[Int(order[index].position)].entry
      summary.add(entry)
      var flag = entry.kind.rawValue
      if entry.blocks != entry.expectedBlocks { flag |= ListingFormat.Flag.explicitBlocks }
      if entry.linkCount != 1 { flag |= ListingFormat.Flag.manyLinks }
      if entry.isUnreadable { flag |= ListingFormat.Flag.unreadable }
      if (entry.mode, entry.owner, entry.group) != last {
        flag |= ListingFormat.Flag.newAttributes
        last = (entry.mode, entry.owner, entry.group)
      }
      space[position] = flag
      position += 1
      allFlags |= flag
      commonFlags &= flag
      if entry.modificationTime != first.modificationTime { isModificationUniform = false }
      if entry.changeTime != first.changeTime { isChangeUniform = false }
    }
    var common = Common(flags: allFlags)
    if isModificationUniform { common.uniform |= ListingFormat.Uniform.modificationTime }
    if isChangeUniform { common.uniform |= ListingFormat.Uniform.changeTime }
    if allFlags == commonFlags {
      common.uniform |= ListingFormat.Uniform.flags
      removeColumns()
    }
    return common
  }

  /// Writes the columns of numbers, and returns their lengths.
  private mutating func encodeNumbers(
    _ records: Span<ListingEncoder.Record>,
    _ order: Span<NameOrder.Key>,
    _ common: Common,
    _ attributes: inout AttributeTable
  ) -> InlineArray<6, Int> {
    let count = order.count
    let first = records[Int(order[0].position)].entry
    let sizes = column(0..<count, width: varintWidth) { index, space, position in
      putVarint(records[Int(order[index].position)].entry.size, &space, &position)
    }
    let hasBlocks = common.has(ListingFormat.Flag.explicitBlocks)
    let blocks = column(0..<(hasBlocks ? count : 0), width: varintWidth) {
      index,
      space,
      position in
      let entry = records[Int(order[index].position)].entry
      if entry.blocks != entry.expectedBlocks { putVarint(entry.blocks, &space, &position) }
    }
    var before: Int64 = 0
    let isModificationUniform = common.isUniform(ListingFormat.Uniform.modificationTime)
    let modifications = column(
      0..<(isModificationUniform ? 1 : count),
      width: varintWidth
    ) { index, space, position in
      let time = records[Int(order[index].position)].entry.modificationTime
      putVarint(zigzag(time &- before), &space, &position)
      before = time
    }
    before = first.modificationTime
    let isChangeUniform = common.isUniform(ListingFormat.Uniform.changeTime)
    let changes = column(0..<(isChangeUniform ? 1 : count), width: varintWidth) {
      index,
      space,
      position in
      let time = records[Int(order[index].position)].entry.changeTime
      putVarint(zigzag(time &- before), &space, &position)
      before = time
    }
    var inode: UInt64 = 0
    let inodes = column(0..<count, width: varintWidth) { index, space, position in
      let next = records[Int(order[index].position)].entry.inode
      putVarint(zigzag(Int64(bitPattern: next &- inode)), &space, &position)
      inode = next
    }
    return [
      sizes, blocks, modifications, changes, inodes,
      encodeAttributes(records, order, common, &attributes),
    ]
  }

  /// Writes the column of link counts and attributes, and returns its length.
  private mutating func encodeAttributes(
    _ records: Span<ListingEncoder.Record>,
    _ order: Span<NameOrder.Key>,
    _ common: Common,
    _ attributes: inout AttributeTable
  ) -> Int {
    let isFirstOnly =
      !common.has(ListingFormat.Flag.manyLinks | ListingFormat.Flag.newAttributes)
    attributes.reset()
    var last: AttributeTable.Row?
    return column(
      0..<(isFirstOnly ? 1 : order.count),
      width: 5 * varintWidth
    ) { index, space, position in
      let entry = records[Int(order[index].position)].entry
      if entry.linkCount != 1 { putVarint(UInt64(entry.linkCount), &space, &position) }
      let row = AttributeTable.Row(mode: entry.mode, owner: entry.owner, group: entry.group)
      guard row != last else { return }
      last = row
      let (number, isNew) = attributes.index(of: row)
      putVarint(UInt64(number), &space, &position)
      guard isNew else { return }
      putVarint(UInt64(entry.mode), &space, &position)
      putVarint(UInt64(entry.owner), &space, &position)
      putVarint(UInt64(entry.group), &space, &position)
    }
  }

  /// Writes the column of names.
  private mutating func encodeNames(
    _ records: Span<ListingEncoder.Record>,
    _ order: Span<NameOrder.Key>,
    _ names: Span<UInt8>,
    longestName: Int
  ) {
    var before = 0..<0
    let width = 1 + 2 * varintWidth + longestName + 8
    column(0..<order.count, width: width) { index, space, position in
      let name = records[Int(order[index].position)].name
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
      copy(names, name.lowerBound + shared..<name.upperBound, to: &space, position)
      position += added
    }
  }
}

/// Copies bytes, eight at a time; up to seven bytes of the target beyond them may change.
@inline(__always)
internal func copy(
  _ source: Span<UInt8>,
  _ range: Range<Int>,
  to target: inout MutableSpan<UInt8>,
  _ start: Int
) {
  var (from, to) = (range.lowerBound, start)
  while from < range.upperBound {
    if let word = word(source, at: from) {
      var part = target._mutatingExtracting(to..<to &+ 8)
      for index in 0..<8 { part[index] = UInt8(truncatingIfNeeded: word >> UInt64(56 - 8 * index)) }
      from &+= 8
      to &+= 8
    } else {
      target[to] = source[from]
      from &+= 1
      to &+= 1
    }
  }
}
