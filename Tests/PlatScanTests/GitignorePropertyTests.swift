import PlatScan
import PlatTestSupport
import PlatTree
import Testing

struct GitignorePropertyTests {
  @Test(arguments: [1, 2, 3])
  func `A scan counts what git does not ignore, in random trees with random patterns`(
    seed: UInt64
  ) async throws {
    let root = try makeTemporaryDirectory()
    defer { removeTree(root) }
    var random = SplitMix64(seed: seed)
    for number in 0..<100 {
      try makeRandomTree("tree\(number)", in: root, &random)
    }
    try await expectGit(below: root)
  }

  @Test func `Classes of characters hold the bytes that git takes them for`() async throws {
    let root = try makeTemporaryDirectory()
    defer { removeTree(root) }
    let classes = [
      "[:alnum:]", "[:alpha:]", "[:blank:]", "[:cntrl:]", "[:digit:]", "[:graph:]", "[:lower:]",
      "[:print:]", "[:punct:]", "[:space:]", "[:upper:]", "[:xdigit:]", "!a-z", "^-~", "\\]-a",
      "--0",
    ]
    for (number, name) in classes.enumerated() {
      try makeFile("\(number)/.gitignore", in: root, content: "/?[\(name)]\n")
      for byte in UInt8(1)...UInt8.max where byte != UInt8(ascii: "/") {
        try makeFile(Array("\(number)/x".utf8) + [byte], in: root)
      }
    }
    try await expectGit(below: root)
  }

  private func expectGit(below root: String) async throws {
    var walk = LstatWalk()
    walk.add(root)
    let all = walk.paths
    let ignored = try pathsIgnoredByGit(below: root, among: all)
    #expect(!ignored.isEmpty)
    let tree = try await scan(root) { $0.honorsGitignore = true }.tree
    expectSound(tree)
    let counted = tree.allPaths
    #expect(counted.intersection(ignored).map(shown).sorted() == [], "ignored by git alone")
    #expect(
      all.subtracting(ignored).subtracting(counted).map(shown).sorted() == [],
      "left out by the scan alone"
    )
  }

  private func shown(_ path: [UInt8]) -> String { NameDisplay.terminalText(path) }

  // MARK: - Random trees

  private static let names: [FileName] = [
    "a", "b", "ab", "ba", "abc", "a.o", "b.o", "A", "a-b", "-", "#a", "!a", " ", "a ", "a  b",
    "[a]",
    "a]", "\\", "a\\b", "a*", "?", "^", "é", FileName([0xFF]), FileName([0x61, 0xFE]), "a\nb",
    "a\r",
  ]

  private static let pieces: [FileName] = [
    "a", "a", "b", "b", "o", ".", "*", "*", "**", "**", "?", "/", "/", "/", "**/", "/**", "/**/",
    "[ab]", "[!a]", "[^b]", "[a-b]", "[]a]", "[!]a]", "[[:alpha:]]", "[[:foo:]]", "[[:alpha:]-b]",
    "[[:a]", "[a-\\b]", "[\\]]", "[b-a]", "[a", "[", "]", "\\", "\\a", "\\*", " ", "\\ ", "!", "#",
    "-", "***", "\\/", FileName([0xFF]), FileName([0x5B, 0x80, 0x2D, 0xFF, 0x5D]), "é", "^", "abc",
  ]

  private func makeRandomTree(
    _ path: FileName,
    depth: Int = 0,
    in root: String,
    _ random: inout SplitMix64
  ) throws {
    if depth == 0 || Int.random(in: 0..<3, using: &random) == 0 {
      let lines = (0..<Int.random(in: 1...4, using: &random)).flatMap { _ in line(&random) }
      try makeFile(path.bytes + Array("/.gitignore".utf8), in: root, content: lines)
    }
    for name in Self.names.shuffled(using: &random).prefix(depth == 0 ? 6 : 4) {
      let inner = FileName(path.bytes + [UInt8(ascii: "/")] + name.bytes)
      if depth < 3, Int.random(in: 0..<5, using: &random) < 2 {
        try makeRandomTree(inner, depth: depth + 1, in: root, &random)
      } else {
        try makeFile(inner.bytes, in: root)
      }
    }
  }

  private func line(_ random: inout SplitMix64) -> [UInt8] {
    var line: [UInt8] = []
    if Int.random(in: 0..<4, using: &random) == 0 { line.append(UInt8(ascii: "!")) }
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      let pool = Bool.random(using: &random) ? Self.pieces : Self.names
      line += pool[Int.random(in: pool.indices, using: &random)].bytes
    }
    if Int.random(in: 0..<4, using: &random) == 0 { line += Array("/".utf8) }
    if Int.random(in: 0..<6, using: &random) == 0 { line += Array("  ".utf8) }
    if Int.random(in: 0..<6, using: &random) == 0 { line.append(UInt8(ascii: "\r")) }
    if Int.random(in: 0..<6, using: &random) > 0 { line.append(UInt8(ascii: "\n")) }
    return line
  }
}
