import CPlatSQLite
import Glibc

/// An open SQLite database.
///
/// A connection is used from one thread at a time. It is closed when its last statement and its
/// owner have gone.
internal final class Connection {
  /// How a database is opened.
  internal enum Access {
    /// For reading; a database in use by others is read as of its last transaction.
    case readOnly
    /// For reading a file that nobody writes: no locks, and no files beside it.
    case immutable
    /// For reading and writing a file that exists.
    case readWrite
  }

  // Safety: `handle` is valid from `init` to `deinit`; a statement keeps its connection alive.
  internal let handle: OpaquePointer
  /// The path of the database, for messages.
  internal let path: String
  /// How long to wait for a lock, in milliseconds.
  internal let busyTimeout: Int32
  /// What rows are visited by, once they are.
  internal var visitor: RowVisitor?
  /// Whether ``addPackingFunctions()`` was called.
  internal var hasPackingFunctions = false
  /// The version of the schema of its tables.
  internal var schemaVersion = Schema.version

  /// Opens a database file that exists.
  ///
  /// - Parameters:
  ///   - path: The bytes of its path.
  ///   - access: What it is opened for.
  ///   - busyTimeout: How long to wait for a lock, in milliseconds.
  ///   - shown: The path that messages name, if it is another one.
  /// - Throws: ``StoreError`` if the file cannot be opened.
  internal init(
    _ path: [UInt8],
    _ access: Access,
    busyTimeout: Int32,
    named shown: [UInt8]? = nil
  ) throws(StoreError) {
    self.path = String(decoding: shown ?? path, as: UTF8.self)
    self.busyTimeout = busyTimeout
    _ = Self.preparation
    var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_URI
    flags |= access == .readWrite ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY
    let uri = fileURI(path, query: access == .immutable ? "?immutable=1" : "")
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(uri, &opened, flags, nil)
    guard code == SQLITE_OK, let opened else {
      var error = storeError(code, opened, path: self.path, busyTimeout: busyTimeout)
      sqlite3_close_v2(opened)
      if code & 0xff == SQLITE_CANTOPEN, isTooLong(path) {
        // SQLite says nothing of it, and errno is of some other call.
        error = .system(call: "open", path: self.path, code: ENAMETOOLONG)
      }
      throw error
    }
    handle = opened
    sqlite3_busy_timeout(handle, busyTimeout)
  }

  deinit { sqlite3_close_v2(handle) }

  /// What is done once in a process, before SQLite is used.
  private static let preparation: Void = plat_sqlite_omit_statistics()

  /// Returns the error that stands for a result code.
  internal func error(_ code: Int32) -> StoreError {
    storeError(code, handle, path: path, busyTimeout: busyTimeout)
  }

  /// Runs statements that return nothing of interest.
  internal func execute(_ sql: String) throws(StoreError) {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw error(code) }
  }

  /// Returns the integer that a query gives, or `nil` if it gives no row.
  internal func integer(_ sql: String) throws(StoreError) -> Int64? {
    let statement = try Statement(sql, on: self)
    return try statement.step() ? statement.int64(at: 0) : nil
  }

  /// Returns the text that a query gives.
  internal func text(_ sql: String) throws(StoreError) -> String {
    let statement = try Statement(sql, on: self)
    return try statement.step() ? String(decoding: statement.bytes(at: 0), as: UTF8.self) : ""
  }

  /// Runs `body` in a transaction, which is undone if `body` throws.
  ///
  /// - Parameters:
  ///   - begin: How it begins. A writer takes its lock at once (`BEGIN IMMEDIATE`): a reader that
  ///     turns into a writer fails without waiting if another was faster.
  ///   - body: What is done in the transaction.
  /// - Returns: What `body` returned.
  /// - Throws: What `body` threw, or ``StoreError`` if the transaction cannot begin or end.
  internal func transaction<Result>(
    _ begin: String,
    _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try execute(begin)
    do throws(StoreError) {
      let result = try body()
      try execute("COMMIT")
      return result
    } catch {
      // The first error says what happened. SQLite has rolled back by itself after some of them.
      sqlite3_exec(handle, "ROLLBACK", nil, nil, nil)
      throw error
    }
  }
}

/// `SQLITE_IOERR_SHORT_READ`, which Swift does not import.
private let shortRead = SQLITE_IOERR | 2 << 8

/// Returns the error that stands for a result code of SQLite.
private func storeError(
  _ code: Int32,
  _ handle: OpaquePointer?,
  path: String,
  busyTimeout: Int32
) -> StoreError {
  let lastFailure = errno
  let message = handle.flatMap { sqlite3_errmsg($0) }.map { String(cString: $0) }
  switch code & 0xff {
  case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL:
    // The third is a log whose locks changed hands a hundred times while one was waited for.
    return .busy(path: path, timeout: busyTimeout)
  case SQLITE_FULL: return .full(path: path)
  case SQLITE_NOTADB: return .notADatabase(path: path)
  case SQLITE_CORRUPT:
    return .damaged(path: path, snapshot: nil, reason: message ?? "the database is malformed")
  case SQLITE_ERROR where message?.hasPrefix("no such ") == true:
    // No statement of ours asks for what the schema does not have.
    return .damaged(path: path, snapshot: nil, reason: message ?? "a table is missing")
  case SQLITE_READONLY, SQLITE_PERM: return .readOnly(path: path)
  case SQLITE_IOERR, SQLITE_CANTOPEN:
    // Before 3.41 SQLite does not keep the reason of a failed commit; the call that failed left it.
    let kept = handle.map { sqlite3_system_errno($0) } ?? 0
    let reason = kept != 0 ? kept : lastFailure
    // SQLite reports a limit on file sizes as any other error of writing.
    if [ENOSPC, EDQUOT, EFBIG].contains(reason) { return .full(path: path) }
    if code == shortRead {
      return .damaged(path: path, snapshot: nil, reason: "the file is too short")
    }
    if code & 0xff == SQLITE_CANTOPEN, reason != 0 {
      return .system(call: "open", path: path, code: reason)
    }
  default: break
  }
  return .sqlite(path: path, code: code, message: message ?? "out of memory")
}

/// Whether a path is longer, as an absolute one, than SQLite takes: its `MAX_PATHNAME` is 512.
private func isTooLong(_ path: [UInt8]) -> Bool {
  let name = path.split(separator: UInt8(ascii: "/")).last?.count ?? 0
  let folder = withCString(parent(of: path)) { realpath($0, nil) }
  defer { free(folder) }
  guard let folder else { return errno == ENAMETOOLONG }
  return strlen(folder) + 1 + name >= 512
}

/// Returns the URI of a file; every byte that might mean something in it is escaped.
private func fileURI(_ path: [UInt8], query: String) -> String {
  var uri = "file:"
  for byte in path {
    let scalar = Unicode.Scalar(byte)
    let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || byte == UInt8(ascii: "/"))
    if isPlain {
      uri.unicodeScalars.append(scalar)
    } else {
      let digits = String(byte, radix: 16)
      uri += "%" + (digits.count < 2 ? "0" : "") + digits
    }
  }
  return uri + query
}

/// Returns the system's words for an error number.
internal func reason(ofErrno code: Int32) -> String {
  strerror(code).map { String(cString: $0) } ?? "error \(code)"
}
