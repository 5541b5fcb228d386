public import PlatTree

/// What is known of a snapshot without loading it.
public struct SnapshotInfo: Hashable, Sendable, Identifiable {
  /// The number of the snapshot in its file; a later one has a larger number.
  public var id: Int
  /// How the scan was made.
  public var scan: ScanDescription
  /// The sizes and counts of all entries; a size above 2⁶³ − 1 is given as that.
  public var totals: Totals
  /// The number of entries that could not be read.
  public var issueCount: Int
  /// What a person calls the snapshot, if anything.
  public var label: String?
  /// Whether the snapshot is kept when old ones are removed.
  public var isPinned: Bool
  internal var digest: UInt64 = 0

  /// The number of entries of all kinds.
  public var entries: Int { totals.entries }

  /// A hash of everything but what may change: number, label and pin are left out or are proved by
  /// their place.
  internal var checksum: Int64 {
    var hash = RowHash()
    hash.combine(Int64(id))
    hash.combine(scan.startedAt)
    hash.combine(scan.finishedAt)
    hash.combine(scan.level)
    hash.combine(scan.options)
    hash.combine(scan.host)
    hash.combine(scan.isComplete ? 1 : 0)
    for number in numbers { hash.combine(number) }
    hash.combine(Int64(bitPattern: digest))
    let later = scan.laterValues
    // A snapshot of version 1 has none of them, and keeps its checksum.
    if later.contains(where: { $0 != nil }) {
      for value in later {
        hash.combine(value == nil ? 0 : 1)
        hash.combine(value ?? 0)
      }
    }
    return hash.short
  }

  /// The sizes and counts in the order of their columns.
  internal var numbers: [Int64] {
    [
      Int64(clamping: totals.apparentSize), Int64(clamping: totals.allocatedSize),
      Int64(totals.files), Int64(totals.directories), Int64(totals.symbolicLinks),
      Int64(totals.others), Int64(issueCount), Int64(scan.unverifiedFiles),
      Int64(clamping: scan.unverifiedSize),
    ]
  }
}

extension SnapshotInfo {
  private static let columns = """
    id, started_at, finished_at, level, options, host, complete, size, alloc, files, dirs, links, \
    others, issues, unverified_files, unverified_size, digest, checksum
    """

  /// Returns the query for all snapshots; a condition and an order may follow.
  internal static func select(on connection: Connection) throws(StoreError) -> String {
    try connection.noticeMigration()
    let nothing = [String](repeating: "NULL", count: Int(ScanDescription.laterColumnCount))
    let later =
      connection.schemaVersion < 2 ? nothing.joined(separator: ", ") : ScanDescription.laterColumns
    return "SELECT \(columns), label, pinned, \(later) FROM snapshot"
  }

  /// Reads a row of ``select(on:)``, and checks it.
  internal init(
    _ statement: borrowing Statement,
    on connection: Connection
  ) throws(StoreError) {
    id = Int(statement.int64(at: 0))
    scan = ScanDescription(
      startedAt: statement.int64(at: 1),
      finishedAt: statement.int64(at: 2),
      level: statement.string(at: 3),
      options: statement.string(at: 4),
      host: statement.string(at: 5)
    )
    scan.isComplete = statement.int64(at: 6) != 0
    scan.unverifiedFiles = Int(statement.int64(at: 14))
    scan.unverifiedSize = UInt64(clamping: statement.int64(at: 15))
    scan.readLaterColumns(statement, at: 20)
    totals = Totals()
    totals.apparentSize = UInt64(clamping: statement.int64(at: 7))
    totals.allocatedSize = UInt64(clamping: statement.int64(at: 8))
    totals.files = Int(statement.int64(at: 9))
    totals.directories = Int(statement.int64(at: 10))
    totals.symbolicLinks = Int(statement.int64(at: 11))
    totals.others = Int(statement.int64(at: 12))
    issueCount = Int(statement.int64(at: 13))
    digest = UInt64(bitPattern: statement.int64(at: 16))
    label = statement.isNull(at: 18) ? nil : statement.string(at: 18)
    isPinned = statement.int64(at: 19) != 0
    let flaw =
      checksum != statement.int64(at: 17)
      ? "the checksum of its description does not fit"
      : isPossible ? nil : "its description is of no snapshot that there can be"
    if let flaw { throw .damaged(path: connection.path, snapshot: id, reason: flaw) }
  }

  /// Whether a scan may have such numbers and times, which can be added up and subtracted then.
  private var isPossible: Bool {
    let counts =
      totals.files | totals.directories | totals.symbolicLinks | totals.others | issueCount
      | scan.unverifiedFiles
    // SQLite numbers snapshots from 1, and no clock is before 1970.
    return UInt32(exactly: counts) != nil && id > 0 && scan.startedAt >= 0 && scan.finishedAt >= 0
  }

  /// Adds the row of the snapshot.
  internal func insert(on connection: Connection) throws(StoreError) {
    let marks = [String](repeating: "?", count: 18 + Int(ScanDescription.laterColumnCount))
    let statement = try Statement(
      """
      INSERT INTO snapshot(\(Self.columns), \(ScanDescription.laterColumns)) \
      VALUES(\(marks.joined(separator: ", ")))
      """,
      on: connection
    )
    statement.bind(Int64(id), at: 1)
    statement.bind(scan.startedAt, at: 2)
    statement.bind(scan.finishedAt, at: 3)
    try statement.bind(scan.level, at: 4)
    try statement.bind(scan.options, at: 5)
    try statement.bind(scan.host, at: 6)
    statement.bind(scan.isComplete ? 1 : 0, at: 7)
    for (index, number) in numbers.enumerated() { statement.bind(number, at: 8 + Int32(index)) }
    statement.bind(Int64(bitPattern: digest), at: 17)
    statement.bind(checksum, at: 18)
    for (index, value) in scan.laterValues.enumerated() {
      // A parameter that is not bound is NULL.
      if let value { statement.bind(value, at: 19 + Int32(index)) }
    }
    try statement.run()
  }
}
