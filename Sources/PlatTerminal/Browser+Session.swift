import PlatTree

// What a session brings: the person stays where they are.
extension Browser {
  /// A tree that takes the place of the one that is shown as soon as it has been added up.
  internal struct Successor: Sendable {
    internal var state: ShownState
    internal var categories: CategorySizes?
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
        (list, categories, map, directory) = (RowList(), nil, nil, DirectoryID(0))
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

  /// Has a tree added up before it is shown, so that nothing loses its colours for a moment.
  private mutating func wait(for state: ShownState, _ tree: FileTree) -> [BrowserEffect] {
    if let successor, successor.state.revision == state.revision {
      self.successor?.state = state
      return []
    }
    if let successor, successor.categories == nil, state.isPartial {
      // To begin anew each time would never come to an end.
      afterSuccessor = state
      return []
    }
    successor = Successor(state: state)
    afterSuccessor = nil
    return [.addUp(tree, revision: state.revision, measure)]
  }

  internal mutating func accept(
    _ categories: CategorySizes,
    _ revision: Int,
    _ measure: SizeMeasure
  ) -> [BrowserEffect] {
    guard measure == self.measure else { return [] }
    if revision == shown.revision { self.categories = categories }
    guard successor?.state.revision == revision else { return [] }
    successor?.categories = categories
    return adoptIfDue()
  }

  /// Shows the tree that waits, if it is time.
  internal mutating func adoptIfDue() -> [BrowserEffect] {
    guard let successor, let categories = successor.categories else { return [] }
    if successor.state.isPartial {
      guard milliseconds - lastAdoption >= Self.pace, milliseconds - lastKey >= Self.rest else {
        return []
      }
    }
    self.successor = nil
    lastAdoption = milliseconds
    var effects = adopt(successor.state, categories)
    if let next = afterSuccessor {
      afterSuccessor = nil
      effects += show(next)
    }
    return effects
  }

  /// Shows the tree that waits, added up or not.
  internal mutating func adoptNow() {
    guard let waiting = successor else { return }
    successor = nil
    _ = adopt(waiting.state, nil)
  }

  /// Shows a tree in place of another: directory, selection and order stay.
  internal mutating func adopt(
    _ state: ShownState,
    _ categories: CategorySizes?
  ) -> [BrowserEffect] {
    guard let tree = state.tree else { return [] }
    let path = shown.tree.map { $0.path(of: directory) } ?? state.root
    // Until somebody moves, the first row is selected, whatever comes to be the first.
    let name = isUntouched ? nil : selectedName
    shown = state
    treeMarks = TreeMarks(tree)
    self.categories = categories
    filterSums = nil
    directory = nearestDirectory(to: path, in: tree)
    let isSamePlace = tree.path(of: directory) == path
    reload(selecting: isSamePlace ? name : nil, near: selected)
    var effects: [BrowserEffect] = []
    if categories == nil { effects.append(.addUp(tree, revision: state.revision, measure)) }
    if let filter { effects += setFilter(filter) }
    return effects + compareEntries()
  }

  /// Forgets what belongs to a root that is left.
  private mutating func forgetRoot() {
    (remembered, heldSearch, comparison) = ([:], nil, nil)
    (successor, afterSuccessor) = (nil, nil)
    shown.tree = nil
    (list, selected, top) = (RowList(), 0, 0)
    isUntouched = true
  }

  /// Returns the directory with a path, or the nearest one above it that there still is.
  private func nearestDirectory(to path: [UInt8], in tree: FileTree) -> DirectoryID {
    var path = path
    while true {
      if let directory = tree.directory(atPath: path) { return directory }
      guard let slash = path.lastIndex(of: UInt8(ascii: "/")), slash > 0 else { return tree.root }
      path.removeSubrange(slash...)
    }
  }
}
