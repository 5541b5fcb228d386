import PlatTree

extension Browser {
  /// Goes to a row, as near as there is one.
  internal mutating func select(_ index: Int) {
    selected = min(max(index, 0), max(list.rows.count - 1, 0))
    scrollToSelection()
  }

  /// Scrolls so that the selected row is visible, with some rows around it.
  internal mutating func scrollToSelection() {
    let layout = layout
    let height = max(layout.body.count, 1)
    let margin = min(layout.scrollMargin, (height - 1) / 2)
    top = min(top, selected - margin)
    top = max(top, selected + margin - height + 1)
    top = min(max(top, 0), max(list.rows.count - height, 0))
  }

  /// Scrolls without a change of the selection, as far as it stays visible.
  internal mutating func scroll(by rows: Int) {
    let height = max(layout.body.count, 1)
    top = min(max(top + rows, 0), max(list.rows.count - height, 0))
    selected = min(max(selected, top), max(min(top + height, list.rows.count) - 1, 0))
  }

  /// Opens the directory that is selected.
  internal mutating func openSelected() {
    guard let row = selectedRow, row.isDirectory, let id = row.id else { return }
    go(to: id.directory)
  }

  /// Shows a directory.
  ///
  /// - Parameters:
  ///   - target: The directory.
  ///   - name: The name to select; without it, what was selected there last.
  internal mutating func go(to target: DirectoryID, selecting name: [UInt8]? = nil) {
    guard let tree else { return }
    if target == directory, hasList, let row = name.flatMap({ list.index(named: $0) }) {
      return select(row)
    }
    remembered[tree.path(of: directory)] = selectedName
    if target != directory {
      growing = []
      (entriesToRead, nameToRead) = (nil, nil)
    }
    directory = target
    top = 0
    reload(selecting: name ?? remembered[tree.path(of: target)])
  }

  /// Shows the directory above, with the one that was shown selected.
  internal mutating func goUp() {
    guard let tree, let parent = tree.parent(of: directory) else { return }
    go(to: parent, selecting: Array(tree.name(of: directory)))
  }

  /// Sorts by a key, or the other way round if that is the order already.
  internal mutating func sort(by key: RowOrder.Key) {
    let name = selectedName
    order = order.pressed(key)
    reload(selecting: name)
  }

  /// Shows the other of the two sizes.
  internal mutating func toggleMeasure() -> [BrowserEffect] {
    let name = selectedName
    measure = measure == .allocated ? .apparent : .allocated
    (categories, filterSums) = (nil, nil)
    reload(selecting: name)
    message = measure == .allocated ? "Sizes on disk." : "Apparent sizes."
    return prepareAgain() + (filter.map { setFilter($0) } ?? []) + compareEntries()
  }

  /// Moves in the map to the tile that is next in a direction.
  internal mutating func moveInMap(columns: Int = 0, rows: Int = 0) {
    guard let map, let tile = map.topTile(of: selectedRow?.id) else { return }
    guard let next = map.neighbor(of: tile, columns: columns, rows: rows) else { return }
    select(tile: next)
  }

  /// Selects the row of a tile; of a group, the first row in it.
  internal mutating func select(tile index: Int) {
    guard let map, index > 0 else { return }
    if let id = map.tiles[index].row {
      if let row = list.rows.firstIndex(where: { $0.id == id }) { select(row) }
      return
    }
    let own = Set(map.tiles.dropFirst().prefix { $0.depth == 1 }.compactMap(\.row))
    if let row = list.rows.firstIndex(where: { $0.id.map { !own.contains($0) } ?? true }) {
      select(row)
    }
  }
}
