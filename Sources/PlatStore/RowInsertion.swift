internal import PlatTree

/// Inserts the rows of one snapshot: of `dirv`, of `content`, and what belongs to that.
internal struct RowInsertion: ~Copyable {
  /// What a row of `dirv` has for its content.
  internal enum Content {
    /// A row that exists: nothing but what is below the directory has changed.
    case existing(Int64, checksum: Int64)
    /// A new row with the listing of one that exists, and the checksum of that.
    case sharing(Int64, checksum: Int64)
    /// A new row with a listing of its own.
    case new
  }

  private let row: Statement
  private let content: Statement
  private let issue: Statement
  private let exclusion: Statement
  private var packer: ListingPacker
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
    func insertion(_ table: String, _ columns: String) throws(StoreError) -> Statement {
      let count = columns.split(separator: ",").count
      let marks = [String](repeating: "?", count: count).joined(separator: ", ")
      return try Statement("INSERT INTO \(table)(\(columns)) VALUES(\(marks))", on: connection)
    }
    let row = try insertion("dirv", "dir, since, content, \(DirectoryRow.subtreeColumns)")
    let content = try insertion("content", "id, codec, data, \(DirectoryRow.ownColumns)")
    let issue = try insertion("issue", "content, n, name, call, errno")
    let exclusion = try insertion("exclusion", "content, n, name, kind, reason")
    let packer = try ListingPacker(tree, on: connection)
    let lastContent = try connection.integer("SELECT max(id) FROM content") ?? 0
    row.bind(Int64(snapshot), at: 2)
    self.row = row
    self.content = content
    self.issue = issue
    self.exclusion = exclusion
    self.packer = packer
    nextContent = lastContent + 1
  }

  /// Inserts the row of a directory.
  ///
  /// - Parameters:
  ///   - values: The row; it gets the checksum of the listing.
  ///   - directory: The number of the directory.
  ///   - source: What the row has for its content.
  ///   - listing: The listing of the directory.
  ///   - notes: What could not be read in it, and what was left out.
  ///   - makeHash: Makes the hash of the complete row.
  /// - Returns: The hash.
  /// - Throws: ``StoreError`` if the store cannot be written.
  internal mutating func insert(
    _ values: inout DirectoryRow,
    of directory: Int64,
    _ source: Content,
    _ listing: @autoclosure () -> Listing,
    _ notes: DirectoryNotes?,
    hashedBy makeHash: (DirectoryRow) -> RowHash
  ) throws(StoreError) -> RowHash {
    row.bind(directory, at: 1)
    if case .existing(let id, let checksum) = source {
      values[.listingChecksum] = checksum
      row.bind(id, at: 3)
    } else {
      row.bind(nextContent, at: 3)
      try insertContent(&values, source, listing)
      if let notes { try insert(notes) }
      nextContent += 1
    }
    let hash = makeHash(values)
    values.bindSubtree(to: row, from: 4, checksum: hash.short)
    try row.run()
    return hash
  }

  private mutating func insertContent(
    _ values: inout DirectoryRow,
    _ source: Content,
    _ listing: () -> Listing
  ) throws(StoreError) {
    content.bind(nextContent, at: 1)
    if case .sharing(let id, let checksum) = source, checksum != 0 {
      values[.listingChecksum] = checksum
      content.bind(StoredCodec.shared, at: 2)
      content.bind(id, at: 3)
    } else {
      let (codec, data, checksum) = packer.pack(listing())
      values[.listingChecksum] = checksum
      content.bind(codec, at: 2)
      try content.bind(blob: data, at: 3)
    }
    try values.bindOwn(to: content, from: 4)
    try content.run()
  }

  private func insert(_ notes: DirectoryNotes) throws(StoreError) {
    for (index, value) in notes.issues.enumerated() {
      issue.bind(nextContent, at: 1)
      issue.bind(Int64(index), at: 2)
      if let name = value.name {
        try issue.bind(blob: name[...], at: 3)
      } else {
        issue.bindNull(at: 3)
      }
      try issue.bind(value.call, at: 4)
      issue.bind(Int64(value.code), at: 5)
      try issue.run()
    }
    for (index, value) in notes.exclusions.enumerated() {
      exclusion.bind(nextContent, at: 1)
      exclusion.bind(Int64(index), at: 2)
      try exclusion.bind(blob: value.name[...], at: 3)
      exclusion.bind(Int64(value.kind.rawValue), at: 4)
      exclusion.bind(Int64(value.reason.rawValue), at: 5)
      try exclusion.run()
    }
  }
}
