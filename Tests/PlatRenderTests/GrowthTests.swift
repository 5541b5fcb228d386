import PlatLayout
import PlatTree
import Testing

@testable import PlatRender

struct GrowthTests {
  static let before = makeTree([
    .directory("kept", [.file("same.c", size: 512_000), .file("more.c", size: 102_400)]),
    .directory("gone", [.file("x", size: 204_800), .file("y", size: 51_200)]),
    .file("less.zip", size: 1_024_000),
    .file("big-and-gone", size: 409_600),
  ])
  static let after = makeTree([
    .directory("kept", [.file("same.c", size: 512_000), .file("more.c", size: 112_640)]),
    .directory("fresh", [.directory("deep", [.file("z", size: 307_200)])]),
    .file("less.zip", size: 409_600),
  ])

  static func growth(measure: SizeMeasure = .allocated) -> TreeGrowth {
    TreeGrowth(
      of: after,
      below: after.root,
      from: TreeDiff(from: (before, before.root), to: (after, after.root), by: measure),
      since: "2026-11-01",
      by: measure
    )
  }

  func scene(with growth: TreeGrowth?) throws -> Scene {
    var options = TreemapRendererTests.small
    options.width = 900
    options.colorKey = .growth
    return try SceneBuilder(
      Self.after,
      top: Self.after.root,
      options: options,
      culling: .flat,
      growth: growth
    ).build(describedArea: 1)
  }

  @Test func `Every file has the colour of its growth`() throws {
    let scene = try self.scene(with: Self.growth())
    let classes: [(path: String, class: GrowthClass)] = [
      ("kept/same.c", .unchanged), ("kept/more.c", .grownALittle), ("fresh/deep/z", .new),
      ("less.zip", .shrunkByHalf),
    ]
    for (path, kind) in classes {
      let tile = try #require(scene.tiles.first { $0.description?.hasPrefix(path) == true })
      #expect(tile.style == kind.rawValue * 2, "\(path)")
      #expect((scene.styles[tile.style].outline != nil) == (kind == .new))
    }
  }

  @Test func `The title tells the change, and the legend what was removed, the largest first`()
    throws
  {
    let texts = try scene(with: Self.growth()).labels.map(\.text)
    let change = SizeFormat.iec.string(
      change: Int64(Self.after.totals(of: Self.after.root).allocatedSize)
        - Int64(Self.before.totals(of: Self.before.root).allocatedSize)
    )
    #expect(texts.contains { $0.contains("\(change) since 2026-11-01") })
    #expect(texts.contains("removed 650 KiB: big-and-gone, gone"))
  }

  @Test func `Without an earlier tree nothing has grown`() throws {
    let scene = try self.scene(with: nil)
    #expect(scene.tiles.allSatisfy { $0.style / 2 == GrowthClass.unchanged.rawValue })
    #expect(!scene.labels.contains { $0.text.contains("removed") })
  }

  @Test(arguments: [
    (0, 0, GrowthClass.unchanged), (5, 5, .unchanged), (100, 101, .grownALittle),
    (101, 100, .shrunkALittle), (80, 100, .grownByTenth), (100, 80, .shrunkByTenth),
    (1, 100, .grownByHalf), (100, 0, .shrunkByHalf), (0, 100, .grownByHalf),
    (UInt64.max, UInt64.max - 1, .unchanged),
  ])
  func `A change is classed by its share of the larger size`(
    before: UInt64,
    after: UInt64,
    expected: GrowthClass
  ) {
    #expect(GrowthClass(before: before, after: after) == expected)
  }

  @Test func `A group has the class of its mean, and is new only if all of it is`() {
    #expect(GrowthClass(meanOf: []) == .unchanged)
    #expect(GrowthClass(meanOf: [0, 0, 0, 100]) == .unchanged)
    #expect(GrowthClass(meanOf: [0, 0, 0, 0, 0, 0, 0, 100]) == .new)
    #expect(GrowthClass(meanOf: [0, 0, 0, 100, 0, 0, 0, 1]) == .grownALittle)
    #expect(GrowthClass(meanOf: [100, 0, 0, 9, 0, 0, 0, 1]) == .shrunkByHalf)
  }

  @Test func `Strengths that differ look different in every kind of eyes`() {
    let colors = GrowthClass.allCases.dropLast().map { Palette.color(of: $0).color }
    let tests = PaletteTests()
    for vision in PaletteTests.visions {
      let seen = colors.map { tests.seen($0, through: vision.matrix) }
      for (index, one) in seen.enumerated() {
        for two in seen[(index + 1)...] {
          #expect(one.distance(to: two) >= 0.03, "\(vision.name)")
        }
      }
    }
  }

  // MARK: Areas of changes

  static let changes = ChangeTree(
    of: after,
    below: after.root,
    from: TreeDiff(from: (before, before.root), to: (after, after.root), by: .allocated),
    since: "2026-11-01",
    by: .allocated
  )

  @Test func `A tree of changes holds what has changed, as large as its change`() {
    let tree = Self.changes.tree
    var sizes: [String: UInt64] = [:]
    tree.forEachDirectory(from: tree.root) { directory in
      var cursor = tree.listing(of: directory).makeCursor()
      while cursor.advance() {
        let path = tree.path(of: EntryID(directory, ordinal: cursor.ordinal))
        sizes[String(decoding: path, as: UTF8.self)] = cursor.entry.allocatedSize
      }
    }
    #expect(
      sizes == [
        "/srv/kept/more.c": 10_240, "/srv/fresh/deep/z": 307_200, "/srv/less.zip": 614_400,
      ]
    )
    #expect(tree.brokenInvariants() == [])
  }

  @Test func `A picture of changes has the hue of each change, and tells its sign`() throws {
    var options = TreemapRendererTests.small
    options.width = 900
    options.colorKey = .growth
    options.area = .change
    let scene = try SceneBuilder(
      Self.changes.tree,
      top: Self.changes.tree.root,
      options: options,
      culling: .flat,
      growth: Self.changes.growth
    ).build(describedArea: 1)
    let expected: [(text: String, class: GrowthClass)] = [
      ("less.zip -600 KiB", .shrunkByHalf), ("fresh/deep/z +300 KiB", .new),
      ("kept/more.c +10.0 KiB", .grownALittle),
    ]
    for (text, kind) in expected {
      let tile = try #require(
        scene.tiles.first { $0.description == text },
        "\(scene.tiles.map(\.description))"
      )
      #expect(tile.style == kind.rawValue * 2)
    }
    let areas = scene.tiles.map { Double($0.rect.area) }
    #expect(abs(areas.reduce(0, +) * 614_400 / 931_840 / (areas.max() ?? 0) - 1) < 0.02)
    let words = scene.labels.map(\.text)
    #expect(words.contains { $0.hasPrefix("910 KiB of changes") })
    #expect(words.contains { $0.hasPrefix("removed 650 KiB") })
  }

  @Test func `Where nothing has changed, a picture of changes is empty`() throws {
    let tree = Self.after
    let changes = ChangeTree(
      of: tree,
      below: tree.root,
      from: TreeDiff(from: (tree, tree.root), to: (tree, tree.root)),
      since: "2026-11-01",
      by: .allocated
    )
    #expect(changes.tree.directoryCount == 1)
    #expect(changes.tree.totals(of: changes.tree.root).allocatedSize == 0)
    var renderer = TreemapRenderer(options: TreemapRendererTests.small)
    renderer.options.colorKey = .growth
    renderer.growth = changes.growth
    #expect(try renderer.png(of: changes.tree).count > 100)
  }

  /// A file at the end of many directories, each in the one before.
  private func chain(depth: Int) -> FileTree {
    var batch = FileTree.Batch()
    var encoder = ListingEncoder()
    for number in 0...depth {
      if number < depth { batch.announce(parent: number, first: number + 1, names: [[100]]) }
      var file = ListingEntry()
      file.size = number == depth ? 4096 : 0
      file.blocks = file.expectedBlocks
      let start = batch.bytes.count
      encoder.append(file, name: 0..<1)
      let summary = encoder.encode(names: [102].span, into: &batch.bytes)
      batch.directories.append(
        FileTree.Batch.Directory(
          number: number,
          details: DirectoryDetails(),
          listing: start..<batch.bytes.count,
          summary: summary
        )
      )
    }
    var builder = FileTree.Builder(rootPath: Array("/srv".utf8))
    builder.insert(batch)
    return builder.makeTree()
  }

  @Test(.timeLimit(.minutes(1)))
  func `A tree of changes may be thousands of directories deep`() {
    let (before, after) = (chain(depth: 0), chain(depth: 5_000))
    let changes = ChangeTree(
      of: after,
      below: after.root,
      from: TreeDiff(from: (before, before.root), to: (after, after.root), by: .allocated),
      since: "2026-11-01",
      by: .allocated
    )
    #expect(changes.tree.directoryCount == 5_001)
    // The file that was at the top is empty, and there is one at the end.
    #expect(changes.tree.totals(of: changes.tree.root).allocatedSize == 2 * 4096)
  }
}
