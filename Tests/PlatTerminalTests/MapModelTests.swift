import PlatTree
import Testing

@testable import PlatTerminal

struct MapModelTests {
  private func map(columns: Int, rows: Int, style: MapStyle = .nested) throws -> MapModel {
    var browser = Browser.showing(libraryTree, columns: columns, rows: rows)
    browser.mapStyle = style
    browser.prepareMap(isOutlined: false)
    return try #require(browser.map)
  }

  @Test func `Tiles fill the map, and siblings do not overlap`() throws {
    let map = try map(columns: 120, rows: 36)
    let (columns, halves) = (map.request.columns, 2 * map.request.rows)
    var covered = [Int](repeating: 0, count: columns * halves)
    for tile in map.tiles where tile.depth == 1 {
      for y in tile.y0..<tile.y1 { for x in tile.x0..<tile.x1 { covered[y * columns + x] += 1 } }
    }
    #expect(covered.allSatisfy { $0 == 1 })
    for (index, tile) in map.tiles.enumerated().dropFirst() {
      let parent = map.tiles[tile.parent]
      #expect(tile.x0 >= parent.x0 && tile.x1 <= parent.x1, "\(index)")
      #expect(tile.y0 >= parent.y0 + (parent.hasHead ? 2 : 0) && tile.y1 <= parent.y1, "\(index)")
    }
  }

  @Test(arguments: [(160, 45), (80, 24)])
  func `Sizes that add up to more than any number have a map and a legend`(
    columns: Int,
    rows: Int
  ) throws {
    let files = ["a.c", "b.c", "c.mp4"].map { TestEntry.file($0, size: 1 << 63) }
    var browser = Browser.showing(makeTree(files), columns: columns, rows: rows)
    for isOutlined in [false, true] {
      browser.prepareMap(isOutlined: isOutlined)
      let map = try #require(browser.map)
      #expect(!map.legendEntries(in: 0..<200).isEmpty)
    }
    #expect(browser.surface().text.contains("16.0 EiB"))
  }

  @Test func `Directories with a head, and the first two levels, begin on whole cells`() throws {
    for style in [MapStyle.nested, .flat] {
      for tile in try map(columns: 160, rows: 45, style: style).tiles
      where tile.hasHead || tile.depth <= 2 {
        #expect(tile.y0.isMultiple(of: 2) && tile.y1.isMultiple(of: 2))
      }
    }
  }

  @Test func `The area of a tile tells its size`() throws {
    let map = try map(columns: 200, rows: 60)
    let leaves = map.tiles.filter { !$0.hasChildren && $0.isLarge && $0.width > 8 && $0.height > 8 }
    #expect(leaves.count > 10)
    let densities = leaves.map { Double($0.size) / Double($0.width * $0.height) }
    let mean = densities.reduce(0, +) / Double(densities.count)
    for density in densities { #expect(abs(density / mean - 1) < 0.35) }
  }

  @Test func `Nothing is left out: tiles and groups add up to the directory`() throws {
    let map = try map(columns: 120, rows: 36)
    for (index, tile) in map.tiles.enumerated() where tile.hasChildren {
      let children = map.tiles.indices.dropFirst().filter { map.tiles[$0].parent == index }
      let sum = children.reduce(UInt64(0)) { $0 + map.tiles[$1].size }
      // What remains is the directory's own block, if it had one.
      #expect(sum <= tile.size && tile.size - sum < 65_536)
    }
  }

  @Test func `Of a million small files no name is read, and their kind is known all the same`() {
    let tree = makeTree([
      .directory(
        "many",
        (0..<20_000).map { .file("\($0).py", size: 512) } + [.file("one.so", size: 8 << 20)]
      ),
      .directory("more", [.file("two.so", size: 9 << 20), .file("x.mp4", size: 512)]),
    ])
    let request = MapModel.Request(
      directory: tree.root,
      revision: 1,
      measure: .allocated,
      columns: 60,
      rows: 20,
      style: .nested,
      key: .type,
      isOutlined: false,
      hasCategories: true,
      day: 0
    )
    func groups(
      _ categories: CategorySizes?
    ) -> (colors: [TileColor], entriesRead: Int, namesRead: Int) {
      var selection = MapSelection(
        tree,
        request: request,
        categories: categories,
        coloring: TileColoring(request, tree: tree, names: [:])
      )
      selection.select()
      let colors = selection.tiles.filter(\.isGroup).map(\.color)
      return (colors, selection.entriesRead, selection.namesRead)
    }
    let known = groups(CategorySizes(tree, .allocated))
    #expect(known.namesRead == 2)
    #expect(known.entriesRead == 20_001 + 1, "after two.so nothing is large enough")
    #expect(known.colors == [TileColor(.code), TileColor(.video)])
    #expect(groups(nil).colors == [TileColor(), TileColor()])
  }

  @Test(arguments: [MapStyle.nested, .flat])
  func `The tile at a cell is the innermost one that covers it`(style: MapStyle) throws {
    let map = try map(columns: 160, rows: 45, style: style)
    #expect(map.tiles.count > 100)
    for row in 0..<map.request.rows {
      for column in 0..<map.request.columns {
        let innermost = map.tiles.indices.last { index in
          let tile = map.tiles[index]
          return (tile.x0..<tile.x1).contains(column) && (tile.y0..<tile.y1).contains(2 * row)
        }
        #expect(map.tile(row: row, column: column) == innermost)
      }
    }
    #expect(map.tile(row: -1, column: 0) == nil)
    #expect(map.tile(row: 0, column: map.request.columns) == nil)
  }

  @Test func `The neighbours of tiles are on the side that was asked for`() throws {
    let map = try map(columns: 160, rows: 45)
    for (index, tile) in map.tiles.enumerated() where tile.depth == 1 {
      if let right = map.neighbor(of: index, columns: 1, rows: 0) {
        #expect(map.tiles[right].x0 >= tile.x1)
      }
      if let up = map.neighbor(of: index, columns: 0, rows: -1) {
        #expect(map.tiles[up].y1 <= tile.y0)
      }
    }
  }
}

extension MapModelTests {
  @Test func `When a tree grows a little, tiles stay near where they were`() throws {
    func tree(_ extra: UInt64) -> FileTree {
      makeTree(
        (0..<30).map { index in
          let size = UInt64(30 - index) * 1_000_000 + (index == 20 ? extra : 0)
          return .file("file-\(index)", size: size)
        }
      )
    }
    var browser = Browser.showing(tree(0), columns: 120, rows: 36)
    browser.prepareMap(isOutlined: false)
    let before = try #require(browser.map)
    browser.run(.session(.loaded(tree(1_400_000), revision: 2)))
    browser.prepareMap(isOutlined: false)
    let after = try #require(browser.map)
    #expect(after.request.revision == 2)
    for old in before.tiles.dropFirst() {
      let new = try #require(after.tiles.first { $0.name == old.name })
      #expect(abs(new.x0 - old.x0) <= 4 && abs(new.y0 - old.y0) <= 4, "\(old.name)")
    }
  }
}
