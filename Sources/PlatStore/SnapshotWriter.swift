internal import PlatTree

/// Writes one snapshot, inside a transaction that its caller has begun.
internal struct SnapshotWriter {
  /// A directory whose row is new or has changed.
  private struct Change {
    var directory: DirectoryID
    var content: RowInsertion.Content
    /// Whether the row does not tell when a file changed last, as that of its listing does not.
    var keepsNoFileChange = false
  }

  /// A row that has not ended.
  private struct LastRow {
    var since: Int64
    var values: DirectoryRow
    var content: Int64
    /// The row of `content` that has the listing.
    var listing: Int64

    /// What of its content a new row of the directory can have, if it has the same listing.
    func content(for row: DirectoryRow, hasNotes: Bool = true) -> RowInsertion.Content {
      let checksum = values[.listingChecksum]
      return hasNotes && values.hasSameOwnValues(as: row)
        ? .existing(content, checksum: checksum) : .sharing(listing, checksum: checksum)
    }

    /// Completes a row of the directory, if it has the same listing.
    func complete(_ row: inout DirectoryRow) {
      row[.listingChecksum] = values[.listingChecksum]
      // One of version 1 is no reason for another row.
      if values.newestFile == nil { row.newestFile = nil }
    }
  }

  private let connection: Connection
  private var rows: TreeRows
  private var info: SnapshotInfo
  /// What the tree has in common with the newest snapshot, if that was loaded.
  private let comparison: StoredTreeComparison?
  /// The newest snapshot, if it is of the same tree, so that no row is new.
  private let unchanged: SnapshotInfo?
  private let listings: StoredListings
  private var changes: [Change] = []
  /// Rows that end with this snapshot.
  private var ending: [(directory: Int64, since: Int64)] = []

  /// Prepares a snapshot: gives it a number, and its directories theirs.
  ///
  /// - Parameters:
  ///   - tree: The tree.
  ///   - scan: How the scan was made.
  ///   - stored: A snapshot that was loaded; of use if it is the newest.
  ///   - connection: The store.
  /// - Throws: ``StoreError`` if the store cannot be read or written, or has another root.
  internal init(
    _ tree: FileTree,
    _ scan: ScanDescription,
    after stored: StoredTree?,
    on connection: Connection
  ) throws(StoreError) {
    self.connection = connection
    let isNewest = try stored?.isNewest(on: connection) ?? false
    let stored = isNewest ? stored : nil
    if let stored, stored.tree.isIdentical(to: tree) {
      unchanged = stored.snapshot
      rows = try TreeRows(tree, numbers: stored.numbers, on: connection)
      comparison = nil
    } else {
      unchanged = nil
      let (numbers, earlier) = try DirectoryNumbers.match(tree, after: stored, on: connection)
      let rows = try TreeRows(tree, numbers: numbers, on: connection)
      self.rows = rows
      comparison = stored.map { StoredTreeComparison(rows, $0, earlier) }
    }
    listings = try StoredListings(connection)
    info = SnapshotInfo(
      id: try connection.nextSnapshotNumber(),
      scan: scan,
      totals: tree.totals(of: tree.root),
      issueCount: tree.issues.count,
      label: nil,
      isPinned: false
    )
    info.totals.allocatedSize = min(info.totals.allocatedSize, UInt64(Int64.max))
    info.totals.apparentSize = min(info.totals.apparentSize, UInt64(Int64.max))
  }

  /// Writes the snapshot.
  internal mutating func write() throws(StoreError) -> SnapshotInfo {
    if let unchanged {
      info.digest = unchanged.digest
      try info.insert(on: connection)
      return info
    }
    var isDone = false
    if let comparison { isDone = try takeChanges(from: comparison) }
    if !isDone { try findChanges() }
    try insertChanges()
    try endRows()
    try insertRows()
    try info.insert(on: connection)
    return info
  }

  /// Compares the tree with the rows that have not ended: what is equal needs nothing.
  private mutating func findChanges() throws(StoreError) {
    (info.digest, changes, ending) = (0, [], [])
    rows.addUp()
    var positions = [Int64: Int](minimumCapacity: rows.numbers.count)
    for (index, number) in rows.numbers.enumerated() { positions[number] = index }
    let statement = try Statement(
      """
      SELECT v.dir, v.since, \(DirectoryRow.columns), c.codec, c.data
      FROM \(DirectoryRow.tables) WHERE v.until IS NULL
      """,
      on: connection
    )
    let notes = try NotesReader(info.id, on: connection)
    let tree = rows.tree
    var isSeen = [Bool](repeating: false, count: rows.numbers.count)
    while try statement.step() {
      let number = statement.int64(at: 0)
      guard let index = positions[number] else {
        ending.append((number, statement.int64(at: 1)))
        continue
      }
      guard !isSeen[index] else {
        throw .damaged(
          path: connection.path,
          snapshot: nil,
          reason: "directory \(number) is there twice"
        )
      }
      isSeen[index] = true
      let directory = DirectoryID(index)
      var row = try rows.row(of: directory, on: connection)
      let last = lastRow(statement, at: 1)
      let isSameListing = try isSame(
        tree.listing(of: directory),
        statement,
        checksum: last.values[.listingChecksum]
      )
      if isSameListing { last.complete(&row) }
      let hash = rows.hash(of: row, directory)
      var hasNotes = true
      if row[.notes] != 0 {
        // These are in other tables, which the checksum says nothing about.
        let found = try notes.notes(of: number, last.content, at: directory)
        hasNotes = found.hash == row[.notes]
      }
      if isSameListing, hasNotes, last.values.isEqual(to: row), last.values.checksum == hash.short {
        info.digest &+= rows.digest(of: row, hash)
      } else {
        let content = isSameListing ? last.content(for: row, hasNotes: hasNotes) : .new
        changes.append(
          Change(directory: directory, content: content, keepsNoFileChange: row.newestFile == nil)
        )
        ending.append((number, last.since))
      }
    }
    for (index, isSeen) in isSeen.enumerated() where !isSeen {
      changes.append(Change(directory: DirectoryID(index), content: .new))
    }
  }

  /// Reads a row from a column on: `since`, what ``DirectoryRow/columns`` names, `codec` and `data`.
  private func lastRow(_ statement: borrowing Statement, at first: Int32) -> LastRow {
    let column = first + 1 + DirectoryRow.columnCount
    let content = statement.int64(at: first + 1 + DirectoryRow.contentColumn)
    let isShared = statement.int64(at: column) == StoredCodec.shared
    return LastRow(
      since: statement.int64(at: first),
      values: DirectoryRow(statement, at: first + 1),
      content: content,
      listing: isShared ? statement.int64(at: column + 1) : content
    )
  }

  /// Whether a listing is that of the row that a statement is at.
  private func isSame(
    _ listing: Listing,
    _ statement: borrowing Statement,
    checksum: Int64
  ) throws(StoreError) -> Bool {
    let column = 2 + DirectoryRow.columnCount
    // A stored listing that cannot be unpacked is replaced.
    guard case .success(let stored) = try listings.bytes(statement, at: column, checksum: checksum)
    else { return false }
    return listing.bytes == stored[...]
  }

  /// Notes which directories have a state that begins or ends with the snapshot, if there is one before.
  private func insertChanges() throws(StoreError) {
    guard try connection.integer("SELECT 1 FROM snapshot LIMIT 1") != nil else { return }
    // In the order of the table, so that its pages become full.
    let begun = changes.map { rows.numbers[$0.directory.index] }
    var last: Int64 = 0
    var insertion = try BulkInsertion("change", "snapshot, dir", on: connection)
    for number in (begun + ending.map(\.directory)).sorted() where number != last {
      insertion.append(Int64(info.id))
      insertion.append(number)
      try insertion.endRow()
      last = number
    }
    try insertion.finish()
  }

  private func endRows() throws(StoreError) {
    let update = try Statement(
      "UPDATE dirv SET until = ?3 WHERE dir = ?1 AND since = ?2",
      on: connection
    )
    update.bind(Int64(info.id), at: 3)
    for (directory, since) in ending {
      update.bind(directory, at: 1)
      update.bind(since, at: 2)
      try update.run()
    }
  }

  private mutating func insertRows() throws(StoreError) {
    // A copy of a tree is one of some thirty arrays: one for all directories.
    let tree = rows.tree
    var insertion = try RowInsertion(info.id, tree, on: connection)
    for change in changes {
      let directory = change.directory
      var row = try rows.row(of: directory, on: connection)
      if change.keepsNoFileChange { row.newestFile = nil }
      let content = try insertion.insertContent(
        of: &row,
        change.content,
        change.content.needsListing ? tree.listing(of: directory) : Listing(),
        rows.notes[directory.index]
      )
      let hash = rows.hash(of: row, directory)
      try insertion.insert(row, of: rows.numbers[directory.index], content: content, hash)
      info.digest &+= rows.digest(of: row, hash)
    }
    try insertion.finish()
  }
}

// MARK: After a snapshot that was loaded

extension SnapshotWriter {
  /// Looks only at the rows of what has changed since the newest snapshot.
  ///
  /// - Returns: Whether they are what that snapshot had: if not, everything is to be compared.
  private mutating func takeChanges(
    from comparison: StoredTreeComparison
  ) throws(StoreError) -> Bool {
    let (tree, stored) = (rows.tree, comparison.stored)
    let statement = try Statement(
      """
      SELECT since, \(DirectoryRow.columns), codec, CASE codec WHEN 1 THEN data END
      FROM \(DirectoryRow.tables) WHERE dir = ?1 AND until IS NULL
      """,
      on: connection
    )
    info.digest = stored.snapshot.digest
    rows.addUp(comparison)
    for directory in tree.directories where !comparison.isUnchanged[directory.index] {
      guard let before = comparison.earlier[directory.index] else {
        changes.append(Change(directory: directory, content: .new))
        continue
      }
      guard let last = try take(before, of: stored, statement) else { return false }
      let isSameListing = comparison.hasSameListing[directory.index]
      var row = try rows.row(of: directory, on: connection)
      if isSameListing { last.complete(&row) }
      if isSameListing, last.values.isEqual(to: row) {
        info.digest &+= rows.digest(of: row, rows.hash(of: row, directory))
      } else {
        let content = isSameListing ? last.content(for: row) : .new
        changes.append(
          Change(directory: directory, content: content, keepsNoFileChange: row.newestFile == nil)
        )
        ending.append((stored.numbers[before.index], last.since))
      }
    }
    for directory in comparison.gone {
      guard let last = try take(directory, of: stored, statement) else { return false }
      ending.append((stored.numbers[directory.index], last.since))
    }
    return true
  }

  /// Reads the row of a directory of the newest snapshot, and takes it out of the digest.
  ///
  /// - Returns: The row, or `nil` if it is not the one that the snapshot had.
  private mutating func take(
    _ directory: DirectoryID,
    of stored: StoredTree,
    _ statement: borrowing Statement
  ) throws(StoreError) -> LastRow? {
    let number = stored.numbers[directory.index]
    let parent = stored.tree.parent(of: directory).map { stored.numbers[$0.index] } ?? 0
    statement.bind(number, at: 1)
    defer { statement.reset() }
    guard try statement.step() else { return nil }
    let last = lastRow(statement, at: 0)
    let hash = stored.tree.name(of: directory).withUnsafeBytes { name in
      last.values.hash(directory: number, parent: parent, name: name)
    }
    guard hash.short == last.values.checksum else { return nil }
    info.digest &-= rows.digest(of: last.values, hash)
    return last
  }
}
