import Foundation
import PlatTree
import Testing

@testable import PlatStore

/// What is found where a file of snapshots should be.
struct StoreFileTests {
  /// What stands at the path, and the words of the error.
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var content: Data
    var words: String
  }

  static let foreign = [
    Case(
      testDescription: "text",
      content: Data("this is not a database, just some text".utf8),
      words: "not a file of snapshots (move it away, or name another with --database)"
    ),
    Case(
      testDescription: "zeros",
      content: Data(count: 10_000),
      words: "not a file of snapshots (move it away, or name another with --database)"
    ),
    Case(
      testDescription: "one byte",
      content: Data([0x53]),
      words: "not a file of snapshots (move it away, or name another with --database)"
    ),
  ]

  private func expectRefused(_ path: [UInt8], _ words: String) throws {
    let name = String(decoding: path, as: UTF8.self)
    let before = try Data(contentsOf: URL(fileURLWithPath: name))
    for access in [SnapshotStore.Access.reading, .writing] {
      let error = #expect(throws: StoreError.self) {
        let store = try SnapshotStore(path, for: access)
        // A half-written file shows itself only when it is read.
        _ = try store.load()
      }
      #expect(error?.description == "\(name): \(words)")
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: name)) == before)
    #expect(!FileManager.default.fileExists(atPath: name + "-wal"))
  }

  @Test(arguments: foreign)
  func `A file that is no database is refused and left as it is`(example: Case) throws {
    try withTemporaryFolder { folder in
      let path = folder.bytes(of: "db")
      try example.content.write(to: folder.appendingPathComponent("db"))
      try expectRefused(path, example.words)
    }
  }

  @Test(arguments: [
    "CREATE TABLE precious(x)", "PRAGMA user_version = 77; CREATE TABLE precious(x)",
    "PRAGMA application_id = 77", "PRAGMA user_version = 1",
    "PRAGMA journal_mode = WAL; CREATE TABLE precious(x)",
  ])
  func `The database of another program is refused and left as it is`(sql: String) throws {
    try withTemporaryFolder { folder in
      let path = folder.bytes(of: "db")
      try Data().write(to: folder.appendingPathComponent("db"))
      try Connection(path, .readWrite, busyTimeout: 0).execute(sql)
      try expectRefused(path, "the database of another program (name another file with --database)")
    }
  }

  @Test func `A newer schema is refused and left as it is`() throws {
    try withTemporaryFolder { folder in
      let path = folder.bytes(of: "db")
      try SnapshotStore(path, for: .writing).write(ModelDirectory().tree("/srv"), .at(0))
      try Connection(path, .readWrite, busyTimeout: 0).execute("PRAGMA user_version = 9")
      try expectRefused(path, "written by a newer version of plat (schema 9, known: 2)")
    }
  }

  @Test func `A file cut short is damaged, and is left as it is`() throws {
    var generator = SplitMix64(seed: 3)
    let tree = ModelDirectory.random(400, using: &generator).tree("/srv")
    try withTemporaryFolder { folder in
      let path = folder.bytes(of: "db")
      try SnapshotStore(path, for: .writing).write(tree, .at(0))
      let file = folder.appendingPathComponent("db")
      let half = try Data(contentsOf: file).prefix(40_000)
      try half.write(to: file)
      for access in [SnapshotStore.Access.reading, .writing] {
        let error = #expect(throws: StoreError.self) {
          let store = try SnapshotStore(path, for: access)
          if access == .reading { _ = try store.load() } else { try store.write(tree, .at(1)) }
        }
        guard case .damaged = error else {
          Issue.record("\(String(describing: error))")
          continue
        }
      }
      #expect(try Data(contentsOf: file) == half)
    }
  }

  @Test func `An empty file is as good as none`() throws {
    try withTemporaryFolder { folder in
      let path = folder.bytes(of: "db")
      try Data().write(to: folder.appendingPathComponent("db"))
      let name = String(decoding: path, as: UTF8.self)
      let reader = try SnapshotStore(path, for: .reading)
      #expect(try reader.snapshots() == [])
      #expect(throws: StoreError.noSnapshot(path: name, id: nil)) { try reader.load() }
      let tree = ModelDirectory().tree("/srv")
      try SnapshotStore(path, for: .writing).write(tree, .at(0))
      #expect(try reader.load() == tree)
      #expect(try reader.requireConnection().text("PRAGMA journal_mode") == "wal")
    }
  }

  @Test func `A missing file is an error that says what to do`() throws {
    try withTemporaryFolder { folder in
      let path = folder.bytes(of: "db")
      let error = #expect(throws: StoreError.self) { try SnapshotStore(path, for: .reading) }
      #expect(error?.description == "\(folder.path)/db: no snapshots (scan the directory first)")
      let writer = try SnapshotStore(path, for: .writing)
      #expect(try writer.snapshots() == [])
    }
  }

  @Test func `A file with snapshots of another root takes no others`() throws {
    try withTemporaryFolder { folder in
      let store = try SnapshotStore(folder.bytes(of: "db"), for: .writing)
      let tree = ModelDirectory().tree("/srv")
      try store.write(tree, .at(0))
      let error = #expect(throws: StoreError.self) {
        try store.write(ModelDirectory().tree("/home"), .at(1))
      }
      #expect(
        error?.description
          == "\(folder.path)/db: holds snapshots of /srv (name another file with --database)"
      )
      #expect(try store.snapshots().count == 1)
      #expect(try store.load() == tree)
    }
  }

  @Test func `Only the owner can read a file, and nothing is left beside it`() throws {
    try withTemporaryFolder { folder in
      let path = folder.bytes(of: "db")
      let abandoned = folder.appendingPathComponent("db.new-abandoned")
      try Data(count: 9).write(to: abandoned)
      try SnapshotStore(path, for: .writing).write(ModelDirectory().tree("/srv"), .at(0))
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["db"])
      let mode = try FileManager.default.attributesOfItem(atPath: folder.path + "/db")[
        .posixPermissions
      ]
      #expect(mode as? Int == 0o600)
    }
  }

  @Test func `Without a write-ahead log everything works as well`() throws {
    var generator = SplitMix64(seed: 4)
    var model = ModelDirectory.random(30, using: &generator)
    try withTemporaryFolder { folder in
      var options = SnapshotStore.Options()
      options.usesWriteAheadLog = false
      let path = folder.bytes(of: "db")
      let store = try SnapshotStore(path, for: .writing, options: options)
      try store.write(model.tree("/srv"), .at(0))
      model.mutate(rarity: 2, using: &generator)
      try store.write(model.tree("/srv"), .at(1))
      #expect(try SnapshotStore(path, for: .reading).load() == model.tree("/srv"))
      #expect(try store.requireConnection().text("PRAGMA journal_mode") == "truncate")
    }
  }

  @Test(.enabled(if: geteuid() == 0 && executable("mount") != nil, "mounting needs root"))
  func `A database on a read-only file system is read`() throws {
    let tree = ModelDirectory().tree("/srv")
    try withTemporaryFolder { folder in
      let path = folder.bytes(of: "db")
      guard try mount(["-t", "tmpfs", "none", folder.path]) else { return }
      defer { _ = try? unmount(folder.path) }
      try SnapshotStore(path, for: .writing).write(tree, .at(0))
      try #require(try mount(["-o", "remount,ro", folder.path]))
      #expect(try SnapshotStore(path, for: .reading).load() == tree)
      let error = #expect(throws: StoreError.self) {
        try SnapshotStore(path, for: .writing).write(tree, .at(1))
      }
      #expect(
        error?.description
          == "\(folder.path)/db: cannot be written (name another file with --database)"
      )
    }
  }
}

/// Mounts something; returns whether the machine allows it.
func mount(_ arguments: [String]) throws -> Bool {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: executable("mount") ?? "/bin/mount")
  process.arguments = arguments
  process.standardError = FileHandle.nullDevice
  try process.run()
  process.waitUntilExit()
  return process.terminationStatus == 0
}

/// Undoes a mount.
func unmount(_ path: String) throws {
  _ = try output(of: "umount", ["-l", path])
}
