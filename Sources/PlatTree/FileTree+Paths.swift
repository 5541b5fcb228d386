extension FileTree {
  /// Returns the path of a directory: that of the root, as it was given, and the names below it.
  ///
  /// - Precondition: `directory` came from this tree.
  /// - Complexity: O(length of the path)
  public func path(of directory: DirectoryID) -> [UInt8] {
    var chain: [DirectoryID] = []
    var next: DirectoryID? = directory
    while let id = next {
      chain.append(id)
      next = parent(of: id)
    }
    var path: [UInt8] = []
    for id in chain.reversed() { path.appendComponent(name(of: id)) }
    return path
  }

  /// Returns the path of an entry.
  ///
  /// - Precondition: `entry` came from this tree.
  /// - Complexity: O(length of the path), and for an entry that is not a directory O(*n*), where *n*
  ///   is its ordinal.
  public func path(of entry: EntryID) -> [UInt8] {
    var path = path(of: entry.directory)
    if let name = name(of: entry) { path.appendComponent(name[...]) }
    return path
  }

  /// Returns the path of what an issue is about.
  public func path(of issue: Issue) -> [UInt8] {
    var path = path(of: issue.directory)
    if let name = issue.name { path.appendComponent(name[...]) }
    return path
  }

  /// Returns the path of an entry that was left out, or of the directory whose content was.
  public func path(of exclusion: Exclusion) -> [UInt8] {
    var path = path(of: exclusion.directory)
    if !exclusion.name.isEmpty { path.appendComponent(exclusion.name[...]) }
    return path
  }

  /// Returns the name of an entry in its listing, or `nil` for a directory.
  ///
  /// It is empty where the listing is damaged.
  internal func name(of entry: EntryID) -> [UInt8]? {
    guard let ordinal = entry.ordinal else { return nil }
    var cursor = listing(of: entry.directory).makeCursor()
    while cursor.advance() {
      if cursor.ordinal == ordinal { return cursor.name }
    }
    precondition(cursor.isDamaged, "an entry's ordinal is below the count of its listing")
    return []
  }

  /// Returns the directory with a path, or `nil` if the tree has none.
  ///
  /// - Parameter path: An absolute path, at or below the path of a root of the tree; doubled and
  ///   trailing slashes do no harm.
  /// - Returns: The directory; one that was left out of the scan is not in the tree.
  /// - Complexity: O(depth × log *n*), where *n* is the largest number of subdirectories.
  public func directory(atPath path: some Sequence<UInt8>) -> DirectoryID? {
    let components = path.split(separator: UInt8(ascii: "/")).map { Array($0) }
    let tops = isGroup ? Array(subdirectories(of: root)) : [root]
    for top in tops {
      let start = name(of: top).split(separator: UInt8(ascii: "/")).map { Array($0) }
      guard components.starts(with: start) else { continue }
      if let found = directory(components.dropFirst(start.count), below: top) { return found }
    }
    return nil
  }

  /// Returns the directory that a walk along names ends at, or `nil` if the tree has none.
  private func directory(
    _ components: ArraySlice<[UInt8]>,
    below top: DirectoryID
  ) -> DirectoryID? {
    var directory = top
    for component in components {
      guard let next = subdirectory(of: directory, named: component) else { return nil }
      directory = next
    }
    return directory
  }
}

extension [UInt8] {
  /// Appends a name to a path, with a slash between them where one is needed.
  public mutating func appendComponent(_ name: ArraySlice<UInt8>) {
    if let last, last != UInt8(ascii: "/") { append(UInt8(ascii: "/")) }
    append(contentsOf: name)
  }
}
