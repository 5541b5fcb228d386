/// What a removal of snapshots did, or would do.
public struct RemovedSnapshots: Hashable, Sendable {
  /// The numbers of the snapshots that were removed, ascending.
  public var ids: [Int]
  /// By how much the file becomes smaller, in bytes; `nil` if nothing was removed but only asked for.
  public var freedSize: UInt64?
}

/// Keeping some snapshots, and removing others. What is left stays exactly as it was.
extension SnapshotStore {
  /// Has a snapshot kept, or no longer kept, when old ones are removed.
  ///
  /// - Parameters:
  ///   - id: The number of the snapshot.
  ///   - isPinned: Whether it is to be kept.
  /// - Throws: ``StoreError/noSnapshot(path:id:)`` if there is no such snapshot.
  /// - Precondition: The store was opened for writing.
  public func pin(_ id: Int, _ isPinned: Bool = true) throws(StoreError) {
    try change { connection throws(StoreError) in
      try connection.requireSnapshot(id)
      try connection.execute(
        "UPDATE snapshot SET pinned = \(isPinned ? 1 : 0) WHERE id = \(id)"
      )
    }
  }

  /// Removes a snapshot, pinned or not, damaged or not, and what no other snapshot needs.
  ///
  /// - Parameter id: The number of the snapshot, which is not used again.
  /// - Returns: What was freed.
  /// - Throws: ``StoreError/noSnapshot(path:id:)`` if there is no such snapshot.
  /// - Precondition: The store was opened for writing.
  /// - Complexity: O(*m*), where *m* is the number of versions of directories in the file.
  @discardableResult
  public func delete(_ id: Int) throws(StoreError) -> RemovedSnapshots {
    try remove { connection throws(StoreError) in
      try connection.requireSnapshot(id)
      return [id]
    }
  }

  /// Removes the snapshots that a policy does not keep.
  ///
  /// One whose description is damaged is left alone.
  ///
  /// - Parameters:
  ///   - policy: Which snapshots are kept.
  ///   - now: The time in nanoseconds since 1970.
  ///   - dryRun: Whether to change nothing, and only to say what would be removed.
  /// - Returns: What was removed.
  /// - Throws: ``StoreError`` if the file cannot be read or written; then nothing was removed.
  /// - Precondition: The store was opened for writing, unless this is a dry run.
  public func prune(
    _ policy: RetentionPolicy = RetentionPolicy(),
    now: Int64,
    dryRun: Bool = false
  ) throws(StoreError) -> RemovedSnapshots {
    func superfluous() throws(StoreError) -> [Int] {
      let snapshots = try allSnapshots().intact
      let kept = policy.kept(of: snapshots, now: now)
      return snapshots.map(\.id).filter { !kept.contains($0) }
    }
    if dryRun { return RemovedSnapshots(ids: try superfluous(), freedSize: nil) }
    return try remove { _ throws(StoreError) in try superfluous() }
  }

  /// Removes snapshots that are chosen when no other process can change them.
  private func remove(
    _ choose: (Connection) throws(StoreError) -> [Int]
  ) throws(StoreError) -> RemovedSnapshots {
    var (before, ids) = (0 as UInt64, [Int]())
    try change { connection throws(StoreError) in
      before = try connection.usedSize()
      ids = try choose(connection)
      guard !ids.isEmpty else { return }
      for id in ids { try connection.execute("DELETE FROM snapshot WHERE id = \(id)") }
      for step in Self.removal { try connection.execute(step) }
    }
    guard !ids.isEmpty else { return RemovedSnapshots(ids: [], freedSize: 0) }
    let connection = try requireConnection()
    let freed = before - min(before, try connection.usedSize())
    // The snapshots are gone whether or not the file can be made smaller at once.
    try? connection.execute("PRAGMA incremental_vacuum")
    try? connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return RemovedSnapshots(ids: ids, freedSize: freed)
  }

  /// Removes what no snapshot has, after rows of `snapshot` were removed.
  ///
  /// A row of `dirv` is needed as long as any snapshot is left within its interval, whose ends may be
  /// snapshots that are gone: to move them would write most of the file anew.
  private static let removal = [
    """
    DELETE FROM dirv WHERE NOT EXISTS(
      SELECT 1 FROM snapshot s
      WHERE s.id >= dirv.since AND s.id < coalesce(dirv.until, 9223372036854775807))
    """,
    // What the newest snapshot has is what the next one is compared with.
    """
    UPDATE dirv SET until = NULL
    WHERE until IS NOT NULL AND until > (SELECT max(id) FROM snapshot)
    """,
    // One before all that are left, or after them, is never between two.
    """
    DELETE FROM change WHERE snapshot <= (SELECT min(id) FROM snapshot)
      OR snapshot > coalesce((SELECT max(id) FROM snapshot), 0)
    """,
    // A row whose listing others have stays with them.
    "DELETE FROM content WHERE codec = 1 AND id NOT IN (SELECT content FROM dirv)",
    """
    DELETE FROM content WHERE id NOT IN (SELECT content FROM dirv)
      AND id NOT IN (SELECT data FROM content WHERE codec = 1)
    """,
    "DELETE FROM issue WHERE content NOT IN (SELECT id FROM content)",
    "DELETE FROM exclusion WHERE content NOT IN (SELECT id FROM content)",
    "DELETE FROM dir WHERE NOT EXISTS(SELECT 1 FROM dirv v WHERE v.dir = dir.id)",
    // A snapshot that has no memory of its own has that of the one before, whose tree is the same.
    """
    UPDATE layout SET snapshot = (SELECT min(id) FROM snapshot WHERE id > layout.snapshot)
    WHERE snapshot NOT IN (SELECT id FROM snapshot)
      AND snapshot < (SELECT max(id) FROM snapshot)
      AND NOT EXISTS(
        SELECT 1 FROM layout l
        WHERE (l.width, l.height, l.options) = (layout.width, layout.height, layout.options)
          AND l.snapshot > layout.snapshot
          AND l.snapshot <= (SELECT min(id) FROM snapshot WHERE id > layout.snapshot))
    """,
    "DELETE FROM layout WHERE snapshot NOT IN (SELECT id FROM snapshot)",
  ]
}

extension Connection {
  /// The bytes of the pages that hold something.
  fileprivate func usedSize() throws(StoreError) -> UInt64 {
    let pages = try integer("PRAGMA page_count") ?? 0
    let free = try integer("PRAGMA freelist_count") ?? 0
    return UInt64(clamping: (pages - free) * (try integer("PRAGMA page_size") ?? 0))
  }
}
