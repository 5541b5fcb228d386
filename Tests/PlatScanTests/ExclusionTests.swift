import PlatScan
import PlatTestSupport
import PlatTree
import Testing

struct ExclusionTests {
  struct Case: CustomTestStringConvertible {
    var testDescription: String
    var patterns: [String]
    /// Paths of all that is excluded, relative to the root.
    var excluded: [String]
  }

  static let items: [TreeItem] = [
    .directory(
      "a",
      [
        .file("x.o", size: 1), .file("y.c", size: 1), .directory("x", [.file("x.o", size: 1)]),
        .directory("node_modules", [.file("big", size: 1)]),
      ]
    ),
    .directory("b", [.directory("a", [.directory("x", [.file("z", size: 1)])])]),
    .file("x", size: 1), .file(".hidden.o", size: 1), .symbolicLink("link.o", to: "x"),
  ]

  static let cases = [
    Case(testDescription: "no pattern", patterns: [], excluded: []),
    Case(
      testDescription: "a name at any depth, of any kind",
      patterns: ["x"],
      excluded: ["x", "a/x", "b/a/x"]
    ),
    Case(
      testDescription: "a wildcard, also for a leading dot",
      patterns: ["*.o"],
      excluded: [".hidden.o", "link.o", "a/x.o", "a/x/x.o"]
    ),
    Case(testDescription: "directories only", patterns: ["x/"], excluded: ["a/x", "b/a/x"]),
    Case(testDescription: "a path from the root", patterns: ["a/x"], excluded: ["a/x"]),
    Case(testDescription: "the same, with a slash first", patterns: ["/a/x"], excluded: ["a/x"]),
    Case(testDescription: "a name in the root", patterns: ["/x"], excluded: ["x"]),
    Case(testDescription: "directories in the root", patterns: ["/x/"], excluded: []),
    Case(
      testDescription: "a star does not cross a slash",
      patterns: ["*/x"],
      excluded: ["a/x"]
    ),
    Case(testDescription: "two stars are two names", patterns: ["*/*/x"], excluded: ["b/a/x"]),
    Case(
      testDescription: "a set and a single character",
      patterns: ["[yz]*", "node_module?"],
      excluded: ["a/y.c", "a/node_modules", "b/a/x/z"]
    ),
    Case(
      testDescription: "several kinds of patterns",
      patterns: ["b/", "/a/*.o", "nothing"],
      excluded: ["b", "a/x.o"]
    ),
  ]

  @Test(arguments: cases)
  func `What a pattern matches is left out with everything below it`(example: Case) async throws {
    try await withTemporaryTree(Self.items) { root in
      let all = try await scan(root).tree.allPaths
      let tree = try await scan(root) { $0.exclusions = example.patterns.map { Array($0.utf8) } }
        .tree
      let excluded = Set(example.excluded.map { "\(root)/\($0)" })
      #expect(Set(tree.exclusions.map { text(tree.path(of: $0)) }) == excluded)
      #expect(tree.exclusions.allSatisfy { $0.reason == .pattern })
      let expected = all.filter { path in
        !excluded.contains { text(path) == $0 || text(path).hasPrefix($0 + "/") }
      }
      #expect(tree.allPaths == expected)
      expectSound(tree)
    }
  }

  @Test func `An exclusion says what it left out`() async throws {
    try await withTemporaryTree(Self.items) { root in
      let tree = try await scan(root) { $0.exclusions = [Array("*x*".utf8), Array("*.o".utf8)] }
        .tree
      let kinds = Dictionary(
        tree.exclusions.map { (text(tree.path(of: $0)), $0.kind) },
        uniquingKeysWith: { first, _ in first }
      )
      #expect(kinds["\(root)/x"] == .file)
      #expect(kinds["\(root)/link.o"] == .symbolicLink)
      #expect(kinds["\(root)/a/x"] == .directory)
    }
  }

  @Test func `A pattern is bytes`() async throws {
    try await withTemporaryTree([
      .file(FileName([0xff, 0x61]), size: 1), .file(FileName([0xc3, 0xa9]), size: 1),
    ]) { root in
      let tree = try await scan(root) { $0.exclusions = [[0xff, 0x2a], [0x3f]] }.tree
      #expect(tree.exclusions.map(\.name) == [[0xff, 0x61]])
    }
  }

  @Test func `A root is scanned even if a pattern matches it`() async throws {
    try await withTemporaryTree([.directory("a", [.file("f", size: 1)])]) { root in
      let tree = try await scan("\(root)/a") { $0.exclusions = [Array("a".utf8)] }.tree
      #expect(tree.totals(of: tree.root).files == 1)
    }
  }

  private func text(_ path: [UInt8]) -> String { String(decoding: path, as: UTF8.self) }
}
