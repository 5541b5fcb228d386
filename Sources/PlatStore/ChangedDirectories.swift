internal import PlatTree

/// The directories that are not the same in two snapshots, with those above them.
///
/// A row of `dirv` stands for a directory in all snapshots from `since` on and before `until`, so what
/// two snapshots share is never looked at.
internal struct ChangedDirectories {
  /// The directories of the snapshot before.
  internal private(set) var before: StoredDiffSource
  /// The directories of the snapshot afterwards.
  internal private(set) var after: StoredDiffSource

  private let connection: Connection

  /// Finds them; the caller has begun a transaction.
  internal init(from: Int, to: Int, on connection: Connection) throws(StoreError) {
    self.connection = connection
    let fileSystems = try FileSystemTable(connection)
    before = try StoredDiffSource(from, fileSystems, on: connection)
    after = try StoredDiffSource(to, fileSystems, on: connection)
    let (first, last) = (min(from, to), max(from, to))
    try readChanged(first, last, isForwards: from <= to)
    try readAncestors(first, last)
    before.sort()
    after.sort()
    try checkSums()
  }

  /// The query for the numbers of the directories that have other rows in one snapshot than in another.
  internal static func changed(_ first: Int, _ last: Int, _ schemaVersion: Int) -> String {
    switch (schemaVersion, last - first) {
    case (..<2, _): "SELECT DISTINCT dir FROM dirv WHERE since > \(first) OR until > \(first)"
    case (_, 1): "SELECT dir FROM change WHERE snapshot = \(last)"
    default:
      "SELECT DISTINCT dir FROM change WHERE snapshot > \(first) AND snapshot <= \(last)"
    }
  }

  private mutating func readChanged(
    _ first: Int,
    _ last: Int,
    isForwards: Bool
  ) throws(StoreError) {
    let changed = Self.changed(first, last, connection.schemaVersion)
    let count = Int(try connection.integer("SELECT count(*) FROM (\(changed))") ?? 0)
    before.reserveCapacity(count)
    after.reserveCapacity(count)
    // Read in the closure, they would cost a copy of both sources for each row.
    let (connection, snapshot) = (connection, before.snapshot)
    try connection.forEachRow(
      "v.dir, d.parent, d.name, d.raw, v.since <= ?1, \(DirectoryRow.columns(on: connection))",
      """
      FROM (\(changed)) changed CROSS JOIN dir d ON d.id = changed.dir
        CROSS JOIN \(DirectoryRow.tables)
      WHERE v.dir = d.id AND (
        v.since <= ?1 AND v.until > ?1 AND v.until <= \(last)
        OR v.since > ?1 AND v.since <= \(last) AND (v.until IS NULL OR v.until > \(last)))
      """,
      Int64(first)
    ) { row throws(StoreError) in
      let node = try StoredDiffSource.Node(row, of: snapshot, on: connection)
      if (row.int64(at: 4) != 0) == isForwards {
        try before.insert(node)
      } else {
        try after.insert(node)
      }
    }
  }

  /// Reads the directories above those that have changed.
  ///
  /// Most have changed with them; the others are the same in both snapshots.
  private mutating func readAncestors(_ first: Int, _ last: Int) throws(StoreError) {
    let statement = try Statement(
      """
      SELECT v.dir, d.parent, d.name, d.raw, 0, \(DirectoryRow.columns(on: connection))
      FROM \(DirectoryRow.tables) JOIN dir d ON d.id = v.dir
      WHERE v.dir = ?1 AND v.since <= ?2 AND (v.until IS NULL OR v.until > ?3)
      """,
      on: connection
    )
    statement.bind(Int64(first), at: 2)
    statement.bind(Int64(last), at: 3)
    let changed = (before.nodes.count, after.nodes.count)
    for index in 0..<changed.0 { try readAncestors(of: before.nodes[index].parent, statement) }
    for index in 0..<changed.1 { try readAncestors(of: after.nodes[index].parent, statement) }
  }

  /// Reads a directory and those above it, up to one that is there.
  private mutating func readAncestors(
    of number: Int64,
    _ statement: borrowing Statement
  ) throws(StoreError) {
    var number = number
    while number != 0, before[number] == nil, after[number] == nil {
      statement.bind(number, at: 1)
      guard try statement.step() else {
        throw before.damaged("directory \(number) is missing")
      }
      let node = try StoredDiffSource.Node(statement, of: before.snapshot, on: connection)
      statement.reset()
      try before.insert(node)
      try after.insert(node)
      number = node.parent
    }
  }

  /// Checks that no row is missing: what the totals of a directory have beyond its own and those of
  /// the subdirectories that are here, which is what did not change, is the same on both sides.
  private func checkSums() throws(StoreError) {
    for directory in before.directories {
      let number = before[directory].number
      let sums = after[number].map { after.unchangedSums(of: $0) }
      guard before.unchangedSums(of: directory) == sums ?? UnchangedSums() else {
        throw incomplete(number)
      }
    }
    for directory in after.directories where before[after[directory].number] == nil {
      guard after.unchangedSums(of: directory) == UnchangedSums() else {
        throw incomplete(after[directory].number)
      }
    }
  }

  private func incomplete(_ number: Int64) -> StoreError {
    before.damaged("the totals of directory \(number) do not add up")
  }
}

/// What the subdirectories of a directory that did not change add up to.
private struct UnchangedSums: Equatable {
  var size: Int64 = 0
  var alloc: Int64 = 0
  var directories: Int64 = 0
}

extension StoredDiffSource.Node {
  /// Reads a row of either query, and checks it.
  fileprivate init(
    _ columns: borrowing some QueryRow & ~Copyable,
    of snapshot: Int,
    on connection: Connection
  ) throws(StoreError) {
    self.init(
      columns.int64(at: 0),
      named: columns.name(at: 2),
      in: columns.int64(at: 1),
      DirectoryRow(columns, at: 5),
      content: columns.int64(at: 5 + DirectoryRow.contentColumn)
    )
    let hash = name.withUnsafeBytes { row.hash(directory: number, parent: parent, name: $0) }
    let isInLoop = parent >= number
    let flaw =
      row.flaw(hash, ofDirectory: number, in: parent, named: name)
      ?? (isInLoop ? "directory \(number) is in a loop" : nil)
    if let flaw { throw .damaged(path: connection.path, snapshot: snapshot, reason: flaw) }
  }
}

extension StoredDiffSource {
  /// Returns what is missing from the totals of a directory.
  fileprivate func unchangedSums(of directory: DirectoryID) -> UnchangedSums {
    let node = self[directory]
    var sums = UnchangedSums()
    sums.size = node.row[.size] &- node.row[.ownSize]
    sums.alloc = node.row[.alloc] &- node.row[.ownAlloc] &- node.row[.selfAlloc]
    sums.directories = node.row[.dirs] &- 1
    for child in directories[node.children] {
      sums.size &-= nodes[child.index].row[.size]
      sums.alloc &-= nodes[child.index].row[.alloc]
      sums.directories &-= nodes[child.index].row[.dirs]
    }
    // Sums that did not fit say nothing.
    if node.row[.size] == .max { sums.size = 0 }
    if node.row[.alloc] == .max { sums.alloc = 0 }
    return sums
  }
}
