import Foundation
import PlatTree
import Testing

@testable import PlatStore

/// Answers from the tables, compared with those of the tree.
struct QueryTests {
  /// Writes some snapshots of a changing tree, and calls `body` for each.
  private func forEachSnapshot(
    _ body: (SnapshotStore, _ snapshot: Int, FileTree) throws -> Void
  ) throws {
    for seed in 20..<24 as Range<UInt64> {
      var generator = SplitMix64(seed: seed)
      var model = ModelDirectory.random(150, using: &generator)
      try withTemporaryFolder { folder in
        let path = folder.bytes(of: "x.plat")
        var trees: [FileTree] = []
        for step in 0..<3 {
          trees.append(model.tree("/srv/data"))
          try SnapshotStore(path, for: .writing).write(trees[step], .at(Int64(step)))
          model.mutate(rarity: 5, using: &generator)
        }
        let store = try SnapshotStore(path, for: .reading)
        for (index, tree) in trees.enumerated() { try body(store, index + 1, tree) }
      }
    }
  }

  @Test(arguments: SizeMeasure.allCases)
  func `The largest directories are those of the tree, ties included`(measure: SizeMeasure) throws {
    try forEachSnapshot { store, snapshot, tree in
      for top in tree.directories.prefix(20) {
        let directory = try store.directory(atPath: tree.path(of: top), in: snapshot)
        for count in [0, 1, 7, 1000] {
          let expected = tree.largestDirectories(count, below: top, by: measure)
          let found = try store.largestDirectories(count, below: directory, by: measure)
          #expect(found.map(\.path) == expected.map { tree.path(of: $0) })
          #expect(found.map(\.totals) == expected.map { tree.totals(of: $0) })
        }
      }
    }
  }

  @Test(arguments: SizeMeasure.allCases)
  func `The largest files are those of the tree, ties included`(measure: SizeMeasure) throws {
    try forEachSnapshot { store, snapshot, tree in
      for top in tree.directories.prefix(20) {
        let directory = try store.directory(atPath: tree.path(of: top), in: snapshot)
        for count in [0, 1, 7, 1000] {
          let expected = tree.largestFiles(count, below: top, by: measure)
          let found = try store.largestFiles(count, below: directory, by: measure)
          #expect(found.map(\.path) == expected.map { tree.path(of: $0.id) })
          #expect(found.map(\.entry) == expected.map(\.entry))
        }
      }
    }
  }

  @Test func `Of many equal files in one directory the first are the largest`() throws {
    var model = ModelDirectory()
    for number in 0..<5_000 {
      var entry = ListingEntry()
      entry.size = UInt64(number % 7) * 100
      entry.inode = UInt64(number + 1)
      model.entries[Array("file\(10_000 + number)".utf8)] = entry
    }
    let tree = model.tree("/srv")
    try withTemporaryFolder { folder in
      let path = folder.bytes(of: "x.plat")
      try SnapshotStore(path, for: .writing).write(tree, .at(0))
      let store = try SnapshotStore(path, for: .reading)
      for count in [1, 20, 714, 715, 2_000, 6_000] {
        let expected = tree.largestFiles(count, by: .apparent)
        let found = try store.largestFiles(count, below: store.directory(), by: .apparent)
        #expect(found.map(\.path) == expected.map { tree.path(of: $0.id) })
        #expect(found.count == min(count, 5_000))
      }
    }
  }

  @Test func `The entries of a directory are those of the tree`() throws {
    try forEachSnapshot { store, snapshot, tree in
      for top in tree.directories {
        let directory = try store.directory(atPath: tree.path(of: top), in: snapshot)
        #expect(directory.totals == tree.totals(of: top))
        #expect(directory.newestModification == tree.newestModification(of: top))
        let below = Set(tree.directories(below: top))
        #expect(directory.issueCount == tree.issues.count { below.contains($0.directory) })

        let entries = try store.entries(of: directory)
        let children = tree.subdirectories(of: top)
        #expect(
          entries.prefix(children.count).map(\.name) == children.map { Array(tree.name(of: $0)) }
        )
        #expect(
          entries.prefix(children.count).map(\.entries)
            == children.map { tree.totals(of: $0).entries }
        )
        var cursor = tree.listing(of: top).makeCursor()
        for entry in entries.dropFirst(children.count) {
          let isThere = cursor.advance()
          #expect(isThere)
          #expect(entry.name == cursor.name && entry.kind == cursor.entry.kind)
          #expect(entry.allocatedSize == cursor.entry.allocatedSize)
          #expect(entry.apparentSize == cursor.entry.apparentSize)
          #expect(entry.modificationTime == cursor.entry.modificationTime)
          let id = EntryID(top, ordinal: cursor.ordinal)
          #expect(entry.isCountedElsewhere == tree.isCountedElsewhere(id))
        }
        let isMore = cursor.advance()
        #expect(!isMore)
      }
    }
  }

  @Test func `A path that the snapshot does not have is an error that names it`() throws {
    try withTemporaryFolder { folder in
      let path = folder.bytes(of: "x.plat")
      let store = try SnapshotStore(path, for: .writing)
      var model = ModelDirectory()
      model.subdirectories[Array("data".utf8)] = ModelDirectory()
      try store.write(model.tree("/srv"), .at(0))
      #expect(
        try store.directory(atPath: Array("//srv//data/".utf8)).path == Array("/srv/data".utf8)
      )
      for missing in ["/", "/srvdata", "/srv/dat", "/srv/data/x", "/srv/%"] {
        let name = String(decoding: path, as: UTF8.self)
        #expect(throws: StoreError.noDirectory(path: name, directory: missing)) {
          try store.directory(atPath: Array(missing.utf8))
        }
      }
      #expect(throws: StoreError.noSnapshot(path: String(decoding: path, as: UTF8.self), id: 9)) {
        try store.directory(in: 9)
      }
    }
  }
}
