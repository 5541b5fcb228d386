import PlatTree

extension Removal {
  /// A removal whose entries were looked up in a tree.
  internal struct Examined: Sendable {
    internal var removal: Removal
    /// Why nothing of it may be removed, if that is so.
    internal var objection: String?
  }

  /// Looks up the entries to be removed, and all that would go with them.
  ///
  /// That takes long where there are many, or where their directories are large: it is done on another
  /// thread.
  internal func examined(in tree: FileTree) -> Examined {
    var removal = self
    removal.targets = targets(in: tree)
    let objection = removal.objection(in: tree)
    if objection == nil { removal.estimate = Estimate(removal, in: tree) }
    return Examined(removal: removal, objection: objection)
  }

  /// Returns what has to be removed for entries to be gone: what is inside another goes with that.
  private func targets(in tree: FileTree) -> [Target] {
    let all = Set(paths)
    let outermost = paths.filter { !all.holdsDirectory(above: $0) }
    return zip(outermost, tree.entries(atPaths: outermost)).compactMap { path, found in
      guard let found else { return nil }
      let details = tree.details(of: found.id.directory)
      return Target(
        path: path,
        device: details.device,
        inode: found.id.ordinal == nil ? details.inode : found.entry.inode,
        isDirectory: found.id.ordinal == nil,
        id: found.id,
        entry: found.entry
      )
    }
  }

  private func objection(in tree: FileTree) -> String? {
    if targets.isEmpty { return "It was left out of the scan; r looks again." }
    let directories = targets.lazy.filter(\.isDirectory).map(\.id.directory)
    if directories.contains(tree.root) { return "This is the root of the scan." }
    if directories.contains(where: { tree.details(of: $0).flags.contains(.isMountPoint) }) {
      return "A file system is mounted here."
    }
    return nil
  }
}

extension FileTree {
  /// An entry, and what its listing says of it if it is no directory.
  internal struct FoundEntry: Sendable {
    internal var id: EntryID
    internal var entry = ListingEntry()
  }

  /// Returns the entries with some paths, `nil` for those that the tree does not have.
  ///
  /// Each listing is read once, however many entries of it are looked for.
  internal func entries(atPaths paths: [[UInt8]]) -> [FoundEntry?] {
    var found = [FoundEntry?](repeating: nil, count: paths.count)
    var wanted: [DirectoryID: [ArraySlice<UInt8>: [Int]]] = [:]
    var parents: [ArraySlice<UInt8>: DirectoryID?] = [:]
    for (index, path) in paths.enumerated() {
      if let directory = directory(atPath: path) {
        found[index] = FoundEntry(id: EntryID(directory))
        continue
      }
      guard let slash = path.lastIndex(of: UInt8(ascii: "/")) else { continue }
      let folder = path[...slash]
      let parent = parents[folder] ?? directory(atPath: folder)
      parents[folder] = .some(parent)
      if let parent {
        wanted[parent, default: [:]][path[(slash + 1)...], default: []].append(index)
      }
    }
    for (parent, names) in wanted {
      var cursor = listing(of: parent).makeCursor()
      while cursor.advance() {
        guard let indices = names[cursor.name[...]] else { continue }
        let id = EntryID(parent, ordinal: cursor.ordinal)
        for index in indices { found[index] = FoundEntry(id: id, entry: cursor.entry) }
      }
    }
    return found
  }
}
