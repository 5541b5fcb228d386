extension FileTree.Builder {
  /// Names of a directory of a store whose sizes are charged to other names.
  public struct CountedElsewhere: Sendable {
    /// The reader's number of the directory.
    public var number: Int
    /// The positions of the names in the listing, ascending.
    public var ordinals: [Int]

    /// Creates names of a directory.
    public init(number: Int, ordinals: [Int]) {
      self.number = number
      self.ordinals = ordinals
    }
  }

  /// Makes the tree of directories of a store, whose totals are known, and tells which is which.
  ///
  /// - Parameters:
  ///   - elsewhere: The names of hard links that are charged to other names.
  ///   - addingUp: Whether to add the totals up from the listings all the same.
  ///   - describe: Gives what is known of the file system with a device number; it is asked in the order
  ///     of `FileTree.fileSystems`.
  /// - Returns: The tree, and the reader's number of each of its directories.
  /// - Precondition: ``hasTop``
  /// - Complexity: O(*n*) for names that arrive sorted, where *n* is the number of directories, or if
  ///   they are added up that of entries.
  public consuming func makeStoredTree(
    countedElsewhere elsewhere: [CountedElsewhere],
    addingUp: Bool,
    describing describe: (_ device: UInt64) -> FileSystem
  ) -> (tree: FileTree, numbers: [UInt32]) {
    precondition(hasTop, "the top of a tree was read")
    let order = canonicalOrder {}
    permute(order) {}
    tree.orderFileSystems(describe)
    if addingUp {
      tree.addUpListings()
    } else {
      tree.countDirectories()
      takeCountedElsewhere(elsewhere, order)
    }
    return (tree, order)
  }

  private mutating func takeCountedElsewhere(_ elsewhere: [CountedElsewhere], _ order: [UInt32]) {
    guard !elsewhere.isEmpty else { return }
    var positions = [UInt32?](repeating: nil, count: isDelivered.count)
    for (position, number) in order.enumerated() { positions[Int(number)] = UInt32(position) }
    for names in elsewhere {
      guard let position = positions[names.number] else { continue }
      for ordinal in names.ordinals {
        tree.uncharged.append(UInt64(position) << 32 | UInt64(UInt32(truncatingIfNeeded: ordinal)))
      }
    }
    tree.uncharged.sort()
  }
}

extension FileTree {
  /// Counts the directories of each subtree.
  fileprivate mutating func countDirectories() {
    totalDirectories = flags.map { $0.contains(.isGroup) ? 0 : 1 }
    for index in parents.indices.reversed().dropLast() {
      totalDirectories[Int(parents[index])] += totalDirectories[index]
    }
  }

  /// Makes all totals anew, as of a tree that was just scanned.
  fileprivate mutating func addUpListings() {
    for directory in directories {
      let summary = listing(of: directory).summary
      totalAllocated[directory.index] = summary.allocatedSize
      totalApparent[directory.index] = summary.apparentSize
      totalFiles[directory.index] = summary.files
      totalSymbolicLinks[directory.index] = summary.symbolicLinks
      totalOthers[directory.index] = summary.others
      newestModifications[directory.index] = summary.newestModification
    }
    var links = HardLinks()
    for directory in directories { appendHardLinks(in: directory, to: &links) }
    chargeHardLinks(links, isPart: false) {}
    addUp()
  }
}
