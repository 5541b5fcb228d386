extension TreeComparison {
  /// The number of the file system of a directory.
  internal mutating func number(_ directory: DirectoryID, _ side: Side) -> Int {
    let source = side == .before ? before : after
    return fileSystems.number(of: source.fileSystem(of: directory))
  }

  /// Whether a loose entry is still to be told of.
  private func isLeft(_ loose: Loose, _ side: Side) -> Bool {
    guard case .directory(let directory) = loose.node else { return !loose.isMoved }
    return !(side == .before ? placedBefore : placedAfter).contains(directory)
  }
}

extension TreeComparison {
  /// Whether the difference between two totals is one to tell of.
  internal func isChange(_ old: Totals, _ new: Totals) -> Bool {
    old.allocatedSize != new.allocatedSize || old.apparentSize != new.apparentSize
      || old.entries != new.entries || old.files != new.files
  }

  /// Whether something with other totals has grown or shrunk.
  internal func kind(_ old: Totals, _ new: Totals) -> TreeDiff.Change.Kind {
    let other: SizeMeasure = measure == .allocated ? .apparent : .allocated
    for size in [measure, other] where old.size(size) != new.size(size) {
      return new.size(size) > old.size(size) ? .grown : .shrunk
    }
    return (new.entries, new.files) > (old.entries, old.files) ? .grown : .shrunk
  }

  /// Reports a directory that is there on both sides.
  internal mutating func report(
    _ kind: TreeDiff.Change.Kind,
    _ old: DirectoryID,
    _ new: DirectoryID,
    path: [UInt8],
    formerPath: [UInt8]?
  ) {
    var change = TreeDiff.Change(
      kind,
      .directory,
      path: path,
      before: before.totals(of: old),
      after: after.totals(of: new)
    )
    change.formerPath = formerPath
    change.isUnreadable = before.isIncomplete(old) || after.isIncomplete(new)
    changes.append(change)
  }

  /// Reports an entry that is there on both sides, and no directory.
  internal mutating func report(_ old: DiffedEntry, _ new: DiffedEntry, path: [UInt8]) {
    var change = TreeDiff.Change(kind(old.totals, new.totals), new.kind, path: path)
    change.take(before: old)
    change.take(after: new)
    changes.append(change)
  }

  /// Reports what has come and gone, and what has another kind.
  internal mutating func reportLoose() {
    var left: [PathKey: Node] = [:]
    for loose in gone where isLeft(loose, .before) { left[PathKey(loose.path[...])] = loose.node }
    for loose in come where isLeft(loose, .after) {
      var change = TreeDiff.Change(.added, .directory, path: loose.path)
      if !left.isEmpty, let former = left.removeValue(forKey: PathKey(loose.path[...])) {
        change.kind = .replaced
        take(former, .before, into: &change)
        change.formerEntryKind = change.entryKind
      }
      take(loose.node, .after, into: &change)
      changes.append(change)
    }
    for (path, node) in left {
      var change = TreeDiff.Change(.removed, .directory, path: Array(path.bytes))
      take(node, .before, into: &change)
      changes.append(change)
    }
  }

  private func take(_ node: Node, _ side: Side, into change: inout TreeDiff.Change) {
    switch node {
    case .directory(let directory):
      let source = side == .before ? before : after
      change.entryKind = .directory
      change.isUnreadable = change.isUnreadable || source.isIncomplete(directory)
      let totals = source.totals(of: directory)
      if side == .before { change.before = totals } else { change.after = totals }
    case .entry(let entry):
      change.entryKind = entry.kind
      if side == .before { change.take(before: entry) } else { change.take(after: entry) }
    }
  }
}

extension TreeDiffSource {
  /// Whether a directory may hold more than is known.
  fileprivate func isIncomplete(_ directory: DirectoryID) -> Bool {
    !details(of: directory).flags.isDisjoint(with: [.isUnreadable, .isPartial])
  }
}

extension TreeDiff.Change {
  /// Takes in what an entry was.
  internal mutating func take(before entry: DiffedEntry) {
    before = entry.totals
    isHardLink = isHardLink || entry.entry.linkCount > 1
    isUnreadable = isUnreadable || entry.entry.isUnreadable
  }

  /// Takes in what an entry is.
  internal mutating func take(after entry: DiffedEntry) {
    after = entry.totals
    isHardLink = isHardLink || entry.entry.linkCount > 1
    isUnreadable = isUnreadable || entry.entry.isUnreadable
  }
}
