import PlatTree

/// Draws a map with lines of characters, for terminals without colours.
internal struct OutlinePainter {
  internal let map: MapModel
  internal let theme: ScreenTheme
  internal let origin: Surface.Position
  internal let sizes: SizeFormat
  internal let selected: Int?
  /// Whether names that are not ASCII are escaped.
  internal let isASCIIOnly: Bool

  /// The sides of a cell that a line leaves it by.
  private struct Sides: OptionSet {
    let rawValue: Int
    static let up = Sides(rawValue: 1)
    static let down = Sides(rawValue: 2)
    static let left = Sides(rawValue: 4)
    static let right = Sides(rawValue: 8)
  }

  internal func paint(on surface: inout Surface) {
    let (columns, rows) = (map.request.columns, map.request.rows)
    var sides = [Sides](repeating: [], count: columns * rows)
    for index in map.tiles.indices where isDrawn(index) { draw(map.tiles[index], into: &sides) }
    for row in 0..<rows {
      for column in 0..<columns {
        surface.set(
          character(sides[row * columns + column]),
          row: origin.row + row,
          column: origin.column + column,
          .plain
        )
      }
    }
    for index in map.tiles.indices.dropFirst() where isDrawn(index) { label(index, &surface) }
  }

  /// Whether there is room for a tile: what has none is covered by what surrounds it.
  private func isDrawn(_ index: Int) -> Bool {
    map.tiles[index].width >= 3 && map.tiles[index].height >= 2
  }

  private func draw(_ tile: MapModel.Tile, into sides: inout [Sides]) {
    let columns = map.request.columns
    let (top, bottom) = (tile.y0 / 2, tile.y1 / 2)
    guard bottom < map.request.rows, tile.x1 < columns else { return }
    for column in tile.x0..<tile.x1 {
      for row in [top, bottom] {
        sides[row * columns + column].insert(.right)
        sides[row * columns + column + 1].insert(.left)
      }
    }
    for row in top..<bottom {
      for column in [tile.x0, tile.x1] {
        sides[row * columns + column].insert(.down)
        sides[(row + 1) * columns + column].insert(.up)
      }
    }
  }

  private func character(_ sides: Sides) -> Character {
    if sides.isEmpty { return " " }
    let isHorizontal = sides.isSubset(of: [.left, .right])
    let isVertical = sides.isSubset(of: [.up, .down])
    if theme.glyphs.isASCII { return isHorizontal ? "-" : isVertical ? "|" : "+" }
    if isHorizontal { return "─" }
    if isVertical { return "│" }
    switch sides {
    case [.down, .right]: return "┌"
    case [.down, .left]: return "┐"
    case [.up, .right]: return "└"
    case [.up, .left]: return "┘"
    case [.up, .down, .right]: return "├"
    case [.up, .down, .left]: return "┤"
    case [.left, .right, .down]: return "┬"
    case [.left, .right, .up]: return "┴"
    default: return "┼"
    }
  }

  private func label(_ index: Int, _ surface: inout Surface) {
    let tile = map.tiles[index]
    let room = tile.width - 1
    var style = tile.depth == 1 ? CellStyle.plain.bold : .plain
    if index == selected { style = style.adding(.reverse).bold }
    let column = origin.column + tile.x0 + 1
    if tile.hasHead || (tile.hasChildren && tile.depth == 1) {
      let name = NameDisplay.terminalText(tile.name, asciiOnly: isASCIIOnly)
      surface.put(
        fitted(name + " " + sizes.compactString(tile.size), room),
        row: origin.row + tile.y0 / 2,
        column: column,
        style
      )
      return
    }
    guard !tile.hasChildren, room >= 3 else { return }
    let first = tile.y0 / 2 + 1
    var text = NameDisplay.terminalText(tile.name, asciiOnly: isASCIIOnly)
    if case .group(_, let entries) = tile.content { text = "+" + NumberFormat.grouped(entries) }
    let lines = [fitted(text, room), sizes.string(tile.size)]
    for (offset, line) in lines.enumerated() where first + offset < tile.y1 / 2 {
      guard ColumnWidth.of(line) <= room else { continue }
      surface.put(
        line,
        row: origin.row + first + offset,
        column: column,
        offset == 0 ? style : .plain
      )
    }
  }

  private func fitted(_ text: String, _ room: Int) -> String {
    ColumnWidth.truncatingMiddle(of: text, to: room, ellipsis: theme.glyphs.ellipsis)
  }
}
