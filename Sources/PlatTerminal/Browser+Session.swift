import PlatTree

// What a session brings: the person stays where they are.
extension Browser {
  /// A tree that takes the place of the one that is shown as soon as it has been prepared.
  internal struct Successor: Sendable {
    internal var state: ShownState
    internal var prepared: Preparation.Prepared?
  }

  /// The least time from one look of a tree that grows to the next, in milliseconds.
  private static let pace: Int64 = 1000
  /// A tree that grows stays as it is until this long after a key, in milliseconds.
  private static let rest: Int64 = 500

  /// Shows what a session has.
  internal mutating func show(_ state: ShownState) -> [BrowserEffect] {
    let old = shown
    var state = state
    if state.tree != nil, state.revision == replacedRevision, state.root == old.root {
      // What was removed since does not come back.
      (state.tree, state.revision) = (old.tree, old.revision)
    }
    if let failure = state.failure, old.failure != failure, state.tree != nil {
      mode = .box(.failure(failure))
    }
    let isOtherRoot = old.root != state.root
    if isOtherRoot { forgetRoot() }
    guard let tree = state.tree else {
      shown = state
      if !isOtherRoot, state.failure == nil, state.progress == nil, old.isPartial {
        // The scan was stopped: what was seen stays.
        (shown.tree, shown.revision, shown.isPartial) = (old.tree, old.revision, true)
      } else if old.tree != nil {
        (list, categories, newestMap, directory) = (RowList(), nil, nil, DirectoryID(0))
        (listPlace, entriesToRead) = (nil, nil)
      }
      return []
    }
    guard let oldTree = old.tree, !isOtherRoot else { return adopt(state, nil) }
    shown = state
    guard state.revision != old.revision else { return [] }
    (shown.tree, shown.revision, shown.checkedAt) = (oldTree, old.revision, old.checkedAt)
    shown.isPartial = old.isPartial
    // The end of a scan is not shown before its tree is.
    if !state.isPartial { shown.progress = state.progress ?? old.progress }
    return wait(for: state, tree)
  }

  /// Says what the scan of one directory has not looked at elsewhere.
  internal mutating func sayWhatWasLeft(by state: ShownState) {
    guard state.failure == nil, !state.isStale, state.uncheckedFiles > 0 else { return }
    let files = NumberFormat.counted(state.uncheckedFiles, "file")
    message = "Looked at again. Elsewhere \(files) went unchecked; R looks at everything."
  }

  /// Has a tree prepared before it is shown, so that nothing loses its colours or its rows for a moment.
  internal mutating func wait(for state: ShownState, _ tree: FileTree) -> [BrowserEffect] {
    if let successor, successor.state.revision == state.revision {
      self.successor?.state = state
      return []
    }
    if let successor, successor.prepared == nil, state.isPartial {
      // To begin anew each time would never come to an end.
      afterSuccessor = state
      return []
    }
    successor = Successor(state: state)
    afterSuccessor = nil
    return [.prepare(preparation(of: state, tree))]
  }

  private func preparation(of state: ShownState, _ tree: FileTree) -> Preparation {
    var preparation = Preparation(tree: tree, revision: state.revision, measure: measure)
    guard let list = listMaking(selecting: nameToKeep, near: selected), let shownTree = shown.tree
    else { return preparation }
    preparation.view = Preparation.View(
      path: shownTree.path(of: directory),
      list: list,
      map: map,
      names: settings.ownerNames,
      sizes: settings.sizes
    )
    return preparation
  }

  /// Prepares what is shown, or is to be shown next, in the sizes that are shown now.
  internal mutating func prepareAgain() -> [BrowserEffect] {
    if let waiting = successor?.state, let tree = waiting.tree {
      successor?.prepared = nil
      return [.prepare(preparation(of: waiting, tree))]
    }
    return tree.map {
      [.prepare(Preparation(tree: $0, revision: shown.revision, measure: measure))]
    } ?? []
  }

  internal mutating func accept(_ prepared: Preparation.Prepared) -> [BrowserEffect] {
    guard prepared.measure == measure else { return [] }
    if prepared.revision == shown.revision { categories = prepared.categories }
    guard successor?.state.revision == prepared.revision else { return [] }
    successor?.prepared = prepared
    return adoptIfDue()
  }

  /// Shows the tree that waits, if it is time.
  internal mutating func adoptIfDue() -> [BrowserEffect] {
    guard let successor, let prepared = successor.prepared else { return [] }
    if successor.state.isPartial {
      guard milliseconds - lastAdoption >= Self.pace, milliseconds - lastKey >= Self.rest else {
        return []
      }
    }
    self.successor = nil
    lastAdoption = milliseconds
    var effects = adopt(successor.state, prepared)
    if let next = afterSuccessor {
      afterSuccessor = nil
      effects += show(next)
    }
    return effects
  }

  /// Shows the tree that waits, prepared or not.
  internal mutating func adoptNow() {
    guard let waiting = successor else { return }
    successor = nil
    _ = adopt(waiting.state, waiting.prepared)
  }

  /// The name to select in the next tree: until somebody moves it is the first row, whatever that is.
  private var nameToKeep: [UInt8]? { isUntouched ? nil : selectedName }

  /// Shows a tree in place of another: directory, selection and order stay.
  internal mutating func adopt(
    _ state: ShownState,
    _ prepared: Preparation.Prepared?
  ) -> [BrowserEffect] {
    guard let tree = state.tree else { return [] }
    let path = shown.tree.map { $0.path(of: directory) } ?? state.root
    let name = nameToKeep
    let oldList = state.isPartial && hasList && !isListLong ? list : nil
    defer { growing = oldList.map { list.grownDirectories(since: $0) } ?? [] }
    shown = state
    treeMarks = prepared?.marks ?? TreeMarks(tree)
    categories = prepared?.categories
    filterSums = nil
    // Another list may have been asked for since.
    if let view = prepared?.view, view.list.turn == listTurn + 1 {
      (directory, filterSums) = (view.directory, view.sums)
      newestMap = view.map ?? newestMap
      listTurn += 1
      selectedBefore = nil
      accept(view.list)
      if view.name != name, let name { selectRow(named: name) }
      countChanges()
      return compareEntries()
    }
    directory = tree.nearestDirectory(to: path)
    let isSamePlace = tree.path(of: directory) == path
    reload(selecting: isSamePlace ? name : nil, near: selected)
    var effects: [BrowserEffect] = []
    if prepared == nil {
      effects.append(
        .prepare(Preparation(tree: tree, revision: state.revision, measure: measure))
      )
    }
    if let filter { effects += setFilter(filter) }
    return effects + compareEntries()
  }

  private mutating func selectRow(named name: [UInt8]) {
    if !name.isEmpty, let row = list.index(named: name) { select(row) }
  }

  /// Forgets what belongs to a root that is left.
  private mutating func forgetRoot() {
    (remembered, heldSearch, comparison) = ([:], nil, nil)
    (successor, afterSuccessor) = (nil, nil)
    shown.tree = nil
    (list, selected, top) = (RowList(), 0, 0)
    (listPlace, entriesToRead) = (nil, nil)
    isUntouched = true
  }
}
