import Foundation
import PlatTree
import Testing

@testable import PlatStore

/// Rows that are intact, by all their checksums, and say what is not so.
struct ContradictionTests {
  /// What is changed in the row of directory 2, which is in directory 1, and what is found.
  struct Case: Sendable, CustomTestStringConvertible {
    var field: DirectoryRow.Field
    /// Whether the row of the directory above, and that of the snapshot, are changed alike.
    var isConsistent = true
    var words: String
    var testDescription: String { "\(field)\(isConsistent ? " with all above it" : "")" }
  }

  static let cases = [
    Case(field: .size, words: "the sizes of directory 2 do not fit its listing"),
    Case(field: .alloc, words: "the sizes of directory 2 do not fit its listing"),
    Case(field: .files, words: "the counts of directory 2 do not fit its listing"),
    Case(field: .links, words: "the counts of directory 2 do not fit its listing"),
    Case(field: .others, words: "the counts of directory 2 do not fit its listing"),
    Case(field: .newest, words: "the times of directory 2 do not fit its listing"),
    Case(field: .maxSize, words: "the largest files of directory 2 do not fit its listing"),
    Case(field: .maxAlloc, words: "the largest files of directory 2 do not fit its listing"),
    Case(field: .dirs, words: "the totals of directory 2 do not add up"),
    Case(field: .issues, words: "the issues of directory 2 do not fit"),
    Case(field: .size, isConsistent: false, words: "the totals of directory 2 do not add up"),
    Case(field: .alloc, isConsistent: false, words: "the totals of directory 2 do not add up"),
    Case(
      field: .files,
      isConsistent: false,
      words: "the counts of directory 1 do not fit its listing"
    ),
    Case(field: .dirs, isConsistent: false, words: "the totals of directory 2 do not add up"),
    Case(field: .issues, isConsistent: false, words: "the issues of directory 1 do not fit"),
    Case(field: .newest, isConsistent: false, words: "the times of directory 1 do not fit"),
    Case(
      field: .maxSize,
      isConsistent: false,
      words: "the largest files of directory 1 do not fit"
    ),
    Case(
      field: .listingChecksum,
      isConsistent: false,
      words: "directory 2 has the listing of another"
    ),
    Case(field: .notes, isConsistent: false, words: "the issues of directory 2 do not fit"),
  ]

  /// A tree of two directories, each with a file, a link, a socket and an issue.
  private var tree: FileTree {
    var child = ModelDirectory()
    child.issues = [Issue(directory: DirectoryID(0), name: [0xff], call: "statx", code: 5)]
    for (name, kind) in [(65, .file), (66, .symbolicLink), (67, .other)] as [(UInt8, EntryKind)] {
      var entry = ListingEntry()
      entry.kind = kind
      entry.size = kind == .file ? 5_000 : 0
      entry.blocks = kind == .file ? 16 : 0
      entry.modificationTime = 1_700_000_000
      entry.changeTime = 1_700_000_000
      child.entries[[name]] = entry
    }
    var model = child
    model.subdirectories[[68]] = child
    return model.tree("/srv")
  }

  /// Changes rows as `change` says, and makes all checksums fit them.
  private func rewrite(
    _ connection: Connection,
    _ info: inout SnapshotInfo,
    _ change: (Int64, inout DirectoryRow) -> Void
  ) throws {
    let (fileSystems, attributes) = (
      try FileSystemTable(connection), try AttributeTable(connection)
    )
    let statement = try Statement(
      """
      SELECT v.dir, d.parent, d.name, d.raw, \(DirectoryRow.columns)
      FROM \(DirectoryRow.tables) JOIN dir d ON d.id = v.dir ORDER BY v.dir
      """,
      on: connection
    )
    var rows: [(directory: Int64, row: DirectoryRow, content: Int64)] = []
    info.digest = 0
    while try statement.step() {
      let number = statement.int64(at: 0)
      var row = DirectoryRow(statement, at: 4)
      change(number, &row)
      let hash = statement.name(at: 2).withUnsafeBytes {
        row.hash(directory: number, parent: statement.int64(at: 1), name: $0)
      }
      row.checksum = hash.short
      info.digest &+= Digest.contribution(
        hash,
        fileSystem: fileSystems.hashes[row[.fileSystem]] ?? 0,
        attributes: attributes.hashes[row[.attributes]] ?? 0
      )
      rows.append((number, row, statement.int64(at: 4 + DirectoryRow.contentColumn)))
    }
    let listings = "CREATE TABLE kept AS SELECT id, codec, data FROM content"
    try connection.execute(
      "\(listings); DELETE FROM dirv; DELETE FROM content; DELETE FROM snapshot"
    )
    var states = try BulkInsertion(
      "dirv",
      "dir, since, content, \(DirectoryRow.subtreeColumns)",
      on: connection
    )
    var contents = try BulkInsertion(
      "content",
      "id, codec, data, \(DirectoryRow.ownColumns)",
      on: connection
    )
    for (number, row, content) in rows {
      for value in [number, 1, content] { states.append(value) }
      row.appendSubtree(to: &states, checksum: row.checksum)
      try states.endRow()
      for value in [content, 0, 0] { contents.append(value) }
      row.appendOwn(to: &contents)
      try contents.endRow()
    }
    try states.finish()
    try contents.finish()
    try connection.execute(
      "UPDATE content SET (codec, data) = (SELECT codec, data FROM kept WHERE kept.id = content.id)"
    )
    try connection.execute("DROP TABLE kept")
    try info.insert(on: connection)
  }

  /// Adds 1 to a number of a snapshot.
  private func raise(_ field: DirectoryRow.Field, of info: inout SnapshotInfo) {
    switch field {
    case .size: info.totals.apparentSize += 1
    case .alloc: info.totals.allocatedSize += 1
    case .files: info.totals.files += 1
    case .dirs: info.totals.directories += 1
    case .links: info.totals.symbolicLinks += 1
    case .others: info.totals.others += 1
    case .issues: info.issueCount += 1
    default: break
    }
  }

  /// Stores the tree, and calls `body` after rows were rewritten.
  private func withRewritten(
    _ change: (Int64, inout DirectoryRow) -> Void,
    info changeInfo: (inout SnapshotInfo) -> Void,
    _ body: (SnapshotStore) throws -> Void
  ) throws {
    try withTemporaryFolder { folder in
      let store = try SnapshotStore(folder.bytes(of: "x.plat"), for: .writing)
      try store.write(tree, .at(0))
      var info = try store.snapshot(1)
      changeInfo(&info)
      try rewrite(try store.requireConnection(), &info, change)
      try body(store)
    }
  }

  @Test func `A row that is written as it was is no contradiction`() throws {
    try withRewritten({ _, _ in }, info: { _ in }) { store in
      let (problems, loaded) = (try store.check().problems, try store.load())
      #expect(problems == [])
      #expect(loaded == tree)
    }
  }

  @Test(arguments: cases)
  func `A row whose checksums fit, and which is not what is listed, is named`(example: Case) throws
  {
    try withRewritten(
      { number, row in
        guard number == 2 || example.isConsistent else { return }
        row[example.field] += 1
        // So that not only sums of the row itself are wrong.
        if example.isConsistent, number == 2 {
          if example.field == .size { row[.ownSize] += 1 }
          if example.field == .alloc { row[.ownAlloc] += 1 }
        }
      },
      info: { if example.isConsistent { raise(example.field, of: &$0) } },
      { store in
        let check = try store.check()
        #expect(check.damaged == [1])
        #expect(
          check.problems.contains { $0.snapshot == 1 && $0.what.contains(example.words) },
          "\(check.problems.map(\.what))"
        )
      }
    )
  }

  @Test func `A file that changed later than its directory's row says is named`() throws {
    try withRewritten(
      { number, row in
        guard number == 2, let change = row.newestFile else { return }
        row.newestFile = change - 1
      },
      info: { _ in },
      { store in
        let found = try store.check().problems.map(\.what)
        #expect(found == ["the times of directory 2 do not fit its listing"])
      }
    )
  }

  @Test func `A name that is said to be counted elsewhere, and is counted, is named`() throws {
    try withRewritten(
      { number, row in
        if number == 2 { row.elsewhere = DirectoryRow.encode(ordinals: [0]) }
      },
      info: { _ in },
      { store in
        let found = try store.check().problems.map(\.what)
        #expect(found == ["the hard links of directory 2 do not fit its listing"])
      }
    )
  }

  /// A number that no directory has, in directory 2.
  struct Impossible: Sendable, CustomTestStringConvertible {
    var field: DirectoryRow.Field
    var value: Int64
    var testDescription: String { "\(field) \(value)" }
  }

  static let impossible =
    [DirectoryRow.Field.files, .dirs, .links, .others, .issues].flatMap { field in
      [.max, .min, -1, 1 << 32].map { Impossible(field: field, value: $0) }
    } + [Impossible(field: .flags, value: 8)]

  @Test(arguments: impossible)
  func `A row that no directory can have is refused, whatever its checksums say`(
    example: Impossible
  ) throws {
    try withRewritten(
      { number, row in if number == 2 { row[example.field] = example.value } },
      info: { _ in },
      { store in
        let path = Array("/srv/D".utf8)
        let words = "directory 2 is none that there can be"
        let asks: [() throws -> Void] = [
          { _ = try store.load() }, { _ = try store.directory(atPath: path) },
          { _ = try store.entries(of: try store.directory()) },
          { _ = try store.history(atPath: path) },
        ]
        for ask in asks {
          let error = #expect(throws: StoreError.self) { try ask() }
          #expect(error?.description.contains(words) == true, "\(String(describing: error))")
        }
        let check = try store.check()
        #expect(check.problems.map(\.what) == [words])
      }
    )
  }

  @Test(arguments: ["", ".", "..", "a/b", "../etc", "a\0b"])
  func `A name that no directory can have is refused, whatever its checksums say`(
    name: String
  ) throws {
    try withTemporaryFolder { folder in
      let store = try SnapshotStore(folder.bytes(of: "x.plat"), for: .writing)
      try store.write(tree, .at(0))
      var info = try store.snapshot(1)
      let connection = try store.requireConnection()
      let renaming = try Statement("UPDATE dir SET name = ?1 WHERE id = 2", on: connection)
      try renaming.bind(name, at: 1)
      try renaming.run()
      try rewrite(connection, &info) { _, _ in }
      let words = "directory 2 is none that there can be"
      let asks: [() throws -> Void] = [
        { _ = try store.load() }, { _ = try store.entries(of: try store.directory()) },
      ]
      for ask in asks {
        let error = #expect(throws: StoreError.self) { try ask() }
        #expect(error?.description.contains(words) == true, "\(String(describing: error))")
      }
    }
  }

  static let impossibleInfos: [@Sendable (inout SnapshotInfo) -> Void] = [
    { $0.totals.files = .max }, { $0.totals.others = -1 }, { $0.issueCount = 1 << 32 },
    { $0.scan.unverifiedFiles = .min }, { $0.scan.startedAt = .min },
    { $0.scan.finishedAt = -1 }, { $0.id = 0 }, { $0.id = .min },
  ]

  @Test(arguments: impossibleInfos.indices)
  func `A description of no snapshot that there can be is refused`(index: Int) throws {
    try withRewritten({ _, _ in }, info: Self.impossibleInfos[index]) { store in
      let words = "its description is of no snapshot that there can be"
      let error = #expect(throws: StoreError.self) { try store.snapshot() }
      #expect(error?.description.contains(words) == true, "\(String(describing: error))")
      let check = try store.check()
      #expect(check.problems.contains { $0.what == words }, "\(check.problems.map(\.what))")
    }
  }

  @Test func `A file system may have any number`() throws {
    try withTemporaryFolder { folder in
      let store = try SnapshotStore(folder.bytes(of: "x.plat"), for: .writing)
      try store.write(tree, .at(0))
      var info = try store.snapshot(1)
      let connection = try store.requireConnection()
      try connection.execute("UPDATE fs SET id = -5")
      try rewrite(connection, &info) { _, row in row[.fileSystem] = -5 }
      let loaded = try store.load()
      #expect(loaded == tree)
    }
  }

  @Test func `A store whose snapshots have used up all numbers takes no other`() throws {
    try withTemporaryFolder { folder in
      let store = try SnapshotStore(folder.bytes(of: "x.plat"), for: .writing)
      try store.write(tree, .at(0))
      for last in [Int64.max, -1] {
        try store.requireConnection().execute("UPDATE sqlite_sequence SET seq = \(last)")
        let words = "the numbers of its table 'snapshot' are used up"
        for ask in [{ _ = try store.nextSnapshotNumber() }, { try store.write(tree, .at(9)) }]
          as [() throws -> Void]
        {
          let error = #expect(throws: StoreError.self) { try ask() }
          #expect(error?.description.contains(words) == true)
        }
      }
    }
  }
}
