import PlatTestSupport
import PlatTree
import Testing

/// Differences between trees, compared with tables of all paths.
struct TreeDiffTests {
  /// An entry as a table of paths has it.
  private struct Row: Equatable {
    var kind: EntryKind
    var totals: Totals
  }

  /// All entries of a tree but its root, by path.
  private func table(of tree: FileTree) -> [[UInt8]: Row] {
    var table: [[UInt8]: Row] = [:]
    for directory in tree.directories {
      let path = tree.path(of: directory)
      if directory != tree.root {
        table[path] = Row(kind: .directory, totals: tree.totals(of: directory))
      }
      var cursor = tree.listing(of: directory).makeCursor()
      while cursor.advance() {
        var totals = Totals()
        switch cursor.entry.kind {
        case .file: totals.files = 1
        case .symbolicLink: totals.symbolicLinks = 1
        case .other, .directory: totals.others = 1
        }
        if !tree.isCountedElsewhere(EntryID(directory, ordinal: cursor.ordinal)) {
          totals.allocatedSize = cursor.entry.allocatedSize
          totals.apparentSize = cursor.entry.apparentSize
        }
        table[path + [0x2f] + cursor.name] = Row(kind: cursor.entry.kind, totals: totals)
      }
    }
    return table
  }

  private func difference(_ before: FileTree, _ after: FileTree) -> TreeDiff {
    TreeDiff(from: (before, before.root), to: (after, after.root))
  }

  /// Finds the differences by looking at every path of both sides; knows nothing of moves.
  private func plainDifference(_ before: FileTree, _ after: FileTree) -> [TreeDiff.Change] {
    let (old, new) = (table(of: before), table(of: after))
    var changes: [TreeDiff.Change] = []
    func isTop(_ path: [UInt8], _ here: [[UInt8]: Row], _ there: [[UInt8]: Row]) -> Bool {
      let parent = Array(path[..<(path.lastIndex(of: 0x2f) ?? 0)])
      return here[parent] == nil || there[parent]?.kind == .directory
    }
    for (path, row) in new where isTop(path, new, old) {
      guard let former = old[path] else {
        changes.append(TreeDiff.Change(.added, row.kind, path: path, after: row.totals))
        continue
      }
      var change = TreeDiff.Change(
        .replaced,
        row.kind,
        path: path,
        before: former.totals,
        after: row.totals
      )
      if former.kind != row.kind {
        change.formerEntryKind = former.kind
      } else {
        let pairs = [
          (former.totals.allocatedSize, row.totals.allocatedSize),
          (former.totals.apparentSize, row.totals.apparentSize),
          (UInt64(former.totals.entries), UInt64(row.totals.entries)),
          (UInt64(former.totals.files), UInt64(row.totals.files)),
        ]
        guard let (first, second) = pairs.first(where: { $0.0 != $0.1 }) else { continue }
        change.kind = second > first ? .grown : .shrunk
      }
      changes.append(change)
    }
    for (path, row) in old where new[path] == nil && isTop(path, old, new) {
      changes.append(TreeDiff.Change(.removed, row.kind, path: path, before: row.totals))
    }
    return changes.sorted { $0.path.lexicographicallyPrecedes($1.path) }
  }

  @Test(arguments: 0..<60 as Range<UInt64>)
  func `Where nothing moves, the changes are those of two tables of paths`(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    var model = FlatTree(count: 60, linksHard: false, using: &generator)
    let before = model.tree("/top")
    for _ in 0..<Int.random(in: 0...12, using: &generator) {
      model.change(moves: false, linksHard: false, using: &generator)
    }
    let after = model.tree("/top")
    let found = difference(before, after)
    #expect(found.changes == plainDifference(before, after))
    #expect(found.before == before.totals(of: before.root))
    #expect(found.after == after.totals(of: after.root))
  }

  @Test(arguments: 0..<80 as Range<UInt64>)
  func `The changes make the tree before into the tree afterwards`(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    var model = FlatTree(count: 50, linksHard: true, using: &generator)
    let before = model.tree("/top")
    for _ in 0..<Int.random(in: 1...15, using: &generator) {
      model.change(moves: true, linksHard: true, using: &generator)
    }
    let after = model.tree("/top")
    let changes = difference(before, after).changes
    let (old, new) = (table(of: before), table(of: after))

    // Each old path goes where the change of the nearest directory above it says.
    var leaving: [[UInt8]: TreeDiff.Change] = [:]
    var arriving: [[UInt8]: TreeDiff.Change] = [:]
    for change in changes {
      switch change.kind {
      case .moved:
        leaving[try #require(change.formerPath)] = change
        arriving[change.path] = change
      case .removed: leaving[change.path] = change
      case .added: arriving[change.path] = change
      case .replaced:
        leaving[change.path] = change
        arriving[change.path] = change
      case .grown, .shrunk: break
      }
    }
    func nearest(
      _ path: [UInt8],
      _ changes: [[UInt8]: TreeDiff.Change]
    ) -> ([UInt8], TreeDiff.Change)? {
      changes.filter { path.isAtOrBelow($0.key) }.max { $0.key.count < $1.key.count }
        .map { ($0.key, $0.value) }
    }
    var made: [[UInt8]: Row] = [:]
    for (path, row) in old {
      var target = path
      if let (prefix, change) = nearest(path, leaving) {
        guard change.kind == .moved else { continue }
        target = change.path + path.dropFirst(prefix.count)
      }
      #expect(made.updateValue(row, forKey: target) == nil)
    }
    for (path, row) in new {
      guard let (_, change) = nearest(path, arriving), change.kind != .moved else { continue }
      #expect(made.updateValue(row, forKey: path) == nil)
    }
    for change in changes where change.kind != .removed && change.kind != .replaced {
      if change.kind != .added { #expect(made[change.path]?.totals == change.before) }
      made[change.path]?.totals = change.after
    }
    #expect(made == new)
  }

  @Test(arguments: 0..<60 as Range<UInt64>)
  func `A move is one change, and the directories around it`(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    var model = FlatTree(count: 40, linksHard: false, using: &generator)
    let before = model.tree("/top")
    let move = model.moveSomething(using: &generator)
    let (from, to) = try #require(move)
    let after = model.tree("/top")
    let changes = difference(before, after).changes
    let moves = changes.filter { $0.kind == .moved }
    #expect(moves.map(\.path) == [Array("/top/".utf8) + to])
    #expect(moves.map(\.formerPath) == [Array("/top/".utf8) + from])
    #expect(moves.allSatisfy { $0.before == $0.after })
    for change in changes where change.kind != .moved {
      #expect([.grown, .shrunk].contains(change.kind))
      #expect(change.entryKind == .directory)
      let paths = [from, to].map { Array("/top/".utf8) + $0 }
      #expect(paths.contains { $0.isAtOrBelow(change.path) })
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `Backwards, what was added is removed and what has grown has shrunk`(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    var model = FlatTree(count: 50, linksHard: false, using: &generator)
    let before = model.tree("/top")
    for _ in 0..<8 { model.change(moves: false, linksHard: false, using: &generator) }
    let after = model.tree("/top")
    let opposite: [TreeDiff.Change.Kind: TreeDiff.Change.Kind] = [
      .added: .removed, .removed: .added, .grown: .shrunk, .shrunk: .grown,
    ]
    let forwards = difference(before, after)
    let backwards = difference(after, before)
    #expect(backwards.changes.map(\.path) == forwards.changes.map(\.path))
    #expect(backwards.changes.map(\.kind) == forwards.changes.map { opposite[$0.kind] ?? $0.kind })
    #expect(backwards.changes.map(\.before) == forwards.changes.map(\.after))
    for measure in SizeMeasure.allCases {
      #expect(backwards.growth(measure) == -forwards.growth(measure))
    }
  }

  @Test func `A tree is not different from itself`() {
    var generator = SplitMix64(seed: 1)
    let tree = FlatTree(count: 100, linksHard: true, using: &generator).tree("/top")
    #expect(difference(tree, tree).changes.isEmpty)
  }

  @Test func `A deep tree is compared as others are`() {
    var model = FlatTree()
    var path: [UInt8] = []
    for _ in 0..<400 {
      path += path.isEmpty ? [0x61] : [0x2f, 0x61]
      model.nodes[path] = .directory(DirectoryDetails())
    }
    let before = model.tree("/top")
    var entry = ListingEntry()
    entry.size = 5
    model.nodes[path + [0x2f, 0x66]] = .entry(entry)
    let diff = difference(before, model.tree("/top"))
    #expect(diff.changes.count == 401)
    #expect(diff.condensed(below: Array("/top".utf8)).map(\.kind) == [.added])
    let top = diff.condensed(depth: 1, below: Array("/top".utf8))
    #expect(top.map(\.path) == [Array("/top/a".utf8)])
  }

  // MARK: Cases

  private func entry(
    _ inode: UInt64,
    size: UInt64 = 100,
    at time: Int64 = 5,
    kind: EntryKind = .file
  ) -> FlatTree.Node {
    var entry = ListingEntry()
    entry.kind = kind
    entry.inode = inode
    entry.size = size
    entry.blocks = size / 100
    entry.modificationTime = time
    return .entry(entry)
  }

  private func directory(
    _ inode: UInt64,
    at time: Int64 = 5,
    flags: DirectoryDetails.Flags = []
  ) -> FlatTree.Node {
    var details = DirectoryDetails()
    details.inode = inode
    details.modificationTime = time
    details.device = 1
    details.flags = flags
    return .directory(details)
  }

  /// The changes between two tables, each as a line.
  private func lines(
    _ before: [String: FlatTree.Node],
    _ after: [String: FlatTree.Node],
    by measure: SizeMeasure = .allocated
  ) -> [String] {
    let trees = [before, after].map { nodes in
      var model = FlatTree()
      model.nodes = [[]: directory(1)]
      for (path, node) in nodes { model.nodes[Array(path.utf8)] = node }
      return model.tree("/t")
    }
    let diff = TreeDiff(from: (trees[0], trees[0].root), to: (trees[1], trees[1].root), by: measure)
    return diff.changes.map { change in
      let former = change.formerPath.map { " from \(String(decoding: $0, as: UTF8.self))" } ?? ""
      let kind = change.formerEntryKind.map { " was \($0)" } ?? ""
      let note = (change.isHardLink ? " link" : "") + (change.isUnreadable ? " unreadable" : "")
      return "\(change.kind.rawValue) \(String(decoding: change.path, as: UTF8.self))"
        + "\(former)\(kind) \(change.growth(.apparent))\(note)"
    }
  }

  @Test func `A directory that has moved is one line, and only what differs in it is another`() {
    var before = ["a": directory(2), "a/sub": directory(3), "b": directory(4)]
    var after = ["b": directory(4), "b/new": directory(2, at: 9), "b/new/sub": directory(3)]
    for index in 0..<100 {
      before["a/sub/f\(index)"] = entry(UInt64(100 + index))
      after["b/new/sub/f\(index)"] = entry(UInt64(100 + index))
    }
    before["a/sub/gone"] = entry(50, size: 7)
    after["b/new/sub/f3"] = entry(103, size: 160)
    #expect(
      lines(before, after) == [
        "removed /t/a/sub/gone -7", "grown /t/b 10060", "moved /t/b/new from /t/a 53",
        "grown /t/b/new/sub 53", "grown /t/b/new/sub/f3 60",
      ]
    )
  }

  @Test func `The number of a deleted inode in another file is no move`() {
    let before = ["old": entry(7), "d": directory(8), "d/x": entry(9), "same": entry(10)]
    let after = [
      "new": entry(7, at: 6), "longer": entry(10, size: 101), "e": directory(8, at: 6),
      "e/y": entry(11),
    ]
    #expect(!lines(before, after).contains { $0.hasPrefix("moved") })
    // The same inode on another file system is another one.
    var other = DirectoryDetails()
    (other.inode, other.device, other.modificationTime) = (8, 2, 5)
    let elsewhere = ["e": FlatTree.Node.directory(other), "e/x": entry(9)]
    #expect(!lines(before, elsewhere).contains { $0.hasPrefix("moved") })
  }

  @Test func `What is moved out of a removed directory, or into an added one, is found`() {
    let before = ["a": directory(2), "a/keep": directory(3), "a/keep/f": entry(4), "a/g": entry(5)]
    let after = ["n": directory(9), "n/m": directory(3), "n/m/f": entry(4), "h": entry(5)]
    #expect(
      lines(before, after) == [
        "removed /t/a -200", "moved /t/h from /t/a/g 0", "added /t/n 100",
        "moved /t/n/m from /t/a/keep 0",
      ]
    )
  }

  @Test func `Two directories that change places within each other are found`() {
    let before = ["a": directory(2), "a/b": directory(3), "a/b/f": entry(4), "a/x": entry(5)]
    let after = ["p": directory(3, at: 6), "p/q": directory(2), "p/q/x": entry(5), "p/f": entry(4)]
    #expect(
      lines(before, after) == [
        "moved /t/p from /t/a/b 100", "moved /t/p/q from /t/a -100",
      ]
    )
  }

  @Test func `Another kind of entry under a name is a replacement, and a link counts as none`() {
    let before = ["a": directory(2), "a/f": entry(3), "b": entry(4), "c": entry(5)]
    let after = [
      "a": entry(6, size: 10), "b": entry(7, size: 3, kind: .symbolicLink),
      "c": directory(8), "moved": directory(2), "moved/f": entry(3),
    ]
    #expect(
      lines(before, after) == [
        "added /t/a 10", "replaced /t/b was file -97", "replaced /t/c was file -100",
        "moved /t/moved from /t/a 0",
      ]
    )
  }

  @Test func `A hard link takes over the sizes of the one that is removed`() {
    func link(_ count: UInt32) -> FlatTree.Node {
      guard case .entry(var link) = entry(3) else { return directory(3) }
      link.linkCount = count
      return .entry(link)
    }
    #expect(
      lines(["a": link(2), "b": link(2)], ["b": link(1)]) == [
        "removed /t/a -100 link", "grown /t/b 100 link",
      ]
    )
    #expect(
      lines(["a": link(2), "b": link(2)], ["b": link(2), "c": link(2)]) == [
        "grown /t/b 100 link", "moved /t/c from /t/a -100 link",
      ]
    )
  }

  @Test func `What could not be read is not said to be gone`() {
    let before = ["a": directory(2), "a/f": entry(3), "b": directory(4), "b/g": entry(5)]
    var after = ["a": directory(2, flags: .isUnreadable), "b": directory(4, flags: .isPartial)]
    #expect(
      lines(before, after) == [
        "shrunk /t/a -100 unreadable", "shrunk /t/b -100 unreadable", "removed /t/b/g -100",
      ]
    )
    guard case .entry(var missing) = entry(3, size: 0) else { return }
    missing.isUnreadable = true
    after = ["a": directory(2), "a/f": .entry(missing), "b": directory(4), "b/g": entry(5)]
    #expect(
      lines(before, after) == ["shrunk /t/a -100", "shrunk /t/a/f -100 unreadable"]
    )
  }

  @Test func `The measure decides what has grown, and else the other size and the count`() {
    guard case .entry(var sparse) = entry(3, size: 500) else { return }
    sparse.blocks = 0
    let (before, after) = (["f": entry(3)], ["f": FlatTree.Node.entry(sparse)])
    #expect(lines(before, after, by: .apparent) == ["grown /t/f 400"])
    #expect(lines(before, after, by: .allocated) == ["shrunk /t/f 400"])
    #expect(
      lines(["d": directory(2)], ["d": directory(2), "d/e": entry(4, size: 0)]) == [
        "grown /t/d 0", "added /t/d/e 0",
      ]
    )
  }

  @Test func `A change of times, owners or inodes alone is none`() {
    guard case .entry(var other) = entry(3, at: 99) else { return }
    (other.owner, other.mode, other.inode) = (5, 0o777, 12345)
    #expect(lines(["f": entry(3)], ["f": .entry(other)]).isEmpty)
  }

  @Test func `A directory is left out if one thing in it says the same`() {
    let before = ["a": directory(2), "a/b": directory(3), "c": directory(4), "c/x": entry(8)]
    var after = before
    after["a/b/f"] = entry(5)
    after["c/g"] = entry(6)
    after["c/h"] = entry(7)
    let trees = [before, after].map { nodes in
      var model = FlatTree()
      for (path, node) in nodes { model.nodes[Array(path.utf8)] = node }
      return model.tree("/t")
    }
    let diff = difference(trees[0], trees[1])
    func paths(_ depth: Int) -> [String] {
      diff.condensed(depth: depth, below: Array("/t".utf8))
        .map { String(decoding: $0.path, as: UTF8.self) }
    }
    #expect(diff.changes.count == 6)
    #expect(paths(.max) == ["/t/a/b/f", "/t/c", "/t/c/g", "/t/c/h"])
    #expect(paths(2) == ["/t/a/b", "/t/c", "/t/c/g", "/t/c/h"])
    #expect(paths(1) == ["/t/a", "/t/c"])
    #expect(paths(0) == [])
  }

  @Test func `A name that begins as a directory's does not part it from what it holds`() {
    let before = ["a": directory(2), "a b": entry(3), "a b.c": directory(4), "b": directory(5)]
    let after = before.merging(
      ["a b": entry(3, size: 900), "a b.c/x": entry(6), "a/f": entry(7), "b/y": entry(8)]
    ) { $1 }
    let trees = [before, after].map { nodes in
      var model = FlatTree()
      for (path, node) in nodes { model.nodes[Array(path.utf8)] = node }
      return model.tree("/t")
    }
    let diff = difference(trees[0], trees[1])
    let paths = diff.changes.map { String(decoding: $0.path, as: UTF8.self) }
    #expect(
      paths == ["/t/a", "/t/a b", "/t/a b.c", "/t/a b.c/x", "/t/a/f", "/t/b", "/t/b/y"]
    )
    let condensed = diff.condensed(below: Array("/t".utf8))
    #expect(condensed.map { $0.path } == [1, 3, 4, 6].map { diff.changes[$0].path })
  }
}
