import PlatTree

/// Which entries were added, removed and moved between two trees: what sizes alone do not tell.
///
/// What was added, removed or moved as a whole is one entry, however much it holds.
internal struct ComparedEntries: Sendable {
  /// What the answer depends on.
  internal struct Request: Hashable, Sendable {
    internal var takenAt: Int64
    internal var revision: Int
    internal var measure: SizeMeasure
  }

  /// How many entries there are of each kind.
  internal struct Counts: Hashable, Sendable {
    internal var added = 0
    internal var removed = 0
    internal var moved = 0
  }

  internal let request: Request
  /// The entries, in order of their paths.
  private let changes: [(path: [UInt8], kind: TreeDiff.Change.Kind)]
  /// The paths that something has moved to, and from.
  private var moves: Set<[UInt8]> = []

  /// Compares two trees of a root, the newer one from its top.
  internal init(_ request: Request, from old: FileTree, to new: FileTree) {
    self.request = request
    let top = old.directory(atPath: new.path(of: new.root))
    let diff = top.map { TreeDiff(from: (old, $0), to: (new, new.root), by: request.measure) }
    let found = diff?.changes ?? []
    changes = found.compactMap { change in
      switch change.kind {
      case .added, .removed, .moved: (change.path, change.kind)
      case .grown, .shrunk, .replaced: nil
      }
    }
    for change in found where change.kind == .moved {
      moves.insert(change.path)
      if let formerPath = change.formerPath { moves.insert(formerPath) }
    }
  }

  /// Returns whether something has moved to a path, or from there.
  internal func isMove(_ path: [UInt8]) -> Bool { moves.contains(path) }

  /// Returns how many entries below a directory are not as they were.
  internal func counts(below directory: [UInt8]) -> Counts {
    var first = directory
    if first.last != UInt8(ascii: "/") { first.append(UInt8(ascii: "/")) }
    var counts = Counts()
    // What is below follows the path with a slash, up to the first that does not begin so.
    for change in changes[
      changes.partitioningIndex { !$0.path.lexicographicallyPrecedes(first) }...
    ] {
      guard change.path.starts(with: first) else { break }
      switch change.kind {
      case .added: counts.added += 1
      case .removed: counts.removed += 1
      default: counts.moved += 1
      }
    }
    return counts
  }
}

extension Array {
  /// Returns the first index from which on a condition holds, which does not hold before it.
  fileprivate func partitioningIndex(where isSecond: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isSecond(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension Browser {
  /// Asks for what was added, removed and moved, while an older snapshot is compared with.
  internal func compareEntries() -> [BrowserEffect] {
    guard let comparison, let tree else { return [] }
    let request = ComparedEntries.Request(
      takenAt: comparison.takenAt,
      revision: shown.revision,
      measure: measure
    )
    guard comparison.entries?.request != request else { return [] }
    return [.compare(request, comparison.tree, tree)]
  }

  /// Counts what was added, removed and moved in the directory that is shown.
  internal mutating func countChanges() {
    guard let tree, let entries = comparison?.entries else { return }
    comparison?.counts = entries.counts(below: tree.path(of: directory))
  }

  /// Takes what was added, removed and moved, unless something else is compared by now.
  internal mutating func accept(_ entries: ComparedEntries) {
    let request = entries.request
    guard let comparison, comparison.takenAt == request.takenAt,
      shown.revision == request.revision, measure == request.measure
    else { return }
    self.comparison?.entries = entries
    reload(selecting: selectedName)
  }
}
