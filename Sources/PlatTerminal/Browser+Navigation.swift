import PlatTree

extension Browser {
  /// Reads the directory that is shown again.
  ///
  /// - Parameters:
  ///   - name: The name to select.
  ///   - index: The row to select if there is no such name.
  internal mutating func reload(selecting name: [UInt8]?, near index: Int = 0) {
    guard let tree else { return }
    if let comparison {
      list = comparison.rows(of: directory, in: tree, measure, treeMarks)
    } else {
      list = RowList(tree, directory, measure: measure, marks: treeMarks)
    }
    applyFilter()
    list.sort(by: order)
    let found = name.flatMap { name in name.isEmpty ? nil : list.index(named: name) }
    selected = found ?? min(max(index, 0), max(list.rows.count - 1, 0))
    scrollToSelection()
  }

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
    remembered[tree.path(of: directory)] = selectedName
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
    adoptNow()
    measure = measure == .allocated ? .apparent : .allocated
    categories = nil
    map = nil
    filterSums = nil
    reload(selecting: name)
    message = measure == .allocated ? "Sizes on disk." : "Apparent sizes."
    guard let tree else { return [] }
    return [.addUp(tree, revision: shown.revision, measure)] + (filter.map { setFilter($0) } ?? [])
      + compareEntries()
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

  /// Makes the map if it is not that of what is shown.
  internal mutating func prepareMap(isOutlined: Bool) {
    let layout = layout
    guard let tree, let columns = layout.mapColumns, list.rows.count > 0 else { return }
    let request = MapModel.Request(
      directory: directory,
      revision: shown.revision,
      measure: measure,
      columns: columns.count,
      rows: layout.mapRows.count,
      style: mapStyle,
      key: colorKey,
      isOutlined: isOutlined,
      hasCategories: categories != nil,
      day: now / 86_400
    )
    guard map?.request != request else { return }
    map = MapModel(
      request,
      of: tree,
      categories: categories,
      names: settings.ownerNames,
      after: map
    )
  }
}
