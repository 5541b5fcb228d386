internal import PlatTree

/// Finds the numbers that a store has for the directories of a tree, and gives numbers to new ones.
///
/// A directory is known by the number of its parent and its name, so one that was moved gets another
/// number, and one that comes back has its old one.
internal struct DirectoryNumbers: ~Copyable {
  /// The number of each directory of the tree, in canonical order.
  internal private(set) var numbers: [Int64] = []
  /// How many directories were new to the store.
  internal private(set) var newCount = 0

  private let tree: FileTree
  private let known: KnownDirectories
  private let insertion: Statement
  private var next: Int64

  /// Looks up the directories of a tree, and inserts rows for those that are new.
  ///
  /// - Throws: ``StoreError/otherRoot(path:root:)`` if the store has another root.
  internal static func match(
    _ tree: FileTree,
    on connection: Connection
  ) throws(StoreError) -> (numbers: [Int64], newCount: Int) {
    let root = try connection.root()
    if let root, !root.path.elementsEqual(tree.name(of: tree.root)) {
      throw .otherRoot(
        path: connection.path,
        root: String(decoding: root.path, as: UTF8.self)
      )
    }
    var matching = try DirectoryNumbers(tree, on: connection)
    if let root {
      matching.numbers.append(root.id)
    } else {
      try matching.insert(tree.root, parent: 0)
    }
    for directory in tree.directories { try matching.matchChildren(of: directory) }
    return (matching.numbers, matching.newCount)
  }

  private init(_ tree: FileTree, on connection: Connection) throws(StoreError) {
    let known = try KnownDirectories(connection)
    let last = try connection.integer("SELECT max(id) FROM dir") ?? 0
    let insertion = try Statement(
      "INSERT INTO dir(id, parent, name, raw) VALUES(?, ?, ?, ?)",
      on: connection
    )
    self.tree = tree
    self.known = known
    self.next = last + 1
    self.insertion = insertion
    numbers.reserveCapacity(tree.directoryCount)
  }
}

extension DirectoryNumbers {
  /// Merges two sorted runs of names: what the tree has in a directory, and what the store knows.
  private mutating func matchChildren(of directory: DirectoryID) throws(StoreError) {
    let parent = numbers[directory.index]
    let candidates = known.children(of: parent)
    var position = candidates.startIndex
    for child in tree.subdirectories(of: directory) {
      let name = tree.name(of: child)
      while position < candidates.endIndex,
        known.name(candidates[position]).lexicographicallyPrecedes(name)
      { position += 1 }
      if position < candidates.endIndex, known.name(candidates[position]).elementsEqual(name) {
        numbers.append(known.number(candidates[position]))
      } else {
        try insert(child, parent: parent)
      }
    }
  }

  private mutating func insert(_ directory: DirectoryID, parent: Int64) throws(StoreError) {
    let name = tree.name(of: directory)
    insertion.bind(next, at: 1)
    insertion.bind(parent, at: 2)
    if isUTF8(name) {
      try insertion.bind(text: name, at: 3)
      try insertion.bind(blob: [], at: 4)
    } else {
      try insertion.bind(String(decoding: name, as: UTF8.self), at: 3)
      try insertion.bind(blob: name, at: 4)
    }
    try insertion.run()
    numbers.append(next)
    next += 1
    newCount += 1
  }
}

/// Returns whether bytes are valid UTF-8.
internal func isUTF8(_ bytes: ArraySlice<UInt8>) -> Bool {
  bytes.allSatisfy { $0 < 0x80 } || String(validating: bytes, as: UTF8.self) != nil
}

/// All directories that a store has numbers for, whether any snapshot has them or not.
private struct KnownDirectories {
  private var rows: [(number: Int64, name: Range<Int>)] = []
  private var names: [UInt8] = []
  private var runs: [Int64: Range<Int>] = [:]

  init(_ connection: Connection) throws(StoreError) {
    let statement = try Statement(
      "SELECT parent, id, name, raw FROM dir WHERE parent > 0 ORDER BY parent, name, raw",
      on: connection
    )
    var parent: Int64 = 0
    var start = 0
    var isSorted = true
    while try statement.step() {
      if statement.int64(at: 0) != parent {
        close(start, parent, isSorted)
        parent = statement.int64(at: 0)
        start = rows.count
        isSorted = true
      }
      let from = names.count
      statement.withName(at: 2) { names.append(contentsOf: $0) }
      rows.append((statement.int64(at: 1), from..<names.count))
      // The order of the index is that of the displayed names.
      isSorted = isSorted && statement.withBytes(at: 3) { $0.isEmpty }
    }
    close(start, parent, isSorted)
  }

  private mutating func close(_ start: Int, _ parent: Int64, _ isSorted: Bool) {
    guard start < rows.count else { return }
    if !isSorted {
      let names = names
      rows[start...].sort { names[$0.name].lexicographicallyPrecedes(names[$1.name]) }
    }
    runs[parent] = start..<rows.count
  }

  func children(of parent: Int64) -> Range<Int> { runs[parent] ?? 0..<0 }
  func name(_ row: Int) -> ArraySlice<UInt8> { names[rows[row].name] }
  func number(_ row: Int) -> Int64 { rows[row].number }
}
