/// What is known of a directory itself, without what it holds.
public struct DirectoryDetails: Hashable, Sendable {
  /// Conditions of a directory.
  ///
  /// The numbers reach the disk and are stable.
  public struct Flags: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt8

    /// Creates flags from bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The directory could not be opened: what it holds is not known.
    public static let isUnreadable = Flags(rawValue: 1)
    /// Reading the directory broke off: it may hold more than is known.
    public static let isPartial = Flags(rawValue: 2)
    /// A file system is mounted here.
    public static let isMountPoint = Flags(rawValue: 4)
    /// The directory is not on disk: it holds the several roots of one scan.
    public static let isGroup = Flags(rawValue: 8)
    /// A file is mounted over one of its entries, and goes without a trace in the directory.
    public static let hasMountedFile = Flags(rawValue: 16)
  }

  /// What the directory itself occupies on disk, in bytes.
  public var allocatedSize: UInt64 = 0

  /// The inode number.
  public var inode: UInt64 = 0

  /// The device number of its file system, `st_dev`.
  public var device: UInt64 = 0

  /// When a name in it was made, removed or renamed last, in nanoseconds since 1970, read before
  /// the names were.
  public var modificationTime: Int64 = 0

  /// When its inode changed last, in nanoseconds since 1970, read before the names were.
  public var changeTime: Int64 = 0

  /// The permission bits, `st_mode & 07777`.
  public var mode: UInt16 = 0

  /// The user ID of the owner.
  public var owner: UInt32 = 0

  /// The group ID.
  public var group: UInt32 = 0

  /// The conditions it is in.
  public var flags: Flags = []

  /// Creates the details of a directory that nobody has looked at.
  public init() {}
}

extension Int64 {
  /// Nanoseconds as whole seconds, rounded down, also before 1970.
  @inlinable public var secondsFromNanoseconds: Int64 {
    let (seconds, rest) = quotientAndRemainder(dividingBy: 1_000_000_000)
    return rest < 0 ? seconds - 1 : seconds
  }
}
