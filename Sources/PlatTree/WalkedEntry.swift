/// An entry that a walk through a tree has come to.
public struct WalkedEntry: Sendable {
  /// The bytes of the name; of the directory that the walk began at, the last part of its path.
  public var name: [UInt8] = []
  /// The bytes of the path of the directory that holds the entry.
  public var directoryPath: [UInt8] = []
  /// The number of bytes of the path of the directory that the walk began at.
  public var topLength = 0
  /// How many levels below the directory that the walk began at: from 1, and 0 for that directory.
  public var depth = 0
  /// What the entry is.
  public var kind = EntryKind.file
  /// Whether the sizes are charged to another name of the same inode.
  public var isCountedElsewhere = false
  /// Whether the entry could not be examined, or read if it is a directory.
  public var isUnreadable = false
  /// Whether the directory that holds the entry is for manual pages.
  public var isInManual = false
  /// The permission bits, `st_mode & 07777`.
  public var mode: UInt16 = 0
  /// The user ID of the owner.
  public var owner: UInt32 = 0
  /// The group ID.
  public var group: UInt32 = 0
  /// When the entry was modified last, in seconds since 1970.
  public var modificationTime: Int64 = 0
  /// The sizes and counts of the entry; of a directory with everything below it.
  public var totals = Totals()
  /// What the entry occupies on disk by itself, in bytes.
  public var ownAllocatedSize: UInt64 = 0

  /// Creates an entry that nobody has looked at.
  public init() {}
}

extension WalkedEntry {
  /// The bytes of the absolute path.
  public var path: [UInt8] {
    guard depth > 0 else { return directoryPath }
    var path: [UInt8] = []
    path.reserveCapacity(directoryPath.count + 1 + name.count)
    path += directoryPath
    path.appendComponent(name[...])
    return path
  }

  /// Returns a path at or below the directory that the walk began at, from there on.
  public func relative(_ path: [UInt8]) -> [UInt8] {
    let rest = path.dropFirst(topLength)
    return Array(rest.first == UInt8(ascii: "/") ? rest.dropFirst() : rest)
  }

  /// The category of a file; `nil` for other kinds.
  public var category: FileCategory? {
    guard kind == .file else { return nil }
    return FileCategory(
      name: name.span,
      isExecutable: mode & 0o111 != 0,
      isManualPage: isInManual
    )
  }

  /// Returns the size of the entry by itself: of a directory without what it holds.
  public func ownSize(_ measure: SizeMeasure) -> UInt64 {
    guard kind == .directory else { return totals.size(measure) }
    return measure == .allocated ? ownAllocatedSize : 0
  }
}
