import CPlatSQLite

/// Inserts rows into a table, several with one statement.
///
/// A statement costs as much to run as some ten columns. Rows are appended value by value; those that
/// are left at the end are inserted by ``finish()``.
internal struct BulkInsertion: ~Copyable {
  fileprivate enum Value {
    case integer(Int64)
    case null
    case blob(Range<Int>)
    case text(Range<Int>)
  }

  private let connection: Connection
  private let table: String
  private let columns: String
  private let columnCount: Int
  private let single: Statement
  /// The statement for ``mostRows`` rows, made when there are as many.
  private var several: Statement?
  /// The values of the rows that were not inserted yet, row by row.
  private var values: [Value] = []
  /// The bytes of blobs and texts among them.
  private var bytes: [UInt8] = []

  private static let mostRows = 32
  /// Rows with more bytes than this are not kept for the next.
  private static let mostBytes = 1 << 16

  /// Prepares to insert rows.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - columns: The columns that rows have values for, divided by commas.
  ///   - connection: The store.
  /// - Throws: ``StoreError`` if the table has no such columns.
  internal init(_ table: String, _ columns: String, on connection: Connection) throws(StoreError) {
    let columnCount = columns.split(separator: ",").count
    let single = try Statement(
      Self.sql(table, columns, columnCount: columnCount, rowCount: 1),
      on: connection
    )
    self.connection = connection
    self.table = table
    self.columns = columns
    self.columnCount = columnCount
    self.single = single
    values.reserveCapacity(columnCount * Self.mostRows)
  }

  private static func sql(
    _ table: String,
    _ columns: String,
    columnCount: Int,
    rowCount: Int
  ) -> String {
    func list(_ element: String, _ count: Int) -> String {
      [String](repeating: element, count: count).joined(separator: ", ")
    }
    let row = "(\(list("?", columnCount)))"
    return "INSERT INTO \(table)(\(columns)) VALUES \(list(row, rowCount))"
  }

  /// Appends an integer.
  internal mutating func append(_ value: Int64) { values.append(.integer(value)) }

  /// Appends NULL.
  internal mutating func appendNull() { values.append(.null) }

  /// Appends a blob.
  internal mutating func append(blob: ArraySlice<UInt8>) { append { $0.append(contentsOf: blob) } }

  /// Appends the blob that `pack` appends to bytes.
  internal mutating func append(packedBy pack: (inout [UInt8]) -> Void) {
    let start = bytes.count
    pack(&bytes)
    values.append(.blob(start..<bytes.count))
  }

  /// Appends a text, which is valid UTF-8.
  internal mutating func append(text: some Sequence<UInt8>) {
    let start = bytes.count
    bytes.append(contentsOf: text)
    values.append(.text(start..<bytes.count))
  }

  /// Ends a row, after its last value.
  internal mutating func endRow() throws(StoreError) {
    if values.count == columnCount * Self.mostRows {
      if several == nil {
        let sql = Self.sql(table, columns, columnCount: columnCount, rowCount: Self.mostRows)
        several = try Statement(sql, on: connection)
      }
      try several?.run(values[...], bytes)
      removeAll()
    } else if bytes.count > Self.mostBytes {
      try finish()
    }
  }

  /// Inserts the rows that are left.
  internal mutating func finish() throws(StoreError) {
    for start in stride(from: 0, to: values.count, by: columnCount) {
      try single.run(values[start..<start + columnCount], bytes)
    }
    removeAll()
  }

  /// Inserts the rows that are left, of a table whose integer key is not among the columns.
  ///
  /// SQLite gives each row the number after the largest one, and takes less time for that than to look
  /// whether a number is taken.
  ///
  /// - Parameter lastID: The number that the last row of the table has then.
  /// - Throws: ``StoreError`` if the rows cannot be inserted, or have got other numbers.
  internal mutating func finish(lastID: Int64) throws(StoreError) {
    try finish()
    guard try connection.integer("SELECT max(rowid) FROM \(table)") ?? 0 == lastID else {
      throw connection.numbersUsedUp(of: table)
    }
  }

  private mutating func removeAll() {
    values.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
  }
}

extension Statement {
  /// Runs a statement with the values of its parameters.
  fileprivate borrowing func run(
    _ values: ArraySlice<BulkInsertion.Value>,
    _ bytes: [UInt8]
  ) throws(StoreError) {
    // What is bound is not copied: it stays here until the statement has run, and is bound anew before
    // it runs again.
    let outcome: Result<Void, StoreError> = bytes.withUnsafeBytes { bytes in
      do throws(StoreError) {
        try bind(values, bytes)
        return .success(try run())
      } catch {
        return .failure(error)
      }
    }
    try outcome.get()
  }

  private borrowing func bind(
    _ values: ArraySlice<BulkInsertion.Value>,
    _ bytes: UnsafeRawBufferPointer
  ) throws(StoreError) {
    var index: Int32 = 0
    for value in values {
      index += 1
      switch value {
      case .integer(let number): bind(number, at: index)
      case .null: bindNull(at: index)
      case .blob(let range):
        try bind(borrowedBlob: UnsafeRawBufferPointer(rebasing: bytes[range]), at: index)
      case .text(let range):
        try bind(borrowedText: UnsafeRawBufferPointer(rebasing: bytes[range]), at: index)
      }
    }
  }
}
