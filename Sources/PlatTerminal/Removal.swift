package import PlatTree

/// Entries to be removed, and what is known of that beforehand.
package struct Removal: Sendable {
  /// One of the entries that a person chose.
  package struct Target: Hashable, Sendable {
    /// The absolute path.
    package var path: [UInt8]
    /// What the scan saw there: only that is removed.
    package var device: UInt64
    /// The inode number that the scan saw.
    package var inode: UInt64
    /// Whether it is a directory, and everything below goes too.
    package var isDirectory: Bool
    /// Where it is in the tree.
    package var id: EntryID
    /// What the listing says of what is no directory.
    internal var entry = ListingEntry()
  }

  /// How far a removal has come.
  package struct Progress: Hashable, Sendable {
    /// The entries that are gone.
    package var items = 0
    /// The bytes that were freed.
    package var freed: UInt64 = 0

    /// Creates the progress of a removal that has not begun.
    package init() {}
  }

  /// What came of a removal.
  package struct Outcome: Sendable {
    /// Something that could not be removed.
    package struct Failure: Hashable, Sendable {
      /// The path.
      package var path: [UInt8]
      /// Why.
      package var reason: String

      /// Creates a failure.
      package init(path: [UInt8], reason: String) {
        self.path = path
        self.reason = reason
      }
    }

    /// Whether it was for good.
    package var isPermanent: Bool
    /// How much was removed.
    package var progress: Progress
    /// What could not be removed.
    package var failures: [Failure]
    /// Whether the person stopped it.
    package var wasStopped: Bool
    /// The tree without what is gone, if anything is.
    package var tree: FileTree?
    /// The paths of the targets that are gone.
    package var gone: [[UInt8]] = []
    /// Whether something went in part only, so that only a scan tells what is left.
    package var isPartial = false

    /// Creates an outcome.
    package init(
      isPermanent: Bool,
      progress: Progress,
      failures: [Failure],
      wasStopped: Bool,
      tree: FileTree?
    ) {
      self.isPermanent = isPermanent
      self.progress = progress
      self.failures = failures
      self.wasStopped = wasStopped
      self.tree = tree
    }
  }

  /// What a removal will do, by what the scan saw.
  internal struct Estimate: Hashable, Sendable {
    internal var items = 0
    internal var directories = 0
    internal var onDisk: UInt64 = 0
    /// What no other hard link keeps.
    internal var freed: UInt64 = 0
    /// The files that stay on disk, as they have names elsewhere.
    internal var keptFiles = 0
    internal var kept: UInt64 = 0
    /// The paths of such names, as far as they are in the tree.
    internal var keptPaths: [[UInt8]] = []
  }

  /// The paths that a person chose.
  internal let paths: [[UInt8]]
  /// Whether to remove for good, and not to the trash.
  package var isPermanent: Bool
  /// What to remove, once that was looked up: what is inside another goes with that.
  package internal(set) var targets: [Target] = []
  /// What is known of the targets, once they were looked up.
  internal var estimate: Estimate?

  internal init(of paths: [[UInt8]], isPermanent: Bool) {
    (self.paths, self.isPermanent) = (paths, isPermanent)
  }

  /// The number of entries to remove, as far as it is known.
  internal var count: Int { estimate == nil ? paths.count : targets.count }

  /// What was typed for a removal to the trash, if that was before the entries were looked up.
  internal static let yes = "y"

  /// The words that confirm a removal for good.
  internal var password: String? { estimate.map { "delete \($0.items)" } }
}

extension Removal.Estimate {
  /// Looks at all that would be removed.
  internal init(_ removal: Removal, in tree: FileTree) {
    var links = LinkCounts()
    for target in removal.targets {
      guard target.isDirectory else {
        items += 1
        add(target.entry, in: target.id.directory, of: tree, &links)
        continue
      }
      for directory in tree.directories(below: target.id.directory) {
        items += 1
        directories += 1
        onDisk = onDisk.addingSaturated(tree.details(of: directory).allocatedSize)
        var cursor = tree.listing(of: directory).makeCursor()
        while cursor.advanceWithoutName() {
          items += 1
          add(cursor.entry, in: directory, of: tree, &links)
        }
      }
    }
    freed = onDisk
    for link in links.counts.values {
      onDisk = onDisk.addingSaturated(link.size)
      if link.found >= link.count {
        freed = freed.addingSaturated(link.size)
      } else {
        keptFiles += 1
        kept = kept.addingSaturated(link.size)
      }
    }
    if keptFiles > 0 { keptPaths = links.pathsOutside(removal.targets, in: tree) }
  }

  private mutating func add(
    _ entry: ListingEntry,
    in directory: DirectoryID,
    of tree: FileTree,
    _ links: inout LinkCounts
  ) {
    if entry.linkCount > 1 {
      links.add(entry, fileSystem: tree.fileSystemIndex(of: directory))
    } else {
      onDisk = onDisk.addingSaturated(entry.allocatedSize)
    }
  }
}

/// How many names of files with several hard links are among those to be removed.
private struct LinkCounts {
  struct Key: Hashable {
    var fileSystem: Int
    var inode: UInt64
  }

  var counts: [Key: (found: UInt32, count: UInt32, size: UInt64)] = [:]

  mutating func add(_ entry: ListingEntry, fileSystem: Int) {
    let key = Key(fileSystem: fileSystem, inode: entry.inode)
    counts[key, default: (0, entry.linkCount, entry.allocatedSize)].found += 1
  }

  /// Returns some paths of names that stay.
  func pathsOutside(_ targets: [Removal.Target], in tree: FileTree) -> [[UInt8]] {
    var paths: [[UInt8]] = []
    let removed = Set(targets.map(\.path))
    for directory in tree.directories {
      var cursor = tree.listing(of: directory).makeCursor()
      while cursor.advanceWithoutName() {
        guard cursor.entry.linkCount > 1 else { continue }
        let key = Key(
          fileSystem: tree.fileSystemIndex(of: directory),
          inode: cursor.entry.inode
        )
        guard let link = counts[key], link.found < link.count else { continue }
        let path = tree.path(of: EntryID(directory, ordinal: cursor.ordinal))
        guard !removed.contains(path), !removed.holdsDirectory(above: path) else { continue }
        paths.append(path)
        if paths.count == 3 { return paths }
      }
    }
    return paths
  }
}

extension Set<[UInt8]> {
  /// Whether the path of a directory that a path is in, at any depth, is in the set.
  internal func holdsDirectory(above path: [UInt8]) -> Bool {
    var path = path[...]
    while let slash = path.lastIndex(of: UInt8(ascii: "/")) {
      path = path[..<slash]
      if contains(Array(path)) { return true }
    }
    return false
  }
}

// MARK: In the state of the screen

extension Browser {
  /// Asks whether the marked entries, or the selected one, are to be removed.
  internal mutating func startRemoving(isPermanent: Bool) -> [BrowserEffect] {
    if let reason = reasonAgainstRemoving() {
      message = reason
      return []
    }
    // What was removed last is not in this tree if that is still waited for.
    if let waiting = successor, waiting.state.revision < 0 { adoptNow() }
    guard let tree else { return [] }
    let paths = marks.isEmpty ? [selectedPath] : marks.marks.map(\.path)
    let removal = Removal(of: paths, isPermanent: isPermanent)
    mode = .box(.confirm(removal, typed: ""))
    return [.estimate(removal, tree)]
  }

  /// Takes what was found out about the entries that are to be removed, or that are marked.
  internal mutating func accept(_ examined: Removal.Examined) -> [BrowserEffect] {
    switch mode {
    case .marks: marksEstimate = examined.removal.estimate
    case .box(.confirm(let removal, let typed)) where removal.paths == examined.removal.paths:
      if let objection = examined.objection {
        (mode, message) = (.browsing, objection)
        return []
      }
      var known = examined.removal
      known.isPermanent = removal.isPermanent
      mode = .box(.confirm(known, typed: typed))
      if !known.isPermanent, typed == Removal.yes { return confirmTrash(known) }
    default: break
    }
    return []
  }

  private func reasonAgainstRemoving() -> String? {
    if settings.isReadOnly { return "--read-only: nothing can be deleted." }
    if shown.isForeign { return "Imports are read-only." }
    if comparison != nil { return "Snapshots are read-only." }
    if marks.isEmpty, selectedRow == nil { return "Nothing is selected." }
    if shown.progress != nil, shown.isPartial { return "Wait for the scan to end, or stop it." }
    return nil
  }

  /// Shows what came of a removal, and subtracts it.
  internal mutating func finishRemoving(_ outcome: Removal.Outcome) -> [BrowserEffect] {
    mode = .browsing
    let (done, bytes) = (outcome.progress.items, settings.sizes.string(outcome.progress.freed))
    let items = NumberFormat.counted(done, "item")
    if !outcome.failures.isEmpty {
      mode = .box(.failures(outcome))
    } else if outcome.wasStopped {
      message = "Stopped. \(items) deleted, \(bytes) freed."
    } else {
      message =
        outcome.isPermanent ? "Deleted \(items), \(bytes) freed." : "Moved \(items) to the trash."
    }
    guard let tree = outcome.tree else { return outcome.isPartial ? [.refresh(nil)] : [] }
    var state = shown
    state.tree = tree
    state.failure = nil
    // The session knows nothing of this, and goes on to show what it has until it scans again.
    if shown.revision > 0 { replacedRevision = shown.revision }
    revisionsOfOwn += 1
    // The session counts up from 1.
    state.revision = -revisionsOfOwn
    (successor, afterSuccessor) = (nil, nil)
    let effects = isListLong ? wait(for: state, tree) : adopt(state, nil)
    marks.remove(atOrBelow: Set(outcome.gone))
    return outcome.isPartial ? effects + [.refresh(nil)] : effects
  }
}
