import CPlatSQLite

/// The row of a query, where a function of SQL is called with its columns.
///
/// A column costs a fifth of what it costs where a step of a statement has ended.
internal struct VisitedRow: QueryRow {
  // Safety: SQLite keeps the values for as long as the function runs, and the row is only passed to a
  // closure that is called in it.
  private let values: UnsafeMutablePointer<OpaquePointer?>

  fileprivate init(_ values: UnsafeMutablePointer<OpaquePointer?>) { self.values = values }

  internal func int64(at column: Int32) -> Int64 { sqlite3_value_int64(values[Int(column)]) }

  internal func withBytes<Result>(
    at column: Int32,
    _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    let start = sqlite3_value_blob(values[Int(column)])
    let count = Int(sqlite3_value_bytes(values[Int(column)]))
    return body(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
  }
}

/// What the function `plat_visit` of SQL calls.
internal final class RowVisitor {
  fileprivate var body: ((VisitedRow) throws(StoreError) -> Void)?
  fileprivate var error: StoreError?

  fileprivate func visit(_ row: VisitedRow) -> Bool {
    do throws(StoreError) { try body?(row) } catch { self.error = error }
    return error == nil
  }
}

extension Connection {
  /// Calls `body` with each row of a query.
  ///
  /// - Parameters:
  ///   - columns: The columns of the query.
  ///   - source: The query from the word `FROM` on.
  ///   - parameter: The value of its parameter.
  ///   - body: What to do with a row. It may run other statements, but not visit rows.
  /// - Throws: What `body` throws, or ``StoreError`` if the query cannot be run.
  internal func forEachRow(
    _ columns: String,
    _ source: String,
    _ parameter: Int64,
    _ body: (VisitedRow) throws(StoreError) -> Void
  ) throws(StoreError) {
    let visitor = try preparedVisitor()
    let statement = try Statement("SELECT plat_visit(\(columns)) \(source)", on: self)
    statement.bind(parameter, at: 1)
    try withoutActuallyEscaping(body) { body throws(StoreError) in
      (visitor.body, visitor.error) = (body, nil)
      defer { visitor.body = nil }
      do throws(StoreError) { while try statement.step() {} } catch { throw visitor.error ?? error }
    }
  }

  /// The visitor of the connection, which has the function once there is one.
  private func preparedVisitor() throws(StoreError) -> RowVisitor {
    if let visitor { return visitor }
    let visitor = RowVisitor()
    // Safety: the function goes with the connection, which keeps the visitor.
    try addFunction("plat_visit", Unmanaged.passUnretained(visitor).toOpaque()) {
      context,
      count,
      values in
      guard let values, let data = sqlite3_user_data(context) else { return }
      let isFine = Unmanaged<RowVisitor>.fromOpaque(data)._withUnsafeGuaranteedRef {
        $0.visit(VisitedRow(values))
      }
      if !isFine { sqlite3_result_error(context, "", 0) }
    }
    self.visitor = visitor
    return visitor
  }

  /// Adds the functions that pack columns of version 1 of the schema as those of version 2, unless they
  /// are there.
  internal func addPackingFunctions() throws(StoreError) {
    guard !hasPackingFunctions else { return }
    try addFunction("plat_pack_subtree") { context, _, values in
      guard let values else { return }
      let row = VisitedRow(values)
      var bytes: [UInt8] = []
      DirectoryRow.packSubtree(
        checksum: row.int64(at: 0),
        maxSize: row.int64(at: 1),
        maxAlloc: row.int64(at: 2),
        into: &bytes
      )
      setResult(bytes, of: context)
    }
    try addFunction("plat_pack_own") { context, _, values in
      guard let values else { return }
      let columns = VisitedRow(values)
      var row = DirectoryRow()
      row[.listingChecksum] = columns.int64(at: 0)
      row[.selfAlloc] = columns.int64(at: 1)
      row[.attributes] = columns.int64(at: 2)
      row[.notes] = columns.int64(at: 3)
      row.elsewhere = columns.withBytes(at: 4) { Array($0) }
      var bytes: [UInt8] = []
      row.packOwn(into: &bytes)
      setResult(bytes, of: context)
    }
    hasPackingFunctions = true
  }

  private func addFunction(
    _ name: String,
    _ data: UnsafeMutableRawPointer? = nil,
    _ function:
      @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void
  ) throws(StoreError) {
    let flags = SQLITE_UTF8 | SQLITE_DIRECTONLY
    let code = sqlite3_create_function_v2(handle, name, -1, flags, data, function, nil, nil, nil)
    guard code == SQLITE_OK else { throw error(code) }
  }
}

/// Gives a function of SQL a blob as its value.
private func setResult(_ bytes: [UInt8], of context: OpaquePointer?) {
  bytes.withUnsafeBytes {
    sqlite3_result_blob64(context, $0.baseAddress, UInt64($0.count), plat_sqlite_transient())
  }
}
