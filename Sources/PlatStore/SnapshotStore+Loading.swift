public import PlatTree

extension SnapshotStore {
  /// Reads a snapshot as a tree, equal to the one that was written.
  ///
  /// Every checksum is verified and every total is added up anew.
  ///
  /// - Parameter id: The number of the snapshot; `nil` for the newest.
  /// - Returns: The tree.
  /// - Throws: ``StoreError/damaged(path:snapshot:reason:)`` if anything does not fit;
  ///   ``StoreError/noSnapshot(path:id:)`` if there is no such snapshot.
  /// - Complexity: O(*n*), where *n* is the number of entries, and O(*m*), where *m* is the number of
  ///   versions of directories in the file.
  public func load(_ id: Int? = nil) throws(StoreError) -> FileTree {
    try loadStored(id).tree
  }

  /// Reads a snapshot as a tree that the next one can be compared with when it is written.
  ///
  /// - Parameter id: The number of the snapshot; `nil` for the newest.
  /// - Returns: The tree, and its place in the store.
  /// - Throws: ``StoreError`` as ``load(_:)`` does.
  /// - Complexity: As of ``load(_:)``
  public func loadStored(_ id: Int? = nil) throws(StoreError) -> StoredTree {
    let connection = try requireConnection()
    return try connection.transaction("BEGIN") { () throws(StoreError) in
      var loader = try SnapshotLoader(snapshot(id), on: connection)
      return try loader.load()
    }
  }
}
