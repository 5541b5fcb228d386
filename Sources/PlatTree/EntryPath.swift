/// The names that lead from the top of a tree to an entry.
///
/// It stands for the same entry in every tree of one root: in one that is not complete yet, and in
/// that of a later scan.
public struct EntryPath: Hashable, Sendable {
  /// The names below the top, from there on; none for the top itself.
  public var names: [[UInt8]]

  /// Creates a path.
  ///
  /// - Parameter names: The names below the top; none for the top itself.
  public init(_ names: [[UInt8]] = []) { self.names = names }
}

extension FileTree {
  /// Returns the names that lead to an entry.
  ///
  /// - Precondition: `entry` came from this tree.
  /// - Complexity: As of `path(of:)`
  public func entryPath(of entry: EntryID) -> EntryPath {
    var names: [[UInt8]] = []
    if let name = name(of: entry) { names.append(name) }
    var directory = entry.directory
    while let parent = parent(of: directory) {
      names.append(Array(name(of: directory)))
      directory = parent
    }
    return EntryPath(names.reversed())
  }

  /// Returns the entry that names lead to, or the directory nearest to it that there is.
  ///
  /// - Parameter path: The names from the top.
  /// - Returns: The entry, or the last directory on the way to it.
  /// - Complexity: O(depth × log *n* + *m*), where *n* is the largest number of subdirectories, and
  ///   *m* the number of entries of one listing.
  public func nearestEntry(to path: EntryPath) -> EntryID {
    var directory = root
    for (index, name) in path.names.enumerated() {
      if let next = subdirectory(of: directory, named: name) {
        directory = next
      } else if index == path.names.count - 1, let ordinal = ordinal(of: name, in: directory) {
        return EntryID(directory, ordinal: ordinal)
      } else {
        break
      }
    }
    return EntryID(directory)
  }

  /// Returns the subdirectory with a name, or `nil` if there is none.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of subdirectories.
  internal func subdirectory(
    of directory: DirectoryID,
    named name: some Collection<UInt8>
  ) -> DirectoryID? {
    let candidates = subdirectories(of: directory)
    let index = candidates.partitioningIndex { candidate in
      !self.name(of: candidate).lexicographicallyPrecedes(name)
    }
    guard index < candidates.endIndex, self.name(of: candidates[index]).elementsEqual(name)
    else { return nil }
    return candidates[index]
  }

  private func ordinal(of name: [UInt8], in directory: DirectoryID) -> Int? {
    var cursor = listing(of: directory).makeCursor()
    while cursor.advance() { if cursor.name == name { return cursor.ordinal } }
    return nil
  }
}
