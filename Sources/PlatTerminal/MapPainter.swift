import PlatTree

/// Draws a map in half blocks: two colours a cell, with shading, seams and labels.
internal struct MapPainter {
  internal let map: MapModel
  internal let theme: ScreenTheme
  internal let origin: Surface.Position
  internal let sizes: SizeFormat
  /// The tile of the selected row.
  internal let selected: Int?
  /// Whether each tile stands out while a search is on, and the others step back.
  internal var hits: [Bool]?
  /// Whether each tile is marked; empty if none is.
  internal var marked: [Bool] = []

  private static let shades: [(RGB, Double)] = [
    (.black, 0), (.black, 0.10), (.white, 0.07), (.black, 0.17),
  ]

  internal func paint(on surface: inout Surface) {
    let (columns, rows) = (map.request.columns, map.request.rows)
    for row in 0..<rows {
      for column in 0..<columns { paintCell(row: row, column: column, on: &surface) }
    }
    for index in map.tiles.indices.dropFirst() { label(index, on: &surface) }
    if let selected { outline(selected, on: &surface) }
  }

  // MARK: Fills

  /// The ground that colours are mixed with to make them step back.
  private var ground: RGB { theme.isLight ? RGB(0xf9fafc) : RGB(0x0b0e14) }

  /// Returns the colour of a tile in a row of cells, as the terminal shows it.
  private func fill(_ index: Int, row: Int) -> RGB {
    let tile = map.tiles[index]
    if tile.hasChildren || index == 0 { return theme.shown(theme.head(depth: tile.depth)) }
    var color = theme.isLight ? tile.color.rgb.mixed(with: .white, 0.1) : tile.color.rgb
    if tile.isGroup { color = color.mixed(with: ground, 0.38) }
    if theme.depth == .full {
      if tile.isLarge {
        let rows = Double(tile.height) / 2
        let share = (Double(row) + 0.5 - Double(tile.y0) / 2) / rows
        let light = 0.10 - 0.25 * min(max(share, 0), 1)
        color = light > 0 ? color.mixed(with: .white, light) : color.mixed(with: .black, -light)
      } else {
        let (other, share) = Self.shades[index & 3]
        color = color.mixed(with: other, share)
      }
    }
    if let hits, !hits[index] { color = color.mixed(with: ground, 0.78) }
    return theme.shown(color)
  }

  private func terminalColor(_ index: Int, row: Int) -> TerminalColor {
    guard theme.depth == .basic else { return theme.color(fill(index, row: row)) }
    let tile = map.tiles[index]
    if tile.hasChildren || index == 0 { return .basic(theme.isLight ? 7 : 0) }
    return .basic(theme.basicGround(tile.color.basic))
  }

  /// Returns the style of a seam of a tile.
  private func seam(_ index: Int, row: Int, share: Double) -> CellStyle {
    let ground = terminalColor(index, row: row)
    guard theme.depth != .basic else { return CellStyle(.basic(0), on: ground) }
    return CellStyle(theme.color(fill(index, row: row).mixed(with: .black, share)), on: ground)
  }

  private func paintCell(row: Int, column: Int, on surface: inout Surface) {
    let columns = map.request.columns
    let upper = Int(map.grid[2 * row * columns + column])
    let lower = Int(map.grid[(2 * row + 1) * columns + column])
    let place = (row: origin.row + row, column: origin.column + column)
    let top = terminalColor(upper, row: row)
    let bottom = terminalColor(lower, row: row)
    guard upper == lower else {
      let style = CellStyle(top, on: bottom)
      surface.set(top == bottom ? " " : "▀", row: place.row, column: place.column, style)
      return
    }
    let tile = map.tiles[upper]
    var character: Character = " "
    var style = CellStyle(on: top)
    if tile.isLarge, !tile.hasChildren, upper != 0 {
      if column == tile.x1 - 1, tile.x1 < columns {
        character = theme.isConsole ? "│" : "▕"
        style = seam(upper, row: row, share: 0.60)
      } else if 2 * row + 2 == tile.y1, row + 1 < map.request.rows, theme.depth > .basic {
        character = "▁"
        style = seam(upper, row: row, share: 0.42)
      }
    }
    surface.set(character, row: place.row, column: place.column, style)
  }

  // MARK: Labels

  private func label(_ index: Int, on surface: inout Surface) {
    let tile = map.tiles[index]
    if tile.hasHead {
      head(index, on: &surface)
      return
    }
    guard !tile.hasChildren else { return }
    let seam = tile.isLarge && tile.x1 < map.request.columns ? 1 : 0
    let room = tile.width - 1 - seam
    let (first, end) = ((tile.y0 + 1) / 2, tile.y1 / 2)
    guard room >= 4, first < end, let text = labelText(index, room: room) else { return }
    let lines = [text, sizes.string(tile.size)]
    for (offset, line) in lines.enumerated() where first + offset < end {
      guard ColumnWidth.of(line) <= room else { continue }
      write(line, index, row: first + offset, isBold: tile.depth == 1 && offset == 0, &surface)
    }
  }

  /// Returns what fits of a tile's name, or `nil` if that would tell nothing.
  private func labelText(_ index: Int, room: Int) -> String? {
    let tile = map.tiles[index]
    if case .group(_, let entries) = tile.content {
      let count = NumberFormat.grouped(entries)
      return ["\(count) smaller items", "\(count) smaller", "+\(count)"].first {
        $0.utf8.count <= room
      }
    }
    let name = markText(index) + shown(tile.name)
    let text = ColumnWidth.truncatingMiddle(of: name, to: room, ellipsis: theme.glyphs.ellipsis)
    return text == name || room >= 6 ? text : nil
  }

  private func markText(_ index: Int) -> String {
    marked.indices.contains(index) && marked[index] ? "\(theme.glyphs.mark) " : ""
  }

  private func shown(_ name: [UInt8]) -> String { NameDisplay.terminalText(name) }

  private func write(
    _ text: String,
    _ index: Int,
    row: Int,
    isBold: Bool,
    _ surface: inout Surface
  ) {
    let tile = map.tiles[index]
    var style = CellStyle(on: terminalColor(index, row: row))
    if theme.depth == .basic {
      let ground = theme.basicGround(tile.color.basic)
      style.foreground = [0, 1, 4, 5].contains(ground) ? .basic(15) : .basic(0)
    } else {
      style.foreground = theme.color(labelColor(on: fill(index, row: row)))
    }
    if isBold { style = style.bold }
    surface.put(
      text,
      row: origin.row + row,
      column: origin.column + tile.x0 + 1,
      before: origin.column + tile.x1,
      style
    )
  }

  /// Returns the colour of text on a fill: what the terminal makes of it is readable too.
  private func labelColor(on fill: RGB) -> RGB {
    guard theme.depth == .palette else { return fill.label }
    return RGB.black.contrast(with: fill) >= RGB.white.contrast(with: fill) ? .black : .white
  }

  // MARK: Heads

  private func head(_ index: Int, on surface: inout Surface) {
    let tile = map.tiles[index]
    let row = tile.y0 / 2
    let style = headStyle(tile, isSelected: index == selected)
    surface.fill(
      row: origin.row + row,
      origin.column + tile.x0..<origin.column + tile.x1,
      style.name
    )
    let room = tile.width - 2
    let name = markText(index) + shown(tile.name)
    var size = tile.width < 16 ? sizes.compactString(tile.size) : sizes.string(tile.size)
    if room - size.count - 1 < min(5, ColumnWidth.of(name)) { size = "" }
    let nameRoom = size.isEmpty ? room : room - size.count - 1
    surface.put(
      ColumnWidth.truncatingMiddle(of: name, to: nameRoom, ellipsis: theme.glyphs.ellipsis),
      row: origin.row + row,
      column: origin.column + tile.x0 + 1,
      style.name.bold
    )
    surface.put(
      size,
      row: origin.row + row,
      column: origin.column + tile.x1 - 1 - size.count,
      index == selected ? style.name.bold : style.size
    )
  }

  private func headStyle(
    _ tile: MapModel.Tile,
    isSelected: Bool
  ) -> (name: CellStyle, size: CellStyle) {
    if theme.depth == .basic {
      if isSelected {
        return (CellStyle(.basic(0), on: .basic(theme.basicGround(15))), CellStyle())
      }
      return theme.isLight
        ? (CellStyle(.basic(0), on: .basic(7)), CellStyle(.basic(0), on: .basic(7)))
        : (CellStyle(.basic(15), on: .basic(0)), CellStyle(.basic(7), on: .basic(0)))
    }
    if isSelected {
      let style = CellStyle(
        theme.color(0x0b0e14, 0xf9fafc, basic: nil),
        on: theme.color(focus)
      )
      return (style, style)
    }
    let ground = theme.color(theme.head(depth: tile.depth))
    return (
      CellStyle(theme.color(0xdadee5, 0x232933, basic: nil), on: ground),
      CellStyle(theme.color(0xbcc1c9, 0x3f4550, basic: nil), on: ground)
    )
  }

  private var focus: RGB { theme.isLight ? RGB(0x0a1018) : .white }

  // MARK: Selection

  private func outline(_ index: Int, on surface: inout Surface) {
    let tile = map.tiles[index]
    let (first, last) = (tile.y0 / 2, (tile.y1 - 1) / 2)
    guard tile.width > 0, tile.height > 1 else { return }
    let color: TerminalColor =
      theme.depth == .basic ? .basic(theme.isLight ? 0 : 15) : theme.color(focus)
    for row in first...last {
      // The head is inverted already.
      if row == first, tile.hasHead { continue }
      for column in tile.x0..<tile.x1 {
        let isTop = row == first && !tile.hasHead
        let isBottom = row == last
        let isLeft = column == tile.x0
        let isRight = column == tile.x1 - 1
        guard isTop || isBottom || isLeft || isRight else { continue }
        let place = (row: origin.row + row, column: origin.column + column)
        let cell = surface[place.row, place.column]
        // The name of the tile stays readable in its first row.
        let isText = cell.character != " " && !"▀▁▕".contains(cell.character)
        if isTop, !isLeft, !isRight, isText { continue }
        var style = cell.style
        // Where two tiles share a cell, the lower one is the ground.
        style.foreground = color
        style.attributes = []
        let character: Character =
          first == last
          ? (isLeft ? "▌" : isRight ? "▐" : "▀")
          : theme.isConsole && (isTop || isBottom) && (isLeft || isRight)
            ? "█" : Self.border(isTop, isBottom, isLeft, isRight)
        surface.set(character, row: place.row, column: place.column, style)
      }
    }
  }

  private static func border(
    _ isTop: Bool,
    _ isBottom: Bool,
    _ isLeft: Bool,
    _ isRight: Bool
  ) -> Character {
    switch (isTop, isBottom, isLeft, isRight) {
    case (true, _, true, _): "▛"
    case (true, _, _, true): "▜"
    case (true, _, _, _): "▀"
    case (_, true, true, _): "▙"
    case (_, true, _, true): "▟"
    case (_, true, _, _): "▄"
    case (_, _, true, _): "▌"
    default: "▐"
    }
  }
}
