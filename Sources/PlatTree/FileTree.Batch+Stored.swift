/// What a store delivers: directories whose sums are known.
extension FileTree.Batch {
  /// What a store knows of a directory.
  public struct Stored: Sendable {
    /// What is known of the directory itself.
    public var details = DirectoryDetails()
    /// The sizes and counts of the directory and everything below it; the number of directories does
    /// not matter.
    public var totals = Totals()
    /// When something in or below the directory was modified last, in seconds since 1970.
    public var newestModification = Int64.min
    /// When a file of its listing changed last at the latest, in seconds since 1970; `nil` unless all
    /// entries of the listing have one link, and only files occupy anything on disk.
    public var fileChange: Int64?

    /// Creates a directory that nothing is known of.
    public init() {}
  }

  /// Delivers a directory of a store, whose listing was appended to ``bytes``.
  ///
  /// The bytes are known to be those that were stored. The builder that the batch is for makes its tree
  /// by ``FileTree/Builder/makeStoredTree(countedElsewhere:addingUp:describing:)``.
  ///
  /// - Parameters:
  ///   - stored: What is known of the directory.
  ///   - number: The reader's number of the directory.
  ///   - listing: Where the listing is in ``bytes``; empty for one without entries.
  public mutating func append(_ stored: Stored, number: Int, listing: Range<Int>) {
    append(stored, number, listing, isPacked: false)
  }

  /// Delivers a directory of a store, and leaves its listing packed.
  ///
  /// - Parameters:
  ///   - stored: What is known of the directory.
  ///   - number: The reader's number of the directory.
  ///   - packed: Where the packed listing is in ``packed``.
  public mutating func append(_ stored: Stored, number: Int, packed: Range<Int>) {
    append(stored, number, packed, isPacked: true)
  }

  private mutating func append(
    _ stored: Stored,
    _ number: Int,
    _ listing: Range<Int>,
    isPacked: Bool
  ) {
    var summary = ListingSummary()
    summary.allocatedSize = stored.totals.allocatedSize
    summary.apparentSize = stored.totals.apparentSize
    summary.files = UInt32(truncatingIfNeeded: stored.totals.files)
    summary.symbolicLinks = UInt32(truncatingIfNeeded: stored.totals.symbolicLinks)
    summary.others = UInt32(truncatingIfNeeded: stored.totals.others)
    summary.newestModification = stored.newestModification
    var directory = Directory(
      number: number,
      details: stored.details,
      listing: listing,
      summary: summary
    )
    directory.isPacked = isPacked
    directory.fileChange = stored.fileChange ?? .max
    directories.append(directory)
  }
}
