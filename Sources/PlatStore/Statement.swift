import CPlatSQLite

/// A prepared SQLite statement, finalized when its owner goes away.
///
/// The handle never leaves this type, so it is finalized exactly once and never used afterwards:
/// a noncopyable type has one owner, and the compiler checks it.
internal struct Statement: ~Copyable {
  // Safety: `handle` is valid from `init` to `deinit`, and only methods of this type use it.
  private let handle: OpaquePointer
  private let connection: Connection

  /// Compiles one SQL statement.
  internal init(_ sql: String, on connection: Connection) throws(StoreError) {
    var compiled: OpaquePointer?
    let code = sqlite3_prepare_v2(connection.handle, sql, -1, &compiled, nil)
    guard code == SQLITE_OK, let compiled else { throw connection.error(code) }
    handle = compiled
    self.connection = connection
  }

  deinit { sqlite3_finalize(handle) }

  /// Advances to the next row, and returns whether there is one.
  internal borrowing func step() throws(StoreError) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code:
      let error = connection.error(code)
      sqlite3_reset(handle)
      throw error
    }
  }

  /// Runs a statement that returns no rows, and makes it ready to run again.
  internal borrowing func run() throws(StoreError) {
    _ = try step()
    sqlite3_reset(handle)
  }

  /// Makes the statement ready to run again; parameters keep their values.
  internal borrowing func reset() { sqlite3_reset(handle) }
}

// MARK: Parameters, by 1-based index

extension Statement {
  /// Binds an integer.
  internal borrowing func bind(_ value: Int64, at index: Int32) {
    let code = sqlite3_bind_int64(handle, index, value)
    precondition(code == SQLITE_OK, "parameter index out of range")
  }

  /// Binds NULL.
  internal borrowing func bindNull(at index: Int32) {
    let code = sqlite3_bind_null(handle, index)
    precondition(code == SQLITE_OK, "parameter index out of range")
  }

  /// Binds a copy of bytes as a blob.
  internal borrowing func bind(blob bytes: ArraySlice<UInt8>, at index: Int32) throws(StoreError) {
    let code = bytes.withUnsafeBufferPointer { buffer in
      // No address means NULL to SQLite, and an empty array may have none.
      buffer.isEmpty
        ? sqlite3_bind_zeroblob(handle, index, 0)
        : sqlite3_bind_blob64(
          handle,
          index,
          buffer.baseAddress,
          UInt64(buffer.count),
          plat_sqlite_transient()
        )
    }
    guard code == SQLITE_OK else { throw connection.error(code) }
  }

  /// Binds a copy of bytes, which are valid UTF-8, as a text.
  internal borrowing func bind(text bytes: ArraySlice<UInt8>, at index: Int32) throws(StoreError) {
    let code = bytes.withUnsafeBytes { buffer in
      buffer.isEmpty
        ? sqlite3_bind_text(handle, index, "", 0, nil)
        : sqlite3_bind_text64(
          handle,
          index,
          buffer.baseAddress?.assumingMemoryBound(to: CChar.self),
          UInt64(buffer.count),
          plat_sqlite_transient(),
          UInt8(SQLITE_UTF8)
        )
    }
    guard code == SQLITE_OK else { throw connection.error(code) }
  }

  /// Binds bytes as a blob, which stay where they are until the statement has run.
  internal borrowing func bind(
    borrowedBlob bytes: UnsafeRawBufferPointer,
    at index: Int32
  ) throws(StoreError) {
    // No address means NULL to SQLite, and no bytes may have none.
    let code =
      bytes.isEmpty
      ? sqlite3_bind_blob64(handle, index, "", 0, nil)
      : sqlite3_bind_blob64(handle, index, bytes.baseAddress, UInt64(bytes.count), nil)
    guard code == SQLITE_OK else { throw connection.error(code) }
  }

  /// Binds bytes, which are valid UTF-8, as a text, which stay where they are until the statement has
  /// run.
  internal borrowing func bind(
    borrowedText bytes: UnsafeRawBufferPointer,
    at index: Int32
  ) throws(StoreError) {
    let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
    let code =
      bytes.isEmpty
      ? sqlite3_bind_text(handle, index, "", 0, nil)
      : sqlite3_bind_text64(
        handle,
        index,
        start,
        UInt64(bytes.count),
        nil,
        UInt8(SQLITE_UTF8)
      )
    guard code == SQLITE_OK else { throw connection.error(code) }
  }

  /// Binds a text.
  internal borrowing func bind(_ text: String, at index: Int32) throws(StoreError) {
    try bind(text: Array(text.utf8)[...], at: index)
  }
}

// MARK: Columns of the current row, by 0-based index

extension Statement {
  /// Reads an integer.
  internal borrowing func int64(at column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

  /// Returns whether a column is NULL.
  internal borrowing func isNull(at column: Int32) -> Bool {
    sqlite3_column_type(handle, column) == SQLITE_NULL
  }

  /// Calls `body` with the bytes of a blob or a text; there are none in NULL.
  internal borrowing func withBytes<Result>(
    at column: Int32,
    _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    let start = sqlite3_column_blob(handle, column)
    let count = Int(sqlite3_column_bytes(handle, column))
    return body(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
  }

  /// Returns the bytes of a blob or a text.
  internal borrowing func bytes(at column: Int32) -> [UInt8] {
    withBytes(at: column) { Array($0) }
  }

  /// Returns a text; bytes that are no UTF-8 are replaced.
  internal borrowing func string(at column: Int32) -> String {
    withBytes(at: column) { String(decoding: $0, as: UTF8.self) }
  }
}
