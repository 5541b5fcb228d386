/// The directories of a tree, wherever it is kept.
package protocol TreeSource {
  /// A directory of the tree.
  associatedtype Directory
  /// The reason why something could not be read.
  associatedtype Failure: Error

  /// The bytes of a directory's name.
  func name(of directory: Directory) -> ArraySlice<UInt8>
  /// The directories in a directory, in order of their names.
  func subdirectories(of directory: Directory) throws(Failure) -> [Directory]
  /// The entries of a directory that are no directories.
  func listing(of directory: Directory) throws(Failure) -> Listing
  /// The entries of the listing that are charged to another name, ascending.
  func ordinalsCountedElsewhere(in directory: Directory) -> [Int]
  /// The sizes and counts of a directory and everything below it.
  func totals(of directory: Directory) -> Totals
  /// What is known of a directory itself; its device does not matter.
  func details(of directory: Directory) -> DirectoryDetails
}

extension TreeSource {
  /// Calls `body` with what is below a directory, in order of the paths: all entries of a directory by
  /// their names, and after a directory what it holds.
  ///
  /// - Parameters:
  ///   - top: The directory to begin at.
  ///   - path: The bytes of its path.
  ///   - depth: How many levels below it to go; `nil` for all.
  ///   - includesTop: Whether it is itself the first that `body` is called with.
  ///   - body: Returns whether to go on. A copy of the entry's name that outlives the call makes the
  ///     walk slow.
  /// - Throws: What the source throws.
  package func walk(
    from top: Directory,
    at path: [UInt8],
    depth: Int? = nil,
    includesTop: Bool = false,
    _ body: (WalkedEntry) -> Bool
  ) throws(Failure) {
    var place = WalkedPlace(path)
    if includesTop, !body(entry(of: top, place)) { return }
    let deepest = depth ?? .max
    guard deepest > 0 else { return }
    place.depth = 1
    var stack = [try openDirectory(top, place)]
    while var open = stack.popLast() {
      var inner: OpenDirectory<Directory>?
      while inner == nil, let directory = open.directories.popLast() {
        let name = name(of: directory)
        guard open.entries.visit(before: name, body) else { return }
        guard body(entry(of: directory, open.entries.place)) else { return }
        guard open.entries.place.depth < deepest else { continue }
        inner = try openDirectory(directory, open.entries.place.inner(named: name))
      }
      if let inner {
        stack.append(open)
        stack.append(inner)
      } else if !open.entries.visit(before: nil, body) {
        return
      }
    }
  }

  private func openDirectory(
    _ directory: Directory,
    _ place: WalkedPlace
  ) throws(Failure) -> OpenDirectory<Directory> {
    OpenDirectory(
      directories: try subdirectories(of: directory).reversed(),
      entries: OpenListing(
        try listing(of: directory),
        elsewhere: ordinalsCountedElsewhere(in: directory),
        place: place
      )
    )
  }

  private func entry(of directory: Directory, _ place: WalkedPlace) -> WalkedEntry {
    let details = details(of: directory)
    var entry = place.makeEntry()
    entry.name =
      place.depth > 0
      ? Array(name(of: directory)) : Array(place.path.split(separator: 0x2f).last ?? [0x2f])
    entry.kind = .directory
    entry.isUnreadable = details.flags.contains(.isUnreadable)
    entry.mode = details.mode
    entry.owner = details.owner
    entry.group = details.group
    entry.modificationTime = details.modificationTime.secondsFromNanoseconds
    entry.totals = totals(of: directory)
    entry.ownAllocatedSize = details.allocatedSize
    return entry
  }
}

/// A directory on the way to where a walk is.
private struct OpenDirectory<Directory> {
  /// The subdirectories to come, the next one last.
  var directories: [Directory]
  /// The other entries to come.
  var entries: OpenListing
}

/// The directory that entries are in.
private struct WalkedPlace {
  var path: [UInt8]
  var topLength: Int
  var depth = 0
  var isInManual: Bool

  init(_ top: [UInt8]) {
    path = top
    topLength = top.count
    isInManual = FileCategory.holdsManualPages(
      directoryNamed: top.split(separator: UInt8(ascii: "/")).last ?? []
    )
  }

  /// Returns the place of what is in a directory here.
  func inner(named name: ArraySlice<UInt8>) -> WalkedPlace {
    var inner = self
    inner.path.appendComponent(name)
    inner.depth += 1
    inner.isInManual = FileCategory.holdsManualPages(directoryNamed: name)
    return inner
  }

  /// Returns an entry here of which nothing else is known.
  func makeEntry() -> WalkedEntry {
    var entry = WalkedEntry()
    entry.directoryPath = path
    entry.topLength = topLength
    entry.depth = depth
    entry.isInManual = isInManual
    return entry
  }
}

/// The entries of a listing that a walk has not come to yet.
private struct OpenListing {
  let place: WalkedPlace
  private var cursor: ListingCursor
  private var elsewhere: ArraySlice<Int>
  private var hasEntry: Bool

  init(_ listing: Listing, elsewhere: [Int], place: WalkedPlace) {
    self.place = place
    self.elsewhere = elsewhere[...]
    cursor = listing.makeCursor()
    hasEntry = cursor.advance()
  }

  /// Calls `body` with the entries that come before a name, or with all that are left.
  ///
  /// - Returns: Whether to go on.
  mutating func visit(before name: ArraySlice<UInt8>?, _ body: (WalkedEntry) -> Bool) -> Bool {
    while hasEntry {
      if let name, name.lexicographicallyPrecedes(cursor.name) { return true }
      guard body(takeEntry()) else { return false }
      hasEntry = cursor.advance()
    }
    return true
  }

  private mutating func takeEntry() -> WalkedEntry {
    let found = cursor.entry
    var entry = place.makeEntry()
    entry.name = cursor.name
    entry.kind = found.kind
    if let next = elsewhere.first, next == cursor.ordinal {
      elsewhere.removeFirst()
      entry.isCountedElsewhere = true
    }
    entry.isUnreadable = found.isUnreadable
    entry.mode = found.mode
    entry.owner = found.owner
    entry.group = found.group
    entry.modificationTime = found.modificationTime
    entry.totals.add(found)
    entry.ownAllocatedSize = entry.totals.allocatedSize
    return entry
  }
}

extension Totals {
  /// Adds one entry of a listing.
  fileprivate mutating func add(_ entry: ListingEntry) {
    allocatedSize = allocatedSize.addingSaturated(entry.allocatedSize)
    apparentSize = apparentSize.addingSaturated(entry.apparentSize)
    switch entry.kind {
    case .file: files += 1
    case .symbolicLink: symbolicLinks += 1
    case .other, .directory: others += 1
    }
  }
}

extension FileTree {
  /// Calls `body` with what is below a directory, in order of the paths: all entries of a directory by
  /// their names, and after a directory what it holds.
  ///
  /// - Parameters:
  ///   - top: The directory to begin at.
  ///   - depth: How many levels below it to go; `nil` for all.
  ///   - includesTop: Whether it is itself the first that `body` is called with.
  ///   - body: Returns whether to go on. A copy of the entry's name that outlives the call makes the
  ///     walk slow.
  /// - Precondition: `top` came from this tree.
  /// - Complexity: O(*n*), where *n* is the number of entries that `body` is called with.
  public func forEachEntry(
    below top: DirectoryID,
    depth: Int? = nil,
    includesTop: Bool = false,
    _ body: (WalkedEntry) -> Bool
  ) {
    FileTreeDiffSource(self)
      .walk(from: top, at: path(of: top), depth: depth, includesTop: includesTop, body)
  }
}
