import PlatLayout
import PlatTree

/// Finds what is large enough to be drawn, and adds up the rest.
///
/// Memory grows with what is drawn and not with the tree. With classes, every entry below the top that
/// has a size is looked at once, for the legend tells the share of each class over all files; without,
/// only those of directories that are opened are, until what is left is too small for a tile.
internal struct Selector: ~Copyable {
  private let tree: FileTree
  private let measure: SizeMeasure
  private let threshold: UInt64
  /// The smallest size that gets a tile if there was one before.
  private let keptThreshold: UInt64
  private let depthLimit: Int
  private let hasClasses: Bool
  /// The layout whose groups are opened in place.
  private let memory: LayoutMemory?
  private let top: DirectoryID

  private var selection: Selection
  /// Where what each node holds is, as far as classes depend on it; of any use for directories.
  private var places: [FileClasses.Place] = []
  /// The bytes of each class in the group in hand.
  private var groupSizes: [UInt64] = []

  /// Reads one listing after the other, as it keeps its storage.
  private var cursor: ListingCursor

  /// What the opened groups hold, by the nodes that stand for them.
  private var openedGroups: [Int: [Item]] = [:]

  /// Creates a selector.
  ///
  /// - Parameters:
  ///   - tree: The tree.
  ///   - top: The directory to draw.
  ///   - measure: Which size counts.
  ///   - threshold: The smallest size that gets a tile, in bytes.
  ///   - depthLimit: The number of levels of directories that are opened.
  ///   - classes: The classes to put files into; `nil` if they do not matter.
  ///   - kept: What is drawn although it is a little too small.
  ///   - memory: The memory that a picture reads. What it knows of a directory as a group, and is
  ///     large enough now, stays where the group was. `nil` where a memory is made.
  internal init(
    _ tree: FileTree,
    top: DirectoryID,
    measure: SizeMeasure,
    threshold: UInt64,
    depthLimit: Int,
    classes: FileClasses?,
    kept: KeptNodes = KeptNodes(nil),
    opening memory: LayoutMemory? = nil
  ) {
    self.tree = tree
    self.top = top
    self.measure = measure
    self.threshold = max(threshold, 1)
    let share = CullingRule.keptShare
    keptThreshold =
      threshold == .max ? .max : max(UInt64((Double(threshold) * share).rounded(.up)), 1)
    self.depthLimit = depthLimit
    self.memory = memory
    cursor = tree.listing(of: top).makeCursor()
    hasClasses = classes != nil
    selection = Selection(classes: classes ?? FileClasses(.depth, now: 0), kept: kept)
  }

  /// Returns the selection.
  ///
  /// A node is opened after those before it, which puts nodes in level order.
  internal consuming func select() -> Selection {
    var place = FileClasses.Place()
    place.holdsManualPages = holdsManualPages(top)
    place.directory = top.index
    let size = tree.size(of: top, measure)
    append(
      .directory(top),
      size: size,
      name: [],
      parent: 0,
      depth: 0,
      place: place,
      identity: tree.identity(of: top)
    )
    var node = 0
    while node < selection.nodes.count {
      let before = selection.nodes.count
      switch selection.nodes[node].kind {
      case .directory(let directory):
        if selection.nodes[node].depth < depthLimit {
          open(directory, node)
        } else {
          close(directory, node)
        }
      case .openedGroup: fill(node)
      case .file, .group: break
      }
      selection.childCounts.append(Int32(selection.nodes.count - before))
      node += 1
    }
    return selection
  }

  private mutating func append(
    _ kind: Selection.Kind,
    size: UInt64,
    name: some Collection<UInt8>,
    parent: Int,
    depth: Int,
    classIndex: Int = 0,
    place: FileClasses.Place = FileClasses.Place(),
    identity: UInt64 = 0,
    innermostIdentity: UInt64? = nil
  ) {
    let start = selection.names.count
    selection.names.append(contentsOf: name)
    selection.nodes.append(
      Selection.Node(
        kind: kind,
        size: size,
        name: start..<selection.names.count,
        parent: parent,
        depth: depth,
        classIndex: classIndex
      )
    )
    places.append(place)
    selection.identities.entries.append(identity)
    selection.identities.parents.append(innermostIdentity ?? identity)
  }
}

// MARK: Directories

extension Selector {
  /// Appends what a directory holds: first what is large enough, then a group of the rest.
  private mutating func open(_ directory: DirectoryID, _ node: Int) {
    var rest = Rest()
    let first = selection.nodes.count
    let identity = selection.identities.parents[node]
    groupSizes.removeAll(keepingCapacity: true)
    for subdirectory in tree.subdirectories(of: directory) {
      let size = tree.size(of: subdirectory, measure)
      if size >= threshold || (size >= keptThreshold && keeps(subdirectory, in: identity)) {
        appendDirectory(subdirectory, size: size, below: node)
      } else {
        rest.size = rest.size.addingSaturated(size)
        rest.files += tree.totals(of: subdirectory).files
        if hasClasses { addUp(subdirectory, at: place(of: subdirectory, below: places[node])) }
      }
    }
    appendFiles(of: directory, node, &rest)

    // The blocks of the directory itself are no file. They go with a group, or stand for one where
    // they are many, and are left out otherwise.
    let own = measure == .allocated ? tree.details(of: directory).allocatedSize : 0
    if rest.size > 0 || own >= threshold { rest.size = rest.size.addingSaturated(own) }
    if rest.size > 0 {
      append(
        .group(files: rest.files),
        size: rest.size,
        name: [],
        parent: node,
        depth: selection.nodes[node].depth + 1,
        classIndex: groupClass
      )
    }
    if let memory, memory.hasAggregate(in: identity) { openGroup(of: node, from: first) }
  }

  /// Returns whether a directory that is a little too small is drawn all the same.
  private mutating func keeps(_ directory: DirectoryID, in parent: UInt64) -> Bool {
    selection.kept.keeps(parent.child(tree.name(of: directory)))
  }

  /// What is too small to be drawn.
  private struct Rest {
    var size: UInt64 = 0
    var files = 0
  }

  /// Appends a directory; if it holds nothing but another directory, both as one, and so on.
  private mutating func appendDirectory(_ directory: DirectoryID, size: UInt64, below node: Int) {
    let name = tree.name(of: directory)
    var place = place(of: directory, below: places[node])
    let identity = selection.identities.parents[node].child(name)
    var innermostIdentity = identity
    var innermost = directory
    var chain: [UInt8] = []
    while let only = onlySubdirectory(of: innermost) {
      if chain.isEmpty { chain += name }
      chain.appendComponent(tree.name(of: only))
      place = self.place(of: only, below: place)
      innermostIdentity = innermostIdentity.child(tree.name(of: only))
      innermost = only
    }
    append(
      .directory(innermost),
      size: size,
      name: chain.isEmpty ? name : chain[...],
      parent: node,
      depth: selection.nodes[node].depth + 1,
      place: place,
      identity: identity,
      innermostIdentity: innermostIdentity
    )
  }

  private func onlySubdirectory(of directory: DirectoryID) -> DirectoryID? {
    let subdirectories = tree.subdirectories(of: directory)
    guard subdirectories.count == 1, tree.listing(of: directory).bytes.isEmpty else { return nil }
    return subdirectories.first
  }

  private mutating func appendFiles(of directory: DirectoryID, _ node: Int, _ rest: inout Rest) {
    // What no file was looked at for yet, and the size from which on it may be worth a look.
    var left = tree.ownTotals(of: directory)
    let least = hasClasses ? 1 : keptThreshold
    let place = places[node]
    let identity = selection.identities.parents[node]
    let needsNames = hasClasses && selection.classes.needsNames
    if left.size(measure) >= least { cursor.restart(in: tree.listing(of: directory)) }
    while left.size(measure) >= least {
      guard cursor.advanceWithoutIdentity() else { return }
      let entry = cursor.entry
      let size = chargedSize(of: entry, cursor.ordinal, directory)
      left.remove(size, measure, isFile: entry.kind == .file)
      if size >= keptThreshold || (needsNames && size > 0) { cursor.readName() }
      guard
        size >= threshold
          || (size >= keptThreshold && selection.kept.keeps(identity.child(cursor.name)))
      else {
        rest.files += entry.kind == .file ? 1 : 0
        rest.size = rest.size.addingSaturated(size)
        if size > 0, hasClasses { addToGroup(entry, size: size, at: place) }
        continue
      }
      selection.drawnFiles += entry.kind == .file ? 1 : 0
      append(
        .file,
        size: size,
        name: cursor.name,
        parent: node,
        depth: selection.nodes[node].depth + 1,
        classIndex: selection.classes.add(entry, size: size, name: cursor.name, at: place),
        identity: identity.child(cursor.name)
      )
    }
    rest.size = rest.size.addingSaturated(left.size(measure))
    rest.files += left.files
  }

  /// Finds the class of a directory that is drawn without what it holds.
  private mutating func close(_ directory: DirectoryID, _ node: Int) {
    groupSizes.removeAll(keepingCapacity: true)
    if hasClasses { addUp(directory, at: places[node]) }
    selection.nodes[node].classIndex = groupClass
  }

  /// Returns the size of an entry that counts here: none for a hard link that counts elsewhere.
  private func chargedSize(
    of entry: ListingEntry,
    _ ordinal: Int,
    _ directory: DirectoryID
  ) -> UInt64 {
    if entry.linkCount > 1, tree.isCountedElsewhere(EntryID(directory, ordinal: ordinal)) {
      return 0
    }
    return entry.size(measure)
  }
}

// MARK: Groups that are opened in place

extension Selector {
  /// A node that waits for its place.
  private struct Item {
    var node: Selection.Node
    var place: FileClasses.Place
    var entry: UInt64
    var parent: UInt64
  }

  /// Puts those children of a node that the memory has in a group, and the group, below a node that
  /// takes the place of the group.
  private mutating func openGroup(of node: Int, from first: Int) {
    let isAnyFresh = (first..<selection.nodes.count).contains { index in
      !selection.nodes[index].kind.isGroup
        && !selection.kept.knows(selection.identities.entries[index])
    }
    guard isAnyFresh else { return }
    let items = (first..<selection.nodes.count).map { index in
      Item(
        node: selection.nodes[index],
        place: places[index],
        entry: selection.identities.entries[index],
        parent: selection.identities.parents[index]
      )
    }
    let known = items.filter { selection.kept.knows($0.entry) && !$0.node.kind.isGroup }
    let fresh = items.filter { !selection.kept.knows($0.entry) || $0.node.kind.isGroup }
    guard !known.isEmpty else { return }
    selection.nodes.removeSubrange(first...)
    places.removeSubrange(first...)
    selection.identities.entries.removeSubrange(first...)
    selection.identities.parents.removeSubrange(first...)
    for item in known { put(item) }
    openedGroups[selection.nodes.count] = fresh
    append(
      .openedGroup,
      size: fresh.reduce(0) { $0.addingSaturated($1.node.size) },
      name: [],
      parent: node,
      depth: selection.nodes[node].depth + 1,
      place: places[node]
    )
  }

  /// Appends what an opened group holds.
  private mutating func fill(_ group: Int) {
    for var item in openedGroups.removeValue(forKey: group) ?? [] {
      item.node.parent = group
      item.node.depth = selection.nodes[group].depth + 1
      put(item)
    }
  }

  private mutating func put(_ item: Item) {
    selection.nodes.append(item.node)
    places.append(item.place)
    selection.identities.entries.append(item.entry)
    selection.identities.parents.append(item.parent)
  }
}

// MARK: Classes

extension Selector {
  /// The class of the group in hand.
  private var groupClass: Int { selection.classes.groupClass(of: groupSizes) }

  /// Adds the entry that the cursor is at to the group in hand.
  private mutating func addToGroup(
    _ entry: ListingEntry,
    size: UInt64,
    at place: FileClasses.Place
  ) {
    let index = selection.classes.add(entry, size: size, name: cursor.name, at: place)
    while groupSizes.count <= index { groupSizes.append(0) }
    groupSizes[index] = groupSizes[index].addingSaturated(size)
  }

  /// Adds a directory and everything below it to the group in hand.
  private mutating func addUp(_ top: DirectoryID, at place: FileClasses.Place) {
    var place = place
    // The subdirectories of neighbours are neighbours, so each level is one range.
    var level = top.index..<top.index + 1
    while let first = level.first, let last = level.last {
      for index in level {
        let directory = DirectoryID(index)
        place.holdsManualPages = holdsManualPages(directory)
        place.directory = index
        addUpFiles(of: directory, at: place)
      }
      let next = tree.subdirectories(of: DirectoryID(first)).startIndex
      level = next..<tree.subdirectories(of: DirectoryID(last)).endIndex
      place.depth += 1
    }
  }

  private mutating func addUpFiles(of directory: DirectoryID, at place: FileClasses.Place) {
    if tree.ownTotals(of: directory).size(measure) == 0 { return }
    let needsNames = selection.classes.needsNames
    cursor.restart(in: tree.listing(of: directory))
    while cursor.advanceWithoutIdentity() {
      let entry = cursor.entry
      let size = chargedSize(of: entry, cursor.ordinal, directory)
      guard size > 0 else { continue }
      if needsNames { cursor.readName() }
      addToGroup(entry, size: size, at: place)
    }
  }

  /// Returns where the files of a directory are, from where it is itself.
  private func place(
    of directory: DirectoryID,
    below parent: FileClasses.Place
  ) -> FileClasses.Place {
    var place = parent
    place.depth += 1
    if parent.depth == 0 {
      place.folder = directory.index - tree.subdirectories(of: top).startIndex
    }
    place.holdsManualPages = holdsManualPages(directory)
    place.directory = directory.index
    return place
  }

  private func holdsManualPages(_ directory: DirectoryID) -> Bool {
    guard selection.classes.needsNames else { return false }
    return FileCategory.holdsManualPages(directoryNamed: tree.name(of: directory))
  }
}

extension Totals {
  /// Takes an entry away; what is too much for a number stays so.
  fileprivate mutating func remove(_ size: UInt64, _ measure: SizeMeasure, isFile: Bool) {
    switch measure {
    case .allocated where allocatedSize != .max: allocatedSize -= min(size, allocatedSize)
    case .apparent where apparentSize != .max: apparentSize -= min(size, apparentSize)
    default: break
    }
    files -= isFile ? 1 : 0
  }
}
