/// A scanned directory tree: flat columns of directories, and a packed listing for each.
///
/// A tree is a value that is never changed after it was built. Directories are in canonical order
/// (``DirectoryID``), so two scans of the same state are equal whatever their threads did. No object
/// is held an entry: with all metadata an entry takes about 40 bytes.
///
/// Sizes are in bytes. Every inode counts once: the sizes of a file with several hard links are
/// charged to the first of its names in canonical order of directories and then of names, and the
/// others are found with ``isCountedElsewhere(_:)``.
public struct FileTree: Sendable {
  internal var parents: [UInt32] = []
  /// Where the name of each directory starts in `names`, and the end of the last.
  @usableFromInline internal var nameStarts: [UInt32] = [0]
  @usableFromInline internal var names: [UInt8] = []
  /// The first subdirectory of each directory, and the number of directories.
  @usableFromInline internal var firstSubdirectories: [UInt32] = [1]
  @usableFromInline internal var listings: [ListingLocation] = []
  internal var chunks: [Chunk] = []
  /// When a file of each listing changed last at the latest, in seconds since 1970.
  ///
  /// Where it is known, all entries of the listing have one link, and only files occupy anything;
  /// `Int64.max` where only the listing tells. Empty in a tree that was just scanned.
  internal var fileChanges: [Int64] = []

  internal var inodes: [UInt64] = []
  @usableFromInline internal var allocatedSizes: [UInt64] = []
  internal var modificationTimes: [Int64] = []
  internal var changeTimes: [Int64] = []
  internal var fileSystemIndices: [UInt32] = []
  internal var attributeIndices: [UInt32] = []
  internal var flags: [DirectoryDetails.Flags] = []
  internal var attributes: [Attributes] = []

  @usableFromInline internal var totalAllocated: [UInt64] = []
  @usableFromInline internal var totalApparent: [UInt64] = []
  @usableFromInline internal var totalFiles: [UInt32] = []
  internal var totalDirectories: [UInt32] = []
  internal var totalSymbolicLinks: [UInt32] = []
  internal var totalOthers: [UInt32] = []
  internal var newestModifications: [Int64] = []

  /// Names of hard links that are counted elsewhere: `directory << 32 | ordinal`, ascending.
  internal var uncharged: [UInt64] = []

  /// The file systems that the directories are on, in order of their first directory.
  public internal(set) var fileSystems: [FileSystem] = []

  /// What could not be read, in canonical order.
  public internal(set) var issues: [Issue] = []

  /// What was left out on purpose, in canonical order.
  public internal(set) var exclusions: [Exclusion] = []

  /// The owner and mode of a directory; few differ, so directories hold an index.
  internal struct Attributes: Hashable, Sendable {
    internal var mode: UInt16
    internal var owner: UInt32
    internal var group: UInt32
  }

  /// Listings that lie one behind the other.
  internal struct Chunk: Sendable {
    internal var bytes: [UInt8] = []
    /// What unpacks each of them; `nil` if they are not packed.
    internal var codec: (any ListingCodec)?
  }

  /// Where a listing is: a range of a chunk.
  @usableFromInline
  internal struct ListingLocation: Sendable {
    internal var chunk: UInt32 = 0
    internal var start: UInt32 = 0
    @usableFromInline internal var length: UInt32 = 0

    internal var range: Range<Int> { Int(start)..<Int(start) + Int(length) }
  }

  internal init() {}
}

extension FileTree {
  /// The number of directories, the top included.
  public var directoryCount: Int { parents.count }

  /// The directory at the top.
  public var root: DirectoryID { DirectoryID(0) }

  /// All directories, in canonical order.
  public var directories: DirectoryRange { DirectoryRange(0..<directoryCount) }

  /// Whether the top is not a directory on disk but holds the several roots of one scan.
  public var isGroup: Bool { flags[0].contains(.isGroup) }

  /// Returns the directory that holds another, or `nil` for the top.
  ///
  /// - Precondition: `directory` came from this tree.
  public func parent(of directory: DirectoryID) -> DirectoryID? {
    directory.index == 0 ? nil : DirectoryID(Int(parents[directory.index]))
  }

  /// Returns the bytes of a directory's name; for the top, its absolute path.
  ///
  /// - Precondition: `directory` came from this tree.
  @inlinable @inline(__always)
  public func name(of directory: DirectoryID) -> ArraySlice<UInt8> {
    names[Int(nameStarts[directory.index])..<Int(nameStarts[directory.index + 1])]
  }

  /// Returns what `body` makes of the bytes of a directory's name, which are not copied.
  ///
  /// - Precondition: `directory` came from this tree.
  @inlinable @inline(__always)
  public func withName<Result>(
    of directory: DirectoryID,
    _ body: (Span<UInt8>) -> Result
  ) -> Result {
    let name = Int(nameStarts[directory.index])..<Int(nameStarts[directory.index + 1])
    return body(names.span.extracting(name))
  }

  /// Returns the directories that a directory holds, in order of their names.
  ///
  /// - Precondition: `directory` came from this tree.
  @inlinable
  public func subdirectories(of directory: DirectoryID) -> DirectoryRange {
    DirectoryRange(
      Int(firstSubdirectories[directory.index])..<Int(firstSubdirectories[directory.index + 1])
    )
  }

  /// Returns the entries of a directory that are not directories.
  ///
  /// A listing that is packed is unpacked each time; large ones never are.
  ///
  /// - Precondition: `directory` came from this tree.
  /// - Complexity: O(1), or O(*n*) if it is packed, where *n* is the number of its entries.
  public func listing(of directory: DirectoryID) -> Listing {
    let location = listings[directory.index]
    guard location.length > 0 else { return Listing([], 0..<0) }
    let index = Int(location.chunk)
    // A copy of a chunk is two references more to count.
    guard chunks[index].codec != nil else { return Listing(chunks[index].bytes, location.range) }
    let chunk = chunks[index]
    let bytes = chunk.codec?.unpack(chunk.bytes[location.range]) ?? Listing.damagedBytes
    return Listing(bytes, 0..<bytes.count)
  }

  /// Returns whether a directory holds anything but directories.
  ///
  /// - Precondition: `directory` came from this tree.
  /// - Complexity: O(1)
  @inlinable
  public func hasEntries(_ directory: DirectoryID) -> Bool {
    listings[directory.index].length > 0
  }

  /// Returns whether a directory has the same listing as one of another tree.
  ///
  /// - Parameters:
  ///   - directory: A directory of this tree.
  ///   - other: The other tree.
  ///   - counterpart: A directory of the other tree.
  /// - Returns: Whether the listings are equal.
  /// - Complexity: O(1) if the trees share the listing, otherwise O(*n*), where *n* is the number of
  ///   its entries.
  public func hasSameListing(
    _ directory: DirectoryID,
    as other: FileTree,
    _ counterpart: DirectoryID
  ) -> Bool {
    guard hasEntries(directory), other.hasEntries(counterpart) else {
      return hasEntries(directory) == other.hasEntries(counterpart)
    }
    return sharesListing(directory, with: other, counterpart)
      || listing(of: directory) == other.listing(of: counterpart)
  }

  /// Whether the listing of a directory lies where that of one of another tree does.
  internal func sharesListing(
    _ directory: DirectoryID,
    with other: FileTree,
    _ counterpart: DirectoryID
  ) -> Bool {
    let (here, there) = (listings[directory.index], other.listings[counterpart.index])
    guard here.start == there.start, here.length == there.length, here.length > 0 else {
      return false
    }
    let (bytes, otherBytes) = (chunks[Int(here.chunk)].bytes, other.chunks[Int(there.chunk)].bytes)
    return bytes.span.isIdentical(to: otherBytes.span)
  }

  /// Returns when a file of a directory's listing changed last at the latest, in seconds since 1970, if
  /// that is known without the listing.
  ///
  /// Then all entries of the listing have one link, and only files occupy anything on disk, so that
  /// ``ownTotals(of:)`` tells the rest.
  ///
  /// - Precondition: `directory` came from this tree.
  /// - Complexity: O(1)
  public func fileChange(in directory: DirectoryID) -> Int64? {
    guard !fileChanges.isEmpty, fileChanges[directory.index] != .max else { return nil }
    return fileChanges[directory.index]
  }

  /// Returns the sizes and counts of a directory and everything below it.
  ///
  /// - Precondition: `directory` came from this tree.
  /// - Complexity: O(1)
  public func totals(of directory: DirectoryID) -> Totals {
    let index = directory.index
    var totals = Totals()
    totals.allocatedSize = totalAllocated[index]
    totals.apparentSize = totalApparent[index]
    totals.files = Int(totalFiles[index])
    totals.directories = Int(totalDirectories[index])
    totals.symbolicLinks = Int(totalSymbolicLinks[index])
    totals.others = Int(totalOthers[index])
    return totals
  }

  /// Returns one size of a directory and everything below it, in bytes.
  ///
  /// - Precondition: `directory` came from this tree.
  /// - Complexity: O(1)
  @inlinable
  public func size(of directory: DirectoryID, _ measure: SizeMeasure) -> UInt64 {
    switch measure {
    case .allocated: totalAllocated[directory.index]
    case .apparent: totalApparent[directory.index]
    }
  }

  /// Returns the number of regular files in and below a directory.
  ///
  /// - Precondition: `directory` came from this tree.
  /// - Complexity: O(1)
  @inlinable
  public func fileCount(of directory: DirectoryID) -> Int { Int(totalFiles[directory.index]) }

  /// Returns what a directory itself occupies on disk, in bytes, without anything that it holds.
  ///
  /// - Precondition: `directory` came from this tree.
  /// - Complexity: O(1)
  @inlinable
  public func bareSize(of directory: DirectoryID) -> UInt64 { allocatedSizes[directory.index] }

  /// Returns the sizes and counts of the entries of a directory's listing: what is charged here of
  /// what is neither the directory itself nor below a subdirectory.
  ///
  /// - Precondition: `directory` came from this tree.
  /// - Complexity: O(*n*), where *n* is the number of subdirectories, and of entries if a sum of the
  ///   directory did not fit.
  public func ownTotals(of directory: DirectoryID) -> Totals {
    var own = totals(of: directory)
    guard own.allocatedSize != .max, own.apparentSize != .max else {
      return ownSums(of: directory)
    }
    own.allocatedSize -=
      flags[directory.index].contains(.isGroup) ? 0 : allocatedSizes[directory.index]
    own.directories -= flags[directory.index].contains(.isGroup) ? 0 : 1
    for subdirectory in subdirectories(of: directory) {
      let part = totals(of: subdirectory)
      own.allocatedSize -= part.allocatedSize
      own.apparentSize -= part.apparentSize
      own.files -= part.files
      own.directories -= part.directories
      own.symbolicLinks -= part.symbolicLinks
      own.others -= part.others
    }
    return own
  }

  /// Returns when something in or below a directory was modified last, in seconds since 1970.
  ///
  /// - Precondition: `directory` came from this tree.
  /// - Complexity: O(1)
  public func newestModification(of directory: DirectoryID) -> Int64 {
    newestModifications[directory.index]
  }

  /// Returns what is known of a directory itself.
  ///
  /// - Precondition: `directory` came from this tree.
  public func details(of directory: DirectoryID) -> DirectoryDetails {
    let index = directory.index
    let attributes = attributes[Int(attributeIndices[index])]
    var details = DirectoryDetails()
    details.allocatedSize = allocatedSizes[index]
    details.inode = inodes[index]
    details.device = fileSystems[Int(fileSystemIndices[index])].device
    details.modificationTime = modificationTimes[index]
    details.changeTime = changeTimes[index]
    details.mode = attributes.mode
    details.owner = attributes.owner
    details.group = attributes.group
    details.flags = flags[index]
    return details
  }

  /// Returns the file system of a directory as an index of ``fileSystems``.
  ///
  /// - Precondition: `directory` came from this tree.
  public func fileSystemIndex(of directory: DirectoryID) -> Int {
    Int(fileSystemIndices[directory.index])
  }

  /// Returns whether the sizes of an entry are charged to another name of the same inode.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of such names.
  public func isCountedElsewhere(_ entry: EntryID) -> Bool {
    guard let ordinal = entry.ordinal, !uncharged.isEmpty else { return false }
    let key = UInt64(entry.directory.index) << 32 | UInt64(ordinal)
    let position = uncharged.partitioningIndex { $0 >= key }
    return position < uncharged.count && uncharged[position] == key
  }

  /// The number of names whose sizes are charged to another name of the same inode.
  public var countedElsewhereCount: Int { uncharged.count }
}

/// Directories that follow each other in canonical order.
public struct DirectoryRange: RandomAccessCollection, Hashable, Sendable {
  @usableFromInline internal let range: Range<Int>

  @inlinable
  internal init(_ range: Range<Int>) { self.range = range }

  /// The position of the first directory.
  @inlinable public var startIndex: Int { range.lowerBound }
  /// The position after the last directory.
  @inlinable public var endIndex: Int { range.upperBound }
  /// The directory at a position.
  @inlinable public subscript(position: Int) -> DirectoryID { DirectoryID(position) }
}

extension RandomAccessCollection {
  /// Returns the first position whose element meets a condition that holds from there on.
  internal func partitioningIndex(_ isInSecondPart: (Element) -> Bool) -> Index {
    var low = startIndex
    var length = count
    while length > 0 {
      let half = length / 2
      let middle = index(low, offsetBy: half)
      if isInSecondPart(self[middle]) {
        length = half
      } else {
        low = index(after: middle)
        length -= half + 1
      }
    }
    return low
  }
}
