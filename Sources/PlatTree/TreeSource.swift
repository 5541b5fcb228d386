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
  ///   - criteria: `body` may miss entries that do not meet them; those that it is called with need not.
  ///   - measure: The size that counts for the criteria.
  ///   - body: Returns whether to go on. A copy of the entry that outlives the call makes the walk
  ///     slow.
  /// - Throws: What the source throws.
  package func walk(
    from top: Directory,
    at path: [UInt8],
    depth: Int? = nil,
    includesTop: Bool = false,
    meeting criteria: EntryCriteria = EntryCriteria(),
    by measure: SizeMeasure = .allocated,
    _ body: (WalkedEntry) -> Bool
  ) throws(Failure) {
    let topName = path.split(separator: UInt8(ascii: "/")).last ?? [UInt8(ascii: "/")]
    var entry = WalkedEntry()
    entry.directoryPath = path
    entry.topLength = path.count
    entry.isInManual = FileCategory.holdsManualPages(directoryNamed: topName)
    if includesTop {
      set(&entry, to: top, topName)
      if !body(entry) { return }
    }
    let deepest = depth ?? .max
    guard deepest > 0 else { return }
    entry.depth = 1
    let selection = EntrySelection(criteria: criteria, measure: measure)
    var stack = [try openDirectory(top, entry)]
    while let last = stack.indices.last {
      stack[last].place.return(&entry)
      guard let directory = stack[last].directories.popLast() else {
        guard stack[last].entries.visit(before: nil, selection, &entry, body) else { return }
        stack.removeLast()
        continue
      }
      let name = name(of: directory)
      guard stack[last].entries.visit(before: name, selection, &entry, body) else { return }
      if selection.mayMatch(directoryNamed: name) {
        set(&entry, to: directory, name)
        guard body(entry) else { return }
      }
      guard entry.depth < deepest else { continue }
      entry.directoryPath.appendComponent(name)
      entry.depth += 1
      entry.isInManual = FileCategory.holdsManualPages(directoryNamed: name)
      stack.append(try openDirectory(directory, entry))
    }
  }

  /// Prepares to go through a directory, whose path an entry has.
  private func openDirectory(
    _ directory: Directory,
    _ entry: WalkedEntry
  ) throws(Failure) -> OpenDirectory<Directory> {
    OpenDirectory(
      place: WalkedPlace(
        pathLength: entry.directoryPath.count,
        depth: entry.depth,
        isInManual: entry.isInManual
      ),
      directories: try subdirectories(of: directory).reversed(),
      entries: OpenListing(
        try listing(of: directory),
        elsewhere: ordinalsCountedElsewhere(in: directory)
      )
    )
  }

  /// Makes an entry that of a directory, but for its place.
  private func set(
    _ entry: inout WalkedEntry,
    to directory: Directory,
    _ name: ArraySlice<UInt8>
  ) {
    let details = details(of: directory)
    entry.setName(name)
    entry.kind = .directory
    entry.isCountedElsewhere = false
    entry.isUnreadable = details.flags.contains(.isUnreadable)
    entry.mode = details.mode
    entry.owner = details.owner
    entry.group = details.group
    entry.modificationTime = details.modificationTime.secondsFromNanoseconds
    entry.totals = totals(of: directory)
    entry.ownAllocatedSize = details.allocatedSize
  }
}

/// A directory on the way to where a walk is.
private struct OpenDirectory<Directory> {
  let place: WalkedPlace
  /// The subdirectories to come, the next one last.
  var directories: [Directory]
  /// The other entries to come.
  var entries: OpenListing
}

/// Where entries are, beside the path itself: that is kept once, for where the walk is.
private struct WalkedPlace {
  var pathLength: Int
  var depth: Int
  var isInManual: Bool

  /// Takes an entry back here from further down.
  func `return`(_ entry: inout WalkedEntry) {
    entry.directoryPath.removeLast(entry.directoryPath.count - pathLength)
    entry.depth = depth
    entry.isInManual = isInManual
  }
}

/// Which entries a walk may pass over.
private struct EntrySelection {
  let criteria: EntryCriteria
  let measure: SizeMeasure

  func mayMatch(directoryNamed name: ArraySlice<UInt8>) -> Bool {
    (criteria.kinds.isEmpty || criteria.kinds.contains(.directory))
      && criteria.mayMatch(name: name.span)
  }
}

/// The entries of a listing that a walk has not come to yet.
private struct OpenListing {
  private var cursor: ListingCursor
  private var name = NameBuffer()
  private var elsewhere: ArraySlice<Int>
  /// Whether there is an entry to come; `nil` if nobody has looked yet.
  private var hasEntry: Bool?

  init(_ listing: Listing, elsewhere: [Int]) {
    self.elsewhere = elsewhere[...]
    cursor = listing.makeCursor()
  }

  /// Calls `body` with the entries that come before a name, or with all that are left.
  ///
  /// - Parameters:
  ///   - end: The name.
  ///   - selection: Which entries may be left out.
  ///   - entry: Has the place of the entries, and is what `body` is called with.
  ///   - body: Returns whether to go on.
  /// - Returns: Whether to go on.
  mutating func visit(
    before end: ArraySlice<UInt8>?,
    _ selection: EntrySelection,
    _ entry: inout WalkedEntry,
    _ body: (WalkedEntry) -> Bool
  ) -> Bool {
    if hasEntry == nil { hasEntry = advance(selection) }
    while hasEntry == true {
      if let end, end.lexicographicallyPrecedes(name.name) { return true }
      set(&entry)
      guard body(entry) else { return false }
      hasEntry = advance(selection)
    }
    return true
  }

  /// Moves to the next entry that may meet the criteria, and reads what there is of it.
  ///
  /// - Returns: Whether there is one.
  private mutating func advance(_ selection: EntrySelection) -> Bool {
    let criteria = selection.criteria
    if criteria.beginsWithName {
      while cursor.advanceName(in: &name) {
        guard name.withSpan({ criteria.mayMatch(name: $0) }) else { continue }
        while cursor.ordinal < cursor.namedOrdinal {
          guard cursor.advanceWithoutName() else { return false }
        }
        return true
      }
      return false
    }
    while cursor.advanceWithoutName() {
      guard criteria.mayMatch(cursor.entry, by: selection.measure) else { continue }
      while cursor.namedOrdinal < cursor.ordinal {
        guard cursor.advanceName(in: &name) else { return false }
      }
      if name.withSpan({ criteria.mayMatch(name: $0) }) { return true }
    }
    return false
  }

  /// Makes an entry the one in hand, but for its place.
  private mutating func set(_ entry: inout WalkedEntry) {
    let found = cursor.entry
    entry.setName(name.name)
    entry.kind = found.kind
    while let next = elsewhere.first, next < cursor.ordinal { elsewhere.removeFirst() }
    entry.isCountedElsewhere = elsewhere.first == cursor.ordinal
    entry.isUnreadable = found.isUnreadable
    entry.mode = found.mode
    entry.owner = found.owner
    entry.group = found.group
    entry.modificationTime = found.modificationTime
    entry.totals = Totals()
    entry.totals.add(found)
    entry.ownAllocatedSize = entry.totals.allocatedSize
  }
}

extension WalkedEntry {
  /// Sets the name in the room of the one before, if nobody has kept that.
  fileprivate mutating func setName(_ name: ArraySlice<UInt8>) {
    self.name.removeAll(keepingCapacity: true)
    self.name.append(contentsOf: name)
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
  ///   - criteria: `body` may miss entries that do not meet them; those that it is called with need not.
  ///   - measure: The size that counts for the criteria.
  ///   - body: Returns whether to go on. A copy of the entry that outlives the call makes the walk
  ///     slow.
  /// - Precondition: `top` came from this tree.
  /// - Complexity: O(*n*), where *n* is the number of entries that `body` is called with.
  public func forEachEntry(
    below top: DirectoryID,
    depth: Int? = nil,
    includesTop: Bool = false,
    meeting criteria: EntryCriteria = EntryCriteria(),
    by measure: SizeMeasure = .allocated,
    _ body: (WalkedEntry) -> Bool
  ) {
    FileTreeDiffSource(self).walk(
      from: top,
      at: path(of: top),
      depth: depth,
      includesTop: includesTop,
      meeting: criteria,
      by: measure,
      body
    )
  }
}
