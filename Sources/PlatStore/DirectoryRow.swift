internal import PlatTree

/// The values of a directory in a snapshot, as a row of `dirv` and one of `content` hold them.
internal struct DirectoryRow {
  /// The integer columns of both rows.
  ///
  /// Their order reaches the disk by way of the checksums, and is stable.
  internal enum Field: Int, CaseIterable {
    case size, alloc, files, dirs, links, others
    case ownSize, ownAlloc, selfAlloc, maxSize, maxAlloc
    case newest, issues
    case mtime, ctime, inode, fileSystem, attributes, flags
    case listingChecksum, notes
  }

  internal static let fieldCount = 21
  private var values: [21 of Int64] = .init(repeating: 0)

  /// The ordinals of names that are counted elsewhere, as ``encode(ordinals:)`` packs them.
  internal var elsewhere: [UInt8] = []

  /// When a file of the listing changed last, in seconds since the directory did, as
  /// ``fileChange`` reads it; `nil` where only the listing tells, as in all rows of version 1.
  internal var newestFile: Int64?

  /// Creates a row of zeros.
  internal init() {}

  /// The value of a column.
  internal subscript(field: Field) -> Int64 {
    get { values[field.rawValue] }
    set { values[field.rawValue] = newValue }
  }

  /// What concerns the directory alone, which is in `content`; all else of ``Field`` is in `dirv`.
  private static let ownFields: [Field] = [
    .ownSize, .ownAlloc, .selfAlloc, .mtime, .ctime, .inode, .fileSystem, .attributes, .flags,
    .listingChecksum, .notes,
  ]
  private static let subtreeFields = Field.allCases.filter { !ownFields.contains($0) }

  /// The columns of `content` that ``bindOwn(to:from:)`` binds.
  internal static let ownColumns = """
    own_size, own_alloc, self_alloc, mtime_ns, ctime_ns, ino, fs, attr, flags, listing_crc, notes, \
    elsewhere, newest_file
    """
  /// The number of those columns.
  internal static let ownColumnCount = Int32(ownFields.count + 2)

  /// The columns of `dirv` that ``bindSubtree(to:from:checksum:)`` binds.
  internal static let subtreeColumns = """
    size, alloc, files, dirs, links, others, max_size, max_alloc, newest, issues, checksum
    """
  /// The number of those columns.
  internal static let subtreeColumnCount = Int32(subtreeFields.count + 1)

  /// What to read of the tables, in which version 1 of the schema has most columns elsewhere.
  internal static let tables = "dirv v LEFT JOIN content c ON c.id = v.content"

  /// The names of the columns that are read: the integers, then the rest.
  internal static let columns = """
    size, alloc, files, dirs, links, others, own_size, own_alloc, self_alloc, max_size, max_alloc, \
    newest, issues, mtime_ns, ctime_ns, ino, fs, attr, flags, listing_crc, notes, elsewhere, \
    newest_file, checksum, content
    """

  /// What to read of the tables instead, where all integers are kept by the function of SQL, and only
  /// the columns from `elsewhere` on are columns of the query.
  internal static func keptColumns(on connection: Connection) throws(StoreError) -> String {
    let all = try columns(on: connection).split(separator: ", ")
    let integers = all[..<fieldCount].joined(separator: ", ")
    return "\(all[fieldCount...].joined(separator: ", ")), plat_keep(\(integers))"
  }

  /// The position of the column `checksum` after the first of ``keptColumns(on:)``.
  internal static let keptChecksumColumn = checksumColumn - elsewhereColumn
  /// The position of the column `content` there.
  internal static let keptContentColumn = contentColumn - elsewhereColumn
  /// The number of columns there.
  internal static let keptColumnCount = columnCount - elsewhereColumn + 1

  /// The same of the tables of a file, whose version may be 1.
  internal static func columns(on connection: Connection) throws(StoreError) -> String {
    try connection.noticeMigration()
    guard connection.schemaVersion < 2 else { return columns }
    return columns.split(separator: ", ").map { $0 == "newest_file" ? "NULL" : $0 }
      .joined(separator: ", ")
  }

  /// The position of the column `elsewhere` after the first.
  private static let elsewhereColumn = Int32(fieldCount)
  private static let newestFileColumn = elsewhereColumn + 1
  /// The position of the column `checksum` after the first.
  internal static let checksumColumn = elsewhereColumn + 2
  /// The position of the column `content` after the first.
  internal static let contentColumn = elsewhereColumn + 3
  /// The number of columns.
  internal static let columnCount = Int32(fieldCount + 4)

  /// Returns whether two rows say the same.
  internal func isEqual(to other: DirectoryRow) -> Bool {
    values.indices.allSatisfy { values[$0] == other.values[$0] } && elsewhere == other.elsewhere
      && newestFile == other.newestFile
  }

  /// Returns whether two rows say the same of the directory alone, but for its listing.
  internal func hasSameOwnValues(as other: DirectoryRow) -> Bool {
    Self.ownFields.allSatisfy { self[$0] == other[$0] } && elsewhere == other.elsewhere
      && newestFile == other.newestFile
  }

  /// Returns the hash of the row as that of a directory.
  ///
  /// - Parameters:
  ///   - directory: The number of the directory in the store.
  ///   - parent: The number of the directory that holds it.
  ///   - name: The bytes of its name.
  /// - Returns: The hash, whose short form is the column `checksum`.
  internal func hash(
    directory: Int64,
    parent: Int64,
    name: UnsafeRawBufferPointer
  ) -> RowHash {
    var hash = RowHash()
    hash.combine(directory)
    hash.combine(parent)
    let values = values.span
    for index in values.indices { hash.combine(values[index]) }
    hash.combine(name)
    if elsewhere.isEmpty { hash.combine(0) } else { hash.combine(elsewhere[...]) }
    if let newestFile { hash.combine(newestFile) }
    return hash
  }

  /// Reads a row whose columns start at a column of a query.
  internal init(_ statement: borrowing Statement, at first: Int32) {
    for index in values.indices { values[index] = statement.int64(at: first + Int32(index)) }
    readRest(statement, at: first)
  }

  /// Reads a row whose integers are kept, and whose other columns are those of a query from one on.
  internal init(_ kept: KeptIntegers, _ statement: borrowing Statement, at first: Int32) {
    for index in values.indices { values[index] = kept[index] }
    readRest(statement, at: first - Int32(Self.fieldCount))
  }

  private mutating func readRest(_ statement: borrowing Statement, at first: Int32) {
    let column = first + Self.elsewhereColumn
    if !statement.isNull(at: column) { elsewhere = statement.bytes(at: column) }
    if !statement.isNull(at: first + Self.newestFileColumn) {
      newestFile = statement.int64(at: first + Self.newestFileColumn)
    }
  }

  /// Binds ``ownColumns`` to parameters that start at an index.
  internal func bindOwn(
    to statement: borrowing Statement,
    from first: Int32
  ) throws(StoreError) {
    for (index, field) in Self.ownFields.enumerated() {
      statement.bind(self[field], at: first + Int32(index))
    }
    let last = first + Self.ownColumnCount - 1
    if elsewhere.isEmpty {
      statement.bindNull(at: last - 1)
    } else {
      try statement.bind(blob: elsewhere[...], at: last - 1)
    }
    if let newestFile { statement.bind(newestFile, at: last) } else { statement.bindNull(at: last) }
  }

  /// Binds ``subtreeColumns`` to parameters that start at an index.
  internal func bindSubtree(to statement: borrowing Statement, from first: Int32, checksum: Int64) {
    for (index, field) in Self.subtreeFields.enumerated() {
      statement.bind(self[field], at: first + Int32(index))
    }
    statement.bind(checksum, at: first + Self.subtreeColumnCount - 1)
  }
}

// MARK: Meaning

extension DirectoryRow {
  /// The sizes and counts of the directory and everything below it.
  internal var totals: Totals {
    var totals = Totals()
    totals.apparentSize = UInt64(clamping: self[.size])
    totals.allocatedSize = UInt64(clamping: self[.alloc])
    totals.files = Int(self[.files])
    totals.directories = Int(self[.dirs])
    totals.symbolicLinks = Int(self[.links])
    totals.others = Int(self[.others])
    return totals
  }

  /// What is known of the directory itself, but its device, mode and owner.
  internal var details: DirectoryDetails {
    var details = DirectoryDetails()
    details.allocatedSize = UInt64(bitPattern: self[.selfAlloc])
    details.inode = UInt64(bitPattern: self[.inode])
    details.modificationTime = self[.mtime]
    details.changeTime = self[.ctime]
    details.flags = DirectoryDetails.Flags(rawValue: UInt8(truncatingIfNeeded: self[.flags]))
    return details
  }

  /// When a file of the listing changed last at the latest, in seconds since 1970; `nil` where only the
  /// listing tells.
  internal var fileChange: Int64? {
    get { newestFile.map { $0 &+ self[.ctime].secondsFromNanoseconds } }
    set {
      // It is mostly a small number, which takes a byte.
      newestFile = newValue.map { $0 == .min ? 0 : $0 &- self[.ctime].secondsFromNanoseconds }
    }
  }

  /// The size of the largest file of the subtree.
  internal func largestFile(_ measure: SizeMeasure) -> Int64 {
    measure == .allocated ? self[.maxAlloc] : self[.maxSize]
  }

  /// Packs ascending ordinals: the first, then differences, each as an unsigned LEB128 number.
  internal static func encode(ordinals: [Int]) -> [UInt8] {
    var bytes: [UInt8] = []
    var last = 0
    for ordinal in ordinals {
      var rest = ordinal - last
      last = ordinal
      while rest >= 0x80 {
        bytes.append(UInt8(rest & 0x7f) | 0x80)
        rest >>= 7
      }
      bytes.append(UInt8(rest))
    }
    return bytes
  }

  /// The ordinals of the names that are counted elsewhere.
  internal var ordinalsCountedElsewhere: Set<Int> {
    var ordinals: Set<Int> = []
    var (last, value, shift) = (0, 0, 0)
    for byte in elsewhere {
      value |= Int(byte & 0x7f) << shift
      shift += 7
      guard byte < 0x80 else { continue }
      last &+= value
      ordinals.insert(last)
      (value, shift) = (0, 0)
    }
    return ordinals
  }
}
