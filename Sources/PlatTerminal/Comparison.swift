package import PlatTree

/// An older snapshot that the tree is compared with.
package struct Comparison: Sendable {
  /// Which snapshot to load next.
  package enum Step: Hashable, Sendable {
    /// The one before the newest.
    case first
    case older, newer
  }

  /// A snapshot that was loaded for comparing, or why there is none.
  package enum Loaded: Sendable {
    case snapshot(tree: FileTree, takenAt: Int64)
    case none(reason: String)
  }

  /// The older tree.
  internal let tree: FileTree
  /// When it was read, in seconds since 1970.
  internal let takenAt: Int64
  /// Which entries were added, removed and moved, once that is known.
  internal var entries: ComparedEntries?
  /// How many of them are below the directory that is shown.
  internal var counts: ComparedEntries.Counts?
}

/// How an entry differs from an older snapshot.
internal struct RowChange: Hashable, Sendable {
  internal enum Kind: Hashable, Sendable {
    case kept, added, gone
    /// It came from elsewhere.
    case movedHere
    /// It is elsewhere now.
    case movedAway
  }

  internal var kind = Kind.kept
  internal var grown: UInt64 = 0
  internal var shrunk: UInt64 = 0

  /// The size of the change, without its direction.
  internal var magnitude: UInt64 { max(grown, shrunk) }

  internal init(kind: Kind = .kept, from old: UInt64, to new: UInt64) {
    self.kind = kind
    grown = new > old ? new - old : 0
    shrunk = old > new ? old - new : 0
  }
}

extension Comparison {
  /// Returns the entries of a directory with their changes; those that are gone are among them, and
  /// those that are the same size as before are not.
  internal func rows(
    of directory: DirectoryID,
    in new: FileTree,
    _ measure: SizeMeasure,
    _ marks: TreeMarks
  ) -> RowList {
    let now = RowList(new, directory, measure: measure, marks: marks)
    var before = RowList()
    if let old = tree.directory(atPath: new.path(of: directory)) {
      before = RowList(tree, old, measure: measure, marks: TreeMarks())
    }
    var old: [ArraySlice<UInt8>: Row] = [:]
    for (index, row) in before.rows.enumerated() { old[before.name(at: index)] = row }
    func isMove(_ name: ArraySlice<UInt8>) -> Bool {
      guard let entries else { return false }
      var path = new.path(of: directory)
      path.appendComponent(name)
      return entries.isMove(path)
    }
    var list = RowList()
    for (index, row) in now.rows.enumerated() {
      var row = row
      let name = now.name(at: index)
      let past = old.removeValue(forKey: name)
      row.change = RowChange(
        kind: past != nil ? .kept : isMove(name) ? .movedHere : .added,
        from: past?.size ?? 0,
        to: row.size
      )
      guard past == nil || past?.size != row.size else { continue }
      list.append(row, name: name)
    }
    for (name, row) in old {
      var row = row
      row.id = nil
      row.change = RowChange(kind: isMove(name) ? .movedAway : .gone, from: row.size, to: 0)
      row.size = 0
      row.items = 0
      list.append(row, name: name)
    }
    return list
  }

  /// Returns what has come and what has gone below a directory, taken together.
  internal func net(
    of directory: DirectoryID,
    in new: FileTree,
    _ measure: SizeMeasure
  ) -> RowChange {
    let old = tree.directory(atPath: new.path(of: directory))
    return RowChange(
      from: old.map { tree.size(of: $0, measure) } ?? 0,
      to: new.size(of: directory, measure)
    )
  }
}

extension Browser {
  internal mutating func toggleComparison() -> [BrowserEffect] {
    guard comparison == nil else {
      leaveComparison()
      return []
    }
    message = "Loading an older snapshot."
    return [.loadSnapshot(.first)]
  }

  internal mutating func leaveComparison() {
    let name = selectedName
    comparison = nil
    reload(selecting: name)
  }

  /// Compares with a snapshot that has been loaded.
  internal mutating func compare(with loaded: Comparison.Loaded) -> [BrowserEffect] {
    switch loaded {
    case .none(let reason):
      message = reason
      return []
    case .snapshot(let tree, let takenAt):
      let name = comparison == nil ? [] : selectedName
      message = nil
      comparison = Comparison(tree: tree, takenAt: takenAt)
      reload(selecting: name)
      return compareEntries()
    }
  }
}
