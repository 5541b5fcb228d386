import Glibc
import PlatScan
import PlatTestSupport
import PlatTree
import Testing

struct GitignoreTests {
  struct Case: CustomTestStringConvertible {
    /// The text of the file of patterns.
    var text: String
    var kept: [String]
    var ignored: [String]
    var testDescription: String { text.debugDescription }

    init(_ text: String, kept: [String] = [], ignored: [String] = []) {
      self.text = text
      self.kept = kept
      self.ignored = ignored
    }
  }

  /// Rules of gitignore(5), and what only git's source says.
  ///
  /// The path of a directory ends with a slash.
  static let cases = [
    Case("a", kept: ["b", "ab"], ignored: ["a", "c/a", "d/a/"]),
    Case("/a", kept: ["c/a"], ignored: ["a"]),
    Case("c/a", kept: ["a", "d/c/a"], ignored: ["c/a"]),
    Case("a/", kept: ["b/a"], ignored: ["a/", "c/a/"]),
    Case("/c/a/", kept: ["d/c/a/"], ignored: ["c/a/"]),
    Case("*.o\n!keep.o", kept: ["keep.o", "c/keep.o", "o"], ignored: ["a.o", "c/.o"]),
    Case("!keep.o\n*.o", ignored: ["keep.o"]),
    Case("c/\n!c/a", kept: ["b"], ignored: ["c/"]),
    Case("c/*\n!c/a", kept: ["c/a"], ignored: ["c/b", "c/d/"]),
    Case("*\n!*/\n!*.c", kept: ["a.c", "d/e/b.c"], ignored: ["a", "d/e/b"]),
    Case("c/*", kept: ["c2/a"], ignored: ["c/a"]),
    Case("/*/a", kept: ["a", "c/d/a"], ignored: ["c/a"]),
    Case("**/a", kept: ["b/aa"], ignored: ["a", "c/a", "c/d/a"]),
    Case("c/**", kept: ["d/c/a"], ignored: ["c/a", "c/d/"]),
    Case("c/**/a", kept: ["a", "d/c/a", "ca"], ignored: ["c/a", "c/d/a", "c/d/e/a"]),
    Case("c/**/d/**/a", kept: ["c/a", "d/a"], ignored: ["c/d/a", "c/x/d/y/z/a", "c/d/d/a"]),
    Case("**/c*d/*/a", kept: ["cd/a"], ignored: ["cd/e/a", "x/y/cxd/z/a"]),
    Case("x**y", kept: ["c/x/y"], ignored: ["xy", "xzy", "c/xzzy"]),
    Case("/x**/y", kept: ["c/x/y", "z/y"], ignored: ["x/y", "xy", "x1/2/y"]),
    Case("c/x*/y", kept: ["c/x/z/y", "c/xy"], ignored: ["c/x/y", "c/xx/y"]),
    Case("c?d", kept: ["c/d", "cd"], ignored: ["cxd"]),
    Case("[a-c]", kept: ["d", "-"], ignored: ["a", "b", "c"]),
    Case("[!a-c]", kept: ["a", "b"], ignored: ["d", "-"]),
    Case("[]-]", kept: ["a"], ignored: ["]", "-"]),
    Case("[a\\]]x", kept: ["\\x"], ignored: ["ax", "]x"]),
    Case("c[/]d\nc[!x]d", kept: ["c/d", "cxd"], ignored: ["cyd"]),
    Case("x[[:digit:][:upper:]]", kept: ["xa", "x:"], ignored: ["x5", "xQ"]),
    Case("[[:nothing:]]\n[a\na\\", kept: ["a", "[a", "a\\", ":"]),
    Case("a \nb\\ \nc\\  ", kept: ["a ", "b", "c", "c  "], ignored: ["a", "b ", "c "]),
    Case("a\\\\ ", kept: ["a\\ "], ignored: ["a\\"]),
    Case("\\#a\n\\!b\n#c\n!d", kept: ["#c", "!d", "c", "a"], ignored: ["#a", "!b"]),
    Case("\\a\\*", kept: ["ab"], ignored: ["a*"]),
    Case("a\r\nb", kept: ["a\r"], ignored: ["a", "b"]),
    Case("\u{FEFF}a", ignored: ["a"]),
    Case("a\u{0}b\nc", kept: ["b", "ab"], ignored: ["a", "c"]),
    Case("\n\n/\n//\n!\n \n\r\n", kept: ["a", "b/", " "]),
    Case("//a\nb//c\n./d", kept: ["a", "b/c", "d"]),
    Case("é", kept: ["e"], ignored: ["é", "x/é"]),
    Case("/**", ignored: ["a", "b/"]),
    Case("**/", kept: ["a"], ignored: ["b/"]),
  ]

  private func make(_ paths: [String], in root: String) throws {
    for path in paths {
      if path.hasSuffix("/") {
        try makeFile("\(path)inside", in: root)
      } else {
        try makeFile(path, in: root)
      }
    }
  }

  private func trimmed(_ paths: [String]) -> [String] {
    paths.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }.sorted()
  }

  @Test(arguments: cases)
  func `A pattern in .gitignore means what it means to git`(_ test: Case) async throws {
    try await withTemporaryTree([]) { root in
      try make(test.kept + test.ignored, in: root)
      try makeFile(".gitignore", in: root, content: test.text)
      let tree = try await scan(root) { $0.honorsGitignore = true }.tree
      expectSound(tree)
      let ignored = Set(tree.exclusions.map { tree.path(of: $0) })
      let top = "\(root)/"
      #expect(
        ignored.map { String(decoding: $0.dropFirst(top.utf8.count), as: UTF8.self) }.sorted()
          .filter { $0 != ".gitignore" } == trimmed(test.ignored)
      )
      #expect(tree.exclusions.allSatisfy { $0.reason == .gitignore })
      let paths = Set((test.kept + test.ignored).map { Array((top + trimmed([$0])[0]).utf8) })
      #expect(try pathsIgnoredByGit(below: root, among: paths) == ignored.intersection(paths))
    }
  }

  @Test(arguments: cases)
  func `A pattern of the caller's means the same`(_ test: Case) async throws {
    try await withTemporaryTree([]) { root in
      try make(test.kept + test.ignored, in: root)
      let tree = try await scan(root) { $0.ignorePatterns = Array(test.text.utf8) }.tree
      #expect(tree.excludedPaths(.pattern).sorted() == trimmed(test.ignored))
      #expect(tree.exclusions.count == test.ignored.count)
    }
  }

  @Test func `Patterns of an inner directory come before those above`() async throws {
    try await withTemporaryTree([]) { root in
      try make(["a.o", "c/a.o", "c/b.o", "c/d/a.o", "c/d/b.o", "c/d/e"], in: root)
      try makeFile(".gitignore", in: root, content: "*.o\n")
      try makeFile("c/.gitignore", in: root, content: "!a.o\n/e\n/d/e\n")
      try makeFile("c/d/.gitignore", in: root, content: "a.o\n!b.o\n")
      let tree = try await scan(root) { $0.honorsGitignore = true }.tree
      #expect(tree.excludedPaths(.gitignore) == ["a.o", "c/b.o", "c/d/a.o", "c/d/e"])
    }
  }

  // Trying out all ways of such a pattern would not end within the life of the machine.
  @Test(.timeLimit(.minutes(30)))
  func `A pattern that could match in very many ways is decided all the same`() async throws {
    let name = String(repeating: "a", count: 250)
    let stars = String(repeating: "a*", count: 100)
    let deep = String(repeating: "**/a*/", count: 40)
    try await withTemporaryTree([]) { root in
      let folders = Array(repeating: "a", count: 30).joined(separator: "/")
      try make([name, "\(folders)/\(name)"], in: root)
      let text = "\(stars)b\n\(deep)b\n/\(stars)b/\(deep)\(stars)b\n"
      let tree = try await scan(root) { $0.ignorePatterns = Array(text.utf8) }.tree
      #expect(tree.exclusions.isEmpty)
    }
  }

  @Test func `A repository begins anew, with a list of its own`() async throws {
    try await withTemporaryTree([]) { root in
      try make(["a.o", "inner/a.o", "inner/b.x", "inner/.git/b.x", "inner/.git/a.o"], in: root)
      try make(["linked/a.o", "linked/.git"], in: root)
      try makeFile(".gitignore", in: root, content: "*.o\n.git\n")
      try makeFile("inner/.git/info/exclude", in: root, content: "*.x\n/c\n")
      try make(["inner/c", "inner/d/c", "inner/d/e.x", "inner/keep.x"], in: root)
      try makeFile("inner/.gitignore", in: root, content: "!keep.x\n")
      let tree = try await scan(root) { $0.honorsGitignore = true }.tree
      expectSound(tree)
      #expect(tree.excludedPaths(.gitignore) == ["a.o", "inner/b.x", "inner/c", "inner/d/e.x"])
    }
  }

  @Test func `A .gitignore that is no regular file does not count, and is not waited for`()
    async throws
  {
    let items: [TreeItem] = [
      .directory("fifo", [.fifo(".gitignore"), .file("a", size: 1)]),
      .directory("link", [.symbolicLink(".gitignore", to: "../patterns"), .file("a", size: 1)]),
      .directory("folder", [.directory(".gitignore", []), .file("a", size: 1)]),
      .directory("socket", [.socket(".gitignore"), .file("a", size: 1)]),
    ]
    try await withTemporaryTree(items) { root in
      try makeFile("patterns", in: root, content: "a\n")
      let tree = try await scan(root) { $0.honorsGitignore = true }.tree
      expectSound(tree)
      #expect(tree.exclusions.isEmpty)
    }
  }

  @Test func `A .gitignore that is too large is an issue, and is not used`() async throws {
    try await withTemporaryTree([]) { root in
      try makeFile(".gitignore", in: root, content: "a\n")
      let large = "b\n" + String(repeating: "#\n", count: 1 << 19)
      try makeFile("c/.gitignore", in: root, content: large)
      try make(["c/a", "c/b"], in: root)
      let tree = try await scan(root) { $0.honorsGitignore = true }.tree
      #expect(tree.excludedPaths(.gitignore) == ["c/a"])
      #expect(tree.issues.map { tree.path(of: $0) } == [Array("\(root)/c/.gitignore".utf8)])
      #expect(tree.issues.map(\.code) == [EFBIG])
      #expect(tree.brokenInvariants() == [])
    }
  }

  @Test func `Sources leave out by themselves, and take back nothing from others`() async throws {
    try await withTemporaryTree([]) { root in
      try make(["a", "b", "c", "d"], in: root)
      try makeFile(".gitignore", in: root, content: "c\n!a\n!b\n")
      let tree = try await scan(root) {
        $0.honorsGitignore = true
        $0.exclusions = [Array("a".utf8)]
        $0.ignorePatterns = Array("b\n!a\n!c\n".utf8)
      }.tree
      #expect(tree.excludedPaths(.pattern) == ["a", "b"])
      #expect(tree.excludedPaths(.gitignore) == ["c"])
    }
  }

  @Test func `Without the option .gitignore is a file like others`() async throws {
    try await withTemporaryTree([]) { root in
      try makeFile(".gitignore", in: root, content: "a\n")
      try make(["a", ".git/info/exclude"], in: root)
      try expectAgreement(try await scan(root).tree, root)
    }
  }
}
