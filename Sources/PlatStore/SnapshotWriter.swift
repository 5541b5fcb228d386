internal import PlatTree

/// Writes one snapshot, inside a transaction that its caller has begun.
internal struct SnapshotWriter {
  /// A directory whose row is new or has changed.
  private struct Change {
    var directory: DirectoryID
    /// The content it shares with its row before, or 0 to insert its listing.
    var content: Int64
  }

  private let connection: Connection
  private var rows: TreeRows
  private var info: SnapshotInfo
  /// What the tree has in common with the newest snapshot, if that was loaded.
  private let comparison: StoredTreeComparison?
  private let unpacker: ListingUnpacker
  /// The stored listing that is being compared.
  private var stored: [UInt8] = []
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
    let (numbers, earlier) = try DirectoryNumbers.match(tree, after: stored, on: connection)
    let rows = try TreeRows(tree, numbers: numbers, on: connection)
    self.rows = rows
    comparison = stored.map { StoredTreeComparison(rows, $0, earlier) }
    unpacker = ListingUnpacker(connection)
    // AUTOINCREMENT keeps the largest number ever used; a deleted snapshot's is not used again.
    let last = try connection.integer("SELECT seq FROM sqlite_sequence WHERE name = 'snapshot'")
    info = SnapshotInfo(
      id: Int(last ?? 0) + 1,
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
    var isDone = false
    if let comparison { isDone = try takeChanges(from: comparison) }
    if !isDone { try findChanges() }
    try endRows()
    try insertRows()
    try info.insert(on: connection)
    return info
  }

  /// Compares the tree with the rows that have not ended: what is equal needs nothing.
  private mutating func findChanges() throws(StoreError) {
    (info.digest, changes, ending) = (0, [], [])
    var positions = [Int64: Int](minimumCapacity: rows.numbers.count)
    for (index, number) in rows.numbers.enumerated() { positions[number] = index }
    let statement = try Statement(
      """
      SELECT v.dir, v.since, \(DirectoryRow.columns), c.codec, c.data
      FROM dirv v LEFT JOIN content c ON c.id = v.content WHERE v.until IS NULL
      """,
      on: connection
    )
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
      let row = try rows.row(of: directory, on: connection)
      let hash = rows.hash(of: row, directory)
      let stored = DirectoryRow(statement, at: 2)
      let checksum = statement.int64(at: 2 + DirectoryRow.elsewhereColumn + 1)
      let isSameListing = try isSame(
        rows.tree.listing(of: directory),
        statement,
        checksum: stored[.listingChecksum]
      )
      if isSameListing, stored.isEqual(to: row), checksum == hash.short {
        info.digest &+= rows.digest(of: row, hash)
      } else {
        let content = statement.int64(at: 2 + DirectoryRow.columnCount - 1)
        changes.append(Change(directory: directory, content: isSameListing ? content : 0))
        ending.append((number, statement.int64(at: 1)))
      }
    }
    for (index, isSeen) in isSeen.enumerated() where !isSeen {
      changes.append(Change(directory: DirectoryID(index), content: 0))
    }
  }

  /// Whether a listing is that of the row that a statement is at.
  private mutating func isSame(
    _ listing: Listing,
    _ statement: borrowing Statement,
    checksum: Int64
  ) throws(StoreError) -> Bool {
    guard Int64(listing.checksum) == checksum else { return false }
    stored.removeAll(keepingCapacity: true)
    let column = 2 + DirectoryRow.columnCount
    // A stored listing that cannot be unpacked is replaced.
    guard try unpacker.append(statement, at: column, to: &stored) == nil else { return false }
    return listing.bytes == stored[...]
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
    let content = try Statement(
      "INSERT INTO content(id, codec, data) VALUES(?1, ?2, ?3)",
      on: connection
    )
    let marks = [String](repeating: "?", count: Int(DirectoryRow.columnCount)).joined(
      separator: ", "
    )
    let insertion = try Statement(
      "INSERT INTO dirv(dir, since, \(DirectoryRow.columns)) VALUES(?, ?, \(marks))",
      on: connection
    )
    var packer = try ListingPacker(rows.tree, on: connection)
    var nextContent = (try connection.integer("SELECT max(id) FROM content") ?? 0) + 1
    insertion.bind(Int64(info.id), at: 2)
    for change in changes {
      let directory = change.directory
      let row = try rows.row(of: directory, on: connection)
      let hash = rows.hash(of: row, directory)
      insertion.bind(rows.numbers[directory.index], at: 1)
      try row.bind(to: insertion, from: 3, checksum: hash.short)
      let listing = rows.tree.listing(of: directory).bytes
      let last = 2 + DirectoryRow.columnCount
      if listing.isEmpty {
        insertion.bindNull(at: last)
      } else if change.content != 0 {
        insertion.bind(change.content, at: last)
      } else {
        content.bind(nextContent, at: 1)
        let (codec, data) = packer.pack(listing)
        content.bind(codec, at: 2)
        try content.bind(blob: data, at: 3)
        try content.run()
        insertion.bind(nextContent, at: last)
        nextContent += 1
      }
      try insertion.run()
      info.digest &+= rows.digest(of: row, hash)
      if let notes = rows.notes[directory.index] {
        try insert(notes, of: rows.numbers[directory.index])
      }
    }
  }

  private func insert(_ notes: DirectoryNotes, of directory: Int64) throws(StoreError) {
    let issue = try Statement(
      "INSERT INTO issue(dir, since, n, name, call, errno) VALUES(?, ?, ?, ?, ?, ?)",
      on: connection
    )
    issue.bind(directory, at: 1)
    issue.bind(Int64(info.id), at: 2)
    for (index, value) in notes.issues.enumerated() {
      issue.bind(Int64(index), at: 3)
      if let name = value.name {
        try issue.bind(blob: name[...], at: 4)
      } else {
        issue.bindNull(at: 4)
      }
      try issue.bind(value.call, at: 5)
      issue.bind(Int64(value.code), at: 6)
      try issue.run()
    }
    let exclusion = try Statement(
      "INSERT INTO exclusion(dir, since, n, name, kind, reason) VALUES(?, ?, ?, ?, ?, ?)",
      on: connection
    )
    exclusion.bind(directory, at: 1)
    exclusion.bind(Int64(info.id), at: 2)
    for (index, value) in notes.exclusions.enumerated() {
      exclusion.bind(Int64(index), at: 3)
      try exclusion.bind(blob: value.name[...], at: 4)
      exclusion.bind(Int64(value.kind.rawValue), at: 5)
      exclusion.bind(Int64(value.reason.rawValue), at: 6)
      try exclusion.run()
    }
  }
}

// MARK: After a snapshot that was loaded

extension SnapshotWriter {
  /// A row of the newest snapshot.
  private struct LastRow {
    var since: Int64
    var values: DirectoryRow
    var content: Int64
  }

  /// Looks only at the rows of what has changed since the newest snapshot.
  ///
  /// - Returns: Whether they are what that snapshot had: if not, everything is to be compared.
  private mutating func takeChanges(
    from comparison: StoredTreeComparison
  ) throws(StoreError) -> Bool {
    let (tree, stored) = (rows.tree, comparison.stored)
    let statement = try Statement(
      "SELECT since, \(DirectoryRow.columns) FROM dirv WHERE dir = ?1 AND until IS NULL",
      on: connection
    )
    info.digest = stored.snapshot.digest
    for directory in tree.directories where !comparison.isUnchanged[directory.index] {
      guard let before = comparison.earlier[directory.index] else {
        changes.append(Change(directory: directory, content: 0))
        continue
      }
      guard let last = try take(before, of: stored, statement) else { return false }
      let isSameListing = comparison.hasSameListing[directory.index]
      let row = try rows.row(of: directory, on: connection)
      if isSameListing, last.values.isEqual(to: row) {
        info.digest &+= rows.digest(of: row, rows.hash(of: row, directory))
      } else {
        changes.append(Change(directory: directory, content: isSameListing ? last.content : 0))
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
    let values = DirectoryRow(statement, at: 1)
    let hash = stored.tree.name(of: directory).withUnsafeBytes { name in
      values.hash(directory: number, parent: parent, name: name)
    }
    let checksum = statement.int64(at: 1 + DirectoryRow.elsewhereColumn + 1)
    guard hash.short == checksum else { return nil }
    info.digest &-= rows.digest(of: values, hash)
    return LastRow(
      since: statement.int64(at: 0),
      values: values,
      content: statement.int64(at: 1 + DirectoryRow.columnCount - 1)
    )
  }
}
