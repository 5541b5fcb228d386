public import PlatTree

extension SnapshotStore {
  /// Finds what is different between a directory of one snapshot and of another, without loading them.
  ///
  /// The answer is that of `TreeDiff` for the two loaded trees. Each row and each listing that it is
  /// made of is checked, and that the changes of the rows add up.
  ///
  /// - Parameters:
  ///   - from: The number of the snapshot before.
  ///   - to: The number of the snapshot afterwards, which may be the older one.
  ///   - path: The absolute path of the directory; `nil` is the root.
  ///   - measure: The size that decides whether an entry has grown or shrunk.
  /// - Returns: What is different.
  /// - Throws: ``StoreError/noDirectory(path:directory:)`` if one of the snapshots has no such
  ///   directory; ``StoreError`` if the file cannot be read, or a row that is needed is damaged.
  /// - Complexity: O(*m* log *n* + *b* + *c* log *c*), where *m* is the number of changes of
  ///   directories from one snapshot to the other, *n* that of states of directories in the file, *b* the
  ///   bytes of the listings that are not the same, and *c* the number of entries of what has changed.
  public func difference(
    from: Int,
    to: Int,
    atPath path: [UInt8]? = nil,
    by measure: SizeMeasure = .allocated
  ) throws(StoreError) -> TreeDiff {
    let connection = try requireConnection()
    return try connection.transaction("BEGIN") { () throws(StoreError) in
      let before = try directory(atPath: path, in: from)
      let after = try directory(atPath: path, in: to)
      let changed = try ChangedDirectories(from: from, to: to, on: connection)
      guard let top = changed.before[before.number], let newTop = changed.after[after.number] else {
        var diff = TreeDiff()
        (diff.before, diff.after) = (before.totals, after.totals)
        return diff
      }
      let comparison = TreeComparison(from: changed.before, to: changed.after, by: measure)
      return try comparison.difference(
        from: top,
        at: before.path,
        to: newTop,
        at: after.path
      )
    }
  }
}
