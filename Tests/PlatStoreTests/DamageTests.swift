import Foundation
import PlatTree
import Testing

@testable import PlatStore

/// Bytes that change on the disk: an error or the right answer, never another one.
struct DamageTests {
  private func makeFile(_ folder: URL) throws -> (path: [UInt8], trees: [FileTree]) {
    var generator = SplitMix64(seed: 50)
    var model = ModelDirectory.random(250, using: &generator)
    let path = folder.bytes(of: "x.plat")
    var trees: [FileTree] = []
    for step in 0..<3 {
      trees.append(model.tree("/srv"))
      try SnapshotStore(path, for: .writing).write(trees[step], .at(Int64(step)))
      model.mutate(rarity: 4, using: &generator)
    }
    return (path, trees)
  }

  /// What a reader of a file is told, as far as it is told anything.
  private func check(_ path: [UInt8], _ trees: [FileTree]) throws -> Int {
    var errors = 0
    func attempt(_ body: () throws -> Void) throws {
      do { try body() } catch is StoreError { errors += 1 }
    }
    for (index, tree) in trees.enumerated() {
      try attempt {
        let loaded = try SnapshotStore(path, for: .reading).load(index + 1)
        #expect(loaded == tree)
      }
      try attempt {
        let store = try SnapshotStore(path, for: .reading)
        let root = try store.directory(in: index + 1)
        #expect(root.totals == tree.totals(of: tree.root))
        #expect(root.issueCount == tree.issues.count)
        try attempt {
          let found = try store.largestDirectories(10, below: root, by: .allocated)
          let expected = tree.largestDirectories(10, by: .allocated)
          #expect(found.map(\.path) == expected.map { tree.path(of: $0) })
          #expect(found.map(\.totals) == expected.map { tree.totals(of: $0) })
        }
        try attempt {
          let found = try store.largestFiles(10, below: root, by: .apparent)
          let expected = tree.largestFiles(10, by: .apparent)
          #expect(found.map(\.path) == expected.map { tree.path(of: $0.id) })
        }
        try attempt {
          let entries = try store.entries(of: root)
          let children = tree.subdirectories(of: tree.root)
          #expect(entries.count == children.count + tree.listing(of: tree.root).count)
        }
      }
    }
    return errors
  }

  @Test func `A flipped bit is found or does no harm`() throws {
    try withTemporaryFolder { folder in
      let (path, trees) = try makeFile(folder)
      let file = folder.appendingPathComponent("x.plat")
      let sound = try Data(contentsOf: file)
      #expect(try check(path, trees) == 0)
      var generator = SplitMix64(seed: 51)
      var found = 0
      for _ in 0..<250 {
        var damaged = sound
        let position = Int.random(in: 0..<sound.count, using: &generator)
        damaged[position] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        try damaged.write(to: file)
        if try check(path, trees) > 0 { found += 1 }
      }
      // Some bits are in free space; if none was found, nothing was tested.
      #expect(found > 100)
    }
  }

  @Test func `A flipped bit in packed listings or their dictionary is found`() throws {
    try withTemporaryFolder { folder in
      let path = folder.bytes(of: "x.plat")
      let tree = ModelDirectory.packable().tree("/srv")
      try SnapshotStore(path, for: .writing).write(tree, .at(0))
      let file = folder.appendingPathComponent("x.plat")
      let sound = try Data(contentsOf: file)
      #expect(try check(path, [tree]) == 0)
      // Where the dictionary and the listings are; what is around them is in the test above.
      var places: [Int] = []
      let connection = try Connection(path, .immutable, busyTimeout: 0)
      for table in ["dictionary", "content"] {
        let statement = try Statement("SELECT data FROM \(table)", on: connection)
        while try statement.step() {
          let bytes = Data(statement.bytes(at: 0).prefix(200))
          if let range = sound.range(of: bytes) { places += Array(range) }
        }
      }
      #expect(places.count > 2_000)
      var generator = SplitMix64(seed: 55)
      for _ in 0..<60 {
        var damaged = sound
        let position = try #require(places.randomElement(using: &generator))
        damaged[position] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        try damaged.write(to: file)
        #expect(try check(path, [tree]) > 0, "byte \(position)")
      }
    }
  }

  @Test func `Many flipped bits are found`() throws {
    try withTemporaryFolder { folder in
      let (path, trees) = try makeFile(folder)
      let file = folder.appendingPathComponent("x.plat")
      let sound = try Data(contentsOf: file)
      for seed in 0..<20 as Range<UInt64> {
        var generator = SplitMix64(seed: 60 + seed)
        var damaged = sound
        for _ in 0..<200 {
          let position = Int.random(in: 100..<sound.count, using: &generator)
          damaged[position] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        }
        try damaged.write(to: file)
        #expect(try check(path, trees) > 0)
      }
    }
  }

  /// A change that a person might make, and the snapshots that it damages.
  static let changes: [(sql: String, words: String)] = [
    (
      "UPDATE dirv SET alloc = alloc + 512 WHERE dir = 1",
      "the checksum of directory 1 does not fit"
    ),
    ("UPDATE dir SET name = name || 'x' WHERE id = 2", "the checksum of directory 2 does not fit"),
    ("DELETE FROM dirv WHERE dir = (SELECT max(dir) FROM dirv)", "its digest does not fit"),
    ("UPDATE attr SET uid = uid + 1", "its digest does not fit"),
    ("UPDATE fs SET uuid = 'ff'", "its digest does not fit"),
    ("UPDATE snapshot SET files = files + 1", "the checksum of its description does not fit"),
    ("UPDATE issue SET errno = 2", "the issues of directory"),
    ("DELETE FROM exclusion", "the issues of directory"),
    ("UPDATE content SET codec = 9", "a listing has an unknown codec"),
    ("UPDATE content SET data = x'01'", "a directory's listing is malformed"),
    ("DELETE FROM content", "the checksum of directory 1 does not fit"),
    ("UPDATE content SET codec = 1, data = 9 WHERE id = 1", "directory 1: its listing is missing"),
    (
      "UPDATE content SET codec = 1, data = id WHERE id = 1",
      "directory 1: a listing refers to one that refers to another"
    ),
    ("UPDATE content SET mtime_ns = 9 WHERE id = 2", "the checksum of directory 2 does not fit"),
    (
      """
      UPDATE content SET data = substr(data, 1, length(data) - 1) WHERE data <> x''
      """, "the checksum of a directory's listing does not fit"
    ),
  ]

  @Test(arguments: changes)
  func `A change by other means is found, and named`(sql: String, words: String) throws {
    try withTemporaryFolder { folder in
      var model = ModelDirectory()
      model.issues = [Issue(directory: DirectoryID(0), name: [0xff], call: "statx", code: 5)]
      model.exclusions = [
        Exclusion(directory: DirectoryID(0), name: [65], kind: .file, reason: .pattern)
      ]
      model.entries[[66]] = ListingEntry()
      model.subdirectories[[67]] = ModelDirectory()
      let path = folder.bytes(of: "x.plat")
      try SnapshotStore(path, for: .writing).write(model.tree("/srv"), .at(0))
      try Connection(path, .readWrite, busyTimeout: 0).execute(sql)
      let store = try SnapshotStore(path, for: .reading)
      let error = #expect(throws: StoreError.self) { try store.load() }
      let message = try #require(error?.description)
      #expect(message.hasPrefix("\(folder.path)/x.plat: snapshot 1 is damaged: "))
      #expect(message.contains(words))
    }
  }

  @Test func `A number that leaves none for new rows is an error`() throws {
    try withTemporaryFolder { folder in
      var model = ModelDirectory()
      model.entries[[66]] = ListingEntry()
      let path = folder.bytes(of: "x.plat")
      let store = try SnapshotStore(path, for: .writing)
      try store.write(model.tree("/srv"), .at(0))
      try store.requireConnection().execute(
        """
        UPDATE content SET id = 9223372036854775807;
        UPDATE dirv SET content = 9223372036854775807
        """
      )
      model.entries[[67]] = ListingEntry()
      let error = #expect(throws: StoreError.self) { try store.write(model.tree("/srv"), .at(1)) }
      let words = "damaged: the numbers of its table 'content' are used up"
      #expect(error?.description.contains(words) == true)
      #expect(try store.snapshots().count == 1)
    }
  }

  /// A change that a query has to find by itself, as it does not load the snapshot.
  static let changesBelow: [(sql: String, words: String)] = [
    ("UPDATE dirv SET files = 9 WHERE dir = 2", "the checksum of directory 2 does not fit"),
    ("UPDATE content SET mtime_ns = 9 WHERE id = 2", "the checksum of directory 2 does not fit"),
    (
      "UPDATE content SET rest = rest || x'00' WHERE id = 1",
      "the checksum of directory 1 does not fit"
    ),
    ("UPDATE dir SET name = 'D' WHERE id = 2", "the checksum of directory 2 does not fit"),
    ("DELETE FROM dirv WHERE dir = 2", "the totals of directory 1 do not add up"),
    ("UPDATE dirv SET until = 1 WHERE dir = 2", "the totals of directory 1 do not add up"),
    ("DELETE FROM content WHERE id = 1", "the checksum of directory 1 does not fit"),
    (
      "UPDATE content SET data = (SELECT data FROM content WHERE id = 2)",
      "directory 1 has the listing of another"
    ),
  ]

  @Test(arguments: changesBelow)
  func `A query finds a change by other means`(sql: String, words: String) throws {
    try withTemporaryFolder { folder in
      var model = ModelDirectory()
      model.entries[[66]] = ListingEntry()
      var child = model
      child.entries[[67]] = ListingEntry()
      model.subdirectories[[67]] = child
      let path = folder.bytes(of: "x.plat")
      try SnapshotStore(path, for: .writing).write(model.tree("/srv"), .at(0))
      try Connection(path, .readWrite, busyTimeout: 0).execute(sql)
      let error = #expect(throws: StoreError.self) {
        let store = try SnapshotStore(path, for: .reading)
        _ = try store.entries(of: store.directory())
      }
      #expect(error?.description == "\(folder.path)/x.plat: snapshot 1 is damaged: \(words)")
    }
  }

  @Test(arguments: [
    "UPDATE dirv SET alloc = alloc + 512 WHERE dir = 1 AND until IS NULL",
    "UPDATE content SET mtime_ns = mtime_ns + 1",
    "UPDATE content SET data = x'00' WHERE codec = 0",
    "UPDATE content SET codec = 1",
    "UPDATE issue SET errno = errno + 1",
    "DELETE FROM exclusion",
    "UPDATE attr SET uid = uid + 1",
    "UPDATE dir SET name = name || 'x' WHERE id > 1",
  ])
  func `A scan after damage stores the right numbers again`(sql: String) throws {
    try withTemporaryFolder { folder in
      let (path, trees) = try makeFile(folder)
      let connection = try Connection(path, .readWrite, busyTimeout: 0)
      #expect(try connection.integer("SELECT count(*) FROM exclusion") ?? 0 > 0)
      try connection.execute(sql)
      let store = try SnapshotStore(path, for: .writing)
      #expect(throws: StoreError.self) { try store.load() }
      try store.write(trees[2], .at(9))
      #expect(try store.load() == trees[2])
      do { #expect(try store.load(1) == trees[0]) } catch is StoreError {}
    }
  }
}
