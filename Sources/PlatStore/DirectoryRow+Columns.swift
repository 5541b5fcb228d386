/// A row of a query, by 0-based columns.
internal protocol QueryRow: ~Copyable {
  /// Reads an integer.
  borrowing func int64(at column: Int32) -> Int64
  /// Calls `body` with the bytes of a blob or a text; there are none in NULL.
  borrowing func withBytes<Result>(
    at column: Int32,
    _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result
}

extension Statement: QueryRow {}

/// Which columns hold what. A value that people ask for has a column of its own; the others, which only
/// this program reads, are packed in the column `rest` of their table, as a column costs more to read
/// than a number in it.
extension DirectoryRow {
  /// The columns of `content` that ``appendOwn(to:)`` appends.
  internal static let ownColumns = """
    own_size, own_alloc, mtime_ns, ctime_ns, ino, fs, flags, rest
    """
  /// The columns of `dirv` that ``appendSubtree(to:checksum:)`` appends.
  internal static let subtreeColumns = """
    size, alloc, files, dirs, links, others, newest, issues, rest
    """

  /// What to read of the tables, in which version 1 of the schema has most columns elsewhere.
  internal static let tables = "dirv v LEFT JOIN content c ON c.id = v.content"

  /// The names of the columns that are read.
  internal static let columns = "\(integers), v.rest, c.rest, content"

  private static let integers = """
    size, alloc, files, dirs, links, others, newest, issues, own_size, own_alloc, mtime_ns, ctime_ns, \
    ino, fs, flags
    """
  private static let integerCount: Int32 = 15

  /// The position of the column `content` after the first.
  internal static let contentColumn = integerCount + 2
  /// The number of columns.
  internal static let columnCount = integerCount + 3

  /// What to read of the tables of a file, whose version may be 1.
  internal static func columns(on connection: Connection) throws(StoreError) -> String {
    try connection.noticeMigration()
    guard connection.schemaVersion < 2 else { return columns }
    try connection.addPackingFunctions()
    return """
      \(integers), plat_pack_subtree(checksum, max_size, max_alloc),
      plat_pack_own(listing_crc, self_alloc, attr, notes, elsewhere), content
      """
  }

  /// Reads a row whose columns start at a column of a query.
  internal init(_ row: borrowing some QueryRow & ~Copyable, at first: Int32) {
    self[.size] = row.int64(at: first)
    self[.alloc] = row.int64(at: first + 1)
    self[.files] = row.int64(at: first + 2)
    self[.dirs] = row.int64(at: first + 3)
    self[.links] = row.int64(at: first + 4)
    self[.others] = row.int64(at: first + 5)
    self[.newest] = row.int64(at: first + 6)
    self[.issues] = row.int64(at: first + 7)
    self[.ownSize] = row.int64(at: first + 8)
    self[.ownAlloc] = row.int64(at: first + 9)
    self[.mtime] = row.int64(at: first + 10)
    self[.ctime] = row.int64(at: first + 11)
    self[.inode] = row.int64(at: first + 12)
    self[.fileSystem] = row.int64(at: first + 13)
    self[.flags] = row.int64(at: first + 14)
    row.withBytes(at: first + 15) { readSubtreeRest(PackedNumbers($0)) }
    row.withBytes(at: first + 16) { readOwnRest(PackedNumbers($0)) }
  }

  /// Appends ``subtreeColumns`` to a row.
  internal func appendSubtree(to insertion: inout BulkInsertion, checksum: Int64) {
    insertion.append(self[.size])
    insertion.append(self[.alloc])
    insertion.append(self[.files])
    insertion.append(self[.dirs])
    insertion.append(self[.links])
    insertion.append(self[.others])
    insertion.append(self[.newest])
    insertion.append(self[.issues])
    insertion.append { bytes in
      Self.packSubtree(
        checksum: checksum,
        maxSize: self[.maxSize],
        maxAlloc: self[.maxAlloc],
        into: &bytes
      )
    }
  }

  /// Appends ``ownColumns`` to a row.
  internal func appendOwn(to insertion: inout BulkInsertion) {
    insertion.append(self[.ownSize])
    insertion.append(self[.ownAlloc])
    insertion.append(self[.mtime])
    insertion.append(self[.ctime])
    insertion.append(self[.inode])
    insertion.append(self[.fileSystem])
    insertion.append(self[.flags])
    insertion.append { packOwn(into: &$0) }
  }
}

// MARK: The columns `rest`

extension DirectoryRow {
  /// Packs `dirv.rest`.
  internal static func packSubtree(
    checksum: Int64,
    maxSize: Int64,
    maxAlloc: Int64,
    into bytes: inout [UInt8]
  ) {
    bytes.appendWord(checksum)
    bytes.appendNumber(UInt64(bitPattern: maxSize))
    bytes.appendNumber(UInt64(bitPattern: maxAlloc))
  }

  private mutating func readSubtreeRest(_ numbers: consuming PackedNumbers) {
    checksum = numbers.readWord()
    self[.maxSize] = Int64(bitPattern: numbers.readNumber())
    self[.maxAlloc] = Int64(bitPattern: numbers.readNumber())
  }

  /// Packs `content.rest`.
  internal func packOwn(into bytes: inout [UInt8]) {
    bytes.appendWord(self[.listingChecksum])
    bytes.appendNumber(UInt64(bitPattern: self[.selfAlloc]))
    bytes.appendNumber(UInt64(bitPattern: self[.attributes]))
    bytes.appendNumber(UInt64(bitPattern: self[.notes]))
    bytes.appendNumber(newestFile == nil ? 0 : 1)
    if let newestFile { bytes.appendNumber(UInt64(bitPattern: newestFile << 1 ^ newestFile >> 63)) }
    bytes.append(contentsOf: elsewhere)
  }

  private mutating func readOwnRest(_ numbers: consuming PackedNumbers) {
    self[.listingChecksum] = numbers.readWord()
    self[.selfAlloc] = Int64(bitPattern: numbers.readNumber())
    self[.attributes] = Int64(bitPattern: numbers.readNumber())
    self[.notes] = Int64(bitPattern: numbers.readNumber())
    if numbers.readNumber() != 0 {
      let zigzag = numbers.readNumber()
      newestFile = Int64(bitPattern: zigzag >> 1) ^ -Int64(bitPattern: zigzag & 1)
    }
    elsewhere = numbers.readRest()
  }
}
