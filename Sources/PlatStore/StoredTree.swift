public import PlatTree

/// A snapshot that was loaded, with its place in the store.
///
/// The next snapshot of the store is compared with it in memory, which takes much less than to read
/// the store again: see ``SnapshotStore/write(_:_:after:)``.
public struct StoredTree: Sendable {
  /// The tree of the snapshot.
  public let tree: FileTree
  /// What is known of the snapshot.
  public let snapshot: SnapshotInfo
  /// The number of each directory in the store.
  internal let numbers: [Int64]
  /// The number of each file system in the store.
  internal let fileSystemNumbers: [Int64]
  /// The largest files in and below each directory.
  internal let largestFiles: [LargestFiles]

  /// The sizes of the largest files of a subtree.
  internal struct LargestFiles: Sendable {
    internal var allocatedSize: Int64
    internal var apparentSize: Int64
  }
}

extension StoredTree {
  /// Whether this is the newest snapshot of a store, so that the rows that have not ended are those
  /// of its directories.
  internal func isNewest(on connection: Connection) throws(StoreError) -> Bool {
    let statement = try Statement(
      "SELECT id, digest FROM snapshot ORDER BY id DESC LIMIT 1",
      on: connection
    )
    guard try statement.step() else { return false }
    return statement.int64(at: 0) == Int64(snapshot.id)
      && UInt64(bitPattern: statement.int64(at: 1)) == snapshot.digest
  }
}
