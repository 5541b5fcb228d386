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

  internal mutating func removeAll() {
    marks = []
    paths = []
  }
}

extension FileTree {
  /// Returns the entry with a path, or `nil` if the tree has none.
  internal func entry(atPath path: [UInt8]) -> EntryID? {
    if let directory = directory(atPath: path) { return EntryID(directory) }
    guard let slash = path.lastIndex(of: UInt8(ascii: "/")) else { return nil }
    let folder = slash == 0 ? [UInt8(ascii: "/")] : Array(path[..<slash])
    guard let parent = directory(atPath: folder) else { return nil }
    let name = path[(slash + 1)...]
    var cursor = listing(of: parent).makeCursor()
    while cursor.advance() {
      if cursor.name.elementsEqual(name) { return EntryID(parent, ordinal: cursor.ordinal) }
    }
    return nil
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
      size: allocatedSize(of: row)
    )
  }

  private func allocatedSize(of row: Row) -> UInt64 {
    guard let tree, let id = row.id else { return 0 }
    if measure == .allocated { return row.size }
    return row.isDirectory ? tree.size(of: id.directory, .allocated) : tree.entry(id).allocatedSize
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
    let removal = Removal(
      targets: removalTargets(of: marks.marks.map(\.path), in: tree),
      isPermanent: true
    )
    return [.estimate(removal, tree)]
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
