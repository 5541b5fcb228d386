import Foundation
import PlatTree
import Testing

@testable import PlatStore

struct SnapshotRoundTripTests {
  @Test(arguments: [1, 2, 40, 600])
  func `A tree comes back as it was written`(directories: Int) throws {
    for seed in 0..<6 as Range<UInt64> {
      var generator = SplitMix64(seed: seed)
      let tree = ModelDirectory.random(directories, using: &generator).tree("/srv/data")
      #expect(tree.brokenInvariants() == [])
      try withTemporaryFolder { folder in
        let store = try SnapshotStore(folder.bytes(of: "x.plat"), for: .writing)
        let info = try store.write(tree, .at(0))
        #expect(try store.load() == tree)
        #expect(info.totals == tree.totals(of: tree.root))
        #expect(info.issueCount == tree.issues.count)
      }
    }
  }

  @Test func `Every snapshot comes back, also after later ones`() throws {
    for seed in 0..<3 as Range<UInt64> {
      var generator = SplitMix64(seed: 100 + seed)
      var model = ModelDirectory.random(100, using: &generator)
      var trees: [FileTree] = []
      try withTemporaryFolder { folder in
        let path = folder.bytes(of: "x.plat")
        for step in 0..<8 {
          if step > 0 { model.mutate(rarity: step % 3 == 0 ? 3 : 30, using: &generator) }
          trees.append(model.tree("/srv"))
          // A store of its own for each, as a program that runs once a day has.
          let info = try SnapshotStore(path, for: .writing).write(trees[step], .at(Int64(step)))
          #expect(info.id == step + 1)
          for (index, tree) in trees.enumerated() {
            #expect(try SnapshotStore(path, for: .reading).load(index + 1) == tree)
          }
        }
        #expect(
          try SnapshotStore(path, for: .reading).snapshots().map(\.scan) == (0..<8).map { .at($0) }
        )
      }
    }
  }

  @Test func `An unchanged tree adds a snapshot and no other row`() throws {
    var generator = SplitMix64(seed: 7)
    let tree = ModelDirectory.random(300, using: &generator).tree("/srv")
    try withTemporaryFolder { folder in
      let path = folder.bytes(of: "x.plat")
      let store = try SnapshotStore(path, for: .writing)
      try store.write(tree, .at(0))
      func counts() throws -> [Int64?] {
        try ["dir", "dirv", "content", "fs", "attr", "issue", "exclusion"].map {
          try store.requireConnection().integer("SELECT count(*) FROM \($0)")
        }
      }
      let before = try counts()
      try store.write(tree, .at(1))
      #expect(try counts() == before)
      #expect(try store.load(2) == tree)
    }
  }

  @Test func `A directory whose own stamp changed keeps the listing it has`() throws {
    var generator = SplitMix64(seed: 8)
    var model = ModelDirectory.random(50, using: &generator)
    try withTemporaryFolder { folder in
      let store = try SnapshotStore(folder.bytes(of: "x.plat"), for: .writing)
      try store.write(model.tree("/srv"), .at(0))
      let connection = try store.requireConnection()
      let listings = "SELECT count(*) FROM content WHERE codec <> 1"
      let before = try connection.integer(listings)
      for second in 1...3 as ClosedRange<Int64> {
        model.details.changeTime &+= 1
        try store.write(model.tree("/srv"), .at(second))
        #expect(try connection.integer(listings) == before)
        #expect(try connection.integer("SELECT count(*) FROM dirv WHERE since > 1") == second)
        #expect(try store.load() == model.tree("/srv"))
      }
    }
  }

  @Test func `Directories above one that changed keep their content`() throws {
    var model = ModelDirectory()
    model.issues = [Issue(directory: DirectoryID(0), name: [0xff], call: "statx", code: 5)]
    for _ in 0..<5 {
      let inner = model
      model.subdirectories[[67]] = inner
    }
    try withTemporaryFolder { folder in
      let store = try SnapshotStore(folder.bytes(of: "x.plat"), for: .writing)
      try store.write(model.tree("/srv"), .at(0))
      model.subdirectories[[67]]?.subdirectories[[67]]?.entries[[66]] = ListingEntry()
      let tree = model.tree("/srv")
      try store.write(tree, .at(1))
      let connection = try store.requireConnection()
      #expect(try connection.integer("SELECT count(*) FROM dirv WHERE since = 2") == 3)
      #expect(try connection.integer("SELECT count(*) FROM content") == 7)
      #expect(try connection.integer("SELECT count(*) FROM issue") == 7)
      #expect(try store.load() == tree)
    }
  }

  @Test func `A device number that changed with a boot changes no row`() throws {
    var model = ModelDirectory()
    model.details.device = 1
    let tree = model.tree("/srv", fileSystems: [FileSystem(device: 1, type: "xfs", uuid: "ab")])
    model.details.device = 77
    let later = model.tree("/srv", fileSystems: [FileSystem(device: 77, type: "xfs", uuid: "ab")])
    try withTemporaryFolder { folder in
      let store = try SnapshotStore(folder.bytes(of: "x.plat"), for: .writing)
      try store.write(tree, .at(0))
      try store.write(later, .at(1))
      #expect(try store.requireConnection().integer("SELECT count(*) FROM dirv") == 1)
      let loaded = try store.load()
      #expect(loaded.details(of: loaded.root).device == 77)
      #expect(try store.load(1) == tree)
    }
  }

  @Test func `Sums beyond the numbers of SQL come back in full`() throws {
    var model = ModelDirectory()
    for index in 0..<3 {
      var entry = ListingEntry()
      entry.size = UInt64(Int64.max)
      entry.blocks = UInt64(Int64.max) / 512
      entry.inode = UInt64(index)
      model.entries[[UInt8(ascii: "a") + UInt8(index)]] = entry
    }
    var top = ModelDirectory()
    top.subdirectories = [[UInt8(ascii: "x")]: model, [UInt8(ascii: "y")]: model]
    let tree = top.tree("/")
    #expect(tree.totals(of: tree.root).apparentSize == .max)
    try withTemporaryFolder { folder in
      let store = try SnapshotStore(folder.bytes(of: "x.plat"), for: .writing)
      let info = try store.write(tree, .at(0))
      #expect(info.totals.apparentSize == UInt64(Int64.max))
      #expect(try store.load() == tree)
      #expect(try store.entries(of: store.directory()).count == 2)
      #expect(try store.largestFiles(1, below: store.directory(), by: .apparent).count == 1)
    }
  }

  @Test func `A root that is no valid UTF-8 comes back`() throws {
    var builder = FileTree.Builder(rootPath: Array("/srv/".utf8) + [0xff])
    var batch = FileTree.Batch()
    batch.directories.append(
      FileTree.Batch.Directory(
        number: 0,
        details: DirectoryDetails(),
        listing: 0..<0,
        summary: ListingSummary()
      )
    )
    builder.insert(batch)
    let tree = builder.makeTree()
    try withTemporaryFolder { folder in
      let store = try SnapshotStore(folder.bytes(of: "x.plat"), for: .writing)
      try store.write(tree, .at(0))
      try store.write(tree, .at(1))
      #expect(try store.load(2) == tree)
      #expect(try store.root() == Array("/srv/".utf8) + [0xff])
    }
  }

  @Test func `Each root of a group is stored as a tree of its own`() throws {
    var group = ModelDirectory()
    group.details.flags = [.isGroup]
    var generator = SplitMix64(seed: 9)
    for name in ["/srv", "/home/x"] {
      group.subdirectories[Array(name.utf8)] = .random(60, using: &generator)
    }
    let tree = group.tree("")
    for (directory, root) in zip(tree.subdirectories(of: tree.root), ["/home/x", "/srv"]) {
      let subtree = tree.subtree(directory)
      let alone = group.subdirectories[Array(root.utf8)]?.tree(root)
      #expect(subtree == alone)
      #expect(subtree.brokenInvariants() == [])
    }
  }

  @Test func `A group is not stored`() async throws {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      var group = ModelDirectory()
      group.details.flags = [.isGroup]
      try SnapshotStore(Array("/nowhere/x".utf8), for: .writing).write(group.tree(""), .at(0))
    }
    let words = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(words.contains("each root has its own store"))
  }
}
