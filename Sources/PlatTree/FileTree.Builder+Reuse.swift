extension FileTree.Builder {
  /// Finds out whether an earlier tree was delivered, whole and in its place, and nothing else.
  ///
  /// - Parameter describe: Gives what is known of the file system with a device number.
  /// - Returns: The earlier tree, or `nil` if what was delivered is another one.
  internal func unchangedTree(
    describing describe: (_ device: UInt64) -> FileSystem
  ) -> FileTree? {
    guard earlierTrees.count == 1, let earlier = earlierTrees.first,
      reused.count == directoryCount, reused.count == earlier.directoryCount,
      lateEntries.isEmpty, tree.issues.isEmpty, earlier.issues.isEmpty,
      tree.exclusions.count == earlier.exclusions.count,
      earlier.name(of: earlier.root).elementsEqual(names.prefix(Int(nameLengths[0])))
    else { return nil }
    var numbers = [UInt32?](repeating: nil, count: reused.count)
    for row in reused {
      let index = Int(row.directory)
      let fileSystem = earlier.fileSystems[Int(earlier.fileSystemIndices[index])]
      guard numbers[index] == nil, fileSystem.device == row.device else { return nil }
      numbers[index] = row.number
    }
    guard numbers[0] == 0 else { return nil }
    for row in reused {
      var number = row.firstSubdirectory
      for child in earlier.subdirectories(of: DirectoryID(Int(row.directory))) {
        guard numbers[child.index] == number else { return nil }
        number += 1
      }
    }
    return earlier.fileSystems.allSatisfy { describe($0.device) == $0 } ? earlier : nil
  }

  /// Puts the directories that were taken from earlier trees into the columns.
  ///
  /// Their listings stay where they are, but for those of chunks of which most is not needed.
  internal mutating func takeReused<Stop: Error>(
    _ check: () throws(Stop) -> Void
  ) throws(Stop) {
    guard !reused.isEmpty else { return }
    let rows = reused
    reused = []
    for (index, earlier) in earlierTrees.enumerated() {
      let part = rows.filter { $0.tree == index }
      guard !part.isEmpty else { continue }
      try takeNames(part, of: earlier, check)
      try takeListings(part, of: earlier, check)
      takeDetails(part, of: earlier)
    }
  }

  /// Announces the subdirectories of directories of an earlier tree.
  private mutating func takeNames<Stop: Error>(
    _ rows: [FileTree.Batch.Reused],
    of earlier: FileTree,
    _ check: () throws(Stop) -> Void
  ) throws(Stop) {
    var end = 0
    for row in rows {
      let count = earlier.subdirectories(of: DirectoryID(Int(row.directory))).count
      end = max(end, Int(row.number) + 1, count == 0 ? 0 : Int(row.firstSubdirectory) + count)
    }
    grow(to: end)
    for (index, row) in rows.enumerated() {
      if index % 1024 == 0 { try check() }
      let children = earlier.subdirectories(of: DirectoryID(Int(row.directory)))
      guard !children.isEmpty else { continue }
      let start = Int(earlier.nameStarts[children.startIndex])
      let shift = names.count - start
      names.append(
        contentsOf: earlier.names[start..<Int(earlier.nameStarts[children.endIndex])]
      )
      for (offset, child) in (children.startIndex..<children.endIndex).enumerated() {
        let number = Int(row.firstSubdirectory) + offset
        parents[number] = row.number
        nameStarts[number] = UInt64(Int(earlier.nameStarts[child]) + shift)
        nameLengths[number] = earlier.nameStarts[child + 1] - earlier.nameStarts[child]
      }
    }
  }

  /// Takes the listings of directories over, and adds them up.
  private mutating func takeListings<Stop: Error>(
    _ rows: [FileTree.Batch.Reused],
    of earlier: FileTree,
    _ check: () throws(Stop) -> Void
  ) throws(Stop) {
    var used = [Int](repeating: 0, count: earlier.chunks.count)
    for row in rows {
      let place = earlier.listings[Int(row.directory)]
      if place.length > 0 { used[Int(place.chunk)] += Int(place.length) }
    }
    let firstChunk = tree.chunks.count
    let isKept = earlier.chunks.indices.map { 2 * used[$0] >= earlier.chunks[$0].bytes.count }
    for (chunk, isKept) in zip(earlier.chunks, isKept) {
      tree.chunks.append(isKept ? chunk : FileTree.Chunk(codec: chunk.codec))
    }
    if !earlier.fileChanges.isEmpty { noteFileChanges() }
    for (index, row) in rows.enumerated() {
      if index % 1024 == 0 { try check() }
      let (directory, number) = (Int(row.directory), Int(row.number))
      var place = earlier.listings[directory]
      takeSums(of: DirectoryID(directory), in: earlier, number)
      let old = Int(place.chunk)
      if place.length > 0 {
        place.chunk += UInt32(firstChunk)
        if !isKept[old] {
          let bytes = earlier.chunks[old].bytes[place.range]
          place.start = UInt32(tree.chunks[Int(place.chunk)].bytes.count)
          tree.chunks[Int(place.chunk)].bytes.append(contentsOf: bytes)
        }
      } else {
        place = FileTree.ListingLocation()
      }
      tree.listings[number] = place
    }
  }

  /// Takes over what a listing adds up to: from the totals, where they tell.
  private mutating func takeSums(
    of directory: DirectoryID,
    in earlier: FileTree,
    _ number: Int
  ) {
    guard earlier.hasEntries(directory), let fileChange = earlier.fileChange(in: directory) else {
      set(earlier.listing(of: directory).summary, of: number)
      if earlier.hasEntries(directory) { unaskedDirectories.append(UInt32(number)) }
      return
    }
    tree.fileChanges[number] = fileChange
    let own = earlier.ownTotals(of: directory)
    var summary = ListingSummary()
    summary.allocatedSize = own.allocatedSize
    summary.apparentSize = own.apparentSize
    summary.files = UInt32(own.files)
    summary.symbolicLinks = UInt32(own.symbolicLinks)
    summary.others = UInt32(own.others)
    let newest = earlier.newestModification(of: directory)
    if newest > earlier.newestModification(besidesListingOf: directory) {
      summary.newestModification = newest
    } else {
      if newestBounds.isEmpty { newestBounds = [Int64](repeating: .min, count: parents.count) }
      newestBounds[number] = newest
    }
    set(summary, of: number)
  }

  /// Takes over what is known of directories themselves.
  private mutating func takeDetails(_ rows: [FileTree.Batch.Reused], of earlier: FileTree) {
    let attributes = earlier.attributes.map { attributeIndex($0) }
    for row in rows {
      let (directory, number) = (Int(row.directory), Int(row.number))
      isDelivered[number] = true
      tree.inodes[number] = earlier.inodes[directory]
      tree.allocatedSizes[number] = earlier.allocatedSizes[directory]
      tree.modificationTimes[number] = earlier.modificationTimes[directory]
      tree.changeTimes[number] = earlier.changeTimes[directory]
      tree.flags[number] = earlier.flags[directory]
      tree.attributeIndices[number] = attributes[Int(earlier.attributeIndices[directory])]
      let fileSystem = fileSystemIndex(row.device)
      tree.fileSystemIndices[number] = fileSystem
    }
  }
}

extension FileTree {
  /// When a directory or something below its subdirectories was modified last, in seconds since 1970.
  fileprivate func newestModification(besidesListingOf directory: DirectoryID) -> Int64 {
    let isGroup = flags[directory.index].contains(.isGroup)
    let own = isGroup ? .min : modificationTimes[directory.index].secondsFromNanoseconds
    return subdirectories(of: directory).reduce(own) { max($0, newestModifications[$1.index]) }
  }
}
