import PlatTree

/// The making of the list of a directory: all that its rows depend on.
///
/// It takes long where a directory has very many entries, and is then done on another thread.
internal struct ListMaking: Sendable {
  /// A list as it was made.
  internal struct Made: Sendable {
    internal var turn: Int
    internal var list: RowList
    internal var selected: Int
  }

  /// The number of the list among those that were asked for: only the last one counts.
  internal var turn: Int
  internal var tree: FileTree
  internal var directory: DirectoryID
  internal var measure: SizeMeasure
  internal var order: RowOrder
  internal var owners: OwnerNames
  internal var marks: TreeMarks
  internal var comparison: Comparison?
  internal var filter: ListFilter?
  /// What the filter leaves of directories, once that is known.
  internal var sums: FilterSums?
  /// The time, in seconds since 1970.
  internal var now: Int64
  /// The name to select, and the row if there is no such name.
  internal var name: [UInt8]?
  internal var index: Int

  /// How many entries are looked at.
  internal var count: Int {
    var count = tree.subdirectories(of: directory).count + tree.listing(of: directory).count
    if let old = comparison?.tree, let before = old.directory(atPath: tree.path(of: directory)) {
      count += old.subdirectories(of: before).count + old.listing(of: before).count
    }
    return count
  }

  internal func run() -> Made {
    var list =
      comparison.map { $0.rows(of: directory, in: tree, measure, marks) }
      ?? RowList(tree, directory, measure: measure, marks: marks)
    if let filter { apply(filter, to: &list) }
    list.sort(by: order, owners: owners)
    let found = name.flatMap { name in name.isEmpty ? nil : list.index(named: name) }
    let selected = found ?? min(max(index, 0), max(list.rows.count - 1, 0))
    return Made(turn: turn, list: list, selected: selected)
  }

  /// Takes from a list what a filter leaves out; directories keep what is left in them.
  private func apply(_ filter: ListFilter, to list: inout RowList) {
    let whole = list
    list.update { row, name in
      guard row.isDirectory else {
        return filter.includes(
          name: name,
          size: row.size,
          modified: row.modified,
          category: whole.category(of: row),
          now: now
        )
      }
      // Until the sums are there, no directory is left out.
      guard let sums, let id = row.id else { return true }
      row.size = sums.size(of: id.directory)
      row.items = sums.count(of: id.directory)
      return row.items > 0
    }
  }
}

extension Browser {
  /// A list of no more entries is made at once: nobody notices.
  private static let atOnce = 4096

  /// Whether the list is that of the directory and the tree that are shown.
  internal var hasList: Bool { listPlace == ListPlace(directory, shown.revision) }

  /// Whether the list takes so long to make that the one that is shown stays meanwhile.
  internal var isListLong: Bool { list.rows.count > Self.atOnce && !settings.isPlain }

  /// Makes the list of the directory that is shown anew.
  ///
  /// A long one is made on another thread: what was there stays until then, unless it was that of
  /// another directory.
  ///
  /// - Parameters:
  ///   - name: The name to select.
  ///   - index: The row to select if there is no such name.
  internal mutating func reload(selecting name: [UInt8]?, near index: Int = 0) {
    var name = name
    // Where there is no list yet, nobody has chosen another name.
    if entriesToRead != nil, !hasList, name?.isEmpty ?? true { name = nameToRead }
    guard let making = listMaking(selecting: name, near: index) else { return }
    countChanges()
    listTurn += 1
    guard !settings.isPlain, making.count > Self.atOnce else { return accept(making.run()) }
    if !hasList {
      (list, selected, top) = (RowList(), 0, 0)
      (entriesToRead, nameToRead) = (making.count, name)
    }
    selectedBefore = selected
    pending.append(.list(making))
  }

  /// Returns the making of the list after this one.
  internal func listMaking(selecting name: [UInt8]?, near index: Int) -> ListMaking? {
    tree.map { tree in
      ListMaking(
        turn: listTurn + 1,
        tree: tree,
        directory: directory,
        measure: measure,
        order: order,
        owners: settings.ownerNames,
        marks: treeMarks,
        comparison: comparison,
        filter: filter,
        sums: filterSums,
        now: now,
        name: name,
        index: index
      )
    }
  }

  /// Shows a list, unless another one was asked for since.
  internal mutating func accept(_ made: ListMaking.Made) {
    guard made.turn == listTurn else { return }
    // Somebody may have moved in the list that was there.
    let chosen = hasList && selectedBefore.map { $0 != selected } == true ? selectedRow?.id : nil
    list = made.list
    selected = chosen.flatMap { id in list.rows.firstIndex { $0.id == id } } ?? made.selected
    listPlace = ListPlace(directory, shown.revision)
    (entriesToRead, nameToRead, selectedBefore) = (nil, nil, nil)
    scrollToSelection()
  }
}

/// The directory of a tree that a list is of.
internal struct ListPlace: Hashable, Sendable {
  private let directory: DirectoryID
  private let revision: Int

  internal init(_ directory: DirectoryID, _ revision: Int) {
    (self.directory, self.revision) = (directory, revision)
  }
}
