internal import PlatTree

/// Reads single directories of a snapshot, and checks each row that it uses.
internal struct SnapshotReader: ~Copyable {
  /// A subdirectory: its number, name, row and content.
  internal struct Child {
    internal var number: Int64
    internal var name: [UInt8]
    internal var row: DirectoryRow
    internal var content: Int64
  }

  internal let snapshot: Int
  private let connection: Connection
  private let children: Statement
  private let child: Statement
  private let listings: StoredListings

  internal init(_ snapshot: Int, on connection: Connection) throws(StoreError) {
    let select = try """
    SELECT d.id, d.name, d.raw, \(DirectoryRow.columns(on: connection))
    FROM dir d CROSS JOIN dirv v ON v.dir = d.id AND v.since <= ?2
      LEFT JOIN content c ON c.id = v.content
    WHERE d.parent = ?1 AND (v.until IS NULL OR v.until > ?2)
    """
    let children = try Statement("\(select) ORDER BY d.name, d.raw", on: connection)
    let child = try Statement("\(select) AND d.name = ?3 AND d.raw = ?4", on: connection)
    let listings = try StoredListings(connection)
    children.bind(Int64(snapshot), at: 2)
    child.bind(Int64(snapshot), at: 2)
    self.snapshot = snapshot
    self.connection = connection
    self.children = children
    self.child = child
    self.listings = listings
  }

  /// Returns the error for what does not fit.
  internal func damaged(_ reason: String) -> StoreError {
    .damaged(path: connection.path, snapshot: snapshot, reason: reason)
  }

  /// Returns the root.
  internal func root() throws(StoreError) -> StoredDirectory {
    guard let root = try subdirectories(of: 0).first else { throw damaged("it has no root") }
    return StoredDirectory(
      snapshot: snapshot,
      path: root.name,
      number: root.number,
      row: root.row,
      content: root.content
    )
  }

  /// Returns a subdirectory by its name, or `nil` if there is none.
  internal func subdirectory(
    of parent: Int64,
    named name: ArraySlice<UInt8>
  ) throws(StoreError) -> Child? {
    child.bind(parent, at: 1)
    let isText = isUTF8(name)
    if isText {
      try child.bind(text: name, at: 3)
    } else {
      try child.bind(String(decoding: name, as: UTF8.self), at: 3)
    }
    try child.bind(blob: isText ? [] : name, at: 4)
    defer { child.reset() }
    return try child.step() ? try read(child, parent: parent) : nil
  }

  /// Returns the subdirectories of a directory, in the order of their displayed names, after
  /// checking that they are what the directory's totals are made of.
  internal func subdirectories(of directory: StoredDirectory) throws(StoreError) -> [Child] {
    try subdirectories(of: directory.number, directory.row)
  }

  /// Returns the subdirectories of the directory with a number and a row, checked as well.
  internal func subdirectories(
    of number: Int64,
    _ row: DirectoryRow
  ) throws(StoreError) -> [Child] {
    let found = try subdirectories(of: number)
    var size = row[.ownSize]
    var alloc = row[.ownAlloc].addingClamped(UInt64(bitPattern: row[.selfAlloc]))
    var count: Int64 = 1
    for child in found {
      size = size.addingClamped(UInt64(clamping: child.row[.size]))
      alloc = alloc.addingClamped(UInt64(clamping: child.row[.alloc]))
      count &+= child.row[.dirs]
    }
    guard size == row[.size] || row[.size] == .max, count == row[.dirs],
      alloc == row[.alloc] || row[.alloc] == .max
    else { throw damaged("the totals of directory \(number) do not add up") }
    return found
  }

  private func subdirectories(of parent: Int64) throws(StoreError) -> [Child] {
    children.bind(parent, at: 1)
    defer { children.reset() }
    var found: [Child] = []
    while try children.step() { found.append(try read(children, parent: parent)) }
    return found
  }

  private func read(
    _ statement: borrowing Statement,
    parent: Int64
  ) throws(StoreError) -> Child {
    let child = Child(
      number: statement.int64(at: 0),
      name: statement.name(at: 1),
      row: DirectoryRow(statement, at: 3),
      content: statement.int64(at: 3 + DirectoryRow.contentColumn)
    )
    let hash = child.name.withUnsafeBytes { name in
      child.row.hash(directory: child.number, parent: parent, name: name)
    }
    let flaw = child.row.flaw(hash, ofDirectory: child.number, in: parent, named: child.name)
    if let flaw { throw damaged(flaw) }
    return child
  }

  /// Returns the listing of a directory, after checking every byte.
  internal func listing(
    of number: Int64,
    _ row: DirectoryRow,
    content id: Int64
  ) throws(StoreError) -> Listing {
    guard id != 0 else { return Listing() }
    switch try listings.bytes(ofRow: id, checksum: row[.listingChecksum]) {
    case .success(let bytes):
      do { return try Listing(validating: bytes) } catch {
        throw damaged("directory \(number): \(error)")
      }
    case .failure(let flaw): throw damaged(flaw.description(ofDirectory: number))
    }
  }
}
