/// What a listing keeps of one entry that is not a directory, but its name.
public struct ListingEntry: Hashable, Sendable {
  // The order of the properties keeps a value at 56 bytes.

  /// The length in bytes, `st_size`.
  public var size: UInt64 = 0

  /// The number of 512-byte blocks that the entry occupies, `st_blocks`.
  public var blocks: UInt64 = 0

  /// When the content changed last, in seconds since 1970.
  public var modificationTime: Int64 = 0

  /// When the content or the inode changed last, in seconds since 1970.
  public var changeTime: Int64 = 0

  /// The inode number.
  public var inode: UInt64 = 0

  /// The number of names of the inode; above 1 for a file with several hard links.
  public var linkCount: UInt32 = 1

  /// The user ID of the owner.
  public var owner: UInt32 = 0

  /// The group ID.
  public var group: UInt32 = 0

  /// The permission bits, `st_mode & 07777`.
  public var mode: UInt16 = 0

  /// What the entry is; never a directory.
  public var kind = EntryKind.file

  /// Whether the entry could not be examined: it is listed, and everything else is 0.
  public var isUnreadable = false

  /// Creates an empty file that nobody has looked at.
  public init() {}

  /// What the entry occupies on disk, in bytes.
  @inlinable public var allocatedSize: UInt64 {
    let (size, overflow) = blocks.multipliedReportingOverflow(by: 512)
    return overflow ? .max : size
  }

  /// The length of a file or a symbolic link in bytes; 0 for other kinds.
  @inlinable public var apparentSize: UInt64 { kind == .other ? 0 : size }

  /// The number of blocks that a file of this size has when it has no holes and whole 4 KiB pages.
  @inlinable public var expectedBlocks: UInt64 {
    (size >> 12 + (size & 4095 == 0 ? 0 : 1)) << 3
  }

  /// Returns the size of the given kind in bytes.
  @inlinable
  public func size(_ measure: SizeMeasure) -> UInt64 {
    switch measure {
    case .allocated: allocatedSize
    case .apparent: apparentSize
    }
  }
}

/// The sizes and counts of one listing, added up, every name for itself.
public struct ListingSummary: Hashable, Sendable {
  /// What the entries occupy on disk, in bytes; a hard link counts in full.
  public var allocatedSize: UInt64 = 0
  /// The lengths of files and symbolic links, in bytes; a hard link counts in full.
  public var apparentSize: UInt64 = 0
  /// The number of regular files.
  public var files: UInt32 = 0
  /// The number of symbolic links.
  public var symbolicLinks: UInt32 = 0
  /// The number of FIFOs, sockets and devices.
  public var others: UInt32 = 0
  /// The latest modification time in seconds since 1970, or `Int64.min` for an empty listing.
  public var newestModification = Int64.min

  /// Creates the summary of an empty listing.
  public init() {}

  /// The number of entries.
  public var entries: Int { Int(files) + Int(symbolicLinks) + Int(others) }

  /// Adds one entry.
  @inlinable @inline(__always)
  public mutating func add(_ entry: ListingEntry) {
    allocatedSize = allocatedSize.addingSaturated(entry.allocatedSize)
    switch entry.kind {
    case .file:
      files += 1
      apparentSize = apparentSize.addingSaturated(entry.size)
    case .symbolicLink:
      symbolicLinks += 1
      apparentSize = apparentSize.addingSaturated(entry.size)
    case .other, .directory:
      others += 1
    }
    if !entry.isUnreadable, entry.modificationTime > newestModification {
      newestModification = entry.modificationTime
    }
  }
}
