/// Something below the root that could not be read.
///
/// An issue never ends a scan: the rest is counted, and the issue is kept with the tree.
public struct Issue: Hashable, Sendable {
  /// The directory that could not be read, or that holds the entry.
  public var directory: DirectoryID

  /// The name of the entry in ``directory``, or `nil` if it is the directory itself.
  public var name: [UInt8]?

  /// The system call that failed, as its manual page is called.
  public var call: String

  /// The error number that it left; see errno(3).
  public var code: Int32

  /// Creates an issue.
  public init(directory: DirectoryID, name: [UInt8]?, call: String, code: Int32) {
    self.directory = directory
    self.name = name
    self.call = call
    self.code = code
  }
}

/// An entry that was left out of a scan on purpose, with everything below it, or all that a
/// directory holds.
public struct Exclusion: Hashable, Sendable {
  /// Why an entry was left out.
  ///
  /// The numbers reach the disk and are stable.
  public enum Reason: UInt8, Hashable, Sendable, CaseIterable {
    /// A pattern of the user's matches it.
    case pattern = 0
    /// It is a mount point, and the scan keeps to one file system.
    case otherFileSystem = 1
    /// It is a file system that the kernel makes up, as `/proc`.
    case kernelFileSystem = 2
    /// It is another way to something that the scan counts elsewhere.
    case countedElsewhere = 3
    /// git ignores it.
    case gitignore = 4
    /// It is what a directory holds that is tagged as a cache.
    case cache = 5
  }

  /// The directory that holds the entry.
  public var directory: DirectoryID

  /// The name of the entry; empty for all that ``directory`` holds, but for what its listing has.
  public var name: [UInt8]

  /// What the entry is.
  public var kind: EntryKind

  /// Why it was left out.
  public var reason: Reason

  /// Creates an exclusion.
  public init(directory: DirectoryID, name: [UInt8], kind: EntryKind, reason: Reason) {
    self.directory = directory
    self.name = name
    self.kind = kind
    self.reason = reason
  }
}
