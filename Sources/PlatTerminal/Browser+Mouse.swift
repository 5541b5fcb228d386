import PlatTree

/// The last click, for telling a double one.
internal struct Click: Hashable, Sendable {
  internal var event: MouseEvent
  /// When it was, in milliseconds of the clock of the process.
  internal var time: Int64
}

extension Browser {
  /// Two clicks within this time open what is under them, in milliseconds.
  private static let doubleClick: Int64 = 400

  internal mutating func mouse(_ event: MouseEvent) -> [BrowserEffect] {
    switch event.kind {
    case .wheelUp: scroll(by: -3)
    case .wheelDown: scroll(by: 3)
    case .secondaryPress: goUp()
    case .drag: drag(to: event)
    case .release: isDraggingSplit = false
    case .press:
      let isDouble =
        lastClick.map { click in
          milliseconds - click.time <= Self.doubleClick && click.event.row == event.row
            && abs(click.event.column - event.column) <= 1
        } ?? false
      lastClick = isDouble ? nil : Click(event: event, time: milliseconds)
      return click(event, isDouble: isDouble)
    }
    return []
  }

  private mutating func click(_ event: MouseEvent, isDouble: Bool) -> [BrowserEffect] {
    let layout = layout
    if event.row == 0 {
      clickTitle(event.column)
    } else if let mapColumns = layout.mapColumns, mapColumns.contains(event.column),
      layout.mapRows.contains(event.row)
    {
      let tile = map?.tile(
        row: event.row - layout.mapRows.lowerBound,
        column: event.column - mapColumns.lowerBound
      )
      if let tile { select(tile: tile) }
      if isDouble { openSelected() }
    } else if let columns = layout.mapColumns, event.row == layout.legendRow {
      return clickLegend(event.column, columns)
    } else if let list = layout.list, event.column <= list.width {
      if layout.body.contains(event.row) {
        let row = top + event.row - layout.body.lowerBound
        guard row < self.list.rows.count else { return [] }
        select(row)
        if isDouble { openSelected() }
      } else if event.row == layout.headRow {
        clickHead(event.column, list)
      }
    } else if let list = layout.list, event.column == list.width + 1 {
      isDraggingSplit = layout.mapColumns != nil
    }
    return []
  }

  /// Shows the kind of files under a click alone, or all if it is shown alone already.
  private mutating func clickLegend(_ column: Int, _ columns: Range<Int>) -> [BrowserEffect] {
    let entry = map?.legendEntries(in: columns).first { $0.columns.contains(column) }
    guard let category = entry?.category else { return [] }
    let text = "type:\(category.keyword)"
    guard filter?.text != text, case .success(let filter) = ListFilter.parse(text) else {
      return setFilter(nil)
    }
    return setFilter(filter)
  }

  private mutating func drag(to event: MouseEvent) {
    guard isDraggingSplit else { return }
    split = min(max(event.column - 1, 20), columns - 22)
    scrollToSelection()
  }

  /// Sorts by the head under a click.
  private mutating func clickHead(_ column: Int, _ list: ScreenLayout.ListColumns) {
    let place = list.places.first { (0...$0.width).contains(column - $0.start + 1) }
    sort(by: place?.column.order ?? .name)
  }

  /// Goes to the part of the path under a click.
  private mutating func clickTitle(_ column: Int) {
    guard let tree else { return }
    let parts = breadcrumb(room: ScreenPainter(self, theme: ScreenTheme(depth: .none)).pathRoom)
    var start = 1
    for (index, part) in parts.enumerated() {
      let width = ColumnWidth.of(part.text)
      if (start..<start + width).contains(column), let target = part.directory {
        guard target != directory else { return }
        // The part after this one is on the way to where the person was.
        let next = parts[(index + 1)...].compactMap(\.directory).first ?? directory
        return go(to: target, selecting: Array(tree.name(of: next)))
      }
      start += width + 3
    }
  }
}

// MARK: The way to the directory

extension Browser {
  internal struct Crumb: Sendable {
    internal var text: String
    internal var directory: DirectoryID?
  }

  /// The parts of the path that is shown, as many as fit, and the last always.
  ///
  /// - Parameters:
  ///   - room: The columns for the parts and what separates them.
  ///   - ellipsis: What stands for parts that are left out, in one column.
  /// - Returns: The parts from the root on, and those that are left out as one that is no directory.
  internal func breadcrumb(room: Int, ellipsis: String = "…") -> [Crumb] {
    guard let tree else {
      return [Crumb(text: text(shown.root), directory: nil)]
    }
    var crumbs: [Crumb] = []
    var next: DirectoryID? = directory
    while let id = next {
      crumbs.insert(Crumb(text: text(tree.name(of: id)), directory: id), at: 0)
      next = tree.parent(of: id)
    }
    func width(_ crumbs: [Crumb]) -> Int {
      crumbs.reduce(-3) { $0 + ColumnWidth.of($1.text) + 3 }
    }
    if width(crumbs) > room, crumbs.count > 1 {
      // The root's path may be long, and it is what is below that tells where one is.
      let root = crumbs[0].text
      crumbs[0].text = ColumnWidth.truncatingMiddle(of: root, to: room / 2, ellipsis: ellipsis)
    }
    var isShortened = false
    while width(crumbs) > room, crumbs.count > (isShortened ? 3 : 2) {
      crumbs.remove(at: isShortened ? 2 : 1)
      if !isShortened { crumbs.insert(Crumb(text: ellipsis, directory: nil), at: 1) }
      isShortened = true
    }
    if width(crumbs) > room, let last = crumbs.last { return [last] }
    return crumbs
  }
}
