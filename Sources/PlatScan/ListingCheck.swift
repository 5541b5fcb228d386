import CPlatSystem
import Glibc
import PlatTree

/// Looks at the entries of an unchanged directory again, and brings its listing up to date.
///
/// First the listing alone says which entries are to be looked at; then each is asked for, and only if
/// one has changed the listing is packed anew.
internal struct ListingCheck {
  /// An entry to be looked at.
  private struct Due {
    var ordinal: Int
    var entry: ListingEntry
    /// Where its name is in the names.
    var name: Range<Int>
    var isSampled: Bool
  }

  private var cursor: ListingCursor?
  private var due: [Due] = []
  /// The names of the entries to be looked at.
  private var names: [UInt8] = []
  /// What became of entries that changed.
  private var changes: [(ordinal: Int, entry: ListingEntry)] = []

  /// The number of entries of the listing.
  internal private(set) var entries = 0
  /// What they occupy on disk, in bytes.
  internal private(set) var allocatedSize: UInt64 = 0
  /// What is not looked at.
  internal private(set) var unverified = UnverifiedFiles()

  /// Whether the listing makes sense.
  internal private(set) var isSound = true

  /// The number of entries to be looked at.
  internal var count: Int { due.count }

  /// Whether an entry has changed.
  internal var hasChanges: Bool { !changes.isEmpty }

  /// Entries between two looks at whether the scan was cancelled.
  private static let cancellationStride = 256
  /// Room for more entries than this is not kept.
  private static let keptEntries = 4096

  /// Looks at none of the entries of a directory, as a fast scan that knows enough of them.
  internal mutating func leaveAll(_ files: EarlierTree.KnownFiles) {
    reset()
    entries = Int(files.entries)
    allocatedSize = files.allocatedSize
    unverified.files = Int(files.files)
    unverified.allocatedSize = files.allocatedSize
  }

  /// Finds out which entries of a listing are to be looked at.
  internal mutating func prepare(_ listing: Listing, _ recheck: Recheck) {
    reset()
    // One cursor for all listings, as each would allocate.
    var cursor = self.cursor.take() ?? listing.makeCursor()
    cursor.restart(in: listing)
    entries = cursor.count
    switch recheck {
    case .nothing:
      while cursor.advanceWithoutName() { add(cursor.entry.allocatedSize) }
    case .everything, .files:
      let isEverything = if case .everything = recheck { true } else { false }
      while cursor.advance() {
        add(cursor.entry.allocatedSize)
        if isEverything || cursor.entry.kind == .file { add(cursor, isSampled: false) }
      }
    case .due(let rule):
      if !leavesAll(listing, entries, rule) { prepare(&cursor, rule) }
    }
    isSound = !cursor.isDamaged
    self.cursor = consume cursor
  }

  /// Finds out whether none of the entries of a directory is looked at, without a look at each.
  private mutating func leavesAll(_ listing: Listing, _ entries: Int, _ rule: DueRule) -> Bool {
    guard entries <= DueRule.wholeCount, !rule.isTurn, let outline = listing.outline(),
      rule.leavesAll(outline)
    else { return false }
    allocatedSize = outline.summary.allocatedSize
    unverified.files = Int(outline.summary.files)
    unverified.allocatedSize = outline.allocatedSizeOfFiles
    return true
  }

  private mutating func add(_ size: UInt64) { allocatedSize = allocatedSize.addingClamped(size) }

  /// Finds out which entries are due; the names of the others are not read.
  private mutating func prepare(_ cursor: inout ListingCursor, _ rule: DueRule) {
    while cursor.advanceWithoutName() {
      let entry = cursor.entry
      add(entry.allocatedSize)
      let isLinked = rule.looksAtLinks && entry.linkCount > 1
      guard entry.kind == .file || isLinked else { continue }
      let answer = isLinked ? .due : rule.answer(for: entry, among: cursor.count)
      if case .left = answer {
        unverified.files += 1
        unverified.allocatedSize = unverified.allocatedSize.addingClamped(entry.allocatedSize)
      } else {
        guard cursor.readName() else { return }
        add(cursor, isSampled: answer == .sampled)
      }
    }
  }

  /// Adds the entry that a cursor is at.
  private mutating func add(_ cursor: borrowing ListingCursor, isSampled: Bool) {
    let start = names.count
    cursor.appendName(to: &names)
    due.append(
      Due(
        ordinal: cursor.ordinal,
        entry: cursor.entry,
        name: start..<names.count,
        isSampled: isSampled
      )
    )
  }

  private mutating func reset() {
    (entries, allocatedSize) = (0, 0)
    unverified = UnverifiedFiles()
    isSound = true
    guard due.count <= Self.keptEntries else {
      self = ListingCheck()
      return
    }
    due.removeAll(keepingCapacity: true)
    names.removeAll(keepingCapacity: true)
    changes.removeAll(keepingCapacity: true)
  }

  /// Looks at the entries.
  ///
  /// What is found at the end of a path is known by its inode, wherever the path leads by now.
  ///
  /// - Parameters:
  ///   - directory: A descriptor of the directory, or of one above it.
  ///   - path: A path that ends with the path from there to the directory, and a slash if it is not empty.
  ///   - start: Where that begins.
  ///   - status: The status of the directory.
  ///   - isCancelled: Asked now and then.
  /// - Returns: Whether that was done: if not, something is no longer as it was when the directory was
  ///   found unchanged, or the scan was cancelled.
  internal mutating func run(
    in directory: Int32,
    below path: inout LookupPath,
    from start: Int = 0,
    on status: DirectoryStatus,
    isCancelled: () -> Bool
  ) -> Bool {
    let pathEnd = path.count
    var untilCheck = Self.cancellationStride
    var found = PlatStatus()
    for index in due.indices {
      untilCheck -= 1
      if untilCheck == 0 {
        if isCancelled() { return false }
        untilCheck = Self.cancellationStride
      }
      path.cut(to: pathEnd)
      path.append(names, due[index].name)
      guard plat_entry_status(directory, path.start + start, &found) == 0, !found.isDirectory,
        !found.isMountRoot, found.inode == due[index].entry.inode,
        found.device == status.details.device, found.mount_id == status.mountID
      else { return false }
      note(ListingEntry(found), of: due[index])
    }
    return true
  }

  private mutating func note(_ entry: ListingEntry, of due: Due) {
    if due.isSampled { unverified.sampledFiles += 1 }
    guard entry != due.entry else { return }
    changes.append((due.ordinal, entry))
    guard due.isSampled else { return }
    unverified.changedInSample += 1
    unverified.growthInSample &+= Int64(clamping: entry.allocatedSize)
      .subtractingClamped(Int64(clamping: due.entry.allocatedSize))
  }

  /// Packs a listing anew, with what has changed, and returns its sizes and counts.
  internal mutating func encode(
    _ listing: Listing,
    with encoder: inout ListingEncoder,
    into bytes: inout [UInt8]
  ) -> ListingSummary {
    names.removeAll(keepingCapacity: true)
    var next = 0
    var cursor = listing.makeCursor()
    while cursor.advance() {
      var entry = cursor.entry
      if next < changes.count, changes[next].ordinal == cursor.ordinal {
        entry = changes[next].entry
        next += 1
      }
      let start = names.count
      cursor.appendName(to: &names)
      encoder.append(entry, name: start..<names.count)
    }
    return encoder.encode(names: names.span, into: &bytes)
  }
}

extension UInt64 {
  fileprivate func addingClamped(_ other: UInt64) -> UInt64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}

extension Int64 {
  fileprivate func subtractingClamped(_ other: Int64) -> Int64 {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (self < 0 ? .min : .max) : difference
  }
}
