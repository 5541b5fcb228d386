internal import PlatTree

/// How bytes lie in `content` and in `layout`; the numbers reach the disk and are stable.
internal enum StoredCodec {
  /// The bytes themselves.
  internal static let bare: Int64 = 0
  /// The number of the row of `content` that has the listing, and is not of this kind.
  internal static let shared: Int64 = 1
  /// An LZ4 block, of a listing behind the dictionary of the store.
  internal static let packed: Int64 = 2
}

/// The bytes that all packed listings of a store may refer to.
///
/// They are made of pieces of the listings of one tree, as other machines' names would be of little
/// use, and never change: what was packed needs them as they were.
internal enum ListingDictionary {
  /// A tree with fewer bytes of listings is not worth one.
  private static let leastContent = 1 << 16
  /// What a dictionary may take of a small store.
  private static let leastRatio = 16
  /// The most bytes of a listing that go into the dictionary.
  private static let longestPiece = 512
  private static let shortestPiece = 32

  /// Reads the dictionary of a store, or returns `nil` if it has none.
  ///
  /// - Throws: ``StoreError/damaged(path:snapshot:reason:)`` if its checksum does not fit.
  internal static func read(_ connection: Connection) throws(StoreError) -> [UInt8]? {
    try connection.noticeMigration()
    guard connection.schemaVersion >= 2 else { return nil }
    let statement = try Statement("SELECT data, crc FROM dictionary WHERE id = 1", on: connection)
    guard try statement.step() else { return nil }
    let bytes = statement.bytes(at: 0)
    guard Int64(crc32c(bytes.span)) == statement.int64(at: 1),
      bytes.count <= LZ4Encoder.mostDictionary
    else {
      throw .damaged(
        path: connection.path,
        snapshot: nil,
        reason: "the checksum of the dictionary does not fit"
      )
    }
    return bytes
  }

  /// Makes a dictionary for the listings of a tree, and keeps it.
  ///
  /// - Returns: The dictionary, or `nil` if the tree is too small for one.
  internal static func make(
    for tree: FileTree,
    on connection: Connection
  ) throws(StoreError) -> [UInt8]? {
    let content = tree.directories.reduce(0) { $0 + tree.listing(of: $1).bytes.count }
    guard content >= leastContent else { return nil }
    let bytes = pieces(of: tree, content, min(LZ4Encoder.mostDictionary, content / leastRatio))
    let insertion = try Statement(
      "INSERT INTO dictionary(id, data, crc) VALUES(1, ?1, ?2)",
      on: connection
    )
    try insertion.bind(blob: bytes[...], at: 1)
    insertion.bind(Int64(crc32c(bytes.span)), at: 2)
    try insertion.run()
    return bytes
  }

  /// Takes pieces from everywhere in the tree, of a number of bytes together.
  private static func pieces(of tree: FileTree, _ content: Int, _ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    var (seen, next) = (0, 0)
    for directory in tree.directories {
      let listing = tree.listing(of: directory).bytes
      seen += listing.count
      guard seen >= next, listing.count >= shortestPiece else { continue }
      let piece = listing.prefix(min(longestPiece, count - bytes.count))
      bytes.append(contentsOf: piece)
      next += content / count * piece.count
      if bytes.count == count { break }
    }
    return bytes
  }
}

/// Packs listings for a store.
internal struct ListingPacker {
  private var encoder: LZ4Encoder?

  /// Prepares to pack listings of a tree; a store without a dictionary gets one.
  internal init(_ tree: FileTree, on connection: Connection) throws(StoreError) {
    var dictionary = try ListingDictionary.read(connection)
    if dictionary == nil { dictionary = try ListingDictionary.make(for: tree, on: connection) }
    encoder = dictionary.map { LZ4Encoder(dictionary: $0) }
  }

  /// Returns a listing as it is stored: packed, if that is smaller.
  internal mutating func pack(
    _ listing: ArraySlice<UInt8>
  ) -> (codec: Int64, data: ArraySlice<UInt8>) {
    guard let block = encoder?.encode(listing) else { return (StoredCodec.bare, listing) }
    return (StoredCodec.packed, block)
  }
}

/// Unpacks listings of a store; the dictionary is read when the first one needs it.
internal final class ListingUnpacker {
  private let connection: Connection
  private let rows: Statement
  private var decoder: LZ4Decoder?

  internal init(_ connection: Connection) throws(StoreError) {
    rows = try Statement("SELECT codec, data FROM content WHERE id = ?1", on: connection)
    self.connection = connection
  }

  /// Appends the listing of a row of `content` to bytes.
  ///
  /// - Parameters:
  ///   - id: The number of the row.
  ///   - bytes: What the listing is appended to.
  ///   - isShared: Whether another row refers to this one.
  /// - Returns: Why there is no listing, or `nil`.
  /// - Throws: ``StoreError`` if the row or the dictionary cannot be read.
  internal func append(
    row id: Int64,
    to bytes: inout [UInt8],
    isShared: Bool = false
  ) throws(StoreError) -> String? {
    rows.bind(id, at: 1)
    defer { rows.reset() }
    guard try rows.step() else { return "its listing is missing" }
    if rows.int64(at: 0) == StoredCodec.shared {
      if isShared { return "a listing refers to one that refers to another" }
      let other = rows.int64(at: 1)
      rows.reset()
      return try append(row: other, to: &bytes, isShared: true)
    }
    return try append(rows, at: 0, to: &bytes)
  }

  /// Appends a listing to bytes.
  ///
  /// - Parameters:
  ///   - statement: A row that has the columns `codec` and `data`.
  ///   - column: The column `codec`; `data` follows. If both are NULL, the listing is empty.
  ///   - bytes: What the listing is appended to.
  /// - Returns: Why the listing cannot be unpacked, or `nil`.
  /// - Throws: ``StoreError`` if the dictionary is damaged.
  internal func append(
    _ statement: borrowing Statement,
    at column: Int32,
    to bytes: inout [UInt8]
  ) throws(StoreError) -> String? {
    switch statement.int64(at: column) {
    case StoredCodec.bare:
      statement.withBytes(at: column + 1) { bytes.append(contentsOf: $0) }
      return nil
    case StoredCodec.shared:
      return try append(row: statement.int64(at: column + 1), to: &bytes, isShared: true)
    case StoredCodec.packed:
      guard try prepareDecoder() else { return "the dictionary is missing" }
      let isWhole = statement.withBytes(at: column + 1) { data in
        decoder?.decode(data, appendingTo: &bytes) == true
      }
      return isWhole ? nil : "a packed listing is malformed"
    default: return "a listing has an unknown codec"
    }
  }

  private func prepareDecoder() throws(StoreError) -> Bool {
    if decoder != nil { return true }
    guard let dictionary = try ListingDictionary.read(connection) else { return false }
    decoder = LZ4Decoder(dictionary: dictionary)
    return true
  }
}
