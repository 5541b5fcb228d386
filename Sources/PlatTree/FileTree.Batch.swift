extension FileTree {
  /// Finished directories on their way from a reader to a ``FileTree/Builder``.
  ///
  /// A reader numbers directories as it likes, each once, the top with 0 and a directory above the
  /// one that holds it; ``Builder/makeTree(describing:)`` puts them in canonical order.
  public struct Batch: Sendable {
    /// A directory that was read.
    public struct Directory: Sendable {
      /// The reader's number of the directory.
      public var number: Int
      /// What is known of the directory itself.
      public var details: DirectoryDetails
      /// Where its listing is in ``Batch/bytes``.
      public var listing: Range<Int>
      /// The sizes and counts of the listing; of a stored directory, those of its subtree.
      public var summary: ListingSummary
      /// Whether ``Batch/links`` has all names of the listing that are hard links; if not, the listing is
      /// asked for them.
      public var deliversLinks = false
      /// Whether the listing is in ``Batch/packed`` instead.
      internal var isPacked = false
      /// When a file of the listing changed last, as in `FileTree.fileChanges`.
      internal var fileChange = Int64.max

      /// Creates a directory.
      public init(
        number: Int,
        details: DirectoryDetails,
        listing: Range<Int>,
        summary: ListingSummary
      ) {
        self.number = number
        self.details = details
        self.listing = listing
        self.summary = summary
      }
    }

    /// Subdirectories that a directory was found to hold, numbered in a row.
    internal struct Subdirectories: Sendable {
      internal var parent: Int
      internal var first: Int
      internal var nameStarts: Range<Int>
      internal var end: Int
    }

    /// An entry that its directory listed as a directory and that is none.
    internal struct LateEntry: Sendable {
      internal var directory: Int
      internal var name: [UInt8]
      internal var entry: ListingEntry
    }

    /// A directory that is as it was in an earlier tree.
    internal struct Reused: Sendable {
      internal var number: UInt32
      /// The earlier tree, and the directory there.
      internal var tree: UInt32
      internal var directory: UInt32
      /// The number of its first subdirectory; the others count on.
      internal var firstSubdirectory: UInt32
      internal var device: UInt64
    }

    /// The listings of ``directories``.
    public var bytes: [UInt8] = []
    /// The listings of ``directories`` that are packed.
    public var packed: [UInt8] = []
    /// What unpacks the listings of ``packed``; needed if there are any.
    public var codec: (any ListingCodec)?
    /// The directories that were read.
    public var directories: [Directory] = []
    /// The names of files with several hard links that ``directories`` list.
    public var links: [HardLink] = []
    /// What could not be read; ``Issue/directory`` is the reader's number.
    public var issues: [Issue] = []
    /// What was left out; ``Exclusion/directory`` is the reader's number.
    public var exclusions: [Exclusion] = []

    internal var subdirectories: [Subdirectories] = []
    internal var names: [UInt8] = []
    internal var nameStarts: [UInt32] = []
    internal var lateEntries: [LateEntry] = []
    internal var reused: [Reused] = []

    /// Creates an empty batch.
    public init() {}

    /// Whether there is nothing in the batch.
    public var isEmpty: Bool {
      directoryCount == 0 && subdirectories.isEmpty && issues.isEmpty && exclusions.isEmpty
        && lateEntries.isEmpty
    }

    /// The number of directories that the batch delivers.
    public var directoryCount: Int { directories.count + reused.count }

    /// Announces directories that a directory holds.
    ///
    /// One that is never delivered as a ``Directory`` is not in the tree: it has vanished.
    ///
    /// - Parameters:
    ///   - parent: The number of the directory that holds them.
    ///   - first: The number of the first; the others count on from there.
    ///   - names: Their names in any order, each followed by one byte that is not part of it.
    ///   - starts: Where each name starts in `names`, ascending.
    public mutating func announce(parent: Int, first: Int, names: [UInt8], starts: [Int]) {
      let base = self.names.count
      let start = nameStarts.count
      self.names.append(contentsOf: names)
      for start in starts { nameStarts.append(UInt32(base + start)) }
      // A reader that announces them one by one has no more groups than one that does it together.
      if let last = subdirectories.indices.last, subdirectories[last].parent == parent,
        subdirectories[last].first + subdirectories[last].nameStarts.count == first
      {
        subdirectories[last].nameStarts =
          subdirectories[last].nameStarts.lowerBound..<nameStarts.count
        subdirectories[last].end = self.names.count
        return
      }
      subdirectories.append(
        Subdirectories(
          parent: parent,
          first: first,
          nameStarts: start..<nameStarts.count,
          end: self.names.count
        )
      )
    }

    /// Announces directories that a directory holds.
    ///
    /// - Parameters:
    ///   - parent: The number of the directory that holds them.
    ///   - first: The number of the first; the others count on from there.
    ///   - names: Their names, in any order.
    public mutating func announce(
      parent: Int,
      first: Int,
      names: some Sequence<ArraySlice<UInt8>>
    ) {
      var starts: [Int] = []
      var ended: [UInt8] = []
      for name in names {
        starts.append(ended.count)
        ended.append(contentsOf: name)
        ended.append(0)
      }
      announce(parent: parent, first: first, names: ended, starts: starts)
    }

    /// Empties the batch to be filled again, and keeps storage for listings up to a size.
    ///
    /// - Parameter limit: The most bytes of storage for listings that are kept.
    public mutating func removeAll(keepingBytes limit: Int) {
      if bytes.capacity <= limit { bytes.removeAll(keepingCapacity: true) } else { bytes = [] }
      directories.removeAll(keepingCapacity: true)
      subdirectories.removeAll(keepingCapacity: true)
      names.removeAll(keepingCapacity: true)
      nameStarts.removeAll(keepingCapacity: true)
      links = []
      issues = []
      exclusions = []
      lateEntries = []
      packed = []
      reused.removeAll(keepingCapacity: true)
    }

    /// Delivers a directory that is as it was in an earlier tree, and announces its subdirectories,
    /// which have the names that they had there.
    ///
    /// - Parameters:
    ///   - directory: The directory in the earlier tree.
    ///   - tree: Which of the trees it is that the builder was created with.
    ///   - number: The reader's number of the directory.
    ///   - firstSubdirectory: The number of its first subdirectory; the others count on from there.
    ///   - device: The device number that its file system has by now.
    public mutating func reuse(
      _ directory: DirectoryID,
      ofTree tree: Int,
      as number: Int,
      firstSubdirectory: Int,
      device: UInt64
    ) {
      reused.append(
        Reused(
          number: UInt32(number),
          tree: UInt32(tree),
          directory: UInt32(directory.index),
          firstSubdirectory: UInt32(firstSubdirectory),
          device: device
        )
      )
    }

    /// Adds an entry to a directory that was delivered before.
    ///
    /// - Parameters:
    ///   - entry: What the entry is; not a directory.
    ///   - name: Its name.
    ///   - directory: The number of the directory that holds it.
    public mutating func appendLate(_ entry: ListingEntry, name: [UInt8], to directory: Int) {
      lateEntries.append(LateEntry(directory: directory, name: name, entry: entry))
    }
  }
}
