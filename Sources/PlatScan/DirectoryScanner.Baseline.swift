public import PlatTree

extension DirectoryScanner {
  /// An earlier scan of one root, for a later scan to build upon.
  ///
  /// A directory is taken from it only if its file system, its inode number and both of its times, to
  /// the nanosecond, are those that were noted *before* it was read, and were at least three seconds
  /// old then. That is proof on the file systems that are known to keep directory times; on others
  /// everything is read. Symbolic links in such a directory may have other times by now, and files
  /// anything but other names, so whether they are looked at depends on the ``Level``.
  public struct Baseline: Sendable {
    /// The tree of the earlier scan; not a group.
    public var tree: FileTree

    /// When the earlier scan began, in nanoseconds since 1970.
    public var startedAt: Int64

    /// The fingerprint of the options of the earlier scan; see ``Options/fingerprint``.
    public var options: String

    /// Which machine and user made the earlier scan; see ``hostIdentity()``.
    public var host: String

    /// The inode numbers of directories that changed in one of the last eight scans: all their files
    /// are looked at by a fast scan.
    public var changedInodes: Set<UInt64> = []

    /// The number of the coming scan, which chooses the sample of a fast scan.
    ///
    /// Sixteen consecutive numbers look at every file.
    public var number = 0

    /// When the files that the coming scan may leave unchecked were looked at last, at worst, in
    /// nanoseconds since 1970; `nil` if that is not known.
    public var oldestObservation: Int64?

    /// How many scans before the coming one that was; `nil` if it is not known.
    public var oldestScanCount: Int?

    /// A directory of the tree: a fast scan looks at everything at and below it, as a verified one
    /// does, and elsewhere at all that has several names.
    public var focus: DirectoryID?

    /// How much older than the beginning of its scan a directory's times must be to prove something,
    /// in nanoseconds; `nil` asks for no age, which is wrong, and shown to be so by a test.
    ///
    /// It is 2 s for the coarsest times on disk, and 1 s for clocks of which one lags behind.
    package var racyMargin: Int64? = 3_000_000_000

    /// Creates a baseline of a complete scan.
    ///
    /// - Parameters:
    ///   - tree: The tree of the earlier scan.
    ///   - startedAt: When it began, in nanoseconds since 1970.
    ///   - options: The fingerprint of its options.
    ///   - host: Which machine and user made it.
    /// - Precondition: The tree is not a group.
    public init(tree: FileTree, startedAt: Int64, options: String, host: String) {
      precondition(!tree.isGroup, "each root has a baseline of its own")
      self.tree = tree
      self.startedAt = startedAt
      self.options = options
      self.host = host
    }
  }

  /// Returns whether a baseline says anything about a scan by this scanner.
  ///
  /// One with other options has other entries, and one of another machine or user saw other files.
  public func canReuse(_ baseline: Baseline) -> Bool {
    baseline.options == options.fingerprint && baseline.host == hostIdentity()
  }
}
