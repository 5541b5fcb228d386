/// Directories of one side that the other lacks, with all that is below them.
private struct Forest {
  struct Tree {
    var directory: DirectoryID
    /// The directory that holds it, or -1 at the top.
    var parent: Int
    /// The path, at the top.
    var path: [UInt8] = []
  }

  private(set) var trees: [Tree] = []

  mutating func append(_ directory: DirectoryID, in parent: Int) {
    trees.append(Tree(directory: directory, parent: parent))
  }

  mutating func append(_ directory: DirectoryID, at path: [UInt8]) {
    trees.append(Tree(directory: directory, parent: -1, path: path))
  }

  /// The path of a directory.
  func path(of index: Int, _ name: (DirectoryID) -> ArraySlice<UInt8>) -> [UInt8] {
    var chain: [Int] = []
    var next = index
    while trees[next].parent >= 0 {
      chain.append(next)
      next = trees[next].parent
    }
    var path = trees[next].path
    for link in chain.reversed() { path.appendComponent(name(trees[link].directory)) }
    return path
  }
}

extension TreeComparison {
  /// Finds directories and then files that are on both sides with another path.
  internal mutating func findMoves() throws(Source.Failure) {
    guard !gone.isEmpty, !come.isEmpty else { return }
    var goneForest = Forest()
    var comeForest = Forest()
    try findMovedDirectories(&goneForest, &comeForest)
    try findMovedEntries(goneForest, comeForest)
  }

  private mutating func findMovedDirectories(
    _ goneForest: inout Forest,
    _ comeForest: inout Forest
  ) throws(Source.Failure) {
    var candidates: [InodeIdentity: [Int]] = [:]
    addTops(of: gone, from: 0, to: &goneForest)
    var index = 0
    while index < goneForest.trees.count {
      let directory = goneForest.trees[index].directory
      candidates[identity(of: directory, .before), default: []].append(index)
      for child in try before.subdirectories(of: directory) {
        goneForest.append(child, in: index)
      }
      index += 1
    }

    // What a directory that has moved lacks and has in addition is looked for in turn. What it lacks
    // is among the candidates already.
    var seen = 0
    index = 0
    repeat {
      addTops(of: come, from: seen, to: &comeForest)
      seen = come.count
      while index < comeForest.trees.count {
        let directory = comeForest.trees[index].directory
        let known = candidates[identity(of: directory, .after)] ?? []
        var former: Int?
        for candidate in known where former == nil {
          let old = goneForest.trees[candidate].directory
          if !placedBefore.contains(old), try isSame(old, directory) { former = candidate }
        }
        if let former {
          placedAfter.insert(directory)
          try compareMoved(
            goneForest.trees[former].directory,
            at: goneForest.path(of: former) { before.name(of: $0) },
            with: directory,
            at: comeForest.path(of: index) { after.name(of: $0) }
          )
        } else {
          for child in try after.subdirectories(of: directory) {
            comeForest.append(child, in: index)
          }
        }
        index += 1
      }
    } while seen < come.count
  }

  private func addTops(of list: [Loose], from start: Int, to forest: inout Forest) {
    for loose in list.dropFirst(start) {
      guard case .directory(let directory) = loose.node else { continue }
      forest.append(directory, at: loose.path)
    }
  }

  private mutating func identity(of directory: DirectoryID, _ side: Side) -> InodeIdentity {
    let source = side == .before ? before : after
    return InodeIdentity(
      fileSystem: number(directory, side),
      inode: source.details(of: directory).inode
    )
  }

  /// Whether two directories with the same inode number are the same one.
  private func isSame(_ old: DirectoryID, _ new: DirectoryID) throws(Source.Failure) -> Bool {
    if before.details(of: old).modificationTime == after.details(of: new).modificationTime {
      return true
    }
    let oldNames = try names(in: old, of: before)
    let newNames = try names(in: new, of: after)
    let common = oldNames.intersection(newNames).count
    return common > 0 && common * 2 >= max(oldNames.count, newNames.count)
  }

  private func names(
    in directory: DirectoryID,
    of source: Source
  ) throws(Source.Failure) -> Set<[UInt8]> {
    var names: Set<[UInt8]> = []
    for child in try source.subdirectories(of: directory) {
      names.insert(Array(source.name(of: child)))
    }
    var cursor = try source.listing(of: directory).makeCursor()
    while cursor.advance() { names.insert(cursor.name) }
    return names
  }
}

// MARK: Files

extension TreeComparison {
  /// A file of one side that the other lacks at its path.
  private struct Candidate {
    var entry: DiffedEntry
    /// Which of the loose entries it is, or else of which directory that was removed.
    var place: Place
  }

  private enum Place {
    case loose(Int)
    case tree(Int)
  }

  private mutating func findMovedEntries(
    _ goneForest: Forest,
    _ comeForest: Forest
  ) throws(Source.Failure) {
    var candidates: [InodeIdentity: [Candidate]] = [:]
    try forEachEntry(of: gone, goneForest, .before) { candidate in
      candidates[candidate.entry.identity, default: []].append(candidate)
    }
    guard !candidates.isEmpty else { return }
    var moves: [(from: Candidate, to: Candidate)] = []
    try forEachEntry(of: come, comeForest, .after) { found in
      let identity = found.entry.identity
      guard
        let position = candidates[identity]?.firstIndex(where: { $0.entry.isSame(as: found.entry) }
        ),
        let former = candidates[identity]?.remove(at: position)
      else { return }
      moves.append((former, found))
    }
    for (former, found) in moves {
      let path = path(of: found, come, comeForest, after)
      var change = TreeDiff.Change(.moved, found.entry.kind, path: path)
      change.formerPath = self.path(of: former, gone, goneForest, before)
      change.take(before: former.entry)
      change.take(after: found.entry)
      changes.append(change)
      if case .loose(let position) = former.place { gone[position].isMoved = true }
      if case .loose(let position) = found.place { come[position].isMoved = true }
    }
  }

  /// Calls `body` with each entry that is loose, and with those in directories that are not placed.
  private mutating func forEachEntry(
    of list: [Loose],
    _ forest: Forest,
    _ side: Side,
    _ body: (Candidate) -> Void
  ) throws(Source.Failure) {
    let source = side == .before ? before : after
    let placed = side == .before ? placedBefore : placedAfter
    for (position, loose) in list.enumerated() {
      guard case .entry(let entry) = loose.node else { continue }
      body(Candidate(entry: entry, place: .loose(position)))
    }
    for (index, tree) in forest.trees.enumerated() where !placed.contains(tree.directory) {
      var entries = DiffedEntries(
        try source.listing(of: tree.directory),
        source.ordinalsCountedElsewhere(in: tree.directory),
        on: number(tree.directory, side)
      )
      while let entry = entries.next() { body(Candidate(entry: entry, place: .tree(index))) }
    }
  }

  private func path(
    of candidate: Candidate,
    _ list: [Loose],
    _ forest: Forest,
    _ source: Source
  ) -> [UInt8] {
    switch candidate.place {
    case .loose(let position): return list[position].path
    case .tree(let index):
      var path = forest.path(of: index) { source.name(of: $0) }
      path.appendComponent(candidate.entry.name[...])
      return path
    }
  }
}
