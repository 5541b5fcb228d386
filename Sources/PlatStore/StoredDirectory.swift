public import PlatTree

/// A directory of a snapshot, found without loading the snapshot.
public struct StoredDirectory: Sendable {
  /// The number of the snapshot.
  public var snapshot: Int
  /// The bytes of the path.
  public var path: [UInt8]
  /// The sizes and counts of the directory and everything below it; a size above 2⁶³ − 1 is given
  /// as that.
  public var totals: Totals { row.totals }
  /// The number of entries that could not be read, in and below the directory.
  public var issueCount: Int { Int(row[.issues]) }
  /// When something in or below the directory was modified last, in seconds since 1970.
  public var newestModification: Int64 { row[.newest] }
  /// What is known of the directory itself, but its device, mode and owner.
  public var details: DirectoryDetails { row.details }

  internal var number: Int64
  internal var row: DirectoryRow
  internal var content: Int64
}

/// An entry of a directory of a snapshot.
public struct StoredEntry: Hashable, Sendable {
  /// The bytes of the name.
  public var name: [UInt8]
  /// What the entry is.
  public var kind: EntryKind
  /// What the entry occupies on disk, in bytes; of a directory with everything below it.
  public var allocatedSize: UInt64
  /// The length of the entry in bytes; of a directory of everything below it.
  public var apparentSize: UInt64
  /// When the entry was modified last, in seconds since 1970.
  public var modificationTime: Int64
  /// The number of entries: 1, and for a directory what is below it as well.
  public var entries = 1
  /// The number of files: 1 for a file, and for a directory what is in and below it.
  public var files = 0
  /// Whether the sizes are charged to another name of the same inode.
  public var isCountedElsewhere = false
  /// Whether the entry could not be examined, or read if it is a directory.
  public var isUnreadable = false
  /// The number of entries that could not be read, in and below a directory.
  public var issueCount = 0

  /// Returns the size of the given kind in bytes.
  public func size(_ measure: SizeMeasure) -> UInt64 {
    measure == .allocated ? allocatedSize : apparentSize
  }
}

/// A file among the largest of a snapshot.
public struct StoredFile: Hashable, Sendable {
  /// The bytes of the path.
  public var path: [UInt8]
  /// What the snapshot says of the file.
  public var entry: ListingEntry
}

extension StoredEntry {
  /// Creates the entry of a subdirectory.
  internal init(_ row: DirectoryRow, name: [UInt8]) {
    self.name = name
    kind = .directory
    allocatedSize = row.totals.allocatedSize
    apparentSize = row.totals.apparentSize
    modificationTime = row[.mtime].secondsFromNanoseconds
    entries = row.totals.entries
    files = row.totals.files
    isUnreadable = row.details.flags.contains(.isUnreadable)
    issueCount = Int(row[.issues])
  }

  /// Creates the entry of what a cursor is at.
  internal init(_ cursor: ListingCursor, isCountedElsewhere: Bool) {
    name = cursor.name
    kind = cursor.entry.kind
    allocatedSize = cursor.entry.allocatedSize
    apparentSize = cursor.entry.apparentSize
    modificationTime = cursor.entry.modificationTime
    files = kind == .file ? 1 : 0
    self.isCountedElsewhere = isCountedElsewhere
    isUnreadable = cursor.entry.isUnreadable
  }
}
