internal import PlatTree

/// How a picture of a snapshot was laid out, for the next one to look like it.
public struct LayoutMemory: Hashable, Sendable {
  /// The number of the snapshot that was drawn.
  public var snapshot: Int
  /// What the layout has to remember, in its own format.
  public var data: [UInt8]

  /// Creates a memory.
  ///
  /// - Parameters:
  ///   - snapshot: The number of the snapshot that was drawn.
  ///   - data: What the layout has to remember.
  public init(snapshot: Int, data: [UInt8]) {
    self.snapshot = snapshot
    self.data = data
  }
}

/// Memory of layouts is not part of a snapshot: none is as good as any, and pictures only jump more.
extension SnapshotStore {
  /// Returns how the latest picture of a kind was laid out.
  ///
  /// - Parameters:
  ///   - width: The width of the canvas in pixels.
  ///   - height: Its height.
  ///   - options: A text that differs if the options of two pictures make them incomparable.
  ///   - snapshot: The number of a snapshot: pictures of later ones are left out. `nil` for none.
  /// - Returns: The memory, or `nil` if there is none, or it was damaged.
  /// - Throws: ``StoreError`` if the file cannot be read.
  public func layoutMemory(
    width: Int,
    height: Int,
    options: String,
    upTo snapshot: Int? = nil
  ) throws(StoreError) -> LayoutMemory? {
    guard let connection = try connect(), connection.schemaVersion >= 2 else { return nil }
    let statement = try Statement(
      """
      SELECT snapshot, crc, codec, data FROM layout
      WHERE width = ?1 AND height = ?2 AND options = ?3 AND (?4 IS NULL OR snapshot <= ?4)
      ORDER BY snapshot DESC LIMIT 1
      """,
      on: connection
    )
    statement.bind(Int64(width), at: 1)
    statement.bind(Int64(height), at: 2)
    try statement.bind(options, at: 3)
    if let snapshot { statement.bind(Int64(snapshot), at: 4) }
    guard try statement.step() else { return nil }
    var data: [UInt8] = []
    if statement.int64(at: 2) == StoredCodec.packed {
      let decoder = LZ4Decoder(dictionary: [])
      guard let unpacked = statement.withBytes(at: 3, { decoder.decode($0) }) else { return nil }
      data = unpacked
    } else {
      data = statement.bytes(at: 3)
    }
    guard Int64(crc32c(data.span)) == statement.int64(at: 1) else { return nil }
    return LayoutMemory(snapshot: Int(statement.int64(at: 0)), data: data)
  }

  /// Returns which snapshot the latest picture of a kind was of, without a look at how it was laid out.
  ///
  /// - Parameters:
  ///   - width: The width of the canvas in pixels.
  ///   - height: Its height.
  ///   - options: A text that differs if the options of two pictures make them incomparable.
  ///   - snapshot: The number of a snapshot: pictures of later ones are left out.
  /// - Returns: The number of the snapshot, or `nil` if there is no memory of such a picture.
  /// - Throws: ``StoreError`` if the file cannot be read.
  public func snapshotOfLayoutMemory(
    width: Int,
    height: Int,
    options: String,
    upTo snapshot: Int
  ) throws(StoreError) -> Int? {
    guard let connection = try connect(), connection.schemaVersion >= 2 else { return nil }
    let statement = try Statement(
      """
      SELECT snapshot FROM layout WHERE width = ?1 AND height = ?2 AND options = ?3 AND snapshot <= ?4
      ORDER BY snapshot DESC LIMIT 1
      """,
      on: connection
    )
    statement.bind(Int64(width), at: 1)
    statement.bind(Int64(height), at: 2)
    try statement.bind(options, at: 3)
    statement.bind(Int64(snapshot), at: 4)
    return try statement.step() ? Int(statement.int64(at: 0)) : nil
  }

  /// Remembers how a picture was laid out, in place of an earlier one of the same kind and snapshot.
  ///
  /// The 16 latest are kept, and none of a snapshot that was deleted.
  ///
  /// - Parameters:
  ///   - memory: What to remember.
  ///   - width: The width of the canvas in pixels.
  ///   - height: Its height.
  ///   - options: A text that differs if the options of two pictures make them incomparable.
  /// - Throws: ``StoreError`` if the file cannot be written, or has no such snapshot.
  /// - Precondition: The store was opened for writing.
  public func setLayoutMemory(
    _ memory: LayoutMemory,
    width: Int,
    height: Int,
    options: String
  ) throws(StoreError) {
    try change { connection throws(StoreError) in
      try connection.requireSnapshot(memory.snapshot)
      let statement = try Statement(
        """
        INSERT OR REPLACE INTO layout(width, height, options, snapshot, crc, codec, data)
        VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)
        """,
        on: connection
      )
      statement.bind(Int64(width), at: 1)
      statement.bind(Int64(height), at: 2)
      try statement.bind(options, at: 3)
      statement.bind(Int64(memory.snapshot), at: 4)
      statement.bind(Int64(crc32c(memory.data.span)), at: 5)
      var encoder = LZ4Encoder(dictionary: [])
      let block = encoder.encode(memory.data[...])
      statement.bind(block == nil ? StoredCodec.bare : StoredCodec.packed, at: 6)
      try statement.bind(blob: block ?? memory.data[...], at: 7)
      try statement.run()
      try connection.execute(
        """
        DELETE FROM layout WHERE (width, height, options, snapshot) NOT IN (
          SELECT width, height, options, snapshot FROM layout ORDER BY snapshot DESC LIMIT 16)
        """
      )
    }
  }
}
