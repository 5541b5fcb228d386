import Foundation
import PlatTree
import Testing

@testable import PlatRender

/// Pages, as a program of its own reads them.
///
/// The program is `Scripts/page-checks/unpack.py`, which fails on a wrong policy, digest, length,
/// order or sum. `Scripts/check-page` tries pages in a browser.
@Suite(.enabled(if: Tool.isInstalled("python3")))
struct PageTests {
  struct Page: Decodable {
    struct Meta: Decodable {
      var total: String
      var files: Int
      var entries: Int
      var grouped: Int
      var unit: Int
      var at: Int
      var title: String?
      var theme: String?
      var color: String
      var size: String
    }

    struct Entry: Decodable {
      var kind: String
      var category: Int
      var parent: Int
      var depth: Int
      /// In hexadecimal, for names are bytes.
      var name: String
      var size: UInt64
      var files: Int
      var items: Int?
      var time: Int64?
      var owner: String?
      var growth: Int?
    }

    var title: String
    var elements: [String: Int]
    var meta: Meta
    var entries: [Entry]

    /// The path of an entry below the top, in hexadecimal.
    func path(of entry: Entry) -> String {
      var names = [entry.name]
      var entry = entry
      while entry.parent > 0 {
        entry = entries[entry.parent]
        names.append(entry.name)
      }
      return names.reversed().joined(separator: "2f")
    }
  }

  static let root = Golden.folder.deletingLastPathComponent().deletingLastPathComponent()

  func page(
    _ tree: FileTree,
    _ options: RenderOptions = RenderOptions(),
    growth: TreeGrowth? = nil
  ) throws -> Page {
    var renderer = TreemapRenderer(options: options)
    renderer.growth = growth
    let document = try renderer.html(of: tree)
    let script = Self.root.appending(path: "Scripts/page-checks/unpack.py").path
    let output = try Tool.check(document, with: "python3", [script])
    return try JSONDecoder().decode(Page.self, from: Data(output.utf8))
  }

  func hex(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  /// The files of a tree with their sizes, by a walk over its listings.
  func files(of tree: FileTree) -> [String: UInt64] {
    var files: [String: UInt64] = [:]
    let top = tree.path(of: tree.root)
    for directory in tree.directories {
      var cursor = tree.listing(of: directory).makeCursor()
      while cursor.advance() {
        var path = tree.path(of: directory)
        path.appendComponent(cursor.name[...])
        files[hex(path.dropFirst(top.count + 1))] = cursor.entry.allocatedSize
      }
    }
    return files
  }

  @Test func `A page has every file with its name and size`() throws {
    for tree in [smallTree, busyTree] {
      let page = try page(tree)
      let found = page.entries.filter { $0.kind == "file" }
      #expect(page.meta.grouped == 0)
      #expect(Dictionary(found.map { (page.path(of: $0), $0.size) }) { $1 } == files(of: tree))
      #expect(page.meta.total == String(tree.totals(of: tree.root).allocatedSize))
      #expect(page.meta.entries == page.entries.count)
    }
  }

  @Test(arguments: [0, 1, 100, 3_000])
  func `What is too small for a page is in groups, with its count and size`(limit: Int) throws {
    var options = RenderOptions()
    options.pageEntries = limit
    let page = try page(busyTree, options)
    let kept = page.entries.filter { $0.kind != "group" }
    let sizes = files(of: busyTree)
    #expect(kept.count - 1 == min(limit, busyTree.totals(of: busyTree.root).entries))
    #expect(kept.count - 1 + page.meta.grouped == page.meta.entries - 1)
    let smallest = kept.map(\.size).min() ?? 0
    // Of files that differ by less than half a percent any may be the last one taken.
    let larger = sizes.filter { Double($0.value) > 1.005 * Double(smallest) }
    let names = Set(kept.map { page.path(of: $0) })
    if limit > 100 { #expect(larger.keys.allSatisfy { names.contains($0) }) }
    for entry in page.entries where entry.kind == "directory" && entry.depth == 1 {
      #expect(entry.files == 400)
    }
  }

  @Test func `Entries of one size fill a page up to its limit`() throws {
    var options = RenderOptions()
    options.pageEntries = 60
    let tree = makeTree([
      .directory("a", (0..<50).map { .file("f\($0)", size: 512) }),
      .directory("b", (0..<50).map { .file("f\($0)", size: 512) }),
    ])
    let page = try page(tree, options)
    #expect(page.entries.count { $0.kind == "file" } == 58)
    #expect(page.meta.grouped == 42)
  }

  @Test func `A depth leaves deeper directories closed`() throws {
    var options = RenderOptions()
    options.depth = 1
    let page = try page(smallTree, options)
    #expect(page.entries.map(\.depth).max() == 2)
    let inside = page.entries.filter { $0.depth == 2 }
    #expect(inside.map(\.kind) == ["group", "group"])
    #expect(page.meta.total == String(smallTree.totals(of: smallTree.root).allocatedSize))
  }

  @Test func `Sizes are exact up to the largest`() throws {
    let sizes: [UInt64] = [.max, .max, 1 << 53 + 1, 1 << 63 + 12_345, 3]
    var options = RenderOptions()
    options.measure = .apparent
    let tree = makeTree(sizes.enumerated().map { .file("f\($0)", size: $1) })
    let page = try page(tree, options)
    #expect(page.meta.unit == 1)
    #expect(page.meta.size == "apparent size")
    #expect(page.meta.total == "18446744073709551615")
    #expect(page.entries.dropFirst().map(\.size) == sizes.sorted(by: >))
  }

  @Test func `Dates of any time are kept, as far as scripts can reckon`() throws {
    let times: [Int64] = [0, -1, 1_796_000_000, 8_640_000_000_000, -8_640_000_000_000]
    let tree = makeTree(
      (times + [.max, .min]).enumerated().map { number, time in
        .file(Array("f\(number)".utf8), size: UInt64(10_000 - number * 512), modified: time)
      }
    )
    #expect(
      try page(tree).entries.compactMap(\.time)
        == times + [8_640_000_000_000, -8_640_000_000_000]
    )
  }

  @Test func `A hard link counts at one name, and its other name is marked`() throws {
    let tree = makeTree([
      .file(Array("a".utf8), size: 5_120, inode: 7), .file(Array("b".utf8), size: 5_120, inode: 7),
    ])
    let page = try page(tree)
    #expect(page.entries.dropFirst().map(\.kind) == ["file", "counted elsewhere"])
    #expect(page.entries.dropFirst().map(\.size) == [5_120, 0])
  }

  @Test func `No name is markup, and every byte of a name arrives`() throws {
    let names =
      TreemapRendererTests.hostileNames.map(\.name)
      + [
        "</script><script>alert(1)</script>", "<!--<script>", "</noscript><img src=x onerror=a()>",
        "{script}", "{", "}", "\u{2028}", "\\u003c", " ",
      ].map { Array($0.utf8) }
    let tree = makeTree(
      names.map { .file($0, size: 700_000) } + names.map { .directory($0 + [0x64], []) },
      path: "/srv/<b>\"'&"
    )
    let page = try page(tree)
    let found = Set(page.entries.filter { $0.kind == "file" }.map(\.name))
    #expect(found == Set(names.map(hex)))
    #expect(page.title == "/srv/<b>\"'&")
    var usual = try self.page(smallTree).elements
    var elements = page.elements
    // The table for readers without scripts has a row a file.
    for tag in ["tr", "td"] { (usual[tag], elements[tag]) = (nil, nil) }
    #expect(elements == usual)
    let text = String(decoding: try TreemapRenderer().html(of: tree), as: UTF8.self)
    #expect(!text.unicodeScalars.contains { $0.value < 32 && $0 != "\n" || $0 == "\u{202e}" })
  }

  @Test func `A page says what it was told`() throws {
    var options = RenderOptions()
    options.title = "</title>&<script>"
    options.pageTheme = .light
    options.colorKey = .age
    options.now = 1_796_000_000
    let page = try page(smallTree, options)
    #expect(page.title == "</title>&<script>")
    #expect(page.meta.title == "</title>&<script>")
    #expect(page.meta.theme == "light")
    #expect(page.meta.color == "age")
    #expect(page.meta.at == 1_796_000_000)
    let plain = try self.page(smallTree).meta
    #expect(plain.theme == nil)
    #expect(plain.title == nil)
  }

  @Test(
    arguments: [
      [], [.directory("empty", [])], [.file("a", size: 0), .file("b", size: 0)],
    ] as [[TestEntry]]
  )
  func `A tree with nothing to draw is a page`(entries: [TestEntry]) throws {
    let page = try page(makeTree(entries))
    #expect(page.meta.total == "0")
    #expect(page.entries.count == entries.count + 1)
  }

  @Test func `The same tree gives the same page, on any thread`() async throws {
    let renderer = TreemapRenderer()
    let page = try renderer.html(of: smallTree)
    let again = try await withThrowingTaskGroup { group in
      for _ in 0..<4 { group.addTask { try renderer.html(of: smallTree) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    let isEqual = again == Array(repeating: page, count: 4)
    #expect(isEqual)
  }

  @Test func `A page takes at most 8 bytes an entry besides its script and style`() throws {
    let page = try TreemapRenderer().html(of: busyTree)
    let shell = PageSource.shell.utf8.count + PageSource.script.utf8.count
    let entries = busyTree.totals(of: busyTree.root).entries
    #expect(page.count - shell - PageSource.style.utf8.count <= 8 * entries + 4_000)
  }

  @Test func `The page in the program is made of its sources`() throws {
    let script = Self.root.appending(path: "Scripts/embed-page").path
    try Tool.check([], with: "bash", [script, "--check"])
  }

  @Test func `Every entry has its owner, and its growth if that is known`() throws {
    var options = RenderOptions()
    options.ownerNames = [0: "<root>"]
    let page = try page(GrowthTests.after, options, growth: GrowthTests.growth())
    let growths = page.entries.filter { $0.kind == "file" }
      .map { (hex: $0.name, growth: $0.growth, owner: $0.owner) }
    #expect(growths.count == 4)
    for (name, kind) in [
      ("same.c", GrowthClass.unchanged), ("more.c", .grownALittle), ("z", .new),
      ("less.zip", .shrunkByHalf),
    ] {
      let found = growths.first { $0.hex == hex(name.utf8) }
      #expect(found?.growth == kind.rawValue)
      #expect(found?.owner == "<root>")
    }
    #expect(try self.page(GrowthTests.after).entries.allSatisfy { $0.growth == nil })
  }

  @Test func `A group has the owner and the growth of most of it`() throws {
    var options = RenderOptions()
    options.pageEntries = 1
    let page = try page(GrowthTests.after, options, growth: GrowthTests.growth())
    let group = try #require(page.entries.last)
    #expect(group.kind == "group")
    #expect(group.owner == "user 0")
    #expect(group.growth.flatMap(GrowthClass.init(rawValue:)) != .new)
  }
}

struct SHA256Tests {
  @Test(
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
    ]
  )
  func `The digests of the standard come out`(message: String, digest: String) {
    let bytes = SHA256.digest(of: Array(message.utf8))
    #expect(
      bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() == digest
    )
  }
}
