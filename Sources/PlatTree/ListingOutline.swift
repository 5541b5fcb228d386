/// What is known of the entries of a listing together, and of the files among them.
public struct ListingOutline: Hashable, Sendable {
  /// The sizes and counts of all entries.
  public private(set) var summary = ListingSummary()
  /// What the files occupy on disk, in bytes; a hard link counts in full.
  public private(set) var allocatedSizeOfFiles: UInt64 = 0
  /// When a file was modified or its inode changed last, in seconds since 1970; `Int64.min` if there
  /// are none.
  public private(set) var newestChange = Int64.min
  /// The length of the longest file, or what the one that occupies most occupies if that is more, in
  /// bytes.
  public private(set) var largestSize: UInt64 = 0
  /// Whether an entry has a link count other than 1.
  public let hasManyLinks: Bool

  /// Creates the outline of no entries yet.
  internal init(hasManyLinks: Bool) { self.hasManyLinks = hasManyLinks }

  /// When a file changed last, if all entries have one link and only files occupy anything on disk.
  public var fileChange: Int64? {
    let isSimple =
      !hasManyLinks && allocatedSizeOfFiles == summary.allocatedSize
      && summary.allocatedSize != .max && newestChange != .max
    return isSimple ? newestChange : nil
  }

  /// Adds one entry.
  internal mutating func add(_ entry: ListingEntry) {
    summary.add(entry)
    guard entry.kind == .file else { return }
    allocatedSizeOfFiles = allocatedSizeOfFiles.addingSaturated(entry.allocatedSize)
    newestChange = max(newestChange, entry.modificationTime, entry.changeTime)
    largestSize = max(largestSize, entry.size, entry.allocatedSize)
  }
}
