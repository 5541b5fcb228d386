import PlatTree

/// Which entries of an unchanged directory are looked at again.
internal enum Recheck: Sendable {
  /// None: nothing can have changed.
  case nothing
  /// Each, as even a symbolic link gets another owner, or another name elsewhere.
  case everything
  /// The regular files.
  case files
  /// The regular files that are due.
  case due(DueRule)
}

/// Which files of an unchanged directory a fast scan looks at.
internal struct DueRule: Sendable {
  /// Files that changed after this, in seconds since 1970, are due: what changed lately changes again.
  internal var hotSince: Int64
  /// Whether entries with several names are due: what has another name where everything is looked at
  /// is to be the same here.
  internal var looksAtLinks = false
  /// The hash of the directory's identity.
  internal var seed: StableHash
  /// The number of the sample that is due.
  internal var sample: UInt64

  /// A file is hot for this time after it changed.
  internal static let hotSeconds: Int64 = 30 * 24 * 3600
  /// Files of this size are always due, in bytes.
  internal static let largeSize: UInt64 = 16 << 20
  /// So many scans look at every file once; a power of two.
  internal static let sampleCount = 16
  /// The files of a directory with no more entries than this are looked at in the same scan: to open
  /// a directory costs as much as to look at some files.
  internal static let wholeCount = 64

  /// Why a file is looked at, or not.
  internal enum Answer {
    case due, sampled, left
  }

  /// Whether it is the turn of the directory, if its files are looked at together.
  internal var isTurn: Bool { isTurn(seed) }

  /// Returns whether no entry of a listing is looked at, as it is not the turn of its directory.
  internal func leavesAll(_ listing: ListingOutline) -> Bool {
    listing.newestChange < hotSince && listing.largestSize < Self.largeSize
      && listing.summary.entries <= Self.wholeCount && !(looksAtLinks && listing.hasManyLinks)
  }

  /// Returns whether no entry of a directory is looked at, as it is not its turn.
  internal func leavesAll(_ files: EarlierTree.KnownFiles) -> Bool {
    files.newestChange < hotSince && files.mostSize < Self.largeSize
      && files.entries <= Self.wholeCount && !isTurn
  }

  /// Decides about a file.
  ///
  /// - Parameters:
  ///   - entry: What is known of the file.
  ///   - count: The number of entries of its directory.
  /// - Returns: Whether it is looked at, and why.
  @inline(__always)
  internal func answer(for entry: ListingEntry, among count: Int) -> Answer {
    if max(entry.modificationTime, entry.changeTime) >= hotSince { return .due }
    if max(entry.size, entry.allocatedSize) >= Self.largeSize { return .due }
    var hash = seed
    // In an unchanged directory a name leads to the inode that it led to before.
    if count > Self.wholeCount { hash.combine(entry.inode) }
    return isTurn(hash) ? .sampled : .left
  }

  private func isTurn(_ hash: StableHash) -> Bool {
    hash.mixed & UInt64(Self.sampleCount - 1) == sample
  }
}

extension DirectoryScanner {
  /// The number of consecutive fast scans that look at every file once.
  public static var sampleCount: Int { DueRule.sampleCount }
}
