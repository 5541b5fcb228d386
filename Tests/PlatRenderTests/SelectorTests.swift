import PlatLayout
import PlatTree
import Testing

@testable import PlatRender

struct SelectorTests {
  func select(
    _ tree: FileTree,
    from top: DirectoryID? = nil,
    measure: SizeMeasure = .apparent,
    threshold: UInt64,
    depth: Int = .max,
    key: RenderOptions.ColorKey = .type
  ) -> Selection {
    Selector(
      tree,
      top: top ?? tree.root,
      measure: measure,
      threshold: threshold,
      depthLimit: depth,
      classes: FileClasses(key, now: 0)
    ).select()
  }

  /// A line for each node, indented by its depth, in the order of the selection.
  func outline(_ selection: Selection) -> [String] {
    selection.nodes.indices.map { node in
      let item = selection.nodes[node]
      let name = String(decoding: selection.name(of: node), as: UTF8.self)
      let indent = String(repeating: " ", count: item.depth)
      return switch item.kind {
      case .directory: "\(indent)\(name)/ \(item.size)"
      case .file: "\(indent)\(name) \(item.size)"
      case .group(let files): "\(indent)+\(files) \(item.size)"
      case .openedGroup: "\(indent)opened \(item.size)"
      }
    }
  }

  let tree = makeTree([
    .directory("big", [.file("a.c", size: 600), .file("b.c", size: 30), .file("c.c", size: 20)]),
    .directory("small", [.file("d.mp3", size: 40), .directory("deep", [.file("e", size: 5)])]),
    .file("f.zip", size: 300),
    .file("g.zip", size: 99),
    .file("empty", size: 0),
  ])

  @Test func `What is smaller than the threshold goes into a group of its directory`() {
    let selection = select(tree, threshold: 100)
    #expect(
      outline(selection) == [
        "/ 1094", " big/ 650", " f.zip 300", " +4 144", "  a.c 600", "  +2 50",
      ]
    )
    #expect(selection.drawnFiles == 2)
    #expect(selection.childCounts == [3, 2, 0, 0, 0, 0])
  }

  @Test func `With a threshold of one byte every file that has any is drawn`() {
    let selection = select(tree, threshold: 1)
    #expect(selection.drawnFiles == 7)
    #expect(!selection.nodes.contains { if case .group = $0.kind { true } else { false } })
  }

  @Test func `A group has the class that most of its bytes have`() throws {
    let selection = select(tree, threshold: 100)
    let classes = selection.nodes.map { FileCategory(rawValue: UInt8($0.classIndex)) }
    // In the group of the root are 99 bytes of archive, 40 of audio and 5 of others.
    #expect(classes[3] == .archive)
    #expect(classes[5] == .code)
    #expect(selection.classes.sizes.reduce(0, +) == 1_094)
  }

  @Test func `What has no class of its own counts with its group`() {
    let sizes = select(tree, threshold: 100).classes.sizes
    // More than half of the group at the top is an archive, so that nobody looks into `small`.
    #expect(sizes[Int(FileCategory.archive.rawValue)] == 300 + 99 + 45)
    #expect(sizes[Int(FileCategory.code.rawValue)] == 650)
  }

  @Test func `A group of small files and directories has the class of the larger part`() {
    let small = makeTree([
      .file("huge.zip", size: 100_000),
      .directory("tiny", (0..<90).map { .file("\($0).c", size: 10) }),
      .directory("music", [.file("a.mp3", size: 300), .file("b.txt", size: 30)]),
      .directory("film", [.file("a.mp4", size: 290)]),
    ])
    let selection = select(small, threshold: 1_000)
    #expect(outline(selection).last == " +93 1520")
    #expect(selection.nodes.last?.classIndex == Int(FileCategory.code.rawValue))
  }

  @Test(arguments: [RenderOptions.ColorKey.depth, .folder])
  func `What the place alone tells is known of everything`(key: RenderOptions.ColorKey) {
    #expect(
      select(tree, threshold: 100, key: key).classes.sizes
        == select(tree, threshold: 1, key: key).classes.sizes
    )
  }

  @Test func `A directory that holds nothing but a directory is joined with it`() {
    let chain = makeTree([
      .directory("a", [.directory("b", [.directory("c", [.file("x", size: 9)])])]),
      .directory("p", [.directory("q", [.file("y", size: 7)]), .file("z", size: 0)]),
    ])
    #expect(
      outline(select(chain, threshold: 1))
        == ["/ 16", " a/b/c/ 9", " p/ 7", "  x 9", "  q/ 7", "   y 7"]
    )
  }

  @Test func `A directory at the limit of depth is not opened`() {
    #expect(outline(select(tree, threshold: 1, depth: 0)) == ["/ 1094"])
    let selection = select(tree, threshold: 40, depth: 1)
    #expect(outline(selection) == ["/ 1094", " big/ 650", " small/ 45", " f.zip 300", " g.zip 99"])
    #expect(selection.nodes[2].classIndex == Int(FileCategory.audio.rawValue))
  }

  @Test func `A picture can start at any directory`() throws {
    let top = try #require(tree.subdirectories(of: tree.root).first)
    #expect(
      outline(select(tree, from: top, threshold: 25)) == ["/ 650", " a.c 600", " b.c 30", " +1 20"]
    )
  }

  @Test func `A hard link is drawn where it counts, and nowhere else`() {
    let links = makeTree([
      .directory("a", [.file(Array("one".utf8), size: 1_024, inode: 77)]),
      .directory("b", [.file(Array("two".utf8), size: 1_024, inode: 77), .file("z", size: 512)]),
    ])
    #expect(
      outline(select(links, measure: .allocated, threshold: 1))
        == ["/ 1536", " a/ 1024", " b/ 512", "  one 1024", "  z 512"]
    )
  }

  @Test func `The blocks of directories go with a group, or stand for one`() {
    var batch = FileTree.Batch()
    var details = DirectoryDetails()
    details.allocatedSize = 8_192
    var encoder = ListingEncoder()
    var entry = ListingEntry()
    entry.size = 600
    entry.blocks = 2
    encoder.append(entry, name: 0..<1)
    let summary = encoder.encode(names: [0x61].span, into: &batch.bytes)
    batch.directories.append(
      .init(number: 0, details: details, listing: 0..<batch.bytes.count, summary: summary)
    )
    var builder = FileTree.Builder(rootPath: Array("/srv".utf8))
    builder.insert(batch)
    let tree = builder.makeTree()

    #expect(outline(select(tree, measure: .allocated, threshold: 8_000)) == ["/ 9216", " +1 9216"])
    #expect(
      outline(select(tree, measure: .allocated, threshold: 500)) == [
        "/ 9216", " a 1024", " +0 8192",
      ]
    )
    #expect(
      outline(select(tree, measure: .allocated, threshold: 1_000)) == [
        "/ 9216", " a 1024", " +0 8192",
      ]
    )
    #expect(outline(select(tree, measure: .apparent, threshold: 1)) == ["/ 600", " a 600"])
  }

  @Test(arguments: 0..<20)
  func `Nothing is lost, whatever the threshold`(seed: Int) {
    var generator = SplitMix64(state: UInt64(seed))
    func entries(_ depth: Int) -> [TestEntry] {
      (0..<Int.random(in: 0...8, using: &generator)).map { index in
        depth < 4 && Bool.random(using: &generator)
          ? .directory("d\(index)", entries(depth + 1))
          : .file("f\(index).c", size: UInt64.random(in: 0...10_000, using: &generator))
      }
    }
    let tree = makeTree(entries(0))
    for threshold: UInt64 in [1, 100, 3_000, 50_000, .max] {
      let selection = select(tree, threshold: threshold)
      let layout = selection.layoutTree
      for node in selection.nodes.indices {
        #expect(layout.total(of: node) == Double(selection.nodes[node].size))
      }
      var files = selection.drawnFiles
      for case .group(let hidden) in selection.nodes.map(\.kind) { files += hidden }
      // Empty files without a group around them have nothing to stand for.
      #expect(files <= tree.totals(of: tree.root).files)
    }
  }

  @Test func `Sizes that add up to more than there is stay at the largest number`() {
    let tree = makeTree([.file("a", size: .max), .file("b", size: .max), .file("c", size: 5)])
    let selection = select(tree, threshold: .max)
    #expect(
      outline(selection) == ["/ \(UInt64.max)", " a \(UInt64.max)", " b \(UInt64.max)", " +1 5"]
    )
  }

  @Test(arguments: RenderOptions.ColorKey.allCases)
  func `Every kind of class adds up to the whole`(key: RenderOptions.ColorKey) {
    let selection = select(smallTree, threshold: 500_000, key: key)
    let total = smallTree.size(of: smallTree.root, .apparent)
    #expect(selection.classes.sizes.reduce(0, +) == total)
    let scheme = ColorScheme(selection.classes, ownerNames: [0: "root"]) { "folder \($0)" }
    #expect(scheme.legend.map(\.size).reduce(0, +) == total)
    for node in selection.nodes {
      #expect(scheme.colors.indices.contains(scheme.position(ofClass: node.classIndex)))
    }
  }

  @Test(arguments: RenderOptions.ColorKey.allCases)
  func `Directories that hold empty files alone are drawn by every kind of class`(
    key: RenderOptions.ColorKey
  ) {
    let tree = makeTree(
      (1...50).map { .directory("d\($0)", [.file("f", size: 0)]) },
      directorySize: 4096
    )
    for threshold in [1, 5_000, 1_000_000] as [UInt64] {
      let selection = select(tree, measure: .allocated, threshold: threshold, key: key)
      let scheme = ColorScheme(selection.classes, ownerNames: [:]) { "folder \($0)" }
      let total = scheme.legend.map(\.size).reduce(0, +)
      #expect(total <= tree.size(of: tree.root, .allocated))
      for node in selection.nodes {
        #expect(scheme.colors.indices.contains(scheme.position(ofClass: node.classIndex)))
      }
    }
  }

  @Test func `A group of which no file has a size is of the type Other`() {
    let tree = makeTree([.directory("d", [.file("f.c", size: 0)])], directorySize: 4096)
    let selection = select(tree, measure: .allocated, threshold: 5_000)
    let groups = selection.nodes.filter(\.kind.isGroup)
    #expect(!groups.isEmpty)
    for node in groups {
      #expect(node.classIndex == Int(FileCategory.other.rawValue))
    }
  }

  @Test func `Of many folders the largest have a colour each, and the others are grey`() {
    let tree = makeTree(
      (1...14).map { .directory("d\($0)", [.file("f", size: UInt64($0) * 100)]) }
    )
    let selection = select(tree, threshold: 1, key: .folder)
    let folders = tree.subdirectories(of: tree.root)
    let scheme = ColorScheme(selection.classes, ownerNames: [:]) { position in
      String(decoding: tree.name(of: folders[folders.startIndex + position]), as: UTF8.self)
    }
    #expect(scheme.legend.map(\.title).prefix(3) == ["d14", "d13", "d12"])
    #expect(scheme.legend.last == .init(title: "Other", size: 1_000, color: Palette.grey))
  }
}
