extension FileTree {
  /// Returns a directory and everything below it as a tree of its own.
  ///
  /// The sizes of hard links are charged anew: a file whose first name is outside `top` is charged
  /// to its first name inside. The bytes of the listings are shared with this tree.
  ///
  /// - Parameter top: The directory to become the top; its name there is its path here.
  /// - Returns: The tree of `top`.
  /// - Precondition: `top` came from this tree, and is not the top of a group.
  /// - Complexity: O(*n*), where *n* is the number of entries below `top`, and O(*m*), where *m* is
  ///   the number of issues and exclusions of this tree.
  public func subtree(_ top: DirectoryID) -> FileTree {
    precondition(!details(of: top).flags.contains(.isGroup), "a group is no directory on disk")
    return tree(of: directories(below: top), rootPath: path(of: top))
  }

  /// Returns the tree without some of its entries, as a scan would find it after they were removed.
  ///
  /// What is below a directory goes with it. Where names of a file with several hard links go, the
  /// link counts of those that stay are less by as many, and its sizes are charged to the first that
  /// stays. What the removal does to the directories that held the entries, as their sizes and times,
  /// is not known here, and stays as it was.
  ///
  /// - Parameter entries: The entries to leave out; the top is not among them.
  /// - Returns: The tree of the rest.
  /// - Precondition: `entries` came from this tree, and the top of the tree is not among them.
  /// - Complexity: O(*n*), where *n* is the number of entries.
  public func removing(_ entries: some Sequence<EntryID>) -> FileTree {
    var removal = Removal()
    for entry in entries {
      precondition(entry != EntryID(root), "the top of a tree cannot be taken from it")
      if let ordinal = entry.ordinal {
        removal.ordinals[entry.directory, default: []].insert(ordinal)
      } else {
        removal.directories.insert(entry.directory)
      }
    }
    var selected: [DirectoryID] = []
    // Parents come first, so that one pass finds all that goes.
    for directory in directories {
      let isBelow = parent(of: directory).map { removal.directories.contains($0) } ?? false
      if isBelow { removal.directories.insert(directory) }
      if removal.directories.contains(directory) {
        countLinks(of: directory, in: &removal) { _ in true }
      } else {
        selected.append(directory)
        guard let ordinals = removal.ordinals[directory] else { continue }
        countLinks(of: directory, in: &removal) { ordinals.contains($0) }
      }
    }
    return tree(of: selected, rootPath: Array(name(of: root))) { listing(of: $0, after: removal) }
  }

  /// What is to be left out of a tree.
  private struct Removal {
    struct Inode: Hashable {
      var fileSystem: Int
      var number: UInt64
    }

    var directories: Set<DirectoryID> = []
    var ordinals: [DirectoryID: Set<Int>] = [:]
    /// How many names of files with several hard links go.
    var links: [Inode: UInt32] = [:]
  }

  private func countLinks(
    of directory: DirectoryID,
    in removal: inout Removal,
    where isRemoved: (_ ordinal: Int) -> Bool
  ) {
    guard fileChange(in: directory) == nil else { return }
    let listing = listing(of: directory)
    guard listing.hasManyLinks else { return }
    var cursor = listing.makeCursor()
    while cursor.advanceWithoutName() {
      guard cursor.entry.linkCount > 1, isRemoved(cursor.ordinal) else { continue }
      let inode = Removal.Inode(
        fileSystem: fileSystemIndex(of: directory),
        number: cursor.entry.inode
      )
      removal.links[inode, default: 0] += 1
    }
  }

  /// Returns what is left of a directory's entries, or `nil` if all are as they were.
  private func listing(of directory: DirectoryID, after removal: Removal) -> ListingEncoder.Names? {
    let ordinals = removal.ordinals[directory] ?? []
    guard !ordinals.isEmpty || fileChange(in: directory) == nil else { return nil }
    let listing = listing(of: directory)
    guard !ordinals.isEmpty || (!removal.links.isEmpty && listing.hasManyLinks) else { return nil }
    var rest = ListingEncoder.Names()
    var isChanged = !ordinals.isEmpty
    var cursor = listing.makeCursor()
    while cursor.advance() {
      guard !ordinals.contains(cursor.ordinal) else { continue }
      var entry = cursor.entry
      if entry.linkCount > 1 {
        let inode = Removal.Inode(
          fileSystem: fileSystemIndex(of: directory),
          number: entry.inode
        )
        if let gone = removal.links[inode] {
          entry.linkCount = entry.linkCount > gone ? entry.linkCount - gone : 1
          isChanged = true
        }
      }
      rest.append(entry, name: cursor.name)
    }
    return isChanged ? rest : nil
  }

  /// Returns a tree of some of the directories.
  ///
  /// - Parameters:
  ///   - selected: The directories, in canonical order: with each but the first, the one above it.
  ///   - rootPath: The path of the first.
  ///   - replacement: Returns the entries of a directory that are not those of this tree.
  /// - Returns: The tree.
  private func tree(
    of selected: [DirectoryID],
    rootPath: [UInt8],
    replacement: (DirectoryID) -> ListingEncoder.Names? = { _ in nil }
  ) -> FileTree {
    var numbers = [DirectoryID: Int](minimumCapacity: selected.count)
    for (number, directory) in selected.enumerated() { numbers[directory] = number }

    var batches = batchesOfChunks()
    for (number, directory) in selected.enumerated() {
      var part = details(of: directory)
      // The position stands for the device, so that two file systems are never taken for one.
      part.device = UInt64(fileSystemIndex(of: directory))
      let location = listings[directory.index]
      var (chunk, range) = (chunks.count, 0..<0)
      var (fileChange, summary) = (Int64.max, ListingSummary())
      if var names = replacement(directory) {
        let start = batches[chunk].bytes.count
        summary = names.encode(into: &batches[chunk].bytes)
        range = start..<batches[chunk].bytes.count
      } else if location.length > 0 {
        chunk = Int(location.chunk)
        range = location.range
        summary = listing(of: directory).summary
        fileChange = self.fileChange(in: directory) ?? .max
      }
      var delivered = Batch.Directory(
        number: number,
        details: part,
        listing: range,
        summary: summary
      )
      delivered.isPacked = batches[chunk].codec != nil
      delivered.fileChange = fileChange
      batches[chunk].directories.append(delivered)
    }
    var names = Batch()
    for directory in selected {
      let children = subdirectories(of: directory).filter { numbers[$0] != nil }
      guard let first = children.first, let number = numbers[first],
        let parent = numbers[directory]
      else { continue }
      names.announce(parent: parent, first: number, names: children.map { name(of: $0) })
    }
    names.issues = issues.compactMap { issue in
      var issue = issue
      guard let number = numbers[issue.directory] else { return nil }
      issue.directory = DirectoryID(number)
      return issue
    }
    names.exclusions = exclusions.compactMap { exclusion in
      var exclusion = exclusion
      guard let number = numbers[exclusion.directory] else { return nil }
      exclusion.directory = DirectoryID(number)
      return exclusion
    }
    var builder = Builder(rootPath: rootPath)
    builder.insert(names)
    for batch in batches where !batch.directories.isEmpty { builder.insert(batch) }
    return builder.makeTree { fileSystems[Int($0)] }
  }

  /// Returns a batch with each chunk of listings, and one without for what needs none.
  private func batchesOfChunks() -> [Batch] {
    var batches = [Batch](repeating: Batch(), count: chunks.count + 1)
    for (index, chunk) in chunks.enumerated() {
      batches[index].codec = chunk.codec
      if chunk.codec == nil {
        batches[index].bytes = chunk.bytes
      } else {
        batches[index].packed = chunk.bytes
      }
    }
    return batches
  }
}

extension ListingEncoder {
  /// Entries with their names, on the way into a listing.
  fileprivate struct Names {
    private var encoder = ListingEncoder()
    private var names: [UInt8] = []

    mutating func append(_ entry: ListingEntry, name: [UInt8]) {
      encoder.append(entry, name: names.count..<names.count + name.count)
      names.append(contentsOf: name)
    }

    mutating func encode(into bytes: inout [UInt8]) -> ListingSummary {
      let names = names
      return encoder.encode(names: names.span, into: &bytes)
    }
  }
}
