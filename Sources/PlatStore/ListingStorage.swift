import CPlatSystem
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

/// Returns the CRC-32C of bytes, as `crc32c(_:)` does, by the processor's instructions where it has them.
internal func storedChecksum(of bytes: UnsafeRawBufferPointer) -> UInt32 {
  var sum: UInt32 = 0
  if let start = bytes.baseAddress, plat_crc32c(start, bytes.count, &sum) != 0 { return sum }
  return crc32c(bytes.bindMemory(to: UInt8.self).span)
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
  ///
  /// - Returns: The columns `codec`, `data` and `listing_crc`.
  internal mutating func pack(
    _ listing: Listing
  ) -> (codec: Int64, data: ArraySlice<UInt8>, checksum: Int64) {
    guard let block = encoder?.encode(listing.bytes) else {
      return (StoredCodec.bare, listing.bytes, Int64(listing.checksum))
    }
    let checksum = block.withUnsafeBytes { storedChecksum(of: $0) }
    return (StoredCodec.packed, block, Int64(checksum))
  }
}

/// Reads listings of a store; the dictionary is read when the first one needs it.
internal final class StoredListings {
  /// A listing as it is stored.
  internal enum Stored {
    case bare(UnsafeRawBufferPointer)
    case packed(UnsafeRawBufferPointer, LZ4Decoder)
  }

  private let connection: Connection
  private let rows: Statement
  private var decoder: LZ4Decoder?

  internal init(_ connection: Connection) throws(StoreError) {
    rows = try Statement("SELECT codec, data FROM content WHERE id = ?1", on: connection)
    self.connection = connection
  }

  /// Returns the listing of a row of `content`, unpacked.
  ///
  /// - Parameters:
  ///   - id: The number of the row.
  ///   - checksum: The column `listing_crc`; `nil` if nobody knows it.
  /// - Returns: The bytes, or why there are none.
  /// - Throws: ``StoreError`` if the row or the dictionary cannot be read.
  internal func bytes(
    ofRow id: Int64,
    checksum: Int64?
  ) throws(StoreError) -> Result<[UInt8], Flaw> {
    try withRow(id, isShared: false) { () throws(StoreError) in
      try bytes(rows, at: 0, checksum: checksum)
    }
  }

  /// Returns the listing of a row, unpacked.
  ///
  /// - Parameters:
  ///   - statement: A row that has the columns `codec` and `data`.
  ///   - column: The column `codec`; `data` follows. If both are NULL, the listing is empty.
  ///   - checksum: The column `listing_crc`; `nil` if nobody knows it.
  /// - Returns: The bytes, or why there are none.
  /// - Throws: ``StoreError`` if the row or the dictionary cannot be read.
  internal func bytes(
    _ statement: borrowing some QueryRow & ~Copyable,
    at column: Int32,
    checksum: Int64?
  ) throws(StoreError) -> Result<[UInt8], Flaw> {
    try read(statement, at: column, checksum: checksum) { stored in
      switch stored {
      case .bare(let bytes): .success(Array(bytes))
      case .packed(let block, let decoder):
        decoder.decode(block).map { .success($0) } ?? .failure(.malformed)
      }
    }
  }

  /// Calls `body` with a listing, after checking that its bytes are those that were stored.
  ///
  /// - Parameters:
  ///   - statement: A row that has the columns `codec` and `data`.
  ///   - column: The column `codec`; `data` follows. If both are NULL, the listing is empty.
  ///   - checksum: The column `listing_crc`; `nil` if nobody knows it.
  ///   - body: What to do with the listing; its bytes are not to be used afterwards.
  /// - Returns: What `body` returns, or why it was not called.
  /// - Throws: ``StoreError`` if the row or the dictionary cannot be read.
  internal func read<Value>(
    _ statement: borrowing some QueryRow & ~Copyable,
    at column: Int32,
    checksum: Int64?,
    _ body: (Stored) -> Result<Value, Flaw>
  ) throws(StoreError) -> Result<Value, Flaw> {
    let codec = statement.int64(at: column)
    if codec == StoredCodec.shared {
      return try withRow(statement.int64(at: column + 1), isShared: true) { () throws(StoreError) in
        try read(rows, at: 0, checksum: checksum, body)
      }
    }
    let decoder = codec == StoredCodec.packed ? try preparedDecoder() : nil
    return statement.withBytes(at: column + 1) { data in
      switch codec {
      case StoredCodec.bare:
        if let flaw = Flaw(bare: data, checksum) { return .failure(flaw) }
        return body(.bare(data))
      case StoredCodec.packed:
        guard let decoder else { return .failure(.noDictionary) }
        if let checksum, checksum != Int64(storedChecksum(of: data)) {
          return .failure(.checksumMismatch)
        }
        return body(.packed(data, decoder))
      default: return .failure(.unknownCodec)
      }
    }
  }

  private func withRow<Value>(
    _ id: Int64,
    isShared: Bool,
    _ body: () throws(StoreError) -> Result<Value, Flaw>
  ) throws(StoreError) -> Result<Value, Flaw> {
    // The row may be the one that refers to this, so its statement may be in use.
    rows.reset()
    rows.bind(id, at: 1)
    defer { rows.reset() }
    guard try rows.step() else { return .failure(.missing) }
    if isShared, rows.int64(at: 0) == StoredCodec.shared { return .failure(.sharedTwice) }
    return try body()
  }

  private func preparedDecoder() throws(StoreError) -> LZ4Decoder? {
    if decoder == nil {
      decoder = try ListingDictionary.read(connection).map { LZ4Decoder(dictionary: $0) }
    }
    return decoder
  }
}

extension StoredListings {
  /// Why there is no listing: a phrase.
  internal enum Flaw: Error {
    case missing, sharedTwice, noDictionary, unknownCodec
    case malformed, checksumMismatch, ofAnother

    /// Checks the bytes of a listing that is not packed.
    fileprivate init?(bare bytes: UnsafeRawBufferPointer, _ checksum: Int64?) {
      let content = bytes.dropLast(4)
      var stored: UInt32 = 0
      if !bytes.isEmpty {
        guard content.count > 0 else {
          self = .malformed
          return
        }
        for byte in bytes.suffix(4).reversed() { stored = stored << 8 | UInt32(byte) }
        guard storedChecksum(of: UnsafeRawBufferPointer(rebasing: content)) == stored else {
          self = .checksumMismatch
          return
        }
      }
      guard let checksum, checksum != Int64(stored) else { return nil }
      self = .ofAnother
    }

    /// What is wrong with the listing of a directory.
    internal func description(ofDirectory number: Int64) -> String {
      if case .ofAnother = self { return "directory \(number) has the listing of another" }
      return "directory \(number): \(description)"
    }

    /// What is wrong.
    internal var description: String {
      switch self {
      case .missing: "its listing is missing"
      case .sharedTwice: "a listing refers to one that refers to another"
      case .noDictionary: "the dictionary is missing"
      case .unknownCodec: "a listing has an unknown codec"
      case .malformed: ListingError.malformed.description
      case .checksumMismatch: ListingError.checksumMismatch.description
      case .ofAnother: "it has the listing of another"
      }
    }
  }
}
