import PlatTree

// The list of changes since an older snapshot.
extension ScreenPainter {
  private struct ChangeColumns {
    var name: Int
    var bar: Int
    var change = 10
    var now: Int
  }

  private func divide(_ width: Int) -> ChangeColumns {
    let bar = width < 40 ? 10 : width < 56 ? 16 : 18
    let now = width >= 60 ? 9 : 0
    let change = 10
    let name = width - 2 - 1 - bar - 1 - change - (now > 0 ? now + 1 : 1)
    guard name >= 10 else { return ChangeColumns(name: max(width - 14, 4), bar: 0, now: 0) }
    return ChangeColumns(name: name, bar: bar, now: now)
  }

  internal func paintChanges(
    _ list: ScreenLayout.ListColumns,
    on surface: inout Surface
  ) {
    let columns = divide(list.width)
    let barStart = 2 + columns.name + 1
    let changeEnd = barStart + (columns.bar > 0 ? columns.bar + 1 : 0) + columns.change
    if let row = layout.headRow {
      surface.put("Name", row: row, column: 2, before: 2 + columns.name, theme.muted)
      if columns.bar > 0 {
        let text = columns.bar >= 16 && list.width >= 60 ? "shrunk | grown" : "-  |  +"
        let axis = Array(text).firstIndex(of: "|") ?? 0
        surface.put(text, row: row, column: barStart + columns.bar / 2 - axis, theme.muted)
      }
      let arrow = browser.order.isAscending ? glyphs.ascending : glyphs.descending
      surface.put("Change \(arrow)", row: row, column: changeEnd - 8, theme.accent)
      if columns.now > 0 {
        surface.put("Now", row: row, column: changeEnd + 1 + columns.now - 3, theme.muted)
      }
    }
    let largest = browser.list.largestChange
    for row in layout.body {
      let index = browser.top + row - layout.body.lowerBound
      guard browser.list.rows.indices.contains(index) else { break }
      let item = browser.list.rows[index]
      guard let change = item.change else { continue }
      let isSelected = index == browser.selected
      let ground = isSelected ? theme.selection : theme.plain
      if isSelected { surface.fill(row: row, 0..<list.width, ground) }
      var nameColumns = list
      nameColumns.name = columns.name
      paintName(index, nameColumns, row: row, on: &surface)
      if columns.bar > 0 {
        paintChange(change, largest, columns.bar, ground, row: row, column: barStart, on: &surface)
      }
      let text = signed(change)
      let style = isSelected ? ground : change.grown > 0 ? theme.growth : theme.shrinkage
      surface.put(text, row: row, column: changeEnd - ColumnWidth.of(text), style.bold)
      if columns.now > 0 {
        let size = sizes.string(item.size)
        surface.put(
          size,
          row: row,
          column: changeEnd + 1 + columns.now - ColumnWidth.of(size),
          isSelected ? ground : theme.muted
        )
      }
    }
    paintScrollBar(
      count: browser.list.rows.count,
      top: browser.top,
      column: list.width,
      on: &surface
    )
  }

  /// Draws a bar from the middle: to the right what has grown, to the left what has shrunk.
  private func paintChange(
    _ change: RowChange,
    _ largest: UInt64,
    _ width: Int,
    _ ground: CellStyle,
    row: Int,
    column: Int,
    on surface: inout Surface
  ) {
    let half = width / 2
    let axis = column + half
    surface.set(glyphs.axis, row: row, column: axis, theme.rule.on(ground))
    let share = Double(change.magnitude) / Double(max(largest, 1))
    if glyphs.isASCII {
      let count = max(Int((share * Double(half - 1)).rounded()), change.magnitude > 0 ? 1 : 0)
      let start = change.grown > 0 ? axis + 1 : axis - count
      surface.put(String(repeating: "#", count: count), row: row, column: start, ground)
      return
    }
    let length = max(Int((share * Double((half - 1) * 8)).rounded()), change.magnitude > 0 ? 1 : 0)
    if change.grown > 0 {
      let style = theme.growth.on(ground)
      for cell in 0..<length / 8 { surface.set("█", row: row, column: axis + 1 + cell, style) }
      if length % 8 > 0 {
        surface.set(glyphs.eighths[length % 8 - 1], row: row, column: axis + 1 + length / 8, style)
      }
    } else {
      let style = theme.shrinkage.on(ground)
      for cell in 0..<length / 8 { surface.set("█", row: row, column: axis - 1 - cell, style) }
      // There are no blocks that are filled from the right but the half and the eighth.
      let rest = length % 8
      if rest >= 3 {
        surface.set("▐", row: row, column: axis - 1 - length / 8, style)
      } else if rest > 0, !theme.isConsole {
        surface.set("▕", row: row, column: axis - 1 - length / 8, style)
      }
    }
  }
}
