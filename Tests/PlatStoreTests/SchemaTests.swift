import Foundation
import PlatTree
import Testing

@testable import PlatStore

/// What other programs see in a file, and files of earlier versions.
struct SchemaTests {
  /// A small tree with what is hard: names, hard links, issues, exclusions.
  private func exampleTree() -> FileTree {
    var model = ModelDirectory()
    model.details.inode = 2
    model.details.device = 1
    model.details.mode = 0o755
    model.details.allocatedSize = 4096
    model.details.modificationTime = 1_767_311_999_123_456_789
    var entry = ListingEntry()
    entry.size = 5000
    entry.blocks = 16
    entry.mode = 0o644
    entry.modificationTime = 1_700_000_000
    entry.changeTime = 1_700_000_001
    entry.inode = 77
    entry.linkCount = 2
    model.entries[Array("a".utf8)] = entry
    var child = model
    child.entries[[0xff, 0x0a]] = entry
    model.subdirectories[Array("b\u{202e}".utf8)] = child
    model.subdirectories[[0xc3, 0x28]] = ModelDirectory()
    model.issues = [Issue(directory: DirectoryID(0), name: [0xff], call: "statx", code: 5)]
    model.exclusions = [
      Exclusion(directory: DirectoryID(0), name: [66], kind: .directory, reason: .otherFileSystem)
    ]
    return model.tree("/srv")
  }

  private func fixture(_ version: Int) -> URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Fixtures/stores/v\(version).plat").standardizedFileURL
  }

  /// A scan of which all is known.
  private var describedScan: ScanDescription {
    var scan = ScanDescription.at(2 * 86_400)
    scan.level = "fast"
    (scan.unverifiedFiles, scan.unverifiedSize, scan.oldestUnverified) = (7, 4_096, 16)
    (scan.sampledFiles, scan.sampledChanges, scan.sampledGrowth) = (3, 2, -512)
    (scan.totalSpace, scan.freeSpace) = (1 << 40, 1 << 39)
    return scan
  }

  /// Makes the file of this version; those of earlier ones were made by the code of their time.
  private func record() throws {
    let file = fixture(Schema.version)
    try? FileManager.default.removeItem(at: file)
    var options = SnapshotStore.Options()
    options.usesWriteAheadLog = false
    let store = try SnapshotStore(Array(file.path.utf8), for: .writing, options: options)
    try store.write(ModelDirectory().tree("/srv"), .at(0))
    try store.write(exampleTree(), .at(86_400))
    try store.write(ModelDirectory.packable().tree("/srv"), describedScan)
    let memory = LayoutMemory(snapshot: 3, data: [1, 2, 3])
    try store.setLayoutMemory(memory, width: 1600, height: 1000, options: "nested")
    // What is left of the journal between two transactions: nothing.
    try FileManager.default.removeItem(atPath: file.path + "-journal")
  }

  @Test(arguments: 1...Schema.version)
  func `A file of each version is read, now and in all later versions`(version: Int) throws {
    if ProcessInfo.processInfo.environment["PLAT_RECORD"] == "1", version == Schema.version {
      try record()
    }
    // A copy, so that nothing a reader does can change the original.
    try withTemporaryFolder { folder in
      let file = folder.appendingPathComponent("x.plat")
      try FileManager.default.copyItem(at: fixture(version), to: file)
      let store = try SnapshotStore(folder.bytes(of: "x.plat"), for: .reading)
      let scans = try store.snapshots().map(\.scan)
      #expect(scans.prefix(2) == [.at(0), .at(86_400)])
      #expect(try store.load(1) == ModelDirectory().tree("/srv"))
      #expect(try store.load(2) == exampleTree())
      let memory = try store.layoutMemory(width: 1600, height: 1000, options: "nested")
      if version == 1 {
        #expect(memory == nil)
      } else {
        #expect(scans.dropFirst(2) == [describedScan])
        #expect(try store.load(3) == ModelDirectory.packable().tree("/srv"))
        let connection = try store.requireConnection()
        #expect(
          try connection.integer("SELECT count(*) FROM content WHERE codec = 2") == 30,
          "the fixture shows how listings are packed"
        )
        #expect(memory == LayoutMemory(snapshot: 3, data: [1, 2, 3]))
      }
      #expect(try Data(contentsOf: file) == Data(contentsOf: fixture(version)))
    }
  }

  @Test(arguments: 1..<Schema.version)
  func `The next scan converts a file of an earlier version`(version: Int) throws {
    try withTemporaryFolder { folder in
      let path = folder.bytes(of: "x.plat")
      let file = folder.appendingPathComponent("x.plat")
      try FileManager.default.copyItem(at: fixture(version), to: file)
      // What a process that was killed while it converted has left.
      try Data(count: 9).write(to: folder.appendingPathComponent("x.plat.backup-abandoned"))
      let reader = try SnapshotStore(path, for: .reading)
      let before = try reader.snapshots()
      let tree = ModelDirectory.packable().tree("/srv")
      #expect(try SnapshotStore(path, for: .writing).write(tree, describedScan).id == 3)
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      #expect(names.filter { $0.contains("backup") } == [])
      for store in [reader, try SnapshotStore(path, for: .reading)] {
        #expect(try store.snapshots().prefix(2) == before[...])
        #expect(try store.load(1) == ModelDirectory().tree("/srv"))
        #expect(try store.load(2) == exampleTree())
        #expect(try store.load(3) == tree)
      }
      let connection = try Connection(path, .readOnly, busyTimeout: 0)
      #expect(try connection.integer("PRAGMA user_version") == Int64(Schema.version))
      #expect(try connection.text("PRAGMA integrity_check") == "ok")
    }
  }

  @Test func `A conversion is no reason for new rows of what has not changed`() throws {
    try withTemporaryFolder { folder in
      let path = folder.bytes(of: "x.plat")
      try FileManager.default.copyItem(
        at: fixture(1),
        to: folder.appendingPathComponent("x.plat")
      )
      let store = try SnapshotStore(path, for: .writing)
      try store.write(exampleTree(), .at(3 * 86_400))
      let connection = try store.requireConnection()
      #expect(try connection.integer("SELECT count(*) FROM dirv WHERE since > 2") == 0)
      let statement = try Statement(
        "SELECT \(DirectoryRow.columns) FROM \(DirectoryRow.tables)",
        on: connection
      )
      while try statement.step() { #expect(DirectoryRow(statement, at: 0).newestFile == nil) }
      #expect(try store.load() == exampleTree())
    }
  }

  @Test func `A conversion that fails leaves the file, and a copy of it`() throws {
    try withTemporaryFolder { folder in
      let path = folder.bytes(of: "x.plat")
      try FileManager.default.copyItem(
        at: fixture(1),
        to: folder.appendingPathComponent("x.plat")
      )
      let connection = try Connection(path, .readWrite, busyTimeout: 0)
      #expect(throws: StoreError.self) {
        try StoreFile.keepingBackup(of: connection, at: path) { () throws(StoreError) in
          let bad = Migration(to: 2, sql: "CREATE TABLE owner(x); CREATE TABLE dir(x)")
          try Migration.run([Schema.migrations[0], bad], on: connection)
        }
      }
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      let backups = names.filter { $0.hasPrefix("x.plat.backup-") }
      #expect(backups.count == 1)
      for name in ["x.plat"] + backups {
        let store = try SnapshotStore(folder.bytes(of: name), for: .reading)
        #expect(try store.requireConnection().schemaVersion == 1)
        #expect(try store.load(2) == exampleTree())
      }
    }
  }

  @Test(.enabled(if: executable("sqlite3") != nil, "needs the sqlite3 shell"))
  func `The shell of SQLite finds nothing wrong, and reads the views`() throws {
    try withTemporaryFolder { folder in
      var options = SnapshotStore.Options()
      options.usesWriteAheadLog = false
      let path = folder.bytes(of: "x.plat")
      let store = try SnapshotStore(path, for: .writing, options: options)
      try store.write(ModelDirectory().tree("/srv"), .at(0))
      try store.write(exampleTree(), .at(86_400))
      try expectViews(fixture(1).path)
      try expectViews(String(decoding: path, as: UTF8.self))
    }
  }

  /// Reads the views of a file with the example as its second snapshot.
  private func expectViews(_ path: String) throws {
    func ask(_ sql: String) throws -> String? {
      try output(of: "sqlite3", ["-readonly", path, sql])
    }
    #expect(try ask("PRAGMA integrity_check") == "ok\n")
    #expect(
      try ask(
        "SELECT path, alloc, files, dirs, links, others FROM v_dir ORDER BY path COLLATE BINARY"
      )
        == """
        /srv|16384|3|3|0|0
        /srv/b\u{202e}|4096|2|1|0|0
        /srv/\u{fffd}(|0|0|1|0|0

        """
    )
    #expect(
      try ask("SELECT snapshot, dir, alloc, alloc_growth FROM v_growth") == "2|1|16384|16384\n"
    )
    #expect(try ask("SELECT hex(raw) FROM v_dir WHERE name = '\u{fffd}('") == "C328\n")
    #expect(
      try ask("SELECT sum(own_alloc), max(mtime_ns) FROM v_dir") == "8192|1767311999123456789\n"
    )
    // Two directories changed in the second before the scan; those of the third are 0.
    #expect(try ask("SELECT count(*), sum(racy), sum(ino) FROM v_trust") == "3|2|4\n")
  }

  @Test(.enabled(if: executable("python3") != nil, "needs Python"), arguments: 1...Schema.version)
  func `Python reads every text as valid UTF-8`(version: Int) throws {
    let script = """
      import pathlib, sqlite3, sys
      db = sqlite3.connect(pathlib.Path(sys.argv[1]).as_uri() + '?mode=ro', uri=True)
      for table, in db.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')").fetchall():
        print(table, len(db.execute(f'SELECT * FROM {table}').fetchall()))
      """
    let printed = try #require(try output(of: "python3", ["-c", script, fixture(version).path]))
    let lines = Set(printed.split(separator: "\n").map(String.init))
    #expect(
      lines.isSuperset(
        of: version == 1
          ? ["snapshot 2", "dir 3", "dirv 4", "v_dir 3", "v_growth 1", "issue 1"]
          : ["snapshot 3", "dir 33", "dirv 35", "v_dir 31", "v_growth 2", "layout 1"]
      )
    )
  }

  @Test
  func `A missing step is taken in one transaction, and an error leaves the version as it was`()
    throws
  {
    try withTemporaryFolder { folder in
      let path = folder.bytes(of: "x.plat")
      let tree = exampleTree()
      try SnapshotStore(path, for: .writing).write(tree, .at(0))
      let connection = try Connection(path, .readWrite, busyTimeout: 0)
      let next = Schema.version + 1
      let bad = Migration(to: next, sql: "CREATE TABLE owner(x); CREATE TABLE dir(x)")
      #expect(throws: StoreError.self) {
        try Migration.run(Schema.migrations + [bad], on: connection)
      }
      #expect(try connection.integer("PRAGMA user_version") == Int64(Schema.version))
      #expect(
        try connection.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'owner'") == 0
      )
      #expect(try SnapshotStore(path, for: .reading).load() == tree)

      let steps =
        Schema.migrations + [
          Migration(to: next, sql: "CREATE TABLE owner(x)"),
          Migration(to: next + 1, sql: "INSERT INTO owner VALUES(7)"),
        ]
      #expect(try Migration.run(steps, on: connection))
      #expect(try Migration.run(steps, on: connection) == false)
      #expect(try connection.integer("PRAGMA user_version") == Int64(next + 1))
      #expect(try connection.integer("SELECT x FROM owner") == 7)
    }
  }

  @Test func `The columns that are read are the columns of the table`() throws {
    try withTemporaryFolder { folder in
      let path = folder.bytes(of: "x.plat")
      try Data().write(to: folder.appendingPathComponent("x.plat"))
      let connection = try Connection(path, .readWrite, busyTimeout: 0)
      try Migration.run(Schema.migrations, on: connection)
      func columns(_ table: String) throws -> String? {
        try connection.text("SELECT group_concat(name, ', ') FROM pragma_table_info('\(table)')")
      }
      let (subtree, own) = (DirectoryRow.subtreeColumns, DirectoryRow.ownColumns)
      #expect(try columns("dirv") == "dir, since, until, \(subtree), content")
      #expect(try columns("content") == "id, \(own), codec, data")
      let read = DirectoryRow.columns.replacing("v.rest", with: "rest")
        .replacing("c.rest", with: "rest").split(separator: ", ")
      #expect(read.sorted() == "\(subtree), \(own), content".split(separator: ", ").sorted())
      #expect(read.count == Int(DirectoryRow.columnCount))
      #expect(read.last == "content" && read.count - 1 == Int(DirectoryRow.contentColumn))
    }
  }
}
