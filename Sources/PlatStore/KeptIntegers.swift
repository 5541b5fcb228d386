import CPlatSQLite

/// The integers that the function `plat_keep` of SQL was called with last.
///
/// A query that selects `plat_keep(a, b, …)` has them here after each step.
internal struct KeptIntegers {
  // Safety: SQLite frees the memory when the connection is closed, which is kept open.
  private let start: UnsafePointer<Int64>
  private let connection: Connection

  /// Adds the function to a connection, unless it is there.
  ///
  /// - Parameter connection: The connection; one query of it at a time uses the function.
  /// - Throws: ``StoreError`` if there is no memory.
  internal init(_ connection: Connection) throws(StoreError) {
    if connection.keptIntegers == nil {
      connection.keptIntegers = plat_sqlite_add_keep(
        connection.handle,
        Int32(DirectoryRow.fieldCount)
      )
    }
    guard let kept = connection.keptIntegers else { throw connection.error(SQLITE_NOMEM) }
    start = UnsafePointer(kept)
    self.connection = connection
  }

  /// The integer at a position.
  internal subscript(index: Int) -> Int64 { start[index] }
}
