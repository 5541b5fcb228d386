import PlatTree

/// The entries that a person has marked, in the order of marking.
///
/// Marks are paths, so that they outlive the tree in which they were made.
internal struct MarkList: Sendable {
  internal struct Mark: Hashable, Sendable {
    internal var path: [UInt8]
    internal var isDirectory: Bool
    /// What it occupies on disk, in bytes.
    internal var size: UInt64
  }

  internal private(set) var marks: [Mark] = []
  private var paths: Set<[UInt8]> = []

  internal init() {}

  internal var isEmpty: Bool { marks.isEmpty }
  internal var count: Int { marks.count }

  internal func contains(_ path: [UInt8]) -> Bool { paths.contains(path) }

  internal mutating func toggle(_ mark: Mark) {
    if paths.insert(mark.path).inserted { marks.append(mark) } else { remove(mark.path) }
  }

  internal mutating func remove(_ path: [UInt8]) {
    guard paths.remove(path) != nil else { return }
    marks.removeAll { $0.path == path }
  }

  /// Removes the marks of entries, and of all that is below them.
  internal mutating func remove(atOrBelow gone: Set<[UInt8]>) {
    marks.removeAll { gone.contains($0.path) || gone.holdsDirectory(above: $0.path) }
    paths = Set(marks.map(\.path))
  }

  internal mutating func removeAll() {
    marks = []
    paths = []
  }
}

// MARK: Keys

extension Browser {
  /// Does what a key for marks and for deleting asks for.
  internal mutating func pressMarkKey(_ character: Character) -> [BrowserEffect] {
    switch character {
    case " ":
      if let mark = markOfSelection() { marks.toggle(mark) }
      select(selected + 1)
    case "u": marks.remove(selectedPath)
    case "U": marks.removeAll()
    case "m":
      guard marks.isEmpty else {
        mode = .marks(selected: 0)
        return estimateMarks()
      }
      message = "Nothing is marked. Space marks the row."
    case "p": return [.end(.printMarks(endedByNUL: false))]
    case "d": return startRemoving(isPermanent: false)
    case "D": return startRemoving(isPermanent: true)
    default: break
    }
    return []
  }

  private func markOfSelection() -> MarkList.Mark? {
    guard let row = selectedRow, row.id != nil else { return nil }
    return MarkList.Mark(
      path: selectedPath,
      isDirectory: row.isDirectory,
      size: measure == .allocated ? row.size : row.otherSize
    )
  }

  /// Does what a key asks for in the list of marks.
  internal mutating func chooseMark(_ input: InputEvent, _ selected: Int) -> [BrowserEffect] {
    guard case .key(let key) = input else { return [] }
    let count = marks.count
    var selected = selected
    switch key {
    case .escape, .character("m"), .character("q"), .left, .character("h"):
      mode = .browsing
      return []
    case .up, .character("k"): selected -= 1
    case .down, .character("j"): selected += 1
    case .home, .character("g"): selected = 0
    case .end, .character("G"): selected = marks.count - 1
    case .character("u"), .character(" "):
      if marks.marks.indices.contains(selected) { marks.remove(marks.marks[selected].path) }
    case .character("U"): marks.removeAll()
    case .character("p"): return [.end(.printMarks(endedByNUL: false))]
    case .character("0"): return [.end(.printMarks(endedByNUL: true))]
    case .character("d"): return startRemoving(isPermanent: false)
    case .character("D"): return startRemoving(isPermanent: true)
    default: break
    }
    mode =
      marks.isEmpty
      ? .browsing : .marks(selected: min(max(selected, 0), marks.count - 1))
    return marks.count == count || marks.isEmpty ? [] : estimateMarks()
  }

  /// Asks what would become of the marked entries.
  private mutating func estimateMarks() -> [BrowserEffect] {
    marksEstimate = nil
    guard let tree else { return [] }
    return [.estimate(Removal(of: marks.marks.map(\.path), isPermanent: true), tree)]
  }
}

extension FileTree {
  /// Returns what a listing says of an entry that is no directory.
  internal func entry(_ id: EntryID) -> ListingEntry {
    var cursor = listing(of: id.directory).makeCursor()
    while cursor.advanceWithoutName() {
      if cursor.ordinal == id.ordinal { return cursor.entry }
    }
    return ListingEntry()
  }
}
