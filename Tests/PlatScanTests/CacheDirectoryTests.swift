import Glibc
import PlatScan
import PlatTestSupport
import PlatTree
import Testing

struct CacheDirectoryTests {
  private static let signature = "Signature: 8a477f597d28d172789f06886806bc55"

  @Test func `Of a cache only the directory and its tag are counted`() async throws {
    try await withTemporaryTree([]) { root in
      try makeFile("cache/CACHEDIR.TAG", in: root, content: "\(Self.signature)\n# more\n")
      try makeFile("cache/data", in: root, content: "data")
      try makeFile("cache/more/data", in: root, content: "data")
      try makeFile("data", in: root, content: "data")
      let tree = try await scan(root) { $0.skipsCaches = true }.tree
      expectSound(tree)
      #expect(tree.excludedPaths(.cache) == ["cache"])
      #expect(tree.exclusions.count == 1)
      var walk = LstatWalk()
      walk.add(root)
      let content = ["data", "more", "more/data"].map { Array("\(root)/cache/\($0)".utf8) }
      #expect(tree.allPaths == walk.paths.subtracting(content))
      removeTree("\(root)/cache/data")
      removeTree("\(root)/cache/more")
      #expect(tree.totals(of: tree.root).allocatedSize == (try diskUsage([root])))
    }
  }

  @Test func `A root can be a cache`() async throws {
    try await withTemporaryTree([.file("a", size: 1), .file("b", size: 1)]) { root in
      try makeFile("CACHEDIR.TAG", in: root, content: Self.signature)
      let tree = try await scan(root) { $0.skipsCaches = true }.tree
      #expect(tree.topNames == ["CACHEDIR.TAG"])
      #expect(tree.exclusions.map { tree.path(of: $0) } == [Array(root.utf8)])
      #expect(tree.exclusions.map(\.reason) == [.cache])
    }
  }

  @Test func `A cache with nothing but its tag has nothing left out`() async throws {
    try await withTemporaryTree([]) { root in
      try makeFile("cache/CACHEDIR.TAG", in: root, content: Self.signature)
      let tree = try await scan(root) { $0.skipsCaches = true }.tree
      #expect(tree.exclusions.isEmpty)
      try expectAgreement(tree, root)
    }
  }

  @Test(arguments: ["", "Sig", "signature: 8a477f597d28d172789f06886806bc55", " \(signature)"])
  func `A file without the signature at its start is no tag`(content: String) async throws {
    try await withTemporaryTree([]) { root in
      try makeFile("a/CACHEDIR.TAG", in: root, content: content)
      try makeFile("a/data", in: root)
      let tree = try await scan(root) { $0.skipsCaches = true }.tree
      #expect(tree.exclusions.isEmpty)
      try expectAgreement(tree, root)
    }
  }

  @Test func `Only a regular file is a tag, and others are not waited for`() async throws {
    let items: [TreeItem] = [
      .directory("fifo", [.fifo("CACHEDIR.TAG"), .file("a", size: 1)]),
      .directory("link", [.symbolicLink("CACHEDIR.TAG", to: "../tag"), .file("a", size: 1)]),
      .directory("folder", [.directory("CACHEDIR.TAG", []), .file("a", size: 1)]),
      .directory("name", [.file("cachedir.tag", size: 1), .file("a", size: 1)]),
    ]
    try await withTemporaryTree(items) { root in
      try makeFile("tag", in: root, content: Self.signature)
      let tree = try await scan(root) { $0.skipsCaches = true }.tree
      #expect(tree.exclusions.isEmpty)
      try expectAgreement(tree, root)
    }
  }

  @Test(.disabled(if: geteuid() == 0, "root reads everything"))
  func `A tag that cannot be read is an issue, and the cache is counted`() async throws {
    let tag = TreeItem.mode(0, .file("CACHEDIR.TAG", size: 43))
    try await withTemporaryTree([.directory("a", [tag, .file("data", size: 1)])]) { root in
      let tree = try await scan(root) { $0.skipsCaches = true }.tree
      #expect(tree.issues.map { tree.path(of: $0) } == [Array("\(root)/a/CACHEDIR.TAG".utf8)])
      #expect(tree.issues.map(\.call) == ["openat"])
      #expect(tree.totals(of: tree.root).files == 2)
    }
  }

  @Test func `A tag counts before .gitignore, and a pattern can leave out the tag`() async throws {
    try await withTemporaryTree([]) { root in
      try makeFile("cache/CACHEDIR.TAG", in: root, content: Self.signature)
      try makeFile("cache/.gitignore", in: root, content: "*\n")
      try makeFile("cache/data", in: root)
      let tree = try await scan(root) {
        $0.skipsCaches = true
        $0.honorsGitignore = true
        $0.exclusions = [Array("*.TAG".utf8)]
      }.tree
      #expect(tree.excludedPaths(.cache) == ["cache"])
      #expect(tree.excludedPaths(.pattern) == ["cache/CACHEDIR.TAG"])
      #expect(tree.exclusions.count == 2)
    }
  }
}
