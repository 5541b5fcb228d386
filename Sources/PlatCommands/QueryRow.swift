import PlatStore
import PlatTree

/// A row of an answer: a directory or another entry of a snapshot.
internal struct QueryRow: Hashable, Sendable {
  internal var path: [UInt8]
  internal var name: [UInt8]
  internal var kind: EntryKind
  internal var allocatedSize: UInt64
  internal var apparentSize: UInt64
  internal var modificationTime: Int64
  /// The number of entries: 1, and for a directory what is below it as well.
  internal var entries: Int
  /// The number of files in and below a directory; 1 for a file.
  internal var files: Int
  internal var isCountedElsewhere = false
  internal var isUnreadable = false
}

extension QueryRow {
  internal func size(_ measure: SizeMeasure) -> UInt64 {
    measure == .allocated ? allocatedSize : apparentSize
  }

  /// Creates the row of an entry that a walk came to.
  internal init(_ entry: WalkedEntry) {
    self.init(
      path: entry.path,
      name: entry.name,
      kind: entry.kind,
      allocatedSize: entry.totals.allocatedSize,
      apparentSize: entry.totals.apparentSize,
      modificationTime: entry.modificationTime,
      entries: entry.totals.entries,
      files: entry.totals.files,
      isCountedElsewhere: entry.isCountedElsewhere,
      isUnreadable: entry.isUnreadable
    )
  }

  /// Creates the row of a directory.
  internal init(_ directory: StoredDirectory) {
    self.init(
      path: directory.path,
      name: Array(directory.path.split(separator: UInt8(ascii: "/")).last ?? []),
      kind: .directory,
      allocatedSize: directory.totals.allocatedSize,
      apparentSize: directory.totals.apparentSize,
      modificationTime: directory.details.modificationTime.secondsFromNanoseconds,
      entries: directory.totals.entries,
      files: directory.totals.files,
      isUnreadable: directory.details.flags.contains(.isUnreadable)
    )
  }

  /// Creates the row of a file.
  internal init(_ file: StoredFile) {
    self.init(
      path: file.path,
      name: Array(file.path.split(separator: UInt8(ascii: "/")).last ?? []),
      kind: .file,
      allocatedSize: file.entry.allocatedSize,
      apparentSize: file.entry.apparentSize,
      modificationTime: file.entry.modificationTime,
      entries: 1,
      files: 1
    )
  }
}

/// Whether one path comes before another on a walk: by their names, from the first on.
internal func precedesOnWalk(_ first: [UInt8], _ second: [UInt8]) -> Bool {
  // No name has a NUL, so a slash that counts as one ends a name before any longer one.
  let slash = UInt8(ascii: "/")
  return first.lexicographicallyPrecedes(second) { one, two in
    (one == slash ? 0 : one) < (two == slash ? 0 : two)
  }
}

/// Sorts rows, and keeps no more of them than can be in the answer.
internal struct RowSelection {
  private let limit: Int?
  private let key: QueryOptions.SortKey
  private let isReversed: Bool
  private let measure: SizeMeasure
  private var rows: [QueryRow] = []
  /// The value of the last row that is in the answer so far, if there are as many as it can have.
  private var bar: UInt64?

  internal init(_ options: QueryOptions, key: QueryOptions.SortKey, measure: SizeMeasure) {
    limit = options.count
    isReversed = options.isReversed
    self.key = key
    self.measure = measure
  }

  /// Takes an entry.
  ///
  /// - Complexity: O(log *n*) on the average, where *n* is the most rows of the answer.
  internal mutating func insert(_ entry: WalkedEntry) {
    if let bar {
      let value = value(
        size: entry.totals.size(measure),
        count: entry.totals.entries,
        time: entry.modificationTime
      )
      if isReversed ? value > bar : value < bar { return }
    }
    insert(QueryRow(entry))
  }

  /// Takes a row.
  internal mutating func insert(_ row: QueryRow) {
    rows.append(row)
    // Sorting now and then costs less than a place for each.
    if let limit, limit < 1 << 30, rows.count >= 2 * limit + 1024 { cut() }
  }

  /// Returns the rows of the answer.
  internal mutating func sorted() -> [QueryRow] {
    cut()
    return rows
  }

  private mutating func cut() {
    rows = rows.sorted { isReversed ? precedes($1, $0) : precedes($0, $1) }
    guard let limit, limit < rows.count else { return }
    rows.removeLast(rows.count - limit)
    bar = rows.last.map { value(of: $0) }
  }

  private func precedes(_ first: QueryRow, _ second: QueryRow) -> Bool {
    let (one, two) = (value(of: first), value(of: second))
    return one != two ? one > two : precedesOnWalk(first.path, second.path)
  }

  private func value(of row: QueryRow) -> UInt64 {
    value(size: row.size(measure), count: row.entries, time: row.modificationTime)
  }

  /// The number that rows are sorted by, the greater first; the same for all if names decide.
  private func value(size: UInt64, count: Int, time: Int64) -> UInt64 {
    switch key {
    case .size: size
    case .count: UInt64(count)
    case .time: UInt64(bitPattern: time) ^ 1 << 63
    case .name: 0
    }
  }
}
