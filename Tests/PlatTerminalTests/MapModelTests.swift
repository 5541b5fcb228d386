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
