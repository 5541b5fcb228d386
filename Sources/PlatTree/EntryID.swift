/// What an entry is.
public enum EntryKind: UInt8, Hashable, Sendable, CaseIterable {
  /// A regular file.
  case file = 0
  /// A symbolic link; it is never followed.
  case symbolicLink = 1
  /// A FIFO, a socket or a device.
  case other = 2
  /// A directory.
  case directory = 3
}

/// The place of a directory in a tree.
///
/// IDs count from 0, the top of the tree, in canonical order: by level, within a level by the order
/// of the parents, and below one parent bytewise by name. A parent therefore comes before what it
/// holds, and the subdirectories of one directory are neighbours. An ID means nothing in another
/// tree.
public struct DirectoryID: Hashable, Comparable, Sendable {
  @usableFromInline internal let value: UInt32

  /// Creates the ID of the directory at a position of the canonical order.
  ///
  /// - Precondition: `index` is from 0 to 2³² − 1.
  @inlinable
  public init(_ index: Int) { value = UInt32(index) }

  /// The position in the canonical order, from 0.
  @inlinable public var index: Int { Int(value) }

  /// Whether the first directory comes before the second in canonical order.
  @inlinable
  public static func < (first: DirectoryID, second: DirectoryID) -> Bool {
    first.value < second.value
  }
}

/// The place of an entry in a tree: a directory, or an entry of a directory's listing.
public struct EntryID: Hashable, Sendable {
  /// The directory itself, or the directory that holds the entry.
  public var directory: DirectoryID

  /// The position of the entry in the listing of ``directory``, from 0 in order of the names, or
  /// `nil` for the directory itself.
  public var ordinal: Int?

  /// Creates the ID of a directory.
  public init(_ directory: DirectoryID) {
    self.directory = directory
    self.ordinal = nil
  }

  /// Creates the ID of an entry that is not a directory.
  ///
  /// - Parameters:
  ///   - directory: The directory that holds it.
  ///   - ordinal: Its position in the listing of the directory, from 0.
  public init(_ directory: DirectoryID, ordinal: Int) {
    self.directory = directory
    self.ordinal = ordinal
  }
}
