import Foundation
import PlatTree
import Testing

@testable import PlatStore

/// Snapshots that are compared with one that was loaded before.
struct StoredTreeTests {
  /// Everything in a file but where its listings are, as rows of text.
  private func rows(of store: SnapshotStore) throws -> [String] {
    let connection = try store.requireConnection()
    let columns = DirectoryRow.columns.replacing(", content", with: "")
    let queries = [
      "SELECT id, parent, hex(name), hex(raw) FROM dir ORDER BY 1",
      "SELECT dir, since, until, \(columns) FROM \(DirectoryRow.tables) ORDER BY 1, 2",
      """
      SELECT v.dir, v.since, c.codec, hex(l.data) FROM \(DirectoryRow.tables)
        JOIN content l ON l.id = CASE c.codec WHEN 1 THEN c.data ELSE c.id END ORDER BY 1, 2
      """,
      """
      SELECT dir, since, n, hex(name), call, errno
        FROM dirv JOIN issue USING(content) ORDER BY 1, 2, 3
      """,
      """
      SELECT dir, since, n, hex(name), kind, reason
        FROM dirv JOIN exclusion USING(content) ORDER BY 1, 2, 3
      """,
      "SELECT id, type, uuid, device FROM fs ORDER BY 1",
      "SELECT * FROM attr ORDER BY 1",
      "SELECT id, digest, checksum, issues FROM snapshot ORDER BY 1",
      "SELECT count(*) FROM content",
    ]
    return try queries.flatMap { query in
      let statement = try Statement(query, on: connection)
      var rows: [String] = []
      while try statement.step() {
        rows.append((0..<30).map { statement.string(at: $0) }.joined(separator: "|"))
      }
      return rows
    }
  }

  @Test func `A snapshot after one that was loaded has the rows of one that was compared in full`()
    throws
  {
    for seed in 0..<8 as Range<UInt64> {
      var generator = SplitMix64(seed: 300 + seed)
      var model = ModelDirectory.random(120, using: &generator)
      var models = [model]
      try withTemporaryFolder { folder in
        let full = try SnapshotStore(folder.bytes(of: "full.plat"), for: .writing)
        let lean = try SnapshotStore(folder.bytes(of: "lean.plat"), for: .writing)
        var loaded: [StoredTree] = []
        for step in 0..<10 {
          let tree = model.tree("/srv")
          try full.write(tree, .at(Int64(step)))
          // One that is not the newest any more is of no use, and does no harm.
          let stored = step == 6 ? loaded.first : loaded.last
          try lean.write(tree, .at(Int64(step)), after: stored)
          #expect(try rows(of: lean) == rows(of: full))
          #expect(try lean.load() == tree)
          if step == 4 {
            for store in [full, lean] { _ = try store.delete(5) }
            #expect(try rows(of: lean) == rows(of: full))
          }
          loaded.append(try lean.loadStored())
          // Now and then nothing changes, and something comes back.
          switch step % 4 {
          case 0: break
          case 3: model = models[models.count / 2]
          default: model.mutate(rarity: step == 5 ? 3 : 30, using: &generator)
          }
          models.append(model)
        }
      }
    }
  }

  @Test func `A row that was changed by other means since it was loaded is written anew`() throws {
    var model = ModelDirectory()
    model.entries[[65]] = ListingEntry()
    model.subdirectories[[66]] = model
    try withTemporaryFolder { folder in
      let store = try SnapshotStore(folder.bytes(of: "x.plat"), for: .writing)
      try store.write(model.tree("/srv"), .at(0))
      let stored = try store.loadStored()
      try store.requireConnection().execute("UPDATE dirv SET alloc = alloc + 512")
      model.subdirectories[[66]]?.entries[[67]] = ListingEntry()
      let tree = model.tree("/srv")
      try store.write(tree, .at(1), after: stored)
      #expect(try store.load() == tree)
      #expect(throws: StoreError.self) { try store.load(1) }
    }
  }

  private func randomTree(seed: UInt64) -> FileTree {
    var generator = SplitMix64(seed: seed)
    return ModelDirectory.random(40, using: &generator).tree("/srv")
  }

  /// Stores a tree, and loads it.
  private func withStored(
    _ tree: FileTree,
    _ body: (SnapshotStore, StoredTree, Connection) throws -> Void
  ) throws {
    try withTemporaryFolder { folder in
      let store = try SnapshotStore(folder.bytes(of: "x.plat"), for: .writing)
      try store.write(tree, .at(0))
      try body(store, store.loadStored(), store.requireConnection())
    }
  }

  @Test func `No listing is read for a tree that is as it was when it was loaded`() throws {
    let tree = randomTree(seed: 311)
    try withStored(tree) { store, stored, connection in
      // Listings that cannot be read would be replaced.
      try connection.execute("UPDATE content SET codec = codec + 100")
      try store.write(tree, .at(1), after: stored)
      #expect(try connection.integer("SELECT count(*) FROM dirv WHERE since = 2") == 0)
      try connection.execute("UPDATE content SET codec = codec - 100")
      #expect(try store.load(2) == tree)
    }
  }

  @Test func `No row is read for a tree that is the one that was loaded`() throws {
    let tree = randomTree(seed: 312)
    try withStored(tree) { store, stored, connection in
      // Rows that are not what they were would be replaced.
      try connection.execute("UPDATE dirv SET alloc = alloc + 512")
      try store.write(stored.tree, .at(1), after: stored)
      #expect(try connection.integer("SELECT count(*) FROM dirv WHERE since = 2") == 0)
      try connection.execute("UPDATE dirv SET alloc = alloc - 512")
      #expect(try store.snapshot(2).digest == store.snapshot(1).digest)
      #expect(try store.load(2) == tree)
      // Where it is not the newest any more, it is compared.
      try store.write(randomTree(seed: 313), .at(2))
      try store.write(stored.tree, .at(3), after: stored)
      #expect(try store.load(4) == tree)
    }
  }

  @Test func `A snapshot of another file is of no use`() throws {
    var generator = SplitMix64(seed: 310)
    let (first, second) = (
      ModelDirectory.random(20, using: &generator).tree("/srv"),
      ModelDirectory.random(20, using: &generator).tree("/srv")
    )
    try withTemporaryFolder { folder in
      let other = try SnapshotStore(folder.bytes(of: "other.plat"), for: .writing)
      try other.write(first, .at(0))
      let store = try SnapshotStore(folder.bytes(of: "x.plat"), for: .writing)
      try store.write(second, .at(0))
      try store.write(first, .at(1), after: other.loadStored())
      #expect(try store.load() == first)
    }
  }
}
