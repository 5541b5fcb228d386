/// An entry of a listing as a comparison sees it.
internal struct DiffedEntry {
  internal var name: [UInt8]
  internal var entry: ListingEntry
  internal var isCountedElsewhere: Bool
  internal var fileSystem: Int

  internal var kind: EntryKind { entry.kind }

  /// The inode that the entry is a name of.
  internal var identity: InodeIdentity {
    InodeIdentity(fileSystem: fileSystem, inode: entry.inode)
  }

  /// What the entry adds to the totals of its directory.
  internal var totals: Totals {
    var totals = Totals()
    switch entry.kind {
    case .file: totals.files = 1
    case .symbolicLink: totals.symbolicLinks = 1
    case .other, .directory: totals.others = 1
    }
    guard !isCountedElsewhere else { return totals }
    totals.allocatedSize = entry.allocatedSize
    totals.apparentSize = entry.apparentSize
    return totals
  }

  /// Whether the entry is, by all that can be seen, the same as one with another path.
  ///
  /// The number of a deleted inode is given to a new one before long, so it proves nothing alone.
  internal func isSame(as other: DiffedEntry) -> Bool {
    entry.kind == other.entry.kind && entry.size == other.entry.size
      && entry.modificationTime == other.entry.modificationTime
      && !entry.isUnreadable && !other.entry.isUnreadable
  }
}

/// The entries of a listing, one after the other.
internal struct DiffedEntries {
  private var cursor: ListingCursor
  private var elsewhere: ArraySlice<Int>
  private let fileSystem: Int

  internal init(_ listing: Listing, _ elsewhere: [Int], on fileSystem: Int) {
    cursor = listing.makeCursor()
    self.elsewhere = elsewhere[...]
    self.fileSystem = fileSystem
  }

  /// Takes the next entry.
  internal mutating func next() -> DiffedEntry? {
    guard cursor.advance() else { return nil }
    let isCountedElsewhere = elsewhere.first == cursor.ordinal
    if isCountedElsewhere { elsewhere.removeFirst() }
    return DiffedEntry(
      name: cursor.name,
      entry: cursor.entry,
      isCountedElsewhere: isCountedElsewhere,
      fileSystem: fileSystem
    )
  }
}
