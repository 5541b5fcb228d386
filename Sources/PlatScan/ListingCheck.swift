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

  private var due: [Due] = []
  /// The names of the entries to be looked at, each ended by NUL.
  private var names: [UInt8] = []
  /// What became of entries that changed; `nil` of those that vanished.
  private var changes: [(ordinal: Int, entry: ListingEntry?)] = []

  /// The sizes and counts of the listing.
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

  /// Finds out which entries of a listing are to be looked at.
  internal mutating func prepare(_ listing: Listing, _ recheck: Recheck) {
    reset()
    var cursor = listing.makeCursor()
    if case .nothing = recheck {
      while cursor.advanceWithoutName() { summary.add(cursor.entry) }
    } else {
      while cursor.advance() {
        let entry = cursor.entry
        summary.add(entry)
        let nameStart = names.count
        cursor.appendName(to: &names)
        if !add(entry, nameStart, cursor.ordinal, recheck) {
          names.removeLast(names.count - nameStart)
        }
      }
    }
    isSound = !cursor.isDamaged
  }

  /// Adds an entry whose name ends the names, unless it is not to be looked at.
  ///
  /// - Returns: Whether it is.
  @inline(__always)
  private mutating func add(
    _ entry: ListingEntry,
    _ nameStart: Int,
    _ ordinal: Int,
    _ recheck: Recheck
  ) -> Bool {
    var isSampled = false
    switch recheck {
    case .nothing: return false
    case .everything: break
    case .files: guard entry.kind == .file else { return false }
    case .due(let rule) where rule.looksAtLinks && entry.linkCount > 1: break
    case .due(let rule):
      guard entry.kind == .file else { return false }
      switch rule.answer(for: entry, name: names[nameStart...]) {
      case .due: break
      case .sampled: isSampled = true
      case .left:
        unverified.files += 1
        unverified.allocatedSize = unverified.allocatedSize.addingClamped(entry.allocatedSize)
        return false
      }
    }
    due.append(Due(ordinal: ordinal, entry: entry, nameStart: nameStart, isSampled: isSampled))
    names.append(0)
    return true
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
