/// A step from one version of the schema to the next.
internal struct Migration {
  /// The version that the step leads to.
  internal let version: Int
  /// The statements of the step.
  internal let sql: String

  /// Creates a step.
  internal init(to version: Int, sql: String) {
    self.version = version
    self.sql = sql
  }

  /// Brings a database to the last version: all missing steps in one transaction, or none.
  ///
  /// - Parameters:
  ///   - steps: All steps, from version 1 on.
  ///   - connection: A database without tables, or one of ours, and in no transaction.
  /// - Returns: Whether there was anything to do.
  /// - Throws: ``StoreError`` if a step fails.
  @discardableResult
  internal static func run(
    _ steps: [Migration],
    on connection: Connection
  ) throws(StoreError) -> Bool {
    guard try connection.integer("PRAGMA user_version") ?? 0 < Int64(steps.count) else {
      return false
    }
    return try connection.transaction("BEGIN IMMEDIATE") { () throws(StoreError) in
      try runSteps(steps, on: connection)
    }
  }

  /// Runs the missing steps inside the caller's transaction.
  @discardableResult
  internal static func runSteps(
    _ steps: [Migration],
    on connection: Connection
  ) throws(StoreError) -> Bool {
    // Asked for inside the transaction: another process may have been faster.
    let version = try connection.integer("PRAGMA user_version") ?? 0
    let missing = steps.filter { Int64($0.version) > version }
    guard let last = missing.last else { return false }
    try connection.addPackingFunctions()
    for step in missing { try connection.execute(step.sql) }
    try connection.execute("PRAGMA application_id = \(Schema.applicationID)")
    try connection.execute("PRAGMA user_version = \(last.version)")
    return true
  }
}
