import Glibc
import PlatScan
import PlatTestSupport
import PlatTree
import Testing

struct DirectoryScannerTests {
  @Test func `A tree of everything has the totals of du and of lstat`() async throws {
    try await withTemporaryTree([
      .directory(
        "photos",
        [
          .file("a.raw", size: 70_000), .file("b.raw", size: 100), .file("empty", size: 0),
          .hardLink("c.raw", to: "photos/a.raw"), .directory("none", []),
        ]
      ),
      .directory("z", [.hardLink("d.raw", to: "photos/a.raw"), .file("x", size: 4096)]),
      .sparseFile("hole", size: 1 << 40), .file("one", size: 1),
      .fifo("pipe"), .hardLink("pipe2", to: "pipe"), .socket("socket"),
      .symbolicLink("latest", to: "photos/a.raw"), .hardLink("latest2", to: "latest"),
      .symbolicLink("dangling", to: "/nowhere/at/all"), .symbolicLink("self", to: "self"),
      .symbolicLink("up", to: ".."), .symbolicLink("root", to: "/"),
      .mode(0o4711, .file("setuid", size: 3)), .mode(0o1777, .directory("sticky", [])),
    ]) { root in
      let tree = try await scan(root).tree
      try expectAgreement(tree, root)
      #expect(tree.totals(of: tree.root).entries == (try entryCount(root)))
      #expect(tree.exclusions == [])
    }
  }

  @Test func `What is known of an entry is what lstat says`() async throws {
    try await withTemporaryTree([
      .directory("d", [.mode(0o6750, .file("f", size: 5000)), .hardLink("g", to: "d/f")])
    ]) { root in
      let tree = try await scan(root).tree
      let directory = try #require(tree.directory(atPath: Array("\(root)/d".utf8)))
      var cursor = tree.listing(of: directory).makeCursor()
      let hasEntry = cursor.advance()
      try #require(hasEntry)
      let file = try lstat(at: "\(root)/d/f")
      #expect(cursor.name == Array("f".utf8))
      #expect(cursor.entry.inode == UInt64(file.st_ino))
      #expect(cursor.entry.size == 5000)
      #expect(cursor.entry.blocks == UInt64(file.st_blocks))
      #expect(cursor.entry.linkCount == 2)
      #expect(cursor.entry.mode == 0o6750)
      #expect(cursor.entry.owner == file.st_uid)
      #expect(cursor.entry.group == file.st_gid)
      #expect(cursor.entry.modificationTime == Int64(file.st_mtim.tv_sec))
      #expect(cursor.entry.changeTime == Int64(file.st_ctim.tv_sec))
      let details = tree.details(of: directory)
      let status = try lstat(at: "\(root)/d")
      #expect(details.inode == UInt64(status.st_ino))
      #expect(details.device == UInt64(status.st_dev))
      #expect(details.mode == 0o755)
      #expect(details.owner == status.st_uid)
      let nanoseconds = status.st_mtim.tv_sec * 1_000_000_000 + status.st_mtim.tv_nsec
      #expect(details.modificationTime == Int64(nanoseconds))
      #expect(tree.fileSystems.map(\.device) == [details.device])
      #expect(tree.fileSystems.first?.type.isEmpty == false)
    }
  }

  @Test func `A hard link is charged to the first name in canonical order`() async throws {
    try await withTemporaryTree([
      .directory("b", [.file("f", size: 9000)]), .directory("a-", [.hardLink("g", to: "b/f")]),
      .directory("a", [.directory("deep", [.hardLink("f", to: "b/f")])]),
    ]) { root in
      let tree = try await scan(root).tree
      let sizes = tree.subdirectories(of: tree.root).map { tree.size(of: $0, .apparent) }
      #expect(tree.directoryNames == ["a", "a-", "b", "deep"])
      #expect(sizes == [0, 9000, 0])
      #expect(tree.totals(of: tree.root).files == 3)
    }
  }

  @Test func `An access time is left alone`() async throws {
    try await withTemporaryTree([.directory("d", [.file("f", size: 1)])]) { root in
      let old = [timespec(tv_sec: 1_000_000, tv_nsec: 0), timespec(tv_sec: 2_000_000, tv_nsec: 0)]
      try #require(utimensat(AT_FDCWD, "\(root)/d", old, 0) == 0)
      let tree = try await scan(root).tree
      #expect(try lstat(at: "\(root)/d").st_atim.tv_sec == 1_000_000)
      #expect(tree.details(of: DirectoryID(1)).modificationTime == 2_000_000_000_000_000)
    }
  }

  @Test(arguments: [1, 2, 4, 8])
  func `The tree is the same, whatever the threads do`(threads: Int) async throws {
    var generator = SplitMix64(seed: UInt64(threads))
    let items = randomItems(depth: 5, using: &generator)
    try await withTemporaryTree([.file("linked", size: 5000)] + items) { root in
      let expected = try await scan(root) { $0.threadCount = 1 }.tree
      try expectAgreement(expected, root)
      for _ in 0..<10 {
        let tree = try await scan(root) { $0.threadCount = threads }.tree
        #expect(tree == expected)
      }
      expectSound(expected)
    }
  }

  @Test func `One scanner serves several scans at once`() async throws {
    try await withTemporaryTree([.directory("a", [.file("f", size: 1)]), .file("g", size: 2)]) {
      root in
      let scanner = DirectoryScanner()
      let trees = try await withThrowingTaskGroup(of: FileTree.self) { group in
        for _ in 0..<12 { group.addTask { try await scanner.scan(root).tree } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(trees.count == 12)
      #expect(trees.allSatisfy { $0 == trees[0] })
      try expectAgreement(trees[0], root)
    }
  }

  @Test func `A result says when and what was scanned`() async throws {
    try await withTemporaryTree([.file("f", size: 1)]) { root in
      let before = UInt64(time(nil))
      let result = try await scan(root)
      #expect(result.roots == [Array(root.utf8)])
      #expect(result.startedAt >= before * 1_000_000_000)
      #expect(result.finishedAt >= result.startedAt)
      #expect(result.elapsed > .zero)
    }
  }

  private func randomItems(depth: Int, using generator: inout SplitMix64) -> [TreeItem] {
    (0..<Int.random(in: 2...5, using: &generator)).map { index in
      switch Int.random(in: 0..<(depth > 0 ? 6 : 3), using: &generator) {
      case 0: .file("file\(index)", size: Int.random(in: 0...9000, using: &generator))
      case 1: .hardLink("link\(index)", to: "linked")
      case 2: .symbolicLink("symbolic\(index)", to: "x")
      default: .directory("\(index)", randomItems(depth: depth - 1, using: &generator))
      }
    }
  }
}
