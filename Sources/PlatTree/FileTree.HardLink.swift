extension FileTree {
  /// One of the names of a file with several hard links, on its way into a tree.
  public struct HardLink: Sendable {
    /// The directory that lists it, by the reader's number, and then by its position.
    internal var directory: UInt32
    /// The position of the name in the listing.
    internal var ordinal: UInt32
    /// The number of names that the file has.
    internal var count: UInt32
    /// The position of the file system, when it is known.
    internal var fileSystem: UInt32 = 0
    internal var inode: UInt64
    internal var allocatedSize: UInt64
    internal var apparentSize: UInt64

    /// Creates a name.
    ///
    /// - Parameters:
    ///   - entry: The entry that has it, with a link count of 2 or more.
    ///   - ordinal: Its position in the listing.
    ///   - directory: The reader's number of the directory that lists it.
    public init(_ entry: ListingEntry, ordinal: Int, directory: Int) {
      self.directory = UInt32(directory)
      self.ordinal = UInt32(ordinal)
      count = entry.linkCount
      inode = entry.inode
      allocatedSize = entry.allocatedSize
      apparentSize = entry.apparentSize
    }
  }

  /// The names of files with several hard links: those of one file together in one of many parts, none
  /// of which takes long.
  internal struct HardLinks: Sendable {
    internal private(set) var parts = [[HardLink]](repeating: [], count: 64)

    internal mutating func append(_ link: HardLink) {
      parts[Int(link.inode % UInt64(parts.count))].append(link)
    }

    /// Drops the names that some directories list.
    internal mutating func remove(where isDropped: (_ directory: UInt32) -> Bool) {
      for index in parts.indices { parts[index].removeAll { isDropped($0.directory) } }
    }

    /// Turns the reader's numbers into positions; `UInt32.max` is that of a directory that is left out.
    internal mutating func move(to positions: [UInt32], fileSystems: [UInt32]) {
      for index in parts.indices {
        for place in parts[index].indices {
          let position = positions[Int(parts[index][place].directory)]
          parts[index][place].directory = position
          if position != .max { parts[index][place].fileSystem = fileSystems[Int(position)] }
        }
      }
      remove { $0 == .max }
    }
  }
}
