import CPlatSQLite
import Glibc

/// The file of a store: what it is, and how a new one comes into being.
internal enum StoreFile {
  /// What is found at a path.
  internal enum State {
    /// Nothing.
    case missing
    /// A file of 0 bytes, as a crash leaves it: as good as new.
    case blank
    /// A database that says it is ours, or one too damaged to say.
    case ours
  }

  /// Looks at a path without changing anything there.
  ///
  /// The file is read through SQLite: closing a descriptor of our own would drop the locks that this
  /// process has on the file (*How To Corrupt An SQLite Database File*, section 2.2).
  ///
  /// - Throws: ``StoreError`` if there is something that is not ours, or newer than we know.
  internal static func state(of path: [UInt8]) throws(StoreError) -> State {
    var status = stat()
    guard withCString(path, { stat($0, &status) }) == 0 else {
      guard errno == ENOENT else { throw systemError("stat", path) }
      return .missing
    }
    let name = String(decoding: path, as: UTF8.self)
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notADatabase(path: name) }
    guard status.st_size > 0 else { return .blank }
    // SQLite takes a file that is shorter than its smallest page for an empty one.
    guard status.st_size >= 512 else { throw .notADatabase(path: name) }
    do throws(StoreError) {
      try check(Connection(path, .immutable, busyTimeout: 0))
    } catch .damaged {
      // It may be in the middle of a checkpoint; whoever opens it with locks will see.
    }
    return .ours
  }

  /// Checks that an open database is ours, and not newer than we know.
  ///
  /// - Returns: The version of its schema; 0 if it has no tables at all.
  @discardableResult
  internal static func check(_ connection: Connection) throws(StoreError) -> Int {
    let application = try connection.integer("PRAGMA application_id") ?? 0
    let version = Int(try connection.integer("PRAGMA user_version") ?? 0)
    if application == 0, version == 0 {
      let tables = try connection.integer("SELECT count(*) FROM sqlite_schema") ?? 0
      if tables == 0 { return 0 }
    }
    guard application == Schema.applicationID else { throw .foreign(path: connection.path) }
    guard version <= Schema.version else { throw .newer(path: connection.path, version: version) }
    return version
  }

  /// Makes a new database aside, fills it, and puts it in its place; others see all of it or nothing.
  ///
  /// - Parameters:
  ///   - path: Where the database is to be.
  ///   - options: How it will be used.
  ///   - fill: Makes the tables and fills them, in one transaction.
  /// - Returns: What `fill` returned, or `nil` if something has appeared at `path` meanwhile.
  /// - Throws: What `fill` threw, or ``StoreError`` if the file cannot be made.
  internal static func create<Result>(
    _ path: [UInt8],
    _ options: SnapshotStore.Options,
    fill: (Connection) throws(StoreError) -> Result
  ) throws(StoreError) -> Result? {
    removeAbandoned(newMark, beside: path)
    let (file, aside) = try makeNeighbour(of: path, newMark)
    defer {
      _ = withCString(aside) { unlink($0) }
      close(file)
    }
    let result = try build(aside, options, named: path, fill)
    guard fsync(file) == 0 else { throw systemError("fsync", path) }
    guard try publish(aside, as: path) else { return nil }
    return result
  }

  private static func build<Result>(
    _ aside: [UInt8],
    _ options: SnapshotStore.Options,
    named path: [UInt8],
    _ fill: (Connection) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let connection = try Connection(
      aside,
      .readWrite,
      busyTimeout: options.busyTimeout,
      named: path
    )
    // Nobody needs this file if anything fails, so there is nothing to roll back to.
    try connection.execute(
      """
      PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;
      PRAGMA cache_size = -4096; \(Schema.pragmasOfNewFile)
      """
    )
    if let limit = options.pageLimit { try connection.execute("PRAGMA max_page_count = \(limit)") }
    let result = try fill(connection)
    if options.usesWriteAheadLog {
      try connection.execute("PRAGMA locking_mode = NORMAL; PRAGMA journal_mode = WAL")
    }
    return result
  }

  /// Gives a file a name, unless the name is taken; returns whether it did.
  internal static func publish(_ aside: [UInt8], as path: [UInt8]) throws(StoreError) -> Bool {
    let linked = withCString(aside) { from in withCString(path) { link(from, $0) } }
    if linked != 0 {
      switch errno {
      case EEXIST: return false
      case EPERM, ENOTSUP, EMLINK, ENOSYS:
        // No hard links here. Two first scans at the same moment may lose one of their snapshots.
        if withCString(path, { access($0, F_OK) }) == 0 { return false }
        let renamed = withCString(aside) { from in withCString(path) { rename(from, $0) } }
        guard renamed == 0 else { throw systemError("rename", path) }
      default: throw systemError("link", path)
      }
    }
    let folder = withCString(parent(of: path)) { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard folder >= 0 else { return true }
    // A directory that cannot be flushed does not make the snapshot any worse.
    fsync(folder)
    close(folder)
    return true
  }

  /// What SQLite adds to the name of a database for the files that it has beside it.
  internal static let companions = ["-wal", "-shm", "-journal"]

  internal static let newMark = ".new-"
  private static let backupMark = ".backup-"

  /// Makes an empty file beside a path, for the owner only, that goes away with this process.
  private static func makeNeighbour(
    of path: [UInt8],
    _ mark: String
  ) throws(StoreError) -> (file: Int32, path: [UInt8]) {
    while true {
      let aside = path + Array((mark + String(UInt64.random(in: 0 ... .max), radix: 36)).utf8)
      // SQLite would create the file with the mode of the umask.
      let file = withCString(aside) { open($0, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) }
      guard file >= 0 else { throw systemError("open", path) }
      if lockUnlessRemoved(file) { return (file, aside) }
      close(file)
    }
  }

  /// Takes the lock of a new file, which tells other processes that somebody is at work there.
  ///
  /// Between the making of a file and its lock, another process may have found it abandoned.
  ///
  /// - Returns: Whether the file still has its name, which nobody will take from now on.
  internal static func lockUnlessRemoved(_ file: Int32) -> Bool {
    // Who holds it is about to remove the file. Where there are no locks, nobody removes anything.
    while flock(file, LOCK_EX) != 0, errno == EINTR {}
    var status = stat()
    return fstat(file, &status) != 0 || status.st_nlink > 0
  }

  /// Removes what processes that were killed have left beside a path.
  internal static func removeAbandoned(_ mark: String, beside path: [UInt8]) {
    let folder = parent(of: path)
    guard let start = path.lastIndex(of: UInt8(ascii: "/")) else { return }
    let prefix = path[(start + 1)...] + Array(mark.utf8)
    guard let stream = withCString(folder, { opendir($0) }) else { return }
    defer { closedir(stream) }
    while let record = readdir(stream) {
      let name = withUnsafeBytes(of: &record.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      guard name.starts(with: prefix) else { continue }
      // Only a database has a lock; its log goes with it.
      guard !name.dropFirst(prefix.count).contains(UInt8(ascii: "-")) else { continue }
      let abandoned = folder + [UInt8(ascii: "/")] + name
      let file = withCString(abandoned) { open($0, O_RDWR | O_CLOEXEC | O_NOFOLLOW) }
      guard file >= 0 else { continue }
      if flock(file, LOCK_EX | LOCK_NB) == 0 {
        for suffix in companions + [""] {
          _ = withCString(abandoned + Array(suffix.utf8)) { unlink($0) }
        }
      }
      close(file)
    }
  }
}

extension StoreFile {
  /// Copies a database aside for as long as it is changed as a whole.
  ///
  /// The copy is removed when `body` returns, together with those that killed processes left. If `body`
  /// throws, the transaction has put the database back, and the copy stays.
  ///
  /// - Parameters:
  ///   - connection: The database, in no transaction.
  ///   - path: Its path.
  ///   - body: Changes the database.
  /// - Throws: What `body` threw, or ``StoreError`` if there is no room for the copy.
  internal static func keepingBackup(
    of connection: Connection,
    at path: [UInt8],
    _ body: () throws(StoreError) -> Void
  ) throws(StoreError) {
    let (file, backup) = try makeNeighbour(of: path, backupMark)
    defer { close(file) }
    do throws(StoreError) {
      let copying = try Statement("VACUUM INTO ?1", on: connection)
      try copying.bind(text: backup[...], at: 1)
      try copying.run()
    } catch {
      _ = withCString(backup) { unlink($0) }
      throw error
    }
    try body()
    _ = withCString(backup) { unlink($0) }
    removeAbandoned(backupMark, beside: path)
  }
}

/// Returns the directory that a path is in.
internal func parent(of path: [UInt8]) -> [UInt8] {
  guard let slash = path.lastIndex(of: UInt8(ascii: "/")) else { return [UInt8(ascii: ".")] }
  return slash == 0 ? [UInt8(ascii: "/")] : Array(path[..<slash])
}

/// Calls `body` with bytes as a C string.
internal func withCString<Result>(
  _ bytes: [UInt8],
  _ body: (UnsafePointer<CChar>) -> Result
) -> Result {
  (bytes + [0]).withUnsafeBufferPointer { buffer in
    buffer.withMemoryRebound(to: CChar.self) { characters in
      guard let start = characters.baseAddress else { preconditionFailure("it holds a NUL") }
      return body(start)
    }
  }
}

/// Returns the error that a system call on a path has left in `errno`.
internal func systemError(_ call: String, _ path: [UInt8]) -> StoreError {
  let code = errno
  let name = String(decoding: path, as: UTF8.self)
  return switch code {
  case ENOSPC, EDQUOT, EFBIG: .full(path: name)
  case EROFS: .readOnly(path: name)
  default: .system(call: call, path: name, code: code)
  }
}

extension StoreFile {
  /// Whether a file, or the directory that its log is in, cannot be changed.
  internal static func isUnchangeable(_ path: [UInt8]) -> Bool {
    [path, parent(of: path)].contains { place in withCString(place) { access($0, W_OK) } != 0 }
  }

  /// Whether there is a write-ahead log beside a file with something in it.
  internal static func hasLog(_ path: [UInt8]) -> Bool {
    var status = stat()
    return withCString(path + Array("-wal".utf8)) { stat($0, &status) } == 0 && status.st_size > 0
  }
}
