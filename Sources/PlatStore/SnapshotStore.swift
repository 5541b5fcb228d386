import Glibc
public import PlatTree

/// The snapshots of one root, in one SQLite file.
///
/// A snapshot appears whole or not at all, and what is read was checked: a damaged file gives an
/// error, never other numbers. Any number of processes may read while one writes.
///
/// A store is used from one thread at a time. Reading never changes the file.
///
/// ```swift
/// let store = try SnapshotStore(path, for: .writing)
/// let snapshot = try store.write(tree, ScanDescription(startedAt: start, finishedAt: end))
/// try store.load(snapshot.id) == tree
/// ```
public final class SnapshotStore {
  /// What a store is opened for.
  public enum Access: Hashable, Sendable {
    /// For reading snapshots that exist.
    case reading
    /// For adding snapshots; the file is made with the first one.
    case writing
  }

  /// Choices about the use of a file.
  public struct Options: Hashable, Sendable {
    /// How long to wait for another process that writes, in milliseconds.
    public var busyTimeout: Int32 = 30_000

    /// Whether a write-ahead log may be used, so that readers and a writer do not disturb each other.
    ///
    /// It needs memory that processes share: set this to false for a file on a network file system.
    public var usesWriteAheadLog = true

    /// The most pages that a file may have, for tests of a full disk.
    internal var pageLimit: Int?

    /// Creates the default options.
    public init() {}
  }

  /// The bytes of the path of the file.
  public let path: [UInt8]

  private let access: Access
  private let options: Options
  private var connection: Connection?

  /// Opens a file of snapshots.
  ///
  /// - Parameters:
  ///   - path: The bytes of its path. For writing, there may be nothing or a file of 0 bytes.
  ///   - access: What it is opened for.
  ///   - options: Choices about the use of the file.
  /// - Throws: ``StoreError`` if there is no such file to read, or one that is not ours.
  public init(
    _ path: [UInt8],
    for access: Access,
    options: Options = Options()
  ) throws(StoreError) {
    self.path = path
    self.access = access
    self.options = options
    let state = try StoreFile.state(of: path)
    if state == .missing, access == .reading { throw .notFound(path: shownPath) }
    if state == .ours { _ = try connect() }
  }

  /// The path for messages.
  internal var shownPath: String { String(decoding: path, as: UTF8.self) }

  /// Returns a connection to a file with snapshots, or `nil` if there is none yet.
  internal func connect() throws(StoreError) -> Connection? {
    if let connection { return connection }
    guard try StoreFile.state(of: path) == .ours else { return nil }
    let (opened, version) = try waiting { () throws(StoreError) in
      let opened = access == .reading ? try openForReading() : try openForWriting()
      return (opened, try StoreFile.check(opened))
    }
    guard version > 0 else { return nil }
    opened.schemaVersion = version
    connection = opened
    return opened
  }

  /// Returns a connection to a file with snapshots.
  ///
  /// - Throws: ``StoreError/noSnapshot(path:id:)`` if there is none yet.
  internal func requireConnection() throws(StoreError) -> Connection {
    guard let connection = try connect() else { throw .noSnapshot(path: shownPath, id: nil) }
    return connection
  }

  /// Runs `body` again for as long as the file is locked and the timeout is not over.
  ///
  /// SQLite itself does not wait where it changes how a file is journaled, nor for a log whose locks
  /// change hands all the time.
  private func waiting<Result>(
    _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let clock = ContinuousClock()
    let end = clock.now + .milliseconds(Int(options.busyTimeout))
    while true {
      do throws(StoreError) { return try body() } catch {
        guard case .busy = error, clock.now < end else { throw error }
        usleep(10_000)
      }
    }
  }

  private func openForReading() throws(StoreError) -> Connection {
    let connection = try Connection(path, .readOnly, busyTimeout: options.busyTimeout)
    do throws(StoreError) {
      _ = try connection.integer("SELECT count(*) FROM sqlite_schema")
      return connection
    } catch {
      let isFull = if case .full = error { true } else { false }
      if isFull || StoreFile.isUnchangeable(path) {
        // A log needs a file beside the database even to be read, unless nothing can change at all;
        // on a full disk nothing does, and what is read is checked.
        guard !StoreFile.hasLog(path) else { throw error }
        return try Connection(path, .immutable, busyTimeout: options.busyTimeout)
      }
      guard case .readOnly = error else { throw error }
      // A writer without a log was killed: what it changed is put back from its journal, for which
      // SQLite wants a connection that may write.
      _ = try openForWriting()
      return try Connection(path, .readOnly, busyTimeout: options.busyTimeout)
    }
  }

  private func openForWriting() throws(StoreError) -> Connection {
    guard !StoreFile.isUnchangeable(path) else { throw .readOnly(path: shownPath) }
    let connection = try Connection(path, .readWrite, busyTimeout: options.busyTimeout)
    if let limit = options.pageLimit { try connection.execute("PRAGMA max_page_count = \(limit)") }
    if try connection.text("PRAGMA journal_mode") != "wal" {
      try connection.execute("PRAGMA journal_mode = TRUNCATE")
    }
    try connection.execute("PRAGMA synchronous = NORMAL")
    return connection
  }
}

// MARK: Writing

extension SnapshotStore {
  /// Adds a snapshot: all of it, or on any error nothing.
  ///
  /// Directories that are as in the snapshot before cost no room; nor much time, if that snapshot was
  /// loaded. The first snapshot of a file is written aside and moved into place.
  ///
  /// - Parameters:
  ///   - tree: A complete scan of one directory; of several roots, `FileTree.subtree`
  ///     makes a tree of each.
  ///   - scan: How the scan was made.
  ///   - stored: A snapshot of the file that was loaded. If it is no longer the newest, or `nil`, the
  ///     tree is compared with what is in the file.
  /// - Returns: The snapshot, with its number.
  /// - Throws: ``StoreError`` if the snapshot could not be written, or the file has another root.
  /// - Precondition: The store was opened for writing, and the tree is no group.
  /// - Complexity: O(*n*), where *n* is the number of bytes of the tree.
  @discardableResult
  public func write(
    _ tree: FileTree,
    _ scan: ScanDescription,
    after stored: StoredTree? = nil
  ) throws(StoreError) -> SnapshotInfo {
    precondition(access == .writing, "the store was opened for writing")
    precondition(!tree.isGroup, "each root has its own store")
    if try connect() == nil, try StoreFile.state(of: path) == .missing {
      let written = try StoreFile.create(path, options) { connection throws(StoreError) in
        try connection.transaction("BEGIN") { () throws(StoreError) in
          try write(tree, scan, after: nil, on: connection)
        }
      }
      if let written { return written }
    }
    if let connection = try connect() {
      if connection.schemaVersion < Schema.version { try migrate(connection) }
      return try append(tree, scan, after: stored, to: connection)
    }

    // A file without tables; only when it has become ours does it get a log, so that its first page
    // never says anything else.
    let connection = try waiting { () throws(StoreError) in try openForWriting() }
    try connection.execute(Schema.pragmasOfNewFile)
    let written = try append(tree, scan, after: nil, to: connection)
    // If somebody uses the file already, it has no log, and the snapshot is in it all the same.
    if options.usesWriteAheadLog { _ = try? connection.text("PRAGMA journal_mode = WAL") }
    return written
  }

  /// Changes what is kept beside or of snapshots that exist: all of it, or on any error nothing.
  internal func change<Result>(
    _ body: (Connection) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    precondition(access == .writing, "the store was opened for writing")
    let connection = try requireConnection()
    if connection.schemaVersion < Schema.version { try migrate(connection) }
    return try connection.transaction("BEGIN IMMEDIATE") { () throws(StoreError) in
      try body(connection)
    }
  }

  /// Brings a file to the last version of the schema, with a copy of it beside it meanwhile.
  private func migrate(_ connection: Connection) throws(StoreError) {
    try StoreFile.keepingBackup(of: connection, at: path) { () throws(StoreError) in
      try Migration.run(Schema.migrations, on: connection)
    }
    connection.schemaVersion = Schema.version
    // What the tables of the earlier version had is free; that the file gets smaller is no condition.
    try? connection.execute("PRAGMA incremental_vacuum")
    try? connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  private func append(
    _ tree: FileTree,
    _ scan: ScanDescription,
    after stored: StoredTree?,
    to connection: Connection
  ) throws(StoreError) -> SnapshotInfo {
    try connection.transaction("BEGIN IMMEDIATE") { () throws(StoreError) in
      try write(tree, scan, after: stored, on: connection)
    }
  }

  private func write(
    _ tree: FileTree,
    _ scan: ScanDescription,
    after stored: StoredTree?,
    on connection: Connection
  ) throws(StoreError) -> SnapshotInfo {
    try Migration.runSteps(Schema.migrations, on: connection)
    var writer = try SnapshotWriter(tree, scan, after: stored, on: connection)
    return try writer.write()
  }
}

// MARK: Snapshots

extension SnapshotStore {
  /// Returns all snapshots, the oldest first.
  ///
  /// - Throws: ``StoreError/damaged(path:snapshot:reason:)`` if the description of one is damaged;
  ///   ``allSnapshots()`` gives the others.
  public func snapshots() throws(StoreError) -> [SnapshotInfo] {
    let all = try allSnapshots()
    if let first = all.damaged.first {
      throw .damaged(path: shownPath, snapshot: first.id, reason: first.reason)
    }
    return all.intact
  }

  /// A snapshot whose description is damaged.
  public struct DamagedSnapshot: Hashable, Sendable {
    /// The number of the snapshot.
    public var id: Int
    /// What is wrong.
    public var reason: String
  }

  /// Returns the snapshots, the oldest first, and apart from them those whose description is damaged.
  ///
  /// What a snapshot holds is not looked at.
  public func allSnapshots() throws(StoreError) -> (
    intact: [SnapshotInfo], damaged: [DamagedSnapshot]
  ) {
    guard let connection = try connect() else { return ([], []) }
    let statement = try Statement(
      "\(try SnapshotInfo.select(on: connection)) ORDER BY id",
      on: connection
    )
    var intact: [SnapshotInfo] = []
    var damaged: [DamagedSnapshot] = []
    while try statement.step() {
      do throws(StoreError) {
        intact.append(try SnapshotInfo(statement, on: connection))
      } catch {
        guard case .damaged(_, _, let reason) = error else { throw error }
        damaged.append(DamagedSnapshot(id: Int(statement.int64(at: 0)), reason: reason))
      }
    }
    return (intact, damaged)
  }

  /// Returns a snapshot.
  ///
  /// - Parameter id: Its number; `nil` for the newest.
  /// - Returns: What is known of it.
  /// - Throws: ``StoreError/noSnapshot(path:id:)`` if there is none.
  public func snapshot(_ id: Int? = nil) throws(StoreError) -> SnapshotInfo {
    let connection = try requireConnection()
    let statement = try Statement(
      "\(try SnapshotInfo.select(on: connection)) WHERE ?1 IS NULL OR id = ?1 ORDER BY id DESC LIMIT 1",
      on: connection
    )
    if let id { statement.bind(Int64(id), at: 1) }
    guard try statement.step() else { throw .noSnapshot(path: shownPath, id: id) }
    return try SnapshotInfo(statement, on: connection)
  }

  /// Returns the bytes of the path of the directory that the snapshots are of.
  public func root() throws(StoreError) -> [UInt8] {
    guard let root = try requireConnection().root() else {
      throw .noSnapshot(path: shownPath, id: nil)
    }
    return root.path
  }
}

extension Connection {
  /// Looks whether another process has brought the file to a later version.
  internal func noticeMigration() throws(StoreError) {
    guard schemaVersion < Schema.version else { return }
    schemaVersion = Int(try integer("PRAGMA user_version") ?? 0)
  }

  /// Fails if there is no snapshot with a number.
  internal func requireSnapshot(_ id: Int) throws(StoreError) {
    guard try integer("SELECT 1 FROM snapshot WHERE id = \(id)") != nil else {
      throw .noSnapshot(path: path, id: id)
    }
  }

  /// Returns the number that the next snapshot will have: above that of every one there has ever been.
  internal func nextSnapshotNumber() throws(StoreError) -> Int {
    // AUTOINCREMENT keeps the largest number ever used; a deleted snapshot's is not used again.
    let last = try integer("SELECT seq FROM sqlite_sequence WHERE name = 'snapshot'") ?? 0
    guard (0..<Int64.max).contains(last) else { throw numbersUsedUp(of: "snapshot") }
    return Int(last) + 1
  }

  /// Returns the error for a table that has no number for another row.
  internal func numbersUsedUp(of table: String) -> StoreError {
    .damaged(path: path, snapshot: nil, reason: "the numbers of its table '\(table)' are used up")
  }

  /// Returns the row of the root in `dir`, or `nil` if there is none yet.
  internal func root() throws(StoreError) -> (id: Int64, path: [UInt8])? {
    let statement = try Statement("SELECT id, name, raw FROM dir WHERE parent = 0", on: self)
    guard try statement.step() else { return nil }
    return (statement.int64(at: 0), statement.name(at: 1))
  }
}

extension QueryRow where Self: ~Copyable {
  /// Returns the bytes of a name from the column `name` and the column `raw` after it.
  internal borrowing func name(at column: Int32) -> [UInt8] {
    withName(at: column) { Array($0) }
  }

  /// Calls `body` with the bytes of a name from the column `name` and the column `raw` after it.
  internal borrowing func withName<Result>(
    at column: Int32,
    _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    withBytes(at: column + 1) { raw in
      raw.isEmpty ? withBytes(at: column, body) : body(raw)
    }
  }
}
