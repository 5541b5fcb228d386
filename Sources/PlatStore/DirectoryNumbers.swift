internal import PlatTree

/// Finds the numbers that a store has for the directories of a tree, and gives numbers to new ones.
///
/// A directory is known by the number of its parent and its name, so one that was moved gets another
/// number, and one that comes back has its old one.
internal struct DirectoryNumbers: ~Copyable {
  /// The number of each directory of the tree, in canonical order.
  private var numbers: [Int64] = []
  /// The directory of the stored tree that each one was.
  private var earlier: [DirectoryID?] = []

  private let tree: FileTree
  private let search: Statement
  private var insertion: BulkInsertion
  /// The largest number of the store before.
  private let last: Int64
  /// The number that the next row gets, as SQLite gives it: one more than the largest.
  private var next: Int64

  /// Looks up the directories of a tree, and inserts rows for those that are new.
  ///
  /// - Parameters:
  ///   - tree: The tree.
  ///   - stored: The newest snapshot of the store, if it was loaded, to look there first.
  ///   - connection: The store.
  /// - Returns: The number of each directory, and the directory of the stored tree that it was.
  /// - Throws: ``StoreError/otherRoot(path:root:)`` if the store has another root.
  internal static func match(
    _ tree: FileTree,
    after stored: StoredTree?,
    on connection: Connection
  ) throws(StoreError) -> (numbers: [Int64], earlier: [DirectoryID?]) {
    let root = try connection.root()
    if let root, !root.path.elementsEqual(tree.name(of: tree.root)) {
      throw .otherRoot(
        path: connection.path,
        root: String(decoding: root.path, as: UTF8.self)
      )
    }
    let known = stored == nil ? try KnownDirectories(connection) : nil
    var matching = try DirectoryNumbers(tree, on: connection)
    if let root {
      matching.numbers.append(root.id)
      matching.earlier.append(stored?.tree.root)
    } else {
      try matching.insert(tree.root, parent: 0)
    }
    for directory in tree.directories {
      if let stored {
        try matching.matchChildren(of: directory, in: stored)
      } else if let known {
        try matching.matchChildren(of: directory, among: known)
      }
    }
    try matching.insertion.finish(lastID: matching.next &- 1)
    return (matching.numbers, matching.earlier)
  }

  private init(_ tree: FileTree, on connection: Connection) throws(StoreError) {
    let last = try connection.integer("SELECT max(id) FROM dir") ?? 0
    let search = try Statement(
      "SELECT id FROM dir WHERE parent = ? AND name = ? AND raw = ?",
      on: connection
    )
    let insertion = try BulkInsertion("dir", "parent, name, raw", on: connection)
    self.tree = tree
    self.last = last
    self.next = last &+ 1
    self.search = search
    self.insertion = insertion
    numbers.reserveCapacity(tree.directoryCount)
    earlier.reserveCapacity(tree.directoryCount)
  }
}

extension DirectoryNumbers {
  /// Merges two sorted runs of names: what the tree has in a directory, and what the store knows.
  private mutating func matchChildren(
    of directory: DirectoryID,
    among known: KnownDirectories
  ) throws(StoreError) {
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
        earlier.append(nil)
      } else {
        try insert(child, parent: parent)
      }
    }
  }

  /// Merges what the tree has in a directory with what the stored tree has there.
  private mutating func matchChildren(
    of directory: DirectoryID,
    in stored: StoredTree
  ) throws(StoreError) {
    let parent = numbers[directory.index]
    var candidates = earlier[directory.index].map { stored.tree.subdirectories(of: $0)[...] }
    for child in tree.subdirectories(of: directory) {
      let name = tree.name(of: child)
      while let first = candidates?.first,
        stored.tree.name(of: first).lexicographicallyPrecedes(name)
      { candidates?.removeFirst() }
      if let first = candidates?.first, stored.tree.name(of: first).elementsEqual(name) {
        numbers.append(stored.numbers[first.index])
        earlier.append(first)
      } else if let number = try find(name, parent: parent) {
        // An older snapshot has it.
        numbers.append(number)
        earlier.append(nil)
      } else {
        try insert(child, parent: parent)
      }
    }
  }

  /// Returns the number of a directory that the stored tree has not.
  private func find(_ name: ArraySlice<UInt8>, parent: Int64) throws(StoreError) -> Int64? {
    // There is nothing below a directory that was just inserted.
    guard parent <= last else { return nil }
    search.bind(parent, at: 1)
    if isUTF8(name) {
      try search.bind(text: name, at: 2)
      try search.bind(blob: [], at: 3)
    } else {
      try search.bind(String(decoding: name, as: UTF8.self), at: 2)
      try search.bind(blob: name, at: 3)
    }
    defer { search.reset() }
    return try search.step() ? search.int64(at: 0) : nil
  }

  private mutating func insert(_ directory: DirectoryID, parent: Int64) throws(StoreError) {
    let name = tree.name(of: directory)
    let isText = isUTF8(name)
    insertion.append(parent)
    insertion.append(text: isText ? name : Array(String(decoding: name, as: UTF8.self).utf8)[...])
    insertion.append(blob: isText ? [] : name)
    try insertion.endRow()
    numbers.append(next)
    earlier.append(nil)
    next &+= 1
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
