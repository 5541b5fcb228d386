import PlatTestSupport
import PlatTree
import Testing

struct BuilderTests {
  @Test(arguments: 0..<60)
  func `A tree does not depend on numbers, batches and their order`(seed: Int) {
    var generator = SplitMix64(seed: UInt64(seed))
    let size = [1, 2, 8, 40, 120][seed % 5]
    let model = ModelTree.random(directories: size, using: &generator)
    let expected = model.makeTree()
    #expect(expected.brokenInvariants() == [])
    for _ in 0..<4 {
      var builder = FileTree.Builder(rootPath: model.name)
      let deliveries = model.deliveries(using: &generator).shuffled(using: &generator)
      for part in deliveries.randomParts(longest: 9, using: &generator) {
        builder.insert(FileTree.Batch(part))
      }
      let tree = builder.makeTree()
      #expect(tree == expected)
      #expect(tree.brokenInvariants() == [])
    }
  }

  @Test(arguments: 0..<60)
  func `A tree says what its model says`(seed: Int) {
    var generator = SplitMix64(seed: UInt64(1000 + seed))
    let model = ModelTree.random(directories: [1, 5, 30, 90][seed % 4], using: &generator)
    let tree = model.makeTree()
    let expected = Expectation(model)
    let order = model.canonicalOrder
    #expect(tree.directories.map { tree.path(of: $0) } == expected.paths)
    #expect(tree.directories.map { tree.totals(of: $0) } == expected.totals)
    #expect(tree.directories.map { tree.ownTotals(of: $0) } == expected.ownTotals)
    #expect(
      tree.directories.map { tree.newestModification(of: $0) } == expected.newestModifications
    )
    #expect(tree.countedElsewhereCount == expected.countedElsewhere.count)
    #expect(tree.directories.map { tree.parent(of: $0)?.index } == order.map(\.parent))
    for (directory, (_, model, _)) in zip(tree.directories, order) {
      #expect(tree.details(of: directory) == model.details)
      let entries = model.entries.sorted { $0.name.lexicographicallyPrecedes($1.name) }
      #expect(tree.listing(of: directory).namedEntries == entries)
      for ordinal in entries.indices {
        let id = EntryID(directory, ordinal: ordinal)
        #expect(tree.isCountedElsewhere(id) == expected.countedElsewhere.contains(id))
      }
    }
  }

  @Test(arguments: 0..<20)
  func `A tree is sound after every batch`(seed: Int) {
    var generator = SplitMix64(seed: UInt64(2000 + seed))
    let model = ModelTree.random(directories: 40, using: &generator)
    var deliveries = model.deliveries(using: &generator)
    // The top comes first; what is inside may come before what holds it.
    let top = deliveries.removeFirst()
    deliveries = [top] + deliveries.shuffled(using: &generator)
    var builder = FileTree.Builder(rootPath: model.name)
    for part in deliveries.randomParts(longest: 5, using: &generator) {
      builder.insert(FileTree.Batch(part))
      let copy = builder
      #expect(copy.makeTree().brokenInvariants() == [])
    }
    #expect(builder.makeTree() == model.makeTree())
  }

  @Test func `What is not announced yet is not in the tree`() {
    var builder = FileTree.Builder(rootPath: [0x2f])
    let details = ModelTree("").details
    builder.insert(
      FileTree.Batch([.directory(0, details, []), .directory(2, details, [])])
    )
    let early = builder
    #expect(early.makeTree().directoryCount == 1)
    builder.insert(
      FileTree.Batch([
        .subdirectories(of: 1, first: 2, names: [[0x62]]), .directory(1, details, []),
        .subdirectories(of: 0, first: 1, names: [[0x61]]),
      ])
    )
    let tree = builder.makeTree()
    #expect(
      tree.directories.map { String(decoding: tree.path(of: $0), as: UTF8.self) }
        == ["/", "/a", "/a/b"]
    )
  }

  @Test func `A directory that vanished is left out with everything below it`() {
    var inner = ModelTree("gone", [], [ModelTree("below", [NamedEntry("f", .file(size: 1))])])
    inner.isVanished = true
    let tree = ModelTree("/top", [], [inner, ModelTree("kept")]).makeTree()
    #expect(
      tree.directories.map { Array(tree.name(of: $0)) } == ["/top", "kept"].map { Array($0.utf8) }
    )
    #expect(tree.totals(of: tree.root).files == 0)
    #expect(tree.brokenInvariants() == [])
  }

  @Test(arguments: [false, true])
  func `A late entry is as good as one in time`(isDeliveredFirst: Bool) {
    let first = NamedEntry("a", .file(size: 10, inode: 7, linkCount: 2))
    let second = NamedEntry("b", .file(size: 10, inode: 7, linkCount: 2))
    let details = ModelTree("").details
    let late: [Delivery] = [.late(first, to: 0), .late(NamedEntry("gone", .file()), to: 99)]
    let directory: [Delivery] = [.directory(0, details, [second])]
    var builder = FileTree.Builder(rootPath: Array("/top".utf8))
    builder.insert(FileTree.Batch(isDeliveredFirst ? directory : late))
    builder.insert(FileTree.Batch(isDeliveredFirst ? late : directory))
    let tree = builder.makeTree()
    #expect(tree == ModelTree("/top", [first, second]).makeTree())
    #expect(tree.isCountedElsewhere(EntryID(tree.root, ordinal: 1)))
    #expect(tree.brokenInvariants() == [])
  }

  @Test func `Issues and exclusions follow their directories`() {
    let details = ModelTree("").details
    func issue(_ number: Int, _ name: String?, _ call: String = "statx") -> PlatTree.Issue {
      PlatTree.Issue(
        directory: DirectoryID(number),
        name: name.map { Array($0.utf8) },
        call: call,
        code: 5
      )
    }
    func exclusion(_ number: Int, _ name: String) -> Exclusion {
      Exclusion(
        directory: DirectoryID(number),
        name: Array(name.utf8),
        kind: .directory,
        reason: .pattern
      )
    }
    var builder = FileTree.Builder(rootPath: Array("/top".utf8))
    builder.insert(
      FileTree.Batch([
        .issue(issue(2, "y")), .issue(issue(1, "x")), .issue(issue(2, nil)), .issue(issue(3, nil)),
        .issue(issue(2, "y", "openat")), .issue(issue(500, "z")),
        .exclusion(exclusion(1, "q")), .exclusion(exclusion(2, "p")), .exclusion(exclusion(2, "a")),
        .exclusion(exclusion(3, "gone")),
        .directory(0, details, []), .directory(1, details, []), .directory(2, details, []),
        .subdirectories(of: 0, first: 1, names: ["b", "a", "vanished"].map { Array($0.utf8) }),
      ])
    )
    let tree = builder.makeTree()
    // Number 1 is "b", the second in order, and number 2 is "a".
    #expect(
      tree.issues == [issue(1, nil), issue(1, "y", "openat"), issue(1, "y"), issue(2, "x")]
    )
    #expect(tree.exclusions == [exclusion(1, "a"), exclusion(1, "p"), exclusion(2, "q")])
    #expect(tree.path(of: tree.issues[3]) == Array("/top/b/x".utf8))
    #expect(tree.path(of: tree.issues[0]) == Array("/top/a".utf8))
    #expect(tree.path(of: tree.exclusions[1]) == Array("/top/a/p".utf8))
  }

  @Test func `File systems are described in the order of their directories`() {
    var (top, first, second) = (ModelTree("/top"), ModelTree("a"), ModelTree("b"))
    (top.details.device, first.details.device, second.details.device) = (30, 20, 10)
    top.subdirectories = [second, first]
    var generator = SplitMix64(seed: 1)
    var builder = FileTree.Builder(rootPath: top.name)
    builder.insert(FileTree.Batch(top.deliveries(using: &generator).reversed()))
    let tree = builder.makeTree { FileSystem(device: $0, type: "type\($0)", uuid: "") }
    #expect(tree.fileSystems.map(\.device) == [30, 20, 10])
    #expect(tree.fileSystems.map(\.type) == ["type30", "type20", "type10"])
    #expect(tree.directories.map { tree.fileSystemIndex(of: $0) } == [0, 1, 2])
  }

  @Test func `A batch that was emptied can be filled again`() {
    var batch = FileTree.Batch([.directory(0, ModelTree("").details, [NamedEntry("a", .file())])])
    #expect(!batch.isEmpty)
    batch.removeAll(keepingBytes: 1 << 20)
    #expect(batch.isEmpty)
    #expect(batch.bytes.isEmpty)
  }

  @Test func `A tree without its top stops the process`() async {
    await #expect(processExitsWith: .failure) {
      _ = FileTree.Builder(rootPath: [0x2f]).makeTree()
    }
  }
}
