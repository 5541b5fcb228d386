import PlatTree
import Testing

@testable import PlatStore

struct RetentionTests {
  /// A series of snapshots of a tree that changes, and the trees.
  private func makeSeries(
    _ count: Int,
    in path: [UInt8],
    seed: UInt64,
    step: Int64 = 86_400
  ) throws -> [Int: FileTree] {
    var generator = SplitMix64(seed: seed)
    var model = ModelDirectory.random(60, using: &generator)
    var trees: [Int: FileTree] = [:]
    for number in 0..<count {
      if number > 0 { model.mutate(rarity: number % 3 == 0 ? 3 : 20, using: &generator) }
      let tree = model.tree("/srv")
      let scan = ScanDescription.at(Int64(number) * step)
      trees[try SnapshotStore(path, for: .writing).write(tree, scan).id] = tree
    }
    return trees
  }

  private func expect(_ trees: [Int: FileTree], in path: [UInt8]) throws {
    let store = try SnapshotStore(path, for: .reading)
    #expect(try store.snapshots().map(\.id) == trees.keys.sorted())
    for (id, tree) in trees { #expect(try store.load(id) == tree) }
    let check = try store.check()
    #expect(check.problems == [])
    #expect(check.intact == trees.keys.sorted())
  }

  @Test(arguments: 0..<6 as Range<UInt64>)
  func `What is left loads as before, whatever was deleted and added`(seed: UInt64) throws {
    try withTemporaryFolder { folder in
      let path = folder.bytes(of: "x.plat")
      var generator = SplitMix64(seed: 1_000 + seed)
      var trees = try makeSeries(7, in: path, seed: 200 + seed)
      var last = 7
      while let id = trees.keys.sorted().randomElement(using: &generator) {
        let store = try SnapshotStore(path, for: .writing)
        #expect(try store.delete(id).ids == [id])
        trees[id] = nil
        if !trees.isEmpty { try expect(trees, in: path) }
        guard last < 10, Bool.random(using: &generator) else { continue }
        // What is added is compared with what the newest of the rest has.
        var model = ModelDirectory.random(40, using: &generator)
        model.mutate(rarity: 2, using: &generator)
        last += 1
        let tree = trees[trees.keys.max() ?? 0] ?? model.tree("/srv")
        #expect(try store.write(tree, .at(Int64(last) * 86_400)).id == last)
        trees[last] = tree
        try expect(trees, in: path)
      }
      let connection = try SnapshotStore(path, for: .reading).requireConnection()
      for table in ["snapshot", "dirv", "dir", "content", "issue", "exclusion", "layout"] {
        #expect(try connection.integer("SELECT count(*) FROM \(table)") == 0, "\(table)")
      }
    }
  }

  @Test func `After the newest is deleted an unchanged tree adds no row`() throws {
    try withTemporaryFolder { folder in
      let path = folder.bytes(of: "x.plat")
      let trees = try makeSeries(3, in: path, seed: 300)
      let store = try SnapshotStore(path, for: .writing)
      let tree = try #require(trees[2])
      try store.delete(3)
      let connection = try store.requireConnection()
      let count = "SELECT (SELECT count(*) FROM dirv) + (SELECT count(*) FROM content)"
      let rows = try connection.integer(count)
      #expect(try store.write(tree, .at(9 * 86_400)).id == 4)
      #expect(try connection.integer(count) == rows)
      let shown = try connection.integer("SELECT count(*) FROM v_dir")
      #expect(shown == Int64(tree.directoryCount))
    }
  }

  @Test func `The file becomes smaller, and the bytes freed are told`() throws {
    try withTemporaryFolder { folder in
      let path = folder.bytes(of: "x.plat")
      var generator = SplitMix64(seed: 310)
      let large = ModelDirectory.random(300, using: &generator).tree("/srv")
      let store = try SnapshotStore(path, for: .writing)
      try store.write(large, .at(0))
      try store.write(ModelDirectory().tree("/srv"), .at(1))
      let connection = try store.requireConnection()
      let before = try connection.integer("PRAGMA page_count") ?? 0
      let removed = try store.delete(1)
      let after = try connection.integer("PRAGMA page_count") ?? 0
      #expect(removed.freedSize == UInt64(before - after) * 4096)
      #expect(after < before / 2)
      #expect(try store.load(2) == ModelDirectory().tree("/srv"))
    }
  }

  @Test func `A snapshot that does not exist cannot be deleted or pinned`() throws {
    try withTemporaryFolder { folder in
      let path = folder.bytes(of: "x.plat")
      let trees = try makeSeries(2, in: path, seed: 320)
      let store = try SnapshotStore(path, for: .writing)
      let missing = StoreError.noSnapshot(path: store.shownPath, id: 9)
      #expect(throws: missing) { try store.delete(9) }
      #expect(throws: missing) { try store.pin(9) }
      try expect(trees, in: path)
    }
  }

  @Test func `A pin is kept with the snapshot, and changes nothing else`() throws {
    try withTemporaryFolder { folder in
      let path = folder.bytes(of: "x.plat")
      let trees = try makeSeries(2, in: path, seed: 330)
      let store = try SnapshotStore(path, for: .writing)
      try store.pin(1)
      #expect(try store.snapshots().map(\.isPinned) == [true, false])
      try expect(trees, in: path)
      try store.pin(1, false)
      #expect(try store.snapshots().map(\.isPinned) == [false, false])
    }
  }

  @Test func `Growth is shown between snapshots that are left`() throws {
    try withTemporaryFolder { folder in
      let path = folder.bytes(of: "x.plat")
      let store = try SnapshotStore(path, for: .writing)
      for step in 0..<5 as Range<UInt64> {
        var model = ModelDirectory()
        model.details.allocatedSize = 4096 << step
        try store.write(model.tree("/srv"), .at(Int64(step)))
      }
      try store.delete(2)
      try store.delete(4)
      let connection = try store.requireConnection()
      let shown = try connection.text(
        "SELECT group_concat(snapshot || ':' || alloc_growth, ' ') FROM v_growth"
      )
      // 1 and 3 are neighbours now, and so are 3 and 5.
      #expect(shown == "3:\((4096 << 2) - 4096) 5:\((4096 << 4) - (4096 << 2))")
    }
  }
}

/// Which snapshots the usual policy keeps.
struct RetentionPolicyTests {
  private static let day: Int64 = 86_400

  /// Noon of 1 March 2026, a Sunday.
  private static let now: Int64 = 1_772_366_400

  private func snapshots(_ seconds: [Int64], pinned: Set<Int> = []) -> [SnapshotInfo] {
    seconds.enumerated().map { index, second in
      SnapshotInfo(
        id: index + 1,
        scan: ScanDescription(startedAt: second * 1_000_000_000, finishedAt: 0),
        totals: Totals(),
        issueCount: 0,
        label: nil,
        isPinned: pinned.contains(index + 1)
      )
    }
  }

  private func kept(_ snapshots: [SnapshotInfo]) -> [Int] {
    RetentionPolicy().kept(of: snapshots, now: Self.now * 1_000_000_000).sorted()
  }

  @Test func `All of the last day are kept`() {
    let ages: [Int64] = [Self.day + 61, Self.day + 60, Self.day - 1, 3_600, 60, 1]
    // The last day goes back to noon of the day before; nothing keeps what is a minute older.
    #expect(kept(snapshots(ages.map { Self.now - $0 })) == [3, 4, 5, 6])
  }

  @Test func `Of a year of days, some are kept by day, by week and by month`() {
    // Number 365 is of today, and number 365 − n of n days ago, all at noon.
    let daily = snapshots((0..<365).map { Self.now - (364 - $0) * Self.day })
    let days = (0..<14).map { 365 - $0 }
    // The last of each week is that of Sunday: today and 7, 14 … 49 days ago.
    let weeks = (0..<8).map { 365 - 7 * $0 }
    // March of 2026 has its first day only; before it the months end 1, 29, 60 … days ago.
    let lengths = [1, 28, 31, 31, 30, 31, 30, 31, 31, 30, 31]
    var months = [365]
    for length in lengths { months.append((months.last ?? 0) - length) }
    #expect(kept(daily) == Set(days + weeks + months).sorted())
  }

  @Test func `Pinned ones and the newest are kept, however old`() {
    // 30 of one minute in 1970, and the policy keeps one of them.
    let old = (0..<30 as Range<Int64>).map { $0 }
    #expect(kept(snapshots(old, pinned: [3, 7])) == [3, 7, 30])
  }

  @Test func `What is seldom scanned keeps its history`() {
    // Twice a year: every one is the last of its month, and no more than 12 are asked for.
    let seldom = snapshots((0..<16).map { Self.now - (15 - $0) * 182 * Self.day })
    // 14 days with a snapshot reach further back than 12 months with one.
    #expect(kept(seldom) == Array(3...16))
  }

  @Test func `A clock that was wrong removes nothing of the last day`() {
    #expect(kept(snapshots([Self.now + 400 * Self.day, Self.now, Self.now - 1])) == [1, 2, 3])
    #expect(kept([]) == [])
  }

  @Test func `A dry run says what would be removed, and removes nothing`() throws {
    try withTemporaryFolder { folder in
      let path = folder.bytes(of: "x.plat")
      let tree = ModelDirectory().tree("/srv")
      for second in 0..<4 as Range<Int64> {
        try SnapshotStore(path, for: .writing).write(tree, .at(second))
      }
      let now = (ScanDescription.at(0).startedAt / 1_000_000_000 + 5 * Self.day) * 1_000_000_000
      let reader = try SnapshotStore(path, for: .reading)
      let dry = try reader.prune(now: now, dryRun: true)
      #expect(dry == RemovedSnapshots(ids: [1, 2, 3], freedSize: nil))
      #expect(try reader.snapshots().count == 4)
      let store = try SnapshotStore(path, for: .writing)
      try store.pin(2)
      #expect(try store.prune(now: now).ids == [1, 3])
      #expect(try store.snapshots().map(\.id) == [2, 4])
      #expect(try store.prune(now: now) == RemovedSnapshots(ids: [], freedSize: 0))
    }
  }
}
