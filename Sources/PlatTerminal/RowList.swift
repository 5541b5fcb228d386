import PlatTree

/// What a row of the list is about, in the letter before its name.
internal enum RowFlag: Character, Sendable {
  case unreadable = "!"
  case unreadableBelow = "."
  case excluded = "<"
  case otherFileSystem = ">"
  /// A symbolic link, or no file at all.
  case special = "@"
  case countedElsewhere = "H"
  case empty = "e"
}

/// An entry of the directory that is shown.
internal struct Row: Sendable {
  /// The entry in the tree; `nil` if it was left out of the scan.
  internal var id: EntryID?
  internal var kind = EntryKind.file
  /// What counts here, in bytes.
  internal var size: UInt64 = 0
  /// The other of the two sizes, in bytes.
  internal var otherSize: UInt64 = 0
  /// The number of entries at and below a directory; 0 for what is none.
  internal var items = 0
  /// When it, or something below it, was modified last, in seconds since 1970.
  internal var modified = Int64.min
  internal var flag: RowFlag?
  internal var owner: UInt32 = 0
  internal var mode: UInt16 = 0
  /// How it differs from an older snapshot, while one is compared with.
  internal var change: RowChange?
  /// Where the name is in the names of the list.
  internal var name: Range<Int> = 0..<0
  /// The position of the name among those of the list.
  fileprivate var rank = 0

  internal var isDirectory: Bool { kind == .directory }
}

/// By what a list is sorted.
internal struct RowOrder: Hashable, Sendable {
  internal enum Key: Hashable, Sendable {
    case size, otherSize, name, items, time, owner, mode

    /// Whether the least comes first unless it is asked for the other way round.
    fileprivate var isUsuallyAscending: Bool {
      switch self {
      case .size, .otherSize, .items, .time: false
      case .name, .owner, .mode: true
      }
    }
  }

  internal var key = Key.size
  internal var isAscending = false
  /// Whether all directories come before all else.
  internal var hasDirectoriesFirst = false

  /// The order that a key press asks for: the usual one of its kind, or the other way round.
  internal func pressed(_ key: Key) -> RowOrder {
    var order = self
    (order.key, order.isAscending) = (key, self.key == key ? !isAscending : key.isUsuallyAscending)
    return order
  }
}

/// The entries of one directory, in the order in which they are shown.
///
/// Names are one string of bytes, so that a directory of a million files is a few large blocks.
internal struct RowList: Sendable {
  internal private(set) var rows: [Row] = []
  internal private(set) var names: [UInt8] = []
  /// The largest size of a row, which bars are measured by.
  internal private(set) var largest: UInt64 = 0
  /// The sizes of all rows, added up.
  internal private(set) var total: UInt64 = 0
  /// The largest change of a row, while trees are compared.
  internal private(set) var largestChange: UInt64 = 0
  /// Whether each row knows the position of its name.
  private var isRanked = true
  private var holdsManualPages = false

  internal init() {}

  /// Reads a directory of a tree.
  internal init(
    _ tree: FileTree,
    _ directory: DirectoryID,
    measure: SizeMeasure,
    marks: TreeMarks
  ) {
    for subdirectory in tree.subdirectories(of: directory) {
      var row = Row()
      row.id = EntryID(subdirectory)
      row.kind = .directory
      row.size = tree.size(of: subdirectory, measure)
      row.otherSize = tree.size(of: subdirectory, measure.other)
      row.items = tree.totals(of: subdirectory).entries
      row.modified = tree.newestModification(of: subdirectory)
      row.flag = marks.flag(of: subdirectory, in: tree)
      let details = tree.details(of: subdirectory)
      (row.owner, row.mode) = (details.owner, details.mode)
      append(row, name: tree.name(of: subdirectory))
    }
    appendFiles(tree, directory, measure)
    for exclusion in marks.exclusions(in: directory, of: tree) where !exclusion.name.isEmpty {
      var row = Row()
      row.kind = exclusion.kind
      row.flag = exclusion.reason == .otherFileSystem ? .otherFileSystem : .excluded
      append(row, name: exclusion.name[...])
    }
  }

  private mutating func appendFiles(
    _ tree: FileTree,
    _ directory: DirectoryID,
    _ measure: SizeMeasure
  ) {
    holdsManualPages = FileCategory.holdsManualPages(directoryNamed: tree.name(of: directory))
    var cursor = tree.listing(of: directory).makeCursor()
    while cursor.advance() {
      let entry = cursor.entry
      var row = Row()
      row.id = EntryID(directory, ordinal: cursor.ordinal)
      row.kind = entry.kind
      row.size = tree.chargedSize(of: cursor, in: directory, measure)
      row.otherSize = entry.size(measure.other)
      row.modified = entry.modificationTime
      (row.owner, row.mode) = (entry.owner, entry.mode)
      if entry.isUnreadable {
        row.flag = .unreadable
      } else if entry.linkCount > 1, row.size == 0, entry.size(measure) > 0 {
        row.flag = .countedElsewhere
      } else if entry.kind != .file {
        row.flag = .special
      }
      append(row, name: cursor.name[...])
    }
  }

  internal mutating func append(_ row: Row, name: ArraySlice<UInt8>) {
    var row = row
    row.name = names.count..<names.count + name.count
    names.append(contentsOf: name)
    rows.append(row)
    measure(row)
    isRanked = false
  }

  private mutating func measure(_ row: Row) {
    largest = max(largest, row.size)
    total = total.addingSaturated(row.size)
    largestChange = max(largestChange, row.change?.magnitude ?? 0)
  }

  /// Classifies a file; few of many rows are ever looked at.
  internal func category(of row: Row) -> FileCategory {
    guard row.kind == .file else { return .other }
    return FileCategory(
      name: names[row.name].span,
      isExecutable: row.mode & 0o111 != 0,
      isManualPage: holdsManualPages
    )
  }

  /// A row as it is sorted: by numbers, for rows are large, and names of any length.
  private struct Place {
    var key: UInt64
    var rank: Int
    var index: Int
    /// Whether it comes after all others, whatever the order is.
    var isBehind: Bool
  }

  /// Sorts the rows; equal ones by name.
  ///
  /// - Parameters:
  ///   - order: The order.
  ///   - owners: The names of owners; those without one come after the others, by their numbers.
  internal mutating func sort(by order: RowOrder, owners: OwnerNames = [:]) {
    rankByName()
    let ownerRanks = order.key == .owner ? ranks(ofOwners: owners) : [:]
    var places = rows.indices.map { index in
      Place(
        key: Self.key(rows[index], order.key, ownerRanks),
        rank: rows[index].rank,
        index: index,
        isBehind: order.hasDirectoriesFirst && !rows[index].isDirectory
      )
    }
    let isAscending = order.isAscending
    places.sort { one, two in
      if one.isBehind != two.isBehind { return two.isBehind }
      if one.key != two.key { return (one.key < two.key) == isAscending }
      return (one.rank < two.rank) == (order.key != .name || isAscending)
    }
    rows = places.map { rows[$0.index] }
  }

  /// What a row is sorted by, as a number.
  private static func key(
    _ row: Row,
    _ key: RowOrder.Key,
    _ ownerRanks: [UInt32: Int]
  ) -> UInt64 {
    let middle: UInt64 = 1 << 63
    switch key {
    case .size:
      guard let change = row.change else { return row.size }
      return change.shrunk > 0
        ? middle - min(change.shrunk, middle) : middle + min(change.grown, middle - 1)
    case .items: return UInt64(row.items)
    case .time: return UInt64(bitPattern: row.modified) ^ middle
    case .otherSize: return row.otherSize
    case .owner: return row.id == nil ? 0 : UInt64(ownerRanks[row.owner] ?? 0) + 1
    case .mode: return row.id == nil ? 0 : UInt64(row.mode) + 1
    case .name: return 0
    }
  }

  /// Returns the positions of the owners of rows among each other.
  private func ranks(ofOwners names: OwnerNames) -> [UInt32: Int] {
    let owners = Set(rows.map(\.owner)).sorted { one, two in
      switch (names[one], names[two]) {
      case (let first?, let second?): (first, one) < (second, two)
      case (let first, let second): first == nil && second == nil ? one < two : first != nil
      }
    }
    return Dictionary(uniqueKeysWithValues: zip(owners, owners.indices))
  }

  private mutating func rankByName() {
    guard !isRanked else { return }
    isRanked = true
    let (names, ranges) = (names, rows.map(\.name))
    let order = ranges.indices.sorted {
      names[ranges[$0]].lexicographicallyPrecedes(names[ranges[$1]])
    }
    for (rank, index) in order.enumerated() { rows[index].rank = rank }
  }

  /// Changes rows, and keeps those for which `isKept` says so.
  internal mutating func update(_ isKept: (inout Row, ArraySlice<UInt8>) -> Bool) {
    rows = rows.compactMap { row in
      var row = row
      return isKept(&row, names[row.name]) ? row : nil
    }
    (largest, total, largestChange) = (0, 0, 0)
    for row in rows { measure(row) }
  }

  /// Returns the names of the directories that hold more than they did in an older list, or are new.
  internal func grownDirectories(since old: RowList) -> Set<[UInt8]> {
    var items: [ArraySlice<UInt8>: Int] = [:]
    for (index, row) in old.rows.enumerated() where row.isDirectory {
      items[old.name(at: index)] = row.items
    }
    var names: Set<[UInt8]> = []
    for (index, row) in rows.enumerated() where row.isDirectory {
      if items[name(at: index)] != row.items { names.insert(Array(name(at: index))) }
    }
    return names
  }

  /// Returns the bytes of a row's name.
  internal func name(at index: Int) -> ArraySlice<UInt8> { names[rows[index].name] }

  /// Returns the row with a name.
  internal func index(named name: some Sequence<UInt8>) -> Int? {
    rows.firstIndex { names[$0.name].elementsEqual(name) }
  }
}

/// What a tree says of directories in lists of their own: trouble, and what was left out.
internal struct TreeMarks: Sendable {
  /// The directories that have an issue, or something with an issue below.
  private var troubled: Set<DirectoryID> = []

  internal init() {}

  internal init(_ tree: FileTree) {
    for issue in tree.issues {
      var next: DirectoryID? = issue.directory
      while let directory = next, troubled.insert(directory).inserted {
        next = tree.parent(of: directory)
      }
    }
  }

  /// Whether something at or below a directory could not be read.
  internal func isTroubled(_ directory: DirectoryID) -> Bool { troubled.contains(directory) }

  /// Returns the flag of a directory.
  internal func flag(of directory: DirectoryID, in tree: FileTree) -> RowFlag? {
    let flags = tree.details(of: directory).flags
    if flags.contains(.isUnreadable) || flags.contains(.isPartial) { return .unreadable }
    if isTroubled(directory) { return .unreadableBelow }
    if exclusions(in: directory, of: tree).contains(where: \.name.isEmpty) { return .excluded }
    return tree.totals(of: directory).entries <= 1 ? .empty : nil
  }

  /// Returns what was left out of a directory.
  internal func exclusions(
    in directory: DirectoryID,
    of tree: FileTree
  ) -> ArraySlice<Exclusion> {
    // They are in canonical order, that of the directories.
    let exclusions = tree.exclusions
    var (low, high) = (0, exclusions.count)
    while low < high {
      let middle = (low + high) / 2
      if exclusions[middle].directory < directory { low = middle + 1 } else { high = middle }
    }
    return exclusions[low...].prefix { $0.directory == directory }
  }
}

extension SizeMeasure {
  /// The other of the two.
  internal var other: SizeMeasure { self == .allocated ? .apparent : .allocated }
}
