import PlatTree
import Testing

@testable import PlatTerminal

struct GrowthMapTests {
  private static let before = makeTree([
    .directory("kept", [.file("same", size: 409_600), .file("less", size: 819_200)]),
    .directory("gone", [.file("x", size: 102_400)]), .file("more", size: 102_400),
  ])
  private static let after = makeTree([
    .directory("kept", [.file("same", size: 409_600), .file("less", size: 307_200)]),
    .directory("new", [.file("y", size: 307_200)]), .file("more", size: 409_600),
  ])

  private func comparing() throws -> Browser {
    var browser = Browser.showing(Self.after, columns: 150, rows: 40)
    browser.press(.character("x"))
    browser.run(.snapshot(.snapshot(tree: Self.before, takenAt: testNow - 86_400)))
    browser.prepareMap(isOutlined: false)
    return browser
  }

  private func colors(_ map: MapModel) -> [String: TileColor] {
    var colors: [String: TileColor] = [:]
    for tile in map.tiles where !tile.hasChildren {
      colors[String(decoding: tile.name, as: UTF8.self)] = tile.color
    }
    return colors
  }

  @Test func `While snapshots are compared the map shows what grew and what shrank`() throws {
    let browser = try comparing()
    let map = try #require(browser.map)
    #expect(
      colors(map) == [
        "same": GrowthColoring.unchanged, "less": GrowthColoring.shrunk,
        "y": GrowthColoring.grown, "more": GrowthColoring.grown,
      ]
    )
    let legend = try #require(browser.layout.legendRow)
    let text = browser.surface().text(row: legend)
    #expect(text.contains("■ grew 600 KiB  ■ shrank 600 KiB  ■ unchanged"))
  }

  @Test func `What has no tile of its own is compared together`() throws {
    func files(_ sizes: [UInt64]) -> [TestEntry] {
      sizes.enumerated().map { .file("f\($0.offset)", size: $0.element) }
    }
    let (large, larger) = (TestEntry.file("a", size: 90 << 20), TestEntry.file("a", size: 91 << 20))
    for (old, color) in [
      (UInt64(900), GrowthColoring.grown), (1000, GrowthColoring.unchanged),
      (1100, GrowthColoring.shrunk),
    ] {
      var browser = Browser.showing(makeTree([large] + files([512, 488])), columns: 150, rows: 40)
      browser.measure = .apparent
      browser.run(
        .snapshot(.snapshot(tree: makeTree([larger] + files([512, old - 512])), takenAt: 0))
      )
      browser.prepareMap(isOutlined: false)
      let group = try #require(browser.map?.tiles.first { $0.isGroup })
      #expect(group.color == color)
    }
  }

  @Test func `Afterwards the map has its colours again`() throws {
    var browser = try comparing()
    browser.press(.character("c"))
    #expect(browser.message == "While snapshots are compared the map shows growth.")
    browser.press(.character("x"))
    browser.prepareMap(isOutlined: false)
    #expect(browser.map?.request.key == .type)
    #expect(browser.surface().text.contains("■ Other"))
  }

  @Test func `The next tree keeps comparing`() throws {
    var browser = try comparing()
    browser.run(.session(.loaded(Self.after, revision: 2)))
    #expect(browser.shown.revision == 2)
    #expect(browser.mapMaking(isOutlined: false) == nil)
    let map = try #require(browser.map)
    #expect(colors(map)["y"] == GrowthColoring.grown)
  }
}
