import Foundation
import PlatTestSupport
import PlatTree
import Testing

@testable import PlatStore

struct HistoryTests {
  @Test(arguments: 0..<10 as Range<UInt64>)
  func `The history of a directory is what each tree has of it`(seed: UInt64) throws {
    var generator = PlatTestSupport.SplitMix64(seed: seed)
    var model = FlatTree(count: 50, linksHard: true, using: &generator)
    try withTemporaryFolder { folder in
      let path = folder.bytes(of: "x.plat")
      var trees: [FileTree] = []
      for step in 0..<6 {
        trees.append(model.tree("/srv/data"))
        try SnapshotStore(path, for: .writing).write(trees[step], .at(Int64(step)))
        for _ in 0..<6 { model.change(moves: true, linksHard: true, using: &generator) }
      }
      let store = try SnapshotStore(path, for: .reading)
      let paths = Set(trees.flatMap { tree in tree.directories.map { tree.path(of: $0) } })
      for path in paths {
        let (found, entries) = try store.history(atPath: path)
        #expect(found == path)
        #expect(entries.map(\.snapshot.id) == Array(1...6))
        let expected = trees.map { tree in
          tree.directory(atPath: path).map { tree.totals(of: $0) }
        }
        #expect(entries.map(\.totals) == expected)
      }
      let root = try store.history()
      #expect(root.path == Array("/srv/data".utf8))
      #expect(root.entries.map(\.totals) == trees.map { $0.totals(of: $0.root) })
    }
  }

  @Test func `A directory of no snapshot, and one outside, have no history`() throws {
    try withTemporaryFolder { folder in
      let path = folder.bytes(of: "x.plat")
      try SnapshotStore(path, for: .writing).write(FlatTree().tree("/srv/data"), .at(1))
      let store = try SnapshotStore(path, for: .reading)
      for path in ["/srv/data/x", "/srv", "/srv/database", "/"] {
        let error = StoreError.noDirectory(
          path: String(decoding: store.path, as: UTF8.self),
          directory: path
        )
        #expect(throws: error) { try store.history(atPath: Array(path.utf8)) }
      }
    }
  }

  @Test(arguments: [
    "UPDATE dirv SET alloc = alloc + 1 WHERE since = 2", "DELETE FROM dirv WHERE since = 2",
    "UPDATE dirv SET until = 3 WHERE since = 1",
  ])
  func `Damage is an error and not another answer`(sql: String) throws {
    var model = FlatTree()
    try withTemporaryFolder { folder in
      let path = folder.bytes(of: "x.plat")
      let store = try SnapshotStore(path, for: .writing)
      try store.write(model.tree("/t"), .at(1))
      model.nodes[[0x66]] = .entry(ListingEntry())
      try store.write(model.tree("/t"), .at(2))
      try Connection(path, .readWrite, busyTimeout: 0).execute(sql)
      let error = #expect(throws: StoreError.self) {
        try SnapshotStore(path, for: .reading).history()
      }
      guard case .damaged = error else {
        Issue.record("\(sql) gives \(String(describing: error))")
        return
      }
    }
  }
}
