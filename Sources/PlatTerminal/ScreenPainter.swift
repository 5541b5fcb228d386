import PlatTree

/// Draws the state of a browser as a screen.
internal struct ScreenPainter {
  internal let browser: Browser
  internal let theme: ScreenTheme
  internal let layout: ScreenLayout
  internal var map = DrawnMap.current

  /// The map that is drawn.
  internal enum DrawnMap {
    /// That of what is shown, as far as it was made.
    case current
    /// That of an earlier screen, if there is one.
    case held(Surface?)
  }

  /// Creates a painter.
  ///
  /// - Parameters:
  ///   - browser: What to draw; its map has been prepared.
  ///   - theme: The colours and characters.
  internal init(_ browser: Browser, theme: ScreenTheme) {
    self.browser = browser
    self.theme = theme
    layout = browser.layout
  }

  internal var glyphs: Glyphs { theme.glyphs }
  internal var sizes: SizeFormat { browser.settings.sizes }

  /// Returns the screen.
  internal func paint() -> Surface {
    var surface = Surface(columns: layout.columns, rows: layout.rows)
    if layout.isTooSmall {
      paintTooSmall(on: &surface)
      return surface
    }
    paintTitle(on: &surface)
    paintRule(on: &surface)
    paintBody(on: &surface)
    paintDetail(on: &surface)
    paintKeys(on: &surface)
    if case .box(let box) = browser.mode { paint(box, on: &surface) }
    return surface
  }

  /// Says that the window is too small, in the longest words that fit into it.
  private func paintTooSmall(on surface: inout Surface) {
    let size = "\(layout.columns)x\(layout.rows)"
    let wordings = [
      ["plat: \(size) is too small", "needs 20x4; q quits"],
      ["\(size): too small", "needs 20x4; q quits"],
      ["\(size): too small", "needs 20x4", "q quits"],
    ]
    let fitting = wordings.first { $0.allSatisfy { $0.utf8.count <= layout.columns } }
    for (row, line) in (fitting ?? ["too small", "q quits"]).enumerated() {
      surface.put(line, row: row, column: 0)
    }
  }

  private func paintBody(on surface: inout Surface) {
    if case .issues(let selected) = browser.mode {
      paintIssues(selected, on: &surface)
      return
    }
    guard let tree = browser.tree else {
      paintWaiting(on: &surface)
      return
    }
    if case .searching(let search) = browser.mode {
      paintHits(search, on: &surface)
      paintMap(on: &surface)
      return
    }
    if let count = browser.entriesToRead {
      paintReading(count, on: &surface)
      paintMap(on: &surface)
      return
    }
    guard !browser.list.rows.isEmpty else {
      paintEmpty(tree, on: &surface)
      return
    }
    paintList(on: &surface)
    if case .marks(let selected) = browser.mode {
      paintMarks(selected, on: &surface)
    } else {
      paintMap(on: &surface)
    }
  }

  // MARK: Nothing to show

  private func paintWaiting(on surface: inout Surface) {
    guard let failure = browser.shown.failure else {
      let text = browser.shown.progress == nil ? "Nothing is open." : "Reading\(glyphs.ellipsis)"
      center([(text, theme.muted)], on: &surface)
      return
    }
    center(
      [
        ("Cannot read \(failure)", theme.bad),
        ("r try again\(glyphs.between)o another root\(glyphs.between)q quit", theme.muted),
      ],
      on: &surface
    )
  }

  /// Says in place of a long list that it is on its way.
  private func paintReading(_ count: Int, on surface: inout Surface) {
    guard let row = layout.body.first, let width = layout.list?.width else { return }
    let text =
      "Reading \(NumberFormat.counted(count, "entry", plural: "entries"))\(glyphs.ellipsis)"
    surface.put(fitted(text, width - 2), row: row, column: 2, theme.muted)
  }

  private func paintEmpty(_ tree: FileTree, on surface: inout Surface) {
    if let filter = browser.filter {
      center(
        [("Nothing here matches \(filter.text). f changes the filter.", theme.plain)],
        on: &surface
      )
      return
    }
    if browser.comparison != nil {
      center([("Nothing has changed in size here.", theme.plain)], on: &surface)
      return
    }
    let own = sizes.string(tree.size(of: browser.directory, browser.measure))
    let up = glyphs.isASCII ? "Bksp goes up" : "← goes up"
    center(
      [
        ("This directory is empty.", theme.plain),
        ("\(own) for the directory itself\(glyphs.between)\(up)", theme.muted),
      ],
      on: &surface
    )
  }

  private func center(_ lines: [(String, CellStyle)], on surface: inout Surface) {
    let first = max((layout.rows - lines.count) / 2 - 1, 1)
    for (offset, line) in lines.enumerated() {
      let text = fitted(line.0, layout.columns - 2)
      let column = max((layout.columns - ColumnWidth.of(text)) / 2, 0)
      surface.put(text, row: first + offset, column: column, line.1)
    }
  }

  /// Returns text that takes at most some columns, without its middle if need be.
  internal func fitted(_ text: String, _ columns: Int) -> String {
    ColumnWidth.truncatingMiddle(of: text, to: max(columns, 0), ellipsis: glyphs.ellipsis)
  }

  // MARK: Map

  private func paintMap(on surface: inout Surface) {
    if case .held(let earlier) = map {
      guard let earlier, let columns = layout.mapColumns else { return }
      let rows = layout.mapRows.lowerBound..<layout.body.upperBound
      return surface.copy(columns, rows: rows, from: earlier)
    }
    guard let map = browser.map, let columns = layout.mapColumns,
      map.request.columns == columns.count, map.request.rows == layout.mapRows.count
    else { return }
    let origin = Surface.Position(row: layout.mapRows.lowerBound, column: columns.lowerBound)
    let selected = map.topTile(of: browser.selectedRow?.id)
    if map.request.isOutlined {
      OutlinePainter(
        map: map,
        theme: theme,
        origin: origin,
        sizes: sizes,
        selected: selected,
        isASCIIOnly: !browser.settings.showsUTF8
      )
      .paint(on: &surface)
    } else {
      var painter = MapPainter(
        map: map,
        theme: theme,
        origin: origin,
        sizes: sizes,
        selected: selected
      )
      painter.hits = hits(in: map)
      painter.marked = marked(in: map)
      painter.paint(on: &surface)
    }
    if let row = layout.legendRow { paintLegend(map, columns, row: row, on: &surface) }
  }

  /// Whether each tile is what is searched for, or inside of it; `nil` if nothing is.
  private func hits(in map: MapModel) -> [Bool]? {
    guard case .searching(let search) = browser.mode, !search.request.text.isEmpty else {
      return nil
    }
    let pattern = search.pattern
    var hits: [Bool] = []
    for (index, tile) in map.tiles.enumerated() {
      let isInside = index > 0 && hits[tile.parent]
      hits.append(isInside || (!tile.name.isEmpty && pattern.matches(tile.name)))
    }
    return hits
  }

  /// Whether each tile is marked; empty if none is.
  private func marked(in map: MapModel) -> [Bool] {
    guard !browser.marks.isEmpty, let tree = browser.tree else { return [] }
    var paths: [[UInt8]] = []
    return map.tiles.enumerated().map { index, tile in
      var path = index == 0 ? tree.path(of: map.request.directory) : paths[tile.parent]
      if index > 0 { path.appendComponent(tile.name[...]) }
      paths.append(path)
      return tile.id != nil && browser.marks.contains(path)
    }
  }

  private func paintLegend(
    _ map: MapModel,
    _ columns: Range<Int>,
    row: Int,
    on surface: inout Surface
  ) {
    for entry in map.legendEntries(in: columns) {
      let mark = glyphs.isASCII || theme.depth == .none ? " " : glyphs.legend
      let column = entry.columns.lowerBound
      surface.set(mark, row: row, column: column, theme.ink(of: entry.color))
      surface.put(entry.text, row: row, column: column + 2, theme.muted)
    }
  }
}
