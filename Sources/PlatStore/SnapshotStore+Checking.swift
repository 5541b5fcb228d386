internal import PlatTree

/// What a check of a file found.
public struct StoreCheck: Hashable, Sendable {
  /// Something that is wrong.
  public struct Problem: Hashable, Sendable {
    /// The number of the snapshot that cannot be read for it; `nil` where it concerns the file.
    public var snapshot: Int?
    /// What is wrong, and where: a phrase.
    public var what: String
  }

  /// The numbers of the snapshots that are exactly as they were written, ascending.
  public var intact: [Int] = []
  /// The numbers of the others, ascending.
  public var damaged: [Int] = []
  /// Everything that was found to be wrong.
  public var problems: [Problem] = []
  /// The number of listings that were checked.
  public var listings = 0
}

extension SnapshotStore {
  /// Verifies everything in the file.
  ///
  /// SQLite checks its pages and indices; then every snapshot is loaded, as ``load(_:)`` does it with
  /// all checksums and totals; every listing is decoded; and rows that belong to nothing are looked for.
  /// What is damaged does not keep the rest from being checked.
  ///
  /// - Returns: What is intact, and what is wrong.
  /// - Throws: ``StoreError`` if the file cannot be read at all.
  /// - Complexity: O(*s* · *n*), where *s* is the number of snapshots and *n* that of entries.
  public func check() throws(StoreError) -> StoreCheck {
    var check = StoreCheck()
    let connection = try requireConnection()
    var listings = 0
    try connection.transaction("BEGIN") { () throws(StoreError) in
      let list = try allSnapshots()
      check.add(nil) { () throws(StoreError) in try pageProblems(on: connection) }
      for problem in list.damaged {
        check.damaged.append(problem.id)
        check.problems.append(StoreCheck.Problem(snapshot: problem.id, what: problem.reason))
      }
      for info in list.intact {
        let isIntact = check.add(info.id) { () throws(StoreError) in
          var loader = try SnapshotLoader(info, on: connection)
          return [try loader.load().firstContradiction].compactMap { $0 }
        }
        if isIntact { check.intact.append(info.id) } else { check.damaged.append(info.id) }
      }
      check.damaged.sort()
      check.add(nil) { () throws(StoreError) in
        try listingProblems(on: connection, counting: &listings)
      }
      check.add(nil) { () throws(StoreError) in try strayProblems(on: connection) }
    }
    check.listings = listings
    return check
  }

  /// What SQLite finds wrong with its pages and indices.
  private func pageProblems(on connection: Connection) throws(StoreError) -> [String] {
    let statement = try Statement("PRAGMA integrity_check(10)", on: connection)
    var found: [String] = []
    while try statement.step() {
      let words = statement.string(at: 0)
      if words != "ok" { found.append(words) }
    }
    return found
  }

  /// Decodes every listing that has entries, whether a snapshot has it or not.
  private func listingProblems(
    on connection: Connection,
    counting count: inout Int
  ) throws(StoreError) -> [String] {
    let statement = try Statement(
      "SELECT id, codec, data FROM content WHERE codec <> 1 AND length(data) > 0",
      on: connection
    )
    let listings = try StoredListings(connection)
    var found: [String] = []
    while try statement.step() {
      count += 1
      switch try listings.bytes(statement, at: 1, checksum: nil) {
      case .success(let bytes):
        do { _ = try Listing(validating: bytes) } catch {
          found.append("listing \(statement.int64(at: 0)): \(error)")
        }
      case .failure(let flaw):
        found.append("listing \(statement.int64(at: 0)): \(flaw.description)")
      }
    }
    return found
  }

  /// Looks for rows that belong to nothing, or that contradict each other.
  private func strayProblems(on connection: Connection) throws(StoreError) -> [String] {
    var found: [String] = []
    for (query, what) in Self.strays + Self.strayNotes(connection.schemaVersion) {
      let count = try connection.integer("SELECT count(*) FROM \(query)") ?? 0
      if count > 0 { found.append("\(count) \(what)") }
    }
    return found
  }

  private static let strays = [
    ("dirv WHERE dir NOT IN (SELECT id FROM dir)", "states of directories without a name"),
    ("dir WHERE id NOT IN (SELECT dir FROM dirv)", "directories without a state"),
    (
      """
      dirv WHERE NOT EXISTS(SELECT 1 FROM snapshot s
        WHERE s.id >= since AND s.id < coalesce(until, 9223372036854775807))
      """, "states of directories in no snapshot"
    ),
    (
      """
      dirv a JOIN dirv b ON b.dir = a.dir AND b.since > a.since
        AND b.since < coalesce(a.until, 9223372036854775807)
      """, "states of directories at the same time as another"
    ),
    (
      "dirv WHERE content IS NOT NULL AND content NOT IN (SELECT id FROM content)",
      "states of directories without their listing"
    ),
    (
      """
      content WHERE id NOT IN (SELECT content FROM dirv WHERE content IS NOT NULL)
        AND id NOT IN (SELECT data FROM content WHERE codec = 1)
      """, "listings of no directory"
    ),
    (
      "content WHERE codec = 1 AND data NOT IN (SELECT id FROM content WHERE codec <> 1)",
      "listings that are nowhere"
    ),
  ]

  /// Issues and exclusions belong to a row of `content`; in version 1 of the schema, to one of `dirv`.
  private static func strayNotes(_ version: Int) -> [(String, String)] {
    let (key, rows) =
      version < 2
      ? ("(dir, since)", "SELECT dir, since FROM dirv") : ("content", "SELECT id FROM content")
    let changes =
      version < 2
      ? []
      : [
        (
          """
          (SELECT since AS id, dir FROM dirv UNION SELECT until, dir FROM dirv) ends
            WHERE id > (SELECT min(id) FROM snapshot)
              AND NOT EXISTS(SELECT 1 FROM change c WHERE c.snapshot = ends.id AND c.dir = ends.dir)
          """, "states of directories that no change led to"
        )
      ]
    return changes + [
      ("issue WHERE \(key) NOT IN (\(rows))", "issues of no directory"),
      ("exclusion WHERE \(key) NOT IN (\(rows))", "exclusions of no directory"),
    ]
  }
}

extension StoreCheck {
  /// Adds what a part of the check finds, or the error that ends it; returns whether all was well.
  @discardableResult
  fileprivate mutating func add(
    _ snapshot: Int?,
    _ part: () throws(StoreError) -> [String]
  ) -> Bool {
    var found: [String] = []
    do throws(StoreError) { found = try part() } catch {
      // The path, and the number of the snapshot, are known to who reads it.
      if case .damaged(_, _, let reason) = error {
        found = [reason]
      } else {
        found = [error.description]
      }
    }
    for what in found { problems.append(Problem(snapshot: snapshot, what: what)) }
    return found.isEmpty
  }
}
