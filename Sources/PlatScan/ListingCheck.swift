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
    var nameStart: Int
    var isSampled: Bool
  }

  private var cursor: ListingCursor?
  private var due: [Due] = []
  /// The names of the entries to be looked at, each ended by NUL.
  private var names: [UInt8] = []
  /// What became of entries that changed; `nil` of those that vanished.
  private var changes: [(ordinal: Int, entry: ListingEntry?)] = []

  /// The sizes of the listing, and the number of its entries: of which kinds they are, and when they
  /// were modified, is not known after ``leaveAll(_:)``.
  internal private(set) var summary = ListingSummary()
  /// What is not looked at.
  internal private(set) var unverified = UnverifiedFiles()

  /// Whether the listing makes sense.
  internal private(set) var isSound = true

  /// The number of entries to be looked at.
  internal var count: Int { due.count }

  /// Whether an entry has changed or vanished.
  internal var hasChanges: Bool { !changes.isEmpty }

  /// Entries between two looks at whether the scan was cancelled.
  private static let cancellationStride = 256
  /// Room for more entries than this is not kept.
  private static let keptEntries = 4096

  /// Looks at none of the entries of a directory, as a fast scan that knows enough of them.
  internal mutating func leaveAll(_ files: EarlierTree.KnownFiles) {
    reset()
    summary.allocatedSize = files.allocatedSize
    summary.files = files.files
    summary.others = files.entries - files.files
    unverified.files = Int(files.files)
    unverified.allocatedSize = files.allocatedSize
  }

  /// Finds out which entries of a listing are to be looked at.
  internal mutating func prepare(_ listing: Listing, _ recheck: Recheck) {
    reset()
    if case .due(let rule) = recheck, !rule.isTurn, let outline = listing.outline(),
      rule.leavesAll(outline)
    {
      summary = outline.summary
      unverified.files = Int(summary.files)
      unverified.allocatedSize = outline.allocatedSizeOfFiles
      return
    }
    // One cursor for all listings, as each would allocate.
    var cursor = self.cursor.take() ?? listing.makeCursor()
    cursor.restart(in: listing)
    switch recheck {
    case .nothing:
      while cursor.advanceWithoutName() { summary.add(cursor.entry) }
    case .everything, .files:
      let isEverything = if case .everything = recheck { true } else { false }
      while cursor.advance() {
        summary.add(cursor.entry)
        if isEverything || cursor.entry.kind == .file { add(cursor, isSampled: false) }
      }
    case .due(let rule):
      prepare(&cursor, rule)
    }
    isSound = !cursor.isDamaged
    self.cursor = cursor
  }

  /// Finds out which entries are due; the names of the others are not read.
  private mutating func prepare(_ cursor: inout ListingCursor, _ rule: DueRule) {
    while cursor.advanceWithoutName() {
      let entry = cursor.entry
      summary.add(entry)
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
    due.append(
      Due(
        ordinal: cursor.ordinal,
        entry: cursor.entry,
        nameStart: names.count,
        isSampled: isSampled
      )
    )
    cursor.appendName(to: &names)
    names.append(0)
  }

  private mutating func reset() {
    summary = ListingSummary()
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
  /// - Parameters:
  ///   - directory: A descriptor of the directory.
  ///   - isCancelled: Asked now and then.
  /// - Returns: Whether that was done: if not, something is no longer as it was when the directory was
  ///   found unchanged, or the scan was cancelled.
  internal mutating func run(in directory: Int32, isCancelled: () -> Bool) -> Bool {
    var untilCheck = Self.cancellationStride
    var status = PlatStatus()
    for index in due.indices {
      untilCheck -= 1
      if untilCheck == 0 {
        if isCancelled() { return false }
        untilCheck = Self.cancellationStride
      }
      let answer = names.withUnsafeBytes { bytes in
        bytes.baseAddress.map { start in
          plat_status(
            directory,
            (start + due[index].nameStart).assumingMemoryBound(to: CChar.self),
            0,
            &status
          )
        } ?? -1
      }
      guard answer == 0 else {
        // It has vanished after the directory was found unchanged.
        guard errno == ENOENT else { return false }
        changes.append((due[index].ordinal, nil))
        continue
      }
      guard !status.isDirectory, !status.isMountRoot,
        status.inode == due[index].entry.inode
      else { return false }
      note(ListingEntry(status), of: due[index])
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

  /// Packs a listing anew, with what has changed.
  internal mutating func encode(
    _ listing: Listing,
    with encoder: inout ListingEncoder,
    into bytes: inout [UInt8]
  ) {
    names.removeAll(keepingCapacity: true)
    var next = 0
    var cursor = listing.makeCursor()
    while cursor.advance() {
      var entry: ListingEntry? = cursor.entry
      if next < changes.count, changes[next].ordinal == cursor.ordinal {
        entry = changes[next].entry
        next += 1
      }
      guard let entry else { continue }
      let start = names.count
      cursor.appendName(to: &names)
      encoder.append(entry, name: start..<names.count)
    }
    summary = encoder.encode(names: names.span, into: &bytes)
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
