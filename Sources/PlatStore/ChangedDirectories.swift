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

  private mutating func readChanged(
    _ first: Int,
    _ last: Int,
    isForwards: Bool
  ) throws(StoreError) {
    let statement = try Statement(
      """
      SELECT v.dir, d.parent, d.name, d.raw, v.since <= ?1, \(DirectoryRow.columns(on: connection))
      FROM \(DirectoryRow.tables) CROSS JOIN dir d ON d.id = v.dir
      WHERE (v.since > ?1 OR v.until > ?1) AND (
        v.since <= ?1 AND v.until <= ?2
        OR v.since > ?1 AND v.since <= ?2 AND (v.until IS NULL OR v.until > ?2))
      """,
      on: connection
    )
    statement.bind(Int64(first), at: 1)
    statement.bind(Int64(last), at: 2)
    while try statement.step() {
      let number = statement.int64(at: 0)
      let node = try readNode(statement, number)
      if (statement.int64(at: 4) != 0) == isForwards {
        try before.insert(node, number)
      } else {
        try after.insert(node, number)
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
    for number in Array(before.numbers) + Array(after.numbers) {
      var parent = before[number]?.parent ?? after[number]?.parent ?? 0
      while parent != 0, before[parent] == nil, after[parent] == nil {
        statement.bind(parent, at: 1)
        guard try statement.step() else {
          throw before.damaged("directory \(number) has no parent")
        }
        let node = try readNode(statement, parent)
        statement.reset()
        try before.insert(node, parent)
        try after.insert(node, parent)
        parent = node.parent
      }
    }
  }

  /// Reads a row of either query, and checks it.
  private func readNode(
    _ statement: borrowing Statement,
    _ number: Int64
  ) throws(StoreError) -> StoredDiffSource.Node {
    let node = StoredDiffSource.Node(
      name: statement.name(at: 2),
      parent: statement.int64(at: 1),
      row: DirectoryRow(statement, at: 5),
      content: statement.int64(at: 5 + DirectoryRow.contentColumn)
    )
    let hash = node.name.withUnsafeBytes { name in
      node.row.hash(directory: number, parent: node.parent, name: name)
    }
    guard hash.short == node.row.checksum else {
      throw before.damaged("the checksum of directory \(number) does not fit")
    }
    guard node.parent < number else { throw before.damaged("directory \(number) is in a loop") }
    return node
  }

  /// Checks that no row is missing: what the totals of a directory have beyond its own and those of
  /// the subdirectories that are here, which is what did not change, is the same on both sides.
  private func checkSums() throws(StoreError) {
    for number in Set(before.numbers).union(after.numbers) {
      let old = before.unchangedSums(of: number)
      let new = after.unchangedSums(of: number)
      let isComplete =
        switch (old, new) {
        case (let old?, let new?): old == new
        case (let sums?, nil), (nil, let sums?): sums == UnchangedSums()
        case (nil, nil): true
        }
      guard isComplete else {
        throw before.damaged("the totals of directory \(number) do not add up")
      }
    }
  }
}

/// What the subdirectories of a directory that did not change add up to.
private struct UnchangedSums: Equatable {
  var size: Int64 = 0
  var alloc: Int64 = 0
  var directories: Int64 = 0
}

extension StoredDiffSource {
  /// Returns what is missing from the totals of a directory, or `nil` if the directory is.
  fileprivate func unchangedSums(of number: Int64) -> UnchangedSums? {
    guard let row = self[number]?.row else { return nil }
    var sums = UnchangedSums()
    sums.size = row[.size] &- row[.ownSize]
    sums.alloc = row[.alloc] &- row[.ownAlloc] &- row[.selfAlloc]
    sums.directories = row[.dirs] &- 1
    for child in subdirectories(of: Directory(number: number, content: 0)) {
      guard let part = self[child.number]?.row else { continue }
      sums.size &-= part[.size]
      sums.alloc &-= part[.alloc]
      sums.directories &-= part[.dirs]
    }
    // Sums that did not fit say nothing.
    if row[.size] == .max { sums.size = 0 }
    if row[.alloc] == .max { sums.alloc = 0 }
    return sums
  }
}
