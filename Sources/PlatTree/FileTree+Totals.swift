extension FileTree {
  /// Charges the sizes of each file with several hard links to one of its names.
  ///
  /// Before, the own sums of directories count every name in full. The charge is derived from the
  /// link counts in the listings, so that a listing does not depend on other directories.
  internal mutating func chargeHardLinks() {
    struct Link {
      var fileSystem: UInt32
      var inode: UInt64
      var directory: UInt32
      var ordinal: UInt32
      var allocatedSize: UInt64
      var apparentSize: UInt64
    }
    var links: [Link] = []
    for directory in directories where listing(of: directory).hasManyLinks {
      var cursor = listing(of: directory).makeCursor()
      while cursor.advanceWithoutName() {
        guard cursor.entry.linkCount > 1 else { continue }
        links.append(
          Link(
            fileSystem: fileSystemIndices[directory.index],
            inode: cursor.entry.inode,
            directory: UInt32(directory.index),
            ordinal: UInt32(cursor.ordinal),
            allocatedSize: cursor.entry.allocatedSize,
            apparentSize: cursor.entry.apparentSize
          )
        )
      }
    }
    links.sort {
      ($0.inode, $0.fileSystem, $0.directory, $0.ordinal)
        < ($1.inode, $1.fileSystem, $1.directory, $1.ordinal)
    }
    var saturated: Set<Int> = []
    for index in links.indices.dropFirst() {
      let (before, link) = (links[index - 1], links[index])
      guard before.inode == link.inode, before.fileSystem == link.fileSystem else { continue }
      uncharged.append(UInt64(link.directory) << 32 | UInt64(link.ordinal))
      let directory = Int(link.directory)
      if totalAllocated[directory] == .max || totalApparent[directory] == .max {
        saturated.insert(directory)
      } else {
        totalAllocated[directory] -= link.allocatedSize
        totalApparent[directory] -= link.apparentSize
      }
    }
    uncharged.sort()
    // Nothing can be taken off a sum that did not fit: it is made anew.
    for directory in saturated {
      let sums = ownSums(of: DirectoryID(directory))
      totalAllocated[directory] = sums.allocatedSize
      totalApparent[directory] = sums.apparentSize
    }
  }

  /// Adds up the listing of a directory, without the sizes that are charged to other names.
  internal func ownSums(of directory: DirectoryID) -> Totals {
    var summary = ListingSummary()
    var cursor = listing(of: directory).makeCursor()
    while cursor.advanceWithoutName() {
      var entry = cursor.entry
      if isCountedElsewhere(EntryID(directory, ordinal: cursor.ordinal)) {
        (entry.size, entry.blocks) = (0, 0)
      }
      summary.add(entry)
    }
    var sums = Totals()
    sums.allocatedSize = summary.allocatedSize
    sums.apparentSize = summary.apparentSize
    sums.files = Int(summary.files)
    sums.symbolicLinks = Int(summary.symbolicLinks)
    sums.others = Int(summary.others)
    return sums
  }

  /// Adds the directories themselves and their subtrees to the own sums: one pass, from the last
  /// directory to the top, as parents come first.
  internal mutating func addUp() {
    totalDirectories = [UInt32](repeating: 0, count: directoryCount)
    for index in parents.indices.reversed() {
      if !flags[index].contains(.isGroup) {
        totalDirectories[index] += 1
        totalAllocated[index] = totalAllocated[index].addingSaturated(allocatedSizes[index])
        let modification = modificationTimes[index].secondsFromNanoseconds
        newestModifications[index] = max(newestModifications[index], modification)
      }
      guard index > 0 else { break }
      let parent = Int(parents[index])
      totalAllocated[parent] = totalAllocated[parent].addingSaturated(totalAllocated[index])
      totalApparent[parent] = totalApparent[parent].addingSaturated(totalApparent[index])
      totalFiles[parent] += totalFiles[index]
      totalDirectories[parent] += totalDirectories[index]
      totalSymbolicLinks[parent] += totalSymbolicLinks[index]
      totalOthers[parent] += totalOthers[index]
      newestModifications[parent] = max(newestModifications[parent], newestModifications[index])
    }
  }

  /// Puts the file systems into the order of their first directories, and describes them.
  internal mutating func orderFileSystems(_ describe: (UInt64) -> FileSystem) {
    var positions = [UInt32?](repeating: nil, count: fileSystems.count)
    var ordered: [FileSystem] = []
    for index in fileSystemIndices.indices {
      let before = Int(fileSystemIndices[index])
      let position = positions[before] ?? UInt32(ordered.count)
      if position == ordered.count {
        ordered.append(describe(fileSystems[before].device))
        positions[before] = position
      }
      fileSystemIndices[index] = position
    }
    fileSystems = ordered
    orderAttributes()
  }

  /// Puts the owners and modes into the order of their first directories.
  private mutating func orderAttributes() {
    var positions = [UInt32?](repeating: nil, count: attributes.count)
    var ordered: [Attributes] = []
    for index in attributeIndices.indices {
      let before = Int(attributeIndices[index])
      let position = positions[before] ?? UInt32(ordered.count)
      if position == ordered.count {
        ordered.append(attributes[before])
        positions[before] = position
      }
      attributeIndices[index] = position
    }
    attributes = ordered
  }
}
