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
}
