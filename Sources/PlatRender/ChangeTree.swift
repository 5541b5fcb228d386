public import PlatTree

/// What a tree has more or less of than at an earlier time, as a tree of its own.
///
/// Every file is as large as its change. A picture of the tree, with ``RenderOptions/Area/change`` and
/// coloured by ``growth``, shows where a disk has changed, and nothing of what is as it was.
public struct ChangeTree: Sendable {
  /// The tree of changes, from the directory that was compared on.
  public let tree: FileTree
  /// How the tree of changes has grown.
  public let growth: TreeGrowth

  /// Creates the tree of changes.
  ///
  /// What is new counts as a whole, and so does each file in a directory that is new. What was removed
  /// has no place in the tree; ``growth`` knows it.
  ///
  /// - Parameters:
  ///   - tree: The tree as it is.
  ///   - top: The directory that is drawn.
  ///   - difference: What is different between the earlier tree and this one, below that directory.
  ///   - since: When the earlier tree was made, as the picture is to say it.
  ///   - measure: The size that counts.
  /// - Precondition: `top` came from `tree`.
  public init(
    of tree: FileTree,
    below top: DirectoryID,
    from difference: TreeDiff,
    since: String,
    by measure: SizeMeasure
  ) {
    let path = tree.path(of: top)
    var builder = ChangeTreeBuilder(top: path, measure: measure)
    for change in difference.changes where change.entryKind == .directory {
      guard change.kind == .added || change.kind == .replaced else { continue }
      if let directory = tree.directory(atPath: change.path) { builder.add(directory, of: tree) }
    }
    for change in difference.changes where change.entryKind != .directory { builder.add(change) }
    self.tree = builder.makeTree()
    growth = TreeGrowth(
      of: self.tree,
      below: self.tree.root,
      from: difference,
      since: since,
      by: measure
    )
  }
}

/// Collects files and their directories by path.
private struct ChangeTreeBuilder {
  private struct Directory {
    var names: [UInt8] = []
    var entries: [(entry: ListingEntry, name: Range<Int>)] = []
    var subdirectories: [(name: [UInt8], position: Int)] = []
    /// Whether all that the directory holds is there already.
    var isNew = false
  }

  private let top: [UInt8]
  private let measure: SizeMeasure
  private var directories = [Directory()]
  /// The positions of directories by their paths below the top.
  private var positions: [[UInt8]: Int] = [[]: 0]

  init(top: [UInt8], measure: SizeMeasure) {
    self.top = top
    self.measure = measure
  }

  /// Adds a directory that is new, with everything below it.
  mutating func add(_ directory: DirectoryID, of tree: FileTree) {
    let measure = measure
    tree.forEachDirectory(from: directory) { directory in
      let position = self.position(ofPath: pathBelowTop(tree.path(of: directory)[...]))
      directories[position].isNew = true
      var cursor = tree.listing(of: directory).makeCursor()
      while cursor.advance() {
        let id = EntryID(directory, ordinal: cursor.ordinal)
        if tree.isCountedElsewhere(id) { continue }
        add(cursor.entry.size(measure), cursor.entry.kind, named: cursor.name[...], to: position)
      }
    }
  }

  /// Adds the change of something that is no directory.
  mutating func add(_ change: TreeDiff.Change) {
    if change.kind == .removed { return }
    let isNew = change.kind == .added || change.kind == .replaced
    let size =
      isNew ? change.after.size(measure) : UInt64(change.growth(measure).magnitude)
    if size == 0 { return }
    let path = pathBelowTop(change.path[...])
    let slash = path.lastIndex(of: UInt8(ascii: "/"))
    let parent = slash.map { path[..<$0] } ?? []
    let position = position(ofPath: parent)
    if directories[position].isNew { return }
    let name = slash.map { path[($0 + 1)...] } ?? path
    add(size, change.entryKind, named: name, to: position)
  }

  private mutating func add(
    _ size: UInt64,
    _ kind: EntryKind,
    named name: ArraySlice<UInt8>,
    to position: Int
  ) {
    if size == 0 { return }
    var entry = ListingEntry()
    entry.kind = kind
    entry.size = size
    entry.blocks = size / 512 + (size % 512 == 0 ? 0 : 1)
    let start = directories[position].names.count
    directories[position].names += name
    directories[position].entries.append((entry, start..<directories[position].names.count))
  }

  private func pathBelowTop(_ path: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    path.dropFirst(top.last == UInt8(ascii: "/") ? top.count : top.count + 1)
  }

  /// Returns the position of a directory, which is made if there is none, with those above it.
  private mutating func position(ofPath path: ArraySlice<UInt8>) -> Int {
    let slash = UInt8(ascii: "/")
    // Mostly the directory above is there: looking from the end, paths may be long.
    var missing: [ArraySlice<UInt8>] = []
    var parent = 0
    var rest = path
    while !rest.isEmpty {
      if let known = positions[Array(rest)] {
        parent = known
        break
      }
      missing.append(rest)
      rest = rest.lastIndex(of: slash).map { rest[..<$0] } ?? []
    }
    for path in missing.reversed() {
      let name = path.lastIndex(of: slash).map { path[($0 + 1)...] } ?? path
      let position = directories.count
      directories[parent].subdirectories.append((Array(name), position))
      directories.append(Directory())
      positions[Array(path)] = position
      parent = position
    }
    return parent
  }

  /// Returns the tree.
  func makeTree() -> FileTree {
    var batch = FileTree.Batch()
    var encoder = ListingEncoder()
    // A builder wants the subdirectories of a directory numbered in a row.
    var order = [0]
    var number = 0
    while number < order.count {
      let directory = directories[order[number]]
      for (entry, name) in directory.entries { encoder.append(entry, name: name) }
      let start = batch.bytes.count
      let summary = encoder.encode(names: directory.names.span, into: &batch.bytes)
      batch.directories.append(
        FileTree.Batch.Directory(
          number: number,
          details: DirectoryDetails(),
          listing: start..<batch.bytes.count,
          summary: summary
        )
      )
      batch.announce(
        parent: number,
        first: order.count,
        names: directory.subdirectories.map { $0.name[...] }
      )
      order += directory.subdirectories.map(\.position)
      number += 1
    }
    var builder = FileTree.Builder(rootPath: top)
    builder.insert(batch)
    return builder.makeTree()
  }
}
