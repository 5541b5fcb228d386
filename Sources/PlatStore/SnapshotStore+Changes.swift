extension SnapshotStore {
  /// The number that the next snapshot will have.
  ///
  /// - Returns: A number above that of every snapshot there has ever been.
  /// - Throws: ``StoreError`` if the file cannot be read.
  public func nextSnapshotNumber() throws(StoreError) -> Int {
    try connect()?.nextSnapshotNumber() ?? 1
  }

  /// Returns the inode numbers of directories that changed, or had a change below them, lately.
  ///
  /// Two directories of different file systems may have the same number. What has been there since the
  /// oldest part of the snapshot has not changed, however few snapshots there are.
  ///
  /// - Parameters:
  ///   - count: In how many snapshots, up to and including the one asked for.
  ///   - id: The number of the snapshot.
  /// - Returns: The inode numbers.
  /// - Throws: ``StoreError`` if the file cannot be read.
  /// - Complexity: O(*m*), where *m* is the number of versions of directories in the file.
  public func inodesOfDirectories(
    changedInLast count: Int,
    upTo id: Int
  ) throws(StoreError) -> Set<UInt64> {
    let connection = try requireConnection()
    let statement = try Statement(
      """
      SELECT ino FROM \(DirectoryRow.tables)
      WHERE since <= ?1 AND (until IS NULL OR until > ?1)
        AND since > coalesce(
          (SELECT id FROM snapshot WHERE id <= ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2), 0)
        AND since > (SELECT min(id) FROM snapshot)
      """,
      on: connection
    )
    statement.bind(Int64(id), at: 1)
    statement.bind(Int64(count), at: 2)
    var inodes: Set<UInt64> = []
    while try statement.step() { inodes.insert(UInt64(bitPattern: statement.int64(at: 0))) }
    return inodes
  }
}
