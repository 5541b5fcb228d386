import CPlatSystem
import PlatTree

/// Packs the entries of one directory after the other into listings, for a scan.
///
/// The bytes are those that `ListingEncoder` makes, and tests hold the two together: packing is most
/// of what a scan does by itself, so here it works over plain memory. Entries are sorted by the first
/// eight bytes of their names, read when they are added; then one pass writes all columns, each to
/// a place with room for the longest, and they are moved together.
///
/// This is unsafe code. It relies on names with ``slack`` bytes after them that can be read.
internal struct ListingPacker: ~Copyable {
  /// An entry, in 56 bytes.
  internal struct Record {
    internal var size: UInt64
    internal var blocks: UInt64
    internal var modificationTime: Int64
    internal var changeTime: Int64
    internal var inode: UInt64
    internal var linkCount: UInt32
    internal var owner: UInt32
    internal var group: UInt32
    internal var mode: UInt16
    /// The entry's byte in the column of flags, but for whether its attributes are new.
    internal var flags: UInt8
  }

  internal typealias Records = UnsafeMutablePointer<Record>
  /// The positions of records, in the order of their names.
  internal typealias Order = UnsafeBufferPointer<UInt64>

  // Safety: both hold `count` values, with room for `capacity`; plain ones, which need no cleaning up.
  private var records: Records {
    recordMemory.start.assumingMemoryBound(to: Record.self)
  }
  private var recordMemory = RawMemory(capacity: keptEntries * MemoryLayout<Record>.stride)
  private var keys = NameKeys(capacity: keptEntries)
  private var scratch = RawMemory(capacity: keptBytes)
  private var attributes = AttributeTable()

  /// The entries of the last listing with several links, in order of their names.
  internal private(set) var links: [(ordinal: Int, entry: ListingEntry)] = []

  /// The number of entries added since the last listing.
  internal private(set) var count = 0
  private var capacity = keptEntries
  private var nameBytes = 0

  /// Bytes after a name that are read without being used.
  internal static let slack = NameKeys.slack
  /// Storage for more than this is not kept.
  private static let keptEntries = 1024
  private static let keptBytes = 1 << 18

  /// Adds an entry of the directory in hand.
  ///
  /// - Parameters:
  ///   - entry: What the entry is; not a directory.
  ///   - names: What holds the names.
  ///   - start: Where the name of the entry starts in them.
  ///   - length: The length of its name, from 1.
  @inline(__always)
  internal mutating func append(
    _ entry: ListingEntry,
    in names: UnsafeRawPointer,
    at start: Int,
    length: Int
  ) {
    if count == capacity { grow() }
    (records + count).initialize(to: Record(entry))
    keys.append(names, at: start, length: length)
    nameBytes &+= length
    count &+= 1
  }

  @inline(never)
  private mutating func grow() {
    capacity *= 2
    recordMemory.reserve(capacity * MemoryLayout<Record>.stride)
  }

  /// Packs the entries added so far, appends the listing to `output`, and forgets them.
  ///
  /// Of several entries with the same name, the first added is kept.
  ///
  /// - Parameters:
  ///   - names: What holds the names.
  ///   - output: Where the listing is appended; nothing is, if there is no entry.
  /// - Returns: The sizes and counts of the listing.
  internal mutating func pack(
    names: UnsafeRawPointer,
    into output: inout [UInt8]
  ) -> ListingSummary {
    if !links.isEmpty { links = [] }
    guard count > 0 else { return ListingSummary() }
    let order = keys.sort(in: names)
    scratch.reserve(ColumnPlaces.room(entries: order.count, nameBytes: nameBytes))
    let survey = ListingSurvey(records, count, order)
    var places = ColumnPlaces(scratch.start, entries: order.count)
    places.write(records, order, survey, &attributes)
    if survey.allFlags & ListingFormat.Flag.manyLinks != 0 { noteLinks(order) }
    // What a large directory has taken is given back as soon as it can be.
    forgetRecords()
    places.writeNames(keys.names, in: names, order)
    let entries = order.count
    keys.removeAll()
    output.append(contentsOf: places.close(entries: entries))
    scratch.shrink(to: Self.keptBytes)
    return survey.summary
  }

  @inline(never)
  private mutating func noteLinks(_ order: Order) {
    for ordinal in order.indices {
      let record = records[Int(truncatingIfNeeded: order[ordinal])]
      guard record.linkCount > 1 else { continue }
      var entry = record.sizes
      entry.inode = record.inode
      entry.linkCount = record.linkCount
      links.append((ordinal, entry))
    }
  }

  private mutating func forgetRecords() {
    count = 0
    nameBytes = 0
    guard capacity > Self.keptEntries else { return }
    capacity = Self.keptEntries
    recordMemory.shrink(to: capacity * MemoryLayout<Record>.stride)
  }
}

extension ListingPacker.Record {
  @inline(__always)
  fileprivate init(_ entry: ListingEntry) {
    size = entry.size
    blocks = entry.blocks
    modificationTime = entry.modificationTime
    changeTime = entry.changeTime
    inode = entry.inode
    linkCount = entry.linkCount
    owner = entry.owner
    group = entry.group
    mode = entry.mode
    flags = entry.kind.rawValue
    if entry.blocks != entry.expectedBlocks { flags |= ListingFormat.Flag.explicitBlocks }
    if entry.linkCount != 1 { flags |= ListingFormat.Flag.manyLinks }
    if entry.isUnreadable { flags |= ListingFormat.Flag.unreadable }
  }

  /// The entry, but for what does not count for the sums of a listing.
  @inline(__always)
  internal var sizes: ListingEntry {
    var entry = ListingEntry()
    entry.kind =
      switch flags & ListingFormat.Flag.kind {
      case EntryKind.file.rawValue: .file
      case EntryKind.symbolicLink.rawValue: .symbolicLink
      default: .other
      }
    entry.isUnreadable = flags & ListingFormat.Flag.unreadable != 0
    entry.size = size
    entry.blocks = blocks
    entry.modificationTime = modificationTime
    return entry
  }
}
