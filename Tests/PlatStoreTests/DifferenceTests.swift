import Foundation
import PlatTestSupport
import PlatTree
import Testing

@testable import PlatStore

/// Differences from the tables, compared with those of the loaded trees.
struct DifferenceTests {
  /// Writes a series of snapshots of a changing tree, and calls `body` with the store and the trees.
  private func withSeries(
    _ seed: UInt64,
    _ body: (SnapshotStore, [FileTree]) throws -> Void
  ) throws {
    var generator = PlatTestSupport.SplitMix64(seed: seed)
    var model = FlatTree(count: 80, linksHard: seed.isMultiple(of: 2), using: &generator)
    try withTemporaryFolder { folder in
      let path = folder.bytes(of: "x.plat")
      var trees: [FileTree] = []
      for step in 0..<5 {
        trees.append(model.tree("/srv/data"))
        try SnapshotStore(path, for: .writing).write(trees[step], .at(Int64(step)))
        for _ in 0..<Int.random(in: 0...9, using: &generator) {
          model.change(moves: true, linksHard: seed.isMultiple(of: 2), using: &generator)
        }
      }
      try body(SnapshotStore(path, for: .reading), trees)
    }
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func `Any two snapshots differ as their trees do`(seed: UInt64) throws {
    try withSeries(seed) { store, trees in
      for from in trees.indices {
        for to in trees.indices {
          let measure: SizeMeasure = from.isMultiple(of: 2) ? .allocated : .apparent
          let (before, after) = (trees[from], trees[to])
          let expected = TreeDiff(
            from: (before, before.root),
            to: (after, after.root),
            by: measure
          )
          let found = try store.difference(from: from + 1, to: to + 1, by: measure)
          #expect(found == expected)
        }
      }
    }
  }

  @Test(arguments: 100..<110 as Range<UInt64>)
  func `A directory differs as in the trees, or is missing in one`(seed: UInt64) throws {
    try withSeries(seed) { store, trees in
      let (before, after) = (trees[1], trees[4])
      for directory in before.directories {
        let path = before.path(of: directory)
        if let other = after.directory(atPath: path) {
          let found = try store.difference(from: 2, to: 5, atPath: path)
          #expect(found == TreeDiff(from: (before, directory), to: (after, other)))
        } else {
          #expect(throws: StoreError.self) {
            try store.difference(from: 2, to: 5, atPath: path)
          }
        }
      }
    }
  }

  @Test func `A directory that was moved is one change, and its content need not be the same`()
    throws
  {
    var model = FlatTree()
    var details = DirectoryDetails()
    details.inode = 7
    model.nodes[[0x61]] = .directory(details)
    for index in 0..<500 as Range<UInt64> {
      var entry = ListingEntry()
      entry.inode = 100 + index
      entry.size = index
      model.nodes[Array("a/\(index)".utf8)] = .entry(entry)
    }
    try withTemporaryFolder { folder in
      let store = try SnapshotStore(folder.bytes(of: "x.plat"), for: .writing)
      try store.write(model.tree("/t"), .at(1))
      model.move(Array("a".utf8), to: Array("b".utf8))
      model.remove(Array("b/3".utf8))
      try store.write(model.tree("/t"), .at(2))
      let changes = try store.difference(from: 1, to: 2).changes
      #expect(changes.map(\.kind) == [.removed, .moved])
      #expect(changes.map(\.path) == [Array("/t/a/3".utf8), Array("/t/b".utf8)])
    }
  }

  @Test func `Which directories changed is kept for as long as a difference needs it`() throws {
    try withSeries(7) { store, trees in
      let writer = try SnapshotStore(store.path, for: .writing)
      for id in [3, 1, 5] { try writer.delete(id) }
      #expect(try writer.check().problems == [])
      let expected = TreeDiff(from: (trees[1], trees[1].root), to: (trees[3], trees[3].root))
      #expect(try writer.difference(from: 2, to: 4) == expected)
      let connection = try writer.requireConnection()
      let others = "SELECT count(*) FROM change WHERE snapshot NOT IN (3, 4)"
      #expect(try connection.integer(others) == 0)
      try connection.execute("DELETE FROM change WHERE dir > 1")
      #expect(try writer.check().problems.isEmpty == false)
    }
  }

  @Test func `Changes are found without a look at what has not changed`() throws {
    try withSeries(1) { store, _ in
      let connection = try store.requireConnection()
      for last in [2, 4] {
        let changed = ChangedDirectories.changed(1, last, connection.schemaVersion)
        let plan = try Statement("EXPLAIN QUERY PLAN \(changed)", on: connection)
        #expect(try plan.step())
        #expect(plan.string(at: 3).hasPrefix("SEARCH change USING PRIMARY KEY"))
      }
    }
  }

  @Test(arguments: [
    "UPDATE dirv SET alloc = alloc + 1 WHERE since = 2",
    "UPDATE dirv SET content = 1 WHERE since = 2",
    "UPDATE dirv SET until = NULL WHERE until = 2 AND dir <> 1",
    "DELETE FROM dirv WHERE dir > 1 AND since = 2",
    "DELETE FROM dirv WHERE dir = 1",
    "UPDATE content SET data = zeroblob(10)",
    "UPDATE dir SET name = name || 'x' WHERE id > 1",
  ])
  func `Damage is an error and not another answer`(sql: String) throws {
    var model = FlatTree()
    for name in ["a", "b"] {
      model.nodes[Array(name.utf8)] = .directory(DirectoryDetails())
      model.nodes[Array("\(name)/f".utf8)] = .entry(ListingEntry())
    }
    try withTemporaryFolder { folder in
      let path = folder.bytes(of: "x.plat")
      let store = try SnapshotStore(path, for: .writing)
      try store.write(model.tree("/t"), .at(1))
      var entry = ListingEntry()
      (entry.size, entry.blocks) = (5000, 10)
      for name in ["a/f", "b/f"] { model.nodes[Array(name.utf8)] = .entry(entry) }
      try store.write(model.tree("/t"), .at(2))
      #expect(try store.difference(from: 1, to: 2).changes.count == 4)
      try Connection(path, .readWrite, busyTimeout: 0).execute(sql)
      let error = #expect(throws: StoreError.self) {
        try SnapshotStore(path, for: .reading).difference(from: 1, to: 2)
      }
      guard case .damaged = error else {
        Issue.record("\(sql) gives \(String(describing: error))")
        return
      }
    }
  }
}
