import PlatTree

// The list: heads, rows, bars and the scroll bar.
extension ScreenPainter {
  internal func paintList(on surface: inout Surface) {
    guard let columns = layout.list else { return }
    if browser.comparison != nil {
      paintChanges(columns, on: &surface)
      return
    }
    if let row = layout.headRow { paintHeads(columns, row: row, on: &surface) }
    let whole = browser.tree.map { $0.size(of: browser.directory, browser.measure) } ?? 0
    let parent = browser.filter == nil ? whole : browser.list.total
    for row in layout.body {
      let index = browser.top + row - layout.body.lowerBound
      guard browser.list.rows.indices.contains(index) else { break }
      paintRow(index, of: parent, columns, row: row, on: &surface)
    }
    paintScrollBar(
      count: browser.list.rows.count,
      top: browser.top,
      column: columns.width,
      on: &surface
    )
  }

  // MARK: Heads

  private func paintHeads(
    _ columns: ScreenLayout.ListColumns,
    row: Int,
    on surface: inout Surface
  ) {
    let order = browser.order
    let arrow = order.isAscending ? glyphs.ascending : glyphs.descending
    func head(_ title: String, _ key: RowOrder.Key?, end: Int) {
      let isSorted = key == order.key
      let text = isSorted ? "\(title) \(arrow)" : title
      surface.put(
        text,
        row: row,
        column: end - ColumnWidth.of(text),
        isSorted ? theme.accent : theme.muted
      )
    }
    let name = order.key == .name ? "Name \(arrow)" : "Name"
    surface.put(name, row: row, column: 2, order.key == .name ? theme.accent : theme.muted)
    for place in columns.places {
      let key = place.column.order
      switch place.column {
      case .bar: break
      case .share: head(place.width == 6 ? "Share" : "%", nil, end: place.end)
      case .size: head("Size", key, end: place.end)
      case .otherSize:
        head(browser.measure == .allocated ? "Apparent" : "On disk", key, end: place.end)
      case .items: head("Items", key, end: place.end)
      case .age: head("Age", key, end: place.end)
      case .owner:
        let isSorted = order.key == key
        surface.put(
          isSorted ? "Owner \(arrow)" : "Owner",
          row: row,
          column: place.start,
          isSorted ? theme.accent : theme.muted
        )
      case .mode: head("Mode", key, end: place.end)
      }
    }
  }

  // MARK: Rows

  private func paintRow(
    _ index: Int,
    of parent: UInt64,
    _ columns: ScreenLayout.ListColumns,
    row: Int,
    on surface: inout Surface
  ) {
    let item = browser.list.rows[index]
    let isSelected = index == browser.selected
    if isSelected { surface.fill(row: row, 0..<columns.width, theme.selection) }
    paintName(index, columns, row: row, on: &surface)
    let muted = isSelected ? theme.selection : theme.muted
    for place in columns.places {
      let (column, width) = (place.start, place.width)
      switch place.column {
      case .bar:
        paintBar(item, width, row: row, column: column, isSelected: isSelected, on: &surface)
      case .size:
        paintSize(item, width, row: row, column: column, isSelected: isSelected, on: &surface)
      case .owner:
        surface.put(fitted(owner(of: item), width), row: row, column: column, muted)
      case .share, .otherSize, .items, .age, .mode:
        let text = text(place, of: item, parent)
        surface.put(text, row: row, column: place.end - ColumnWidth.of(text), muted)
      }
    }
  }

  private func owner(of item: Row) -> String {
    guard item.id != nil else { return "" }
    return browser.settings.ownerNames[item.owner] ?? "\(item.owner)"
  }

  /// Returns what a column that is aligned to the right says of a row.
  private func text(
    _ place: ScreenLayout.ListColumns.Place,
    of item: Row,
    _ parent: UInt64
  ) -> String {
    switch place.column {
    case .share: return share(item.size, of: parent, withDecimal: place.width == 6)
    case .otherSize: return item.id == nil ? "" : sizes.string(item.otherSize)
    case .items: return item.isDirectory ? NumberFormat.grouped(item.items) : ""
    case .mode: return item.id == nil ? "" : String(item.mode, radix: 8)
    case .age:
      return item.modified == .min ? "" : DurationFormat.age(of: item.modified, at: browser.now)
    case .bar, .size, .owner: return ""
    }
  }

  private func share(_ size: UInt64, of whole: UInt64, withDecimal: Bool) -> String {
    let text = NumberFormat.share(size, of: whole, withDecimal: withDecimal)
    return text == "100.0%" ? "100%" : text
  }

  /// Whether numbers are of an old tree, or not the last word.
  private var isOld: Bool {
    browser.shown.progress != nil && browser.shown.tree != nil && !browser.shown.isPartial
  }

  private func paintSize(
    _ item: Row,
    _ width: Int,
    row: Int,
    column: Int,
    isSelected: Bool,
    on surface: inout Surface
  ) {
    let text = width < 8 ? sizes.compactString(item.size) : sizes.string(item.size)
    let start = column + width - ColumnWidth.of(text)
    let parts = text.split(separator: " ", maxSplits: 1)
    let base = isSelected ? theme.selection : theme.plain
    let number = isOld ? (isSelected ? base : theme.muted) : base.bold
    let end = surface.put(parts.first ?? "", row: row, column: start, number)
    guard parts.count == 2 else { return }
    surface.put(parts[1], row: row, column: end + 1, isSelected ? base : theme.muted)
  }

  /// Draws the cursor, the flag and the name of a row.
  internal func paintName(
    _ index: Int,
    _ columns: ScreenLayout.ListColumns,
    row: Int,
    on surface: inout Surface
  ) {
    let item = browser.list.rows[index]
    let isSelected = index == browser.selected
    let ground = isSelected ? theme.selection : theme.plain
    if isSelected {
      let style = theme.depth == .none ? ground : theme.warning.on(ground)
      surface.set(glyphs.cursor, row: row, column: 0, style)
      surface.cursor = Surface.Position(row: row, column: 2)
    }
    if let (flag, style) = flag(of: item, at: index) {
      surface.set(flag, row: row, column: 1, style.on(ground))
    }
    let slash = item.isDirectory ? "/" : ""
    let name = fitted(browser.text(browser.list.name(at: index)) + slash, columns.name)
    var style = isSelected ? ground : item.isDirectory ? theme.directory : theme.plain
    if isSelected, item.isDirectory { style = style.bold }
    let isThere = item.change.map { $0.kind != .gone && $0.kind != .movedAway } ?? true
    if !isThere, !isSelected { style = theme.muted }
    surface.put(name, row: row, column: 2, before: 2 + columns.name, style)
  }

  /// Returns the letter before a name.
  private func flag(of item: Row, at index: Int) -> (Character, CellStyle)? {
    if !browser.marks.isEmpty, browser.marks.contains(browser.path(ofRow: index)) {
      return (glyphs.mark, theme.warning)
    }
    switch item.change?.kind {
    case .added: return ("+", theme.growth.bold)
    case .gone: return ("-", theme.shrinkage.bold)
    case .movedHere: return (glyphs.moved, theme.growth.bold)
    case .movedAway: return (glyphs.moved, theme.shrinkage.bold)
    default: break
    }
    if item.isDirectory, browser.shown.progress != nil, !browser.growing.isEmpty,
      browser.growing.contains(Array(browser.list.name(at: index)))
    {
      return (glyphs.growing, theme.muted)
    }
    guard let flag = item.flag else { return nil }
    return (flag.rawValue, flag == .unreadable ? theme.bad : theme.muted)
  }

  // MARK: Bars

  private func paintBar(
    _ item: Row,
    _ width: Int,
    row: Int,
    column: Int,
    isSelected: Bool,
    on surface: inout Surface
  ) {
    let largest = max(browser.list.largest, 1)
    let share = Double(item.size) / Double(largest)
    if glyphs.isASCII {
      let filled = Int((share * Double(width)).rounded())
      let text =
        String(repeating: "#", count: filled) + String(repeating: ".", count: width - filled)
      surface.put(text, row: row, column: column, isSelected ? theme.selection : theme.plain)
      return
    }
    let length = min(Int((share * Double(width * 8)).rounded()), width * 8)
    let segments = segments(of: item, length: length)
    let ground = isSelected ? theme.selection : theme.plain
    for cell in 0..<(length + 7) / 8 {
      paintBarCell(
        cell,
        of: segments,
        length,
        ground,
        row: row,
        column: column + cell,
        on: &surface
      )
    }
  }

  private struct Segment {
    var end: Int
    var style: CellStyle
  }

  /// Cuts a bar of some eighths of a cell by kinds of files.
  private func segments(of item: Row, length: Int) -> [Segment] {
    guard item.isDirectory else {
      return [Segment(end: length, style: theme.ink(of: browser.list.category(of: item)))]
    }
    guard let categories = browser.categories, let id = item.id else {
      return [Segment(end: length, style: theme.ink(of: .other))]
    }
    let ranking = categories.ranking(of: id.directory)
    let total = ranking.reduce(Float(0)) { $0 + $1.size }
    guard let first = ranking.first, total > 0, theme.depth > .basic else {
      return [Segment(end: length, style: theme.ink(of: ranking.first?.category ?? .other))]
    }
    var segments = [Segment(end: 0, style: theme.ink(of: first.category))]
    var sum: Float = 0
    for (index, part) in ranking.enumerated() {
      sum += part.size
      let end = index + 1 == ranking.count ? length : Int((sum / total * Float(length)).rounded())
      segments.append(Segment(end: min(end, length), style: theme.ink(of: part.category)))
    }
    segments.removeFirst()
    return segments
  }

  private func paintBarCell(
    _ cell: Int,
    of segments: [Segment],
    _ length: Int,
    _ ground: CellStyle,
    row: Int,
    column: Int,
    on surface: inout Surface
  ) {
    let (start, end) = (cell * 8, min(cell * 8 + 8, length))
    guard let first = segments.first(where: { $0.end > start }) else { return }
    // In mono a reversed bar would be a hole.
    var style = theme.depth == .none ? theme.plain : first.style.on(ground)
    var filled = end - start
    if first.end < end, end - start == 8, let second = segments.first(where: { $0.end > first.end })
    {
      filled = first.end - start
      style.background = second.style.foreground
    }
    let character = filled >= 8 ? "█" : glyphs.eighths[filled - 1]
    surface.set(character, row: row, column: column, style)
  }

  // MARK: Scroll bar

  internal func paintScrollBar(count: Int, top: Int, column: Int, on surface: inout Surface) {
    let height = layout.body.count
    guard count > height, height > 0 else { return }
    let length = max(height * height / count, 1)
    let start = (top * (height - length) + (count - height) / 2) / (count - height)
    for offset in 0..<length {
      surface.set(
        glyphs.scrollBar,
        row: layout.body.lowerBound + start + offset,
        column: column,
        theme.muted
      )
    }
  }

  // MARK: Hits of a search

  internal func paintHits(_ search: Search, on surface: inout Surface) {
    guard let columns = layout.list else { return }
    let width = columns.width
    if let row = layout.headRow {
      let matches = NumberFormat.grouped(search.result?.matches ?? 0)
      let title = width < 30 ? "\(matches) found" : "\(matches) matches, largest first"
      let text = search.request.text.isEmpty ? "Type a part of a name" : title
      surface.put(text, row: row, column: 2, before: width - 9, theme.muted)
      surface.put("Size \(glyphs.descending)", row: row, column: width - 6, theme.accent)
    }
    let pattern = search.pattern
    for row in layout.body {
      let index = search.top + row - layout.body.lowerBound
      guard search.hits.indices.contains(index) else { break }
      let hit = search.hits[index]
      let isSelected = index == search.selected
      let ground = isSelected ? theme.selection : theme.plain
      if isSelected {
        surface.fill(row: row, 0..<width, ground)
        surface.set(glyphs.cursor, row: row, column: 0, theme.warning.on(ground))
      }
      let size = sizes.string(hit.size)
      surface.put(size, row: row, column: width - ColumnWidth.of(size), ground)
      let name = browser.text(hit.path) + (hit.isDirectory ? "/" : "")
      let text = fitted(name, width - 11)
      surface.put(text, row: row, column: 2, before: width - 9, ground)
      guard text == name, let range = pattern.range(in: Array(text.utf8)),
        text.utf8.count == text.count
      else { continue }
      let accent = theme.accent.adding(.underline)
      surface.restyle(row: row, 2 + range.lowerBound..<2 + range.upperBound) { style in
        style = accent.on(style)
      }
    }
    paintScrollBar(count: search.hits.count, top: search.top, column: width, on: &surface)
  }
}
