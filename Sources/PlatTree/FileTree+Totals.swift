extension FileTree {
  /// Charges the sizes of each file with several hard links to one of its names.
  ///
  /// Before, the own sums of directories count every name in full. The charge is derived from the
  /// link counts in the listings, so that a listing does not depend on other directories.
  ///
  /// - Parameters:
  ///   - links: The names.
  ///   - isPart: Whether there is more to come, so that a file of which a name is missing is not
  ///     charged to any.
  ///   - check: Called now and then.
  /// - Throws: What `check` throws; the tree is of no use then.
  internal mutating func chargeHardLinks<Stop: Error>(
    _ links: HardLinks,
    isPart: Bool,
    _ check: () throws(Stop) -> Void
  ) throws(Stop) {
    var saturated: Set<Int> = []
    for var links in links.parts {
      try check()
      links.sort {
        ($0.inode, $0.fileSystem, $0.directory, $0.ordinal)
          < ($1.inode, $1.fileSystem, $1.directory, $1.ordinal)
      }
      var rest = links[...]
      while let first = rest.first {
        let names = rest.prefix { $0.inode == first.inode && $0.fileSystem == first.fileSystem }
        rest = rest[names.endIndex...]
        let isCharged = !isPart || names.count >= first.count
        for link in names.dropFirst(isCharged ? 1 : 0) { discharge(link, &saturated) }
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

  /// Appends the names of files with several hard links that a directory lists.
  internal func appendHardLinks(in directory: DirectoryID, to links: inout HardLinks) {
    guard hasManyLinks(directory) else { return }
    var cursor = listing(of: directory).makeCursor()
    while cursor.advanceWithoutName() {
      guard cursor.entry.linkCount > 1 else { continue }
      var link = HardLink(cursor.entry, ordinal: cursor.ordinal, directory: directory.index)
      link.fileSystem = fileSystemIndices[directory.index]
      links.append(link)
    }
  }

  /// Whether a directory lists an entry with a link count other than 1.
  ///
  /// Every directory is asked, so that this takes no ``Listing``, which would hold on to its bytes.
  private func hasManyLinks(_ directory: DirectoryID) -> Bool {
    let location = listings[directory.index]
    guard location.length > 0, fileChange(in: directory) == nil else { return false }
    guard chunks[Int(location.chunk)].codec == nil else {
      return listing(of: directory).hasManyLinks
    }
    return Listing.hasManyLinks(chunks[Int(location.chunk)].bytes, location.range)
  }

  /// Takes the sizes of a file off the directory of one of its names.
  private mutating func discharge(_ link: HardLink, _ saturated: inout Set<Int>) {
    uncharged.append(UInt64(link.directory) << 32 | UInt64(link.ordinal))
    let directory = Int(link.directory)
    if totalAllocated[directory] == .max || totalApparent[directory] == .max {
      saturated.insert(directory)
    } else {
      totalAllocated[directory] -= link.allocatedSize
      totalApparent[directory] -= link.apparentSize
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
  ///
  /// - Parameter newestBounds: When something in or below each directory was modified last at the latest;
  ///   if nothing else accounts for it, the listing is asked. Empty if all own sums are complete.
  internal mutating func addUp(_ newestBounds: [Int64] = []) {
    totalDirectories = [UInt32](repeating: 0, count: directoryCount)
    for index in parents.indices.reversed() {
      if !flags[index].contains(.isGroup) {
        totalDirectories[index] += 1
        totalAllocated[index] = totalAllocated[index].addingSaturated(allocatedSizes[index])
        let modification = modificationTimes[index].secondsFromNanoseconds
        newestModifications[index] = max(newestModifications[index], modification)
      }
      if !newestBounds.isEmpty, newestModifications[index] < newestBounds[index] {
        newestModifications[index] = max(
          newestModifications[index],
          listing(of: DirectoryID(index)).summary.newestModification
        )
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

extension FileTree {
  /// Returns what everything on some of the file systems occupies on disk, in bytes.
  ///
  /// - Parameter isWanted: Whether a file system is one of them.
  /// - Returns: The sum, with every inode once.
  /// - Complexity: O(*n*), where *n* is the number of directories.
  public func allocatedSize(on isWanted: (FileSystem) -> Bool) -> UInt64 {
    let wanted = fileSystems.map(isWanted)
    var sum: UInt64 = 0
    for index in parents.indices where !flags[index].contains(.isGroup) {
      guard wanted[Int(fileSystemIndices[index])] else { continue }
      sum = sum.addingSaturated(allocatedSizes[index])
      sum = sum.addingSaturated(ownTotals(of: DirectoryID(index)).allocatedSize)
    }
    return sum
  }
}
