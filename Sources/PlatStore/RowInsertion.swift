internal import PlatTree

/// Inserts the rows of one snapshot: of `dirv`, of `content`, and what belongs to that.
///
/// All of them are there after ``finish()``.
internal struct RowInsertion: ~Copyable {
  /// What a row of `dirv` has for its content.
  internal enum Content {
    /// A row that exists: nothing but what is below the directory has changed.
    case existing(Int64, checksum: Int64)
    /// A new row with the listing of one that exists, and the checksum of that.
    case sharing(Int64, checksum: Int64)
    /// A new row with a listing of its own.
    case new

    /// Whether the listing is to be stored.
    internal var needsListing: Bool {
      switch self {
      case .existing: false
      case .sharing(_, let checksum): checksum == 0
      case .new: true
      }
    }
  }

  private let snapshot: Int64
  private var rows: BulkInsertion
  private var contents: BulkInsertion
  private var issues: BulkInsertion
  private var exclusions: BulkInsertion
  private var packer: ListingPacker
  /// The number that the next row of `content` gets, as SQLite gives it: one more than the largest.
  private var nextContent: Int64

  /// Prepares to insert rows.
  ///
  /// - Parameters:
  ///   - snapshot: The number of the snapshot that the rows begin with.
  ///   - tree: The tree of the snapshot; a store that has no dictionary gets one of its listings.
  ///   - connection: The store.
  /// - Throws: ``StoreError`` if the store cannot be read or written.
  internal init(
    _ snapshot: Int,
    _ tree: FileTree,
    on connection: Connection
  ) throws(StoreError) {
    let rows = try BulkInsertion(
      "dirv",
      "dir, since, content, \(DirectoryRow.subtreeColumns)",
      on: connection
    )
    let contents = try BulkInsertion(
      "content",
      "codec, data, \(DirectoryRow.ownColumns)",
      on: connection
    )
    let issues = try BulkInsertion("issue", "content, n, name, call, errno", on: connection)
    let exclusions = try BulkInsertion(
      "exclusion",
      "content, n, name, kind, reason",
      on: connection
    )
    let packer = try ListingPacker(tree, on: connection)
    let lastContent = try connection.integer("SELECT max(id) FROM content") ?? 0
    self.snapshot = Int64(snapshot)
    self.rows = rows
    self.contents = contents
    self.issues = issues
    self.exclusions = exclusions
    self.packer = packer
    nextContent = lastContent &+ 1
  }

  /// Inserts the content of a directory, unless there is a row for it.
  ///
  /// - Parameters:
  ///   - values: The row of the directory; it gets the checksum of the listing.
  ///   - source: What the row has for its content.
  ///   - listing: The listing of the directory, if the source says that it is needed.
  ///   - notes: What could not be read in the directory, and what was left out.
  /// - Returns: The number of the row of `content`.
  /// - Throws: ``StoreError`` if the store cannot be written.
  internal mutating func insertContent(
    of values: inout DirectoryRow,
    _ source: Content,
    _ listing: Listing,
    _ notes: DirectoryNotes?
  ) throws(StoreError) -> Int64 {
    let id = nextContent
    switch source {
    case .existing(let existing, let checksum):
      values[.listingChecksum] = checksum
      return existing
    case .sharing(let other, let checksum) where checksum != 0:
      values[.listingChecksum] = checksum
      contents.append(StoredCodec.shared)
      contents.append(other)
    case .sharing, .new:
      let (codec, data, checksum) = packer.pack(listing)
      values[.listingChecksum] = checksum
      contents.append(codec)
      contents.append(blob: data)
    }
    values.appendOwn(to: &contents)
    try contents.endRow()
    if let notes { try insert(notes) }
    nextContent &+= 1
    return id
  }

  /// Inserts the row of a directory whose content is there.
  ///
  /// - Parameters:
  ///   - values: The row.
  ///   - directory: The number of the directory.
  ///   - content: The number of the row of `content`.
  ///   - hash: The hash of the row.
  /// - Throws: ``StoreError`` if the store cannot be written.
  internal mutating func insert(
    _ values: DirectoryRow,
    of directory: Int64,
    content: Int64,
    _ hash: RowHash
  ) throws(StoreError) {
    rows.append(directory)
    rows.append(snapshot)
    rows.append(content)
    values.appendSubtree(to: &rows, checksum: hash.short)
    try rows.endRow()
  }

  /// Inserts the rows that are left.
  internal mutating func finish() throws(StoreError) {
    try rows.finish()
    try contents.finish(lastID: nextContent &- 1)
    try issues.finish()
    try exclusions.finish()
  }

  private mutating func insert(_ notes: DirectoryNotes) throws(StoreError) {
    for (index, value) in notes.issues.enumerated() {
      issues.append(nextContent)
      issues.append(Int64(index))
      if let name = value.name { issues.append(blob: name[...]) } else { issues.appendNull() }
      issues.append(text: value.call.utf8)
      issues.append(Int64(value.code))
      try issues.endRow()
    }
    for (index, value) in notes.exclusions.enumerated() {
      exclusions.append(nextContent)
      exclusions.append(Int64(index))
      exclusions.append(blob: value.name[...])
      exclusions.append(Int64(value.kind.rawValue))
      exclusions.append(Int64(value.reason.rawValue))
      try exclusions.endRow()
    }
  }
}
