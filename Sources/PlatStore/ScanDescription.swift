/// How a scan was made: what is kept of it beside its tree.
public struct ScanDescription: Hashable, Sendable {
  /// When the scan began, in nanoseconds since 1970.
  ///
  /// A directory that changed less than 3 s before is not trusted by later scans.
  public var startedAt: Int64

  /// When the scan ended, in nanoseconds since 1970.
  public var finishedAt: Int64

  /// How much the scan relied on the snapshot before: `full`, `verified` or `fast`.
  public var level: String

  /// A text that differs if the options of two scans select other entries.
  public var options: String

  /// What identifies the machine; a snapshot of another one proves nothing about this one.
  public var host: String

  /// Whether the tree holds all that is there, but for its issues and exclusions.
  public var isComplete = true

  /// The number of files that were taken from an earlier snapshot without a look.
  public var unverifiedFiles = 0

  /// What those files occupy, in bytes.
  public var unverifiedSize: UInt64 = 0

  /// How many scans ago the file among them was looked at that has waited longest.
  public var oldestUnverified: Int?

  /// The number of files that were looked at to learn how much the unverified ones may have changed.
  public var sampledFiles: Int?

  /// How many of the sampled files had changed.
  public var sampledChanges: Int?

  /// By how much the sampled files had grown together, in allocated bytes; negative if they shrank.
  public var sampledGrowth: Int64?

  /// The size of the root's file system when the scan ended, in bytes.
  public var totalSpace: UInt64?

  /// How much of that was free for those who are not root, in bytes.
  public var freeSpace: UInt64?

  /// Creates the description of a complete scan that looked at every file.
  ///
  /// - Parameters:
  ///   - startedAt: When it began, in nanoseconds since 1970.
  ///   - finishedAt: When it ended, in nanoseconds since 1970.
  ///   - level: `full`, `verified` or `fast`.
  ///   - options: A text that differs if the options of two scans select other entries.
  ///   - host: What identifies the machine.
  public init(
    startedAt: Int64,
    finishedAt: Int64,
    level: String = "full",
    options: String = "",
    host: String = ""
  ) {
    self.startedAt = startedAt
    self.finishedAt = finishedAt
    self.level = level
    self.options = options
    self.host = host
  }
}

extension ScanDescription {
  /// The columns of schema 2 in their order, of which version 1 knew nothing.
  internal static let laterColumns = """
    unverified_scans, sample_files, sample_changed, sample_growth, total_space, free_space
    """

  /// How many there are.
  internal static let laterColumnCount: Int32 = 6

  /// The values of ``laterColumns``.
  internal var laterValues: [Int64?] {
    [
      oldestUnverified.map(Int64.init), sampledFiles.map(Int64.init),
      sampledChanges.map(Int64.init), sampledGrowth,
      totalSpace.map(Int64.init(clamping:)), freeSpace.map(Int64.init(clamping:)),
    ]
  }

  /// Reads ``laterColumns``, which start at a column of a query.
  internal mutating func readLaterColumns(_ statement: borrowing Statement, at first: Int32) {
    let values = (0..<Self.laterColumnCount).map { offset -> Int64? in
      statement.isNull(at: first + offset) ? nil : statement.int64(at: first + offset)
    }
    oldestUnverified = values[0].map(Int.init(clamping:))
    sampledFiles = values[1].map(Int.init(clamping:))
    sampledChanges = values[2].map(Int.init(clamping:))
    sampledGrowth = values[3]
    totalSpace = values[4].map(UInt64.init(clamping:))
    freeSpace = values[5].map(UInt64.init(clamping:))
  }
}
