/// Compares two trees: first what has the same path, then what is left over, which may have moved.
///
/// No step calls itself, so that the depth of a tree does not matter.
package struct TreeComparison<Source: TreeDiffSource> {
  internal typealias Side = Compared.Side
  internal typealias Loose = Compared.Loose
  internal typealias Node = Compared.Node
  private typealias Pair = Compared.Pair

  internal let before: Source
  internal let after: Source
  internal let measure: SizeMeasure
  /// The pairs that are compared; the first holds all others.
  private var pairs: [Pair] = []
  /// The paths of the first pair.
  private var tops: (before: [UInt8], after: [UInt8]) = ([], [])
  /// Whether the pairs have different paths on the two sides.
  private var comparesMoved = false
  internal var fileSystems = FileSystemNumbers()
  internal var gone: [Loose] = []
  internal var come: [Loose] = []
  internal var changes: [TreeDiff.Change] = []
  /// Directories that were found elsewhere, and what was found in them.
  internal var placedBefore: Set<DirectoryID> = []
  /// Directories that were found to have been elsewhere.
  internal var placedAfter: Set<DirectoryID> = []

  /// Prepares a comparison.
  ///
  /// - Parameters:
  ///   - before: The tree before.
  ///   - after: The tree afterwards.
  ///   - measure: The size that decides whether an entry has grown or shrunk.
  package init(from before: Source, to after: Source, by measure: SizeMeasure) {
    self.before = before
    self.after = after
    self.measure = measure
  }

  /// Compares two directories.
  ///
  /// - Parameters:
  ///   - old: The directory before.
  ///   - oldPath: Its path.
  ///   - new: The directory afterwards.
  ///   - newPath: Its path.
  /// - Returns: What is different.
  /// - Throws: What the sources throw.
  package consuming func difference(
    from old: DirectoryID,
    at oldPath: [UInt8],
    to new: DirectoryID,
    at newPath: [UInt8]
  ) throws(Source.Failure) -> TreeDiff {
    try comparePairs(from: old, at: oldPath, to: new, at: newPath)
    try findMoves()
    reportLoose()
    var diff = TreeDiff()
    diff.before = before.totals(of: old)
    diff.after = after.totals(of: new)
    changes.sort { first, second in
      let order = PathKey.compare(first.path, second.path)
      return order != 0 ? order < 0 : first.kind.rawValue < second.kind.rawValue
    }
    diff.changes = changes
    return diff
  }

  /// Takes in a directory that has moved, and compares what it holds.
  internal mutating func compareMoved(
    _ old: DirectoryID,
    at oldPath: [UInt8],
    with new: DirectoryID,
    at newPath: [UInt8]
  ) throws(Source.Failure) {
    report(.moved, old, new, path: newPath, formerPath: oldPath)
    placedBefore.insert(old)
    comparesMoved = true
    try comparePairs(from: old, at: oldPath, to: new, at: newPath)
  }
}

// MARK: What has the same path

extension TreeComparison {
  /// Compares two directories, and all pairs that come up on the way.
  private mutating func comparePairs(
    from old: DirectoryID,
    at oldPath: [UInt8],
    to new: DirectoryID,
    at newPath: [UInt8]
  ) throws(Source.Failure) {
    tops = (oldPath, newPath)
    pairs = [Pair(before: old, after: new, parent: -1, path: newPath)]
    var index = 0
    while index < pairs.count {
      let pair = pairs[index]
      let (old, new) = (before.totals(of: pair.before), after.totals(of: pair.after))
      if pair.parent >= 0, isChange(old, new) {
        let path = path(of: index, .after)
        report(kind(old, new), pair.before, pair.after, path: path, formerPath: nil)
      }
      // What a directory holds that could not be read is not known, which is not that it is gone.
      let isUnknown =
        before.details(of: pair.before).flags.contains(.isUnreadable)
        || after.details(of: pair.after).flags.contains(.isUnreadable)
      if !isUnknown {
        try compareSubdirectories(of: index)
        try compareEntries(of: index)
      }
      index += 1
    }
    pairs.removeAll()
  }

  private mutating func compareSubdirectories(of index: Int) throws(Source.Failure) {
    let pair = pairs[index]
    var old = try before.subdirectories(of: pair.before)[...]
    var new = try after.subdirectories(of: pair.after)[...]
    while let first = old.first ?? new.first {
      let order = compare(
        old.first.map { before.name(of: $0) },
        new.first.map { after.name(of: $0) }
      )
      switch order {
      case 0:
        guard let found = new.popFirst() else { return }
        old.removeFirst()
        if placedBefore.contains(first) {
          // It was found elsewhere, so this is another one.
          addLoose(found, after.name(of: found), of: index)
        } else {
          if comparesMoved { placedBefore.insert(first) }
          pairs.append(Pair(before: first, after: found, parent: index, path: nil))
        }
      case ..<0:
        old.removeFirst()
        guard !placedBefore.contains(first) else { continue }
        var path = path(of: index, .before)
        path.appendComponent(before.name(of: first))
        gone.append(Loose(path: path, node: .directory(first)))
      default:
        guard let found = new.popFirst() else { return }
        addLoose(found, after.name(of: found), of: index)
      }
    }
  }

  private mutating func addLoose(_ new: DirectoryID, _ name: ArraySlice<UInt8>, of index: Int) {
    var path = path(of: index, .after)
    path.appendComponent(name)
    come.append(Loose(path: path, node: .directory(new)))
  }

  private mutating func compareEntries(of index: Int) throws(Source.Failure) {
    let pair = pairs[index]
    let elsewhere = (
      before.ordinalsCountedElsewhere(in: pair.before),
      after.ordinalsCountedElsewhere(in: pair.after)
    )
    if elsewhere.0 == elsewhere.1,
      after.hasKnownListing(of: pair.before, in: before, pair.after)
    {
      return
    }
    let listings = (try before.listing(of: pair.before), try after.listing(of: pair.after))
    if elsewhere.0 == elsewhere.1, listings.0 == listings.1 { return }
    var old = DiffedEntries(listings.0, elsewhere.0, on: number(pair.before, .before))
    var new = DiffedEntries(listings.1, elsewhere.1, on: number(pair.after, .after))
    var (first, second) = (old.next(), new.next())
    while first != nil || second != nil {
      let order = compare(first.map { $0.name[...] }, second.map { $0.name[...] })
      if order == 0, let former = first, let entry = second, former.kind == entry.kind {
        if isChange(former.totals, entry.totals) {
          var path = path(of: index, .after)
          path.appendComponent(entry.name[...])
          report(former, entry, path: path)
        }
      } else {
        if order <= 0, let first { addLoose(first, of: index, .before) }
        if order >= 0, let second { addLoose(second, of: index, .after) }
      }
      if order <= 0 { first = old.next() }
      if order >= 0 { second = new.next() }
    }
  }

  private mutating func addLoose(_ entry: DiffedEntry, of index: Int, _ side: Side) {
    var path = path(of: index, side)
    path.appendComponent(entry.name[...])
    let loose = Loose(path: path, node: .entry(entry))
    if side == .before { gone.append(loose) } else { come.append(loose) }
  }

  /// Compares two names: a negative number if the first comes first, 0 if they are equal.
  ///
  /// A name that is not there comes last.
  private func compare(_ first: ArraySlice<UInt8>?, _ second: ArraySlice<UInt8>?) -> Int {
    guard let first else { return 1 }
    guard let second else { return -1 }
    if first == second { return 0 }
    return first.lexicographicallyPrecedes(second) ? -1 : 1
  }

  /// The path of a pair on one side.
  private mutating func path(of index: Int, _ side: Side) -> [UInt8] {
    var chain: [Int] = []
    var next = index
    while pairs[next].path == nil {
      chain.append(next)
      next = pairs[next].parent
    }
    var path = pairs[next].path ?? []
    for link in chain.reversed() {
      path.appendComponent(after.name(of: pairs[link].after))
      pairs[link].path = path
    }
    guard side == .before, tops.before != tops.after else { return path }
    // From the first pair on, the names are the same.
    let rest = path.dropFirst(tops.after.count).drop { $0 == UInt8(ascii: "/") }
    path = tops.before
    if !rest.isEmpty { path.appendComponent(rest) }
    return path
  }
}
