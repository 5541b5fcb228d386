import PlatLayout
import PlatTree

/// Finds what is large enough to be drawn, and adds up the rest.
///
/// Memory grows with what is drawn and not with the tree. Of what is in a group, so much is looked at
/// that most of its bytes have a class: the larger files, then more of them, then the largest
/// directories. The others, each too small to be seen, count with the group. So a picture needs few
/// names of a large tree, and of directories that are too small to be drawn only their sizes.
internal struct Selector: ~Copyable {
  internal let tree: FileTree
  internal let measure: SizeMeasure
  private let threshold: UInt64
  /// The smallest size that gets a tile if there was one before.
  private let keptThreshold: UInt64
  /// The smallest size that gets a class for its own sake.
  internal let classifiedSize: UInt64
  private let depthLimit: Int
  /// Whether the top of the tree is not on disk.
  private let isGroup: Bool
  /// Whether classes matter, and names.
  internal let hasClasses: Bool
  /// The part of the smallest size that gets a tile from which on files get a class for their own sake.
  private static let classifiedShare = 1.0 / 8
  /// About as many nodes has a picture of a large tree.
  private static let usualNodes = 1 << 17

  /// The layout whose groups are opened in place.
  private let memory: LayoutMemory?
  internal let top: DirectoryID

  internal var selection: Selection
  /// Where what each node holds is, as far as classes depend on it; of any use for directories, and
  /// empty without classes.
  internal var places: [FileClasses.Place] = []
  /// The bytes of each class in the group in hand.
  internal var groupSizes: [UInt64] = []
  /// The bytes of the files in the group in hand.
  internal var unclassified: UInt64 = 0
  /// The directories in the group in hand that were not looked at.
  internal var closed: [(directory: DirectoryID, size: UInt64)] = []

  /// Reads one listing after the other, as it keeps its storage.
  internal var cursor: ListingCursor
  /// What it reads, which may have been unpacked, and is often read twice.
  private var listing: (directory: DirectoryID, content: Listing)

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
  ///   - classes: The classes to put files into; `nil` if they do not matter, and nor do names.
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
    keptThreshold =
      threshold == .max
      ? .max : max(UInt64((Double(threshold) * CullingRule.keptShare).rounded(.up)), 1)
    let share = classes?.areKnown == true ? 0 : Self.classifiedShare
    classifiedSize = max(UInt64(Double(keptThreshold) * share), 1)
    self.depthLimit = depthLimit
    isGroup = tree.isGroup
    self.memory = memory
    listing = (top, tree.listing(of: top))
    cursor = listing.content.makeCursor()
    hasClasses = classes != nil
    selection = Selection(classes: classes ?? FileClasses(.depth, now: 0), kept: kept)
    selection.makeRoom(for: min(2 * tree.totals(of: top).entries, Self.usualNodes))
  }

  /// Returns the selection.
  ///
  /// A node is opened after those before it, which puts nodes in level order.
  internal consuming func select() -> Selection {
    var place = FileClasses.Place()
    place.holdsManualPages = holdsManualPages(top)
    place.directory = top.index
    let size = tree.size(of: top, measure)
    let identity = tree.identity(of: top)
    append(
      Selection.Node(kind: .directory(top), size: size, name: 0..<0, parent: 0, depth: 0),
      place,
      identity: identity,
      innermostIdentity: identity
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

  /// Appends a node whose name, if it has one, is there.
  @inline(__always)
  private mutating func append(
    _ node: Selection.Node,
    _ place: @autoclosure () -> FileClasses.Place,
    identity: UInt64,
    innermostIdentity: UInt64
  ) {
    selection.nodes.append(node)
    if hasClasses { places.append(place()) }
    selection.identities.entries.append(identity)
    selection.identities.parents.append(innermostIdentity)
  }
}

// MARK: Directories

extension Selector {
  /// Appends what a directory holds: first what is large enough, then a group of the rest.
  private mutating func open(_ directory: DirectoryID, _ node: Int) {
    let first = selection.nodes.count
    let depth = selection.nodes[node].depth + 1
    let identity = selection.identities.parents[node]
    if hasClasses {
      groupSizes.removeAll(keepingCapacity: true)
      closed.removeAll(keepingCapacity: true)
    }
    var rest = Rest()
    var below = Rest()
    for subdirectory in tree.subdirectories(of: directory) {
      let size = tree.size(of: subdirectory, measure)
      let files = tree.fileCount(of: subdirectory)
      below.add(size, files: files)
      if size >= threshold || (size >= keptThreshold && keeps(subdirectory, in: identity)) {
        appendDirectory(subdirectory, size: size, below: node, depth: depth)
      } else {
        rest.add(size, files: files)
        if hasClasses, size > 0 { closed.append((subdirectory, size)) }
      }
    }
    let bare = measure == .allocated ? tree.bareSize(of: directory) : 0
    var own = Rest()
    own.files = tree.fileCount(of: directory) - below.files
    own.size = tree.size(of: directory, measure)
    if own.size != .max {
      own.size -= below.size + (directory.index > 0 || !isGroup ? bare : 0)
    } else {
      // Nothing can be taken off a sum that did not fit.
      own.size = tree.ownTotals(of: directory).size(measure)
    }
    if hasClasses {
      appendFiles(of: directory, node, own, &rest)
      classifyRest(of: directory, node)
    } else if own.size >= keptThreshold {
      appendFiles(of: directory, node, own, &rest)
    } else {
      rest.add(own.size, files: own.files)
    }

    // The blocks of the directory itself are no file. They go with a group, or stand for one where
    // they are many, and are left out otherwise.
    if rest.size > 0 || bare >= threshold { rest.size = rest.size.addingSaturated(bare) }
    if rest.size > 0 {
      let group = Selection.Node(
        kind: .group(files: rest.files),
        size: rest.size,
        name: 0..<0,
        parent: node,
        depth: depth,
        classIndex: hasClasses ? groupClass : 0
      )
      append(group, FileClasses.Place(), identity: 0, innermostIdentity: 0)
    }
    if let memory, memory.hasAggregate(in: identity) { openGroup(of: node, from: first) }
  }

  /// The sizes and the number of some files, added up.
  private struct Rest {
    var size: UInt64 = 0
    var files = 0

    @inline(__always)
    mutating func add(_ size: UInt64, files: Int) {
      self.size = self.size.addingSaturated(size)
      self.files += files
    }
  }

  /// Returns whether a directory that is a little too small is drawn all the same.
  private mutating func keeps(_ directory: DirectoryID, in parent: UInt64) -> Bool {
    selection.kept.keeps(tree.withName(of: directory) { parent.child($0) })
  }

  /// Appends a directory; if it holds nothing but another directory, both as one, and so on.
  private mutating func appendDirectory(
    _ directory: DirectoryID,
    size: UInt64,
    below node: Int,
    depth: Int
  ) {
    var place = hasClasses ? place(of: directory, below: places[node]) : FileClasses.Place()
    let start = selection.names.count
    if hasClasses { selection.names.append(contentsOf: tree.name(of: directory)) }
    let parent = selection.identities.parents[node]
    let identity = tree.withName(of: directory) { parent.child($0) }
    var innermostIdentity = identity
    var innermost = directory
    while let only = onlySubdirectory(of: innermost) {
      if hasClasses {
        selection.names.append(UInt8(ascii: "/"))
        selection.names.append(contentsOf: tree.name(of: only))
        place = self.place(of: only, below: place)
      }
      innermostIdentity = tree.withName(of: only) { innermostIdentity.child($0) }
      innermost = only
    }
    let node = Selection.Node(
      kind: .directory(innermost),
      size: size,
      name: start..<selection.names.count,
      parent: node,
      depth: depth
    )
    append(node, place, identity: identity, innermostIdentity: innermostIdentity)
  }

  // Like other functions that change nothing it is mutating, as any other call copies the selector.
  private mutating func onlySubdirectory(of directory: DirectoryID) -> DirectoryID? {
    let subdirectories = tree.subdirectories(of: directory)
    guard subdirectories.count == 1, !tree.hasEntries(directory) else { return nil }
    return subdirectories.first
  }

  /// Appends the files of a directory that are large enough, and looks at those that are not much
  /// smaller for their classes.
  ///
  /// `undrawn` are the sums of them all, and `rest` gets those of what is too small.
  private mutating func appendFiles(
    of directory: DirectoryID,
    _ node: Int,
    _ undrawn: Rest,
    _ rest: inout Rest
  ) {
    var undrawn = undrawn
    var left = undrawn.size
    var small: UInt64 = 0
    let place = hasClasses ? places[node] : FileClasses.Place()
    let identity = selection.identities.parents[node]
    let depth = selection.nodes[node].depth + 1
    let common = hasClasses ? selection.classes.classIndex(ofFilesAt: place) : 0
    // Where sums have lost count, every entry is looked at.
    let hasSum = left != .max
    let least = hasSum ? common == nil ? classifiedSize : keptThreshold : 1
    let readsAll = common == nil
    if left >= least { read(directory) }
    while left >= least,
      cursor.advance(toSize: least, measure, left: &left, readingAttributes: readsAll)
    {
      let entry = cursor.entry
      let size = chargedSize(of: entry, directory)
      if left != .max { left -= min(size, left) }
      guard size >= least else { continue }
      if size >= keptThreshold || (readsAll && selection.classes.needsNames) { cursor.readName() }
      guard
        size >= threshold
          || (size >= keptThreshold && selection.kept.keeps(identity.child(cursor.name.span)))
      else {
        if readsAll { addToGroup(entry, size: size, at: place) }
        if !hasSum { small = small.addingSaturated(size) }
        continue
      }
      // What is too much for a number stays so.
      if undrawn.size != .max { undrawn.size -= min(size, undrawn.size) }
      undrawn.files -= entry.kind == .file ? 1 : 0
      selection.drawnFiles += entry.kind == .file ? 1 : 0
      if hasClasses, let common { selection.classes.add(size, toClass: common) }
      var file = Selection.Node(kind: .file, size: size, name: 0..<0, parent: node, depth: depth)
      if hasClasses {
        file.name = appendName()
        file.classIndex =
          common ?? selection.classes.add(entry, size: size, name: cursor.name, at: place)
      }
      let fileIdentity = identity.child(cursor.name.span)
      append(file, FileClasses.Place(), identity: fileIdentity, innermostIdentity: fileIdentity)
    }
    unclassified = hasSum ? undrawn.size : small
    rest.add(unclassified, files: undrawn.files)
  }

  /// Appends the name of the entry that the cursor is at, and returns where it is.
  private mutating func appendName() -> Range<Int> {
    let start = selection.names.count
    cursor.appendName(to: &selection.names)
    return start..<selection.names.count
  }

  /// Moves the cursor before the first entry of a directory.
  internal mutating func read(_ directory: DirectoryID) {
    if listing.directory != directory { listing = (directory, tree.listing(of: directory)) }
    cursor.restart(in: listing.content)
  }

  /// Finds the class of a directory that is drawn without what it holds.
  private mutating func close(_ directory: DirectoryID, _ node: Int) {
    groupSizes.removeAll(keepingCapacity: true)
    if hasClasses { addUp(directory, at: places[node]) }
    selection.nodes[node].classIndex = groupClass
  }

  /// Returns the size of the entry that the cursor is at that counts here: none for a hard link that
  /// counts elsewhere.
  internal mutating func chargedSize(of entry: ListingEntry, _ directory: DirectoryID) -> UInt64 {
    let id = EntryID(directory, ordinal: cursor.ordinal)
    return cursor.hasOtherNames && tree.isCountedElsewhere(id) ? 0 : entry.size(measure)
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
        place: hasClasses ? places[index] : FileClasses.Place(),
        entry: selection.identities.entries[index],
        parent: selection.identities.parents[index]
      )
    }
    let known = items.filter { selection.kept.knows($0.entry) && !$0.node.kind.isGroup }
    let fresh = items.filter { !selection.kept.knows($0.entry) || $0.node.kind.isGroup }
    guard !known.isEmpty else { return }
    selection.nodes.removeSubrange(first...)
    if hasClasses { places.removeSubrange(first...) }
    selection.identities.entries.removeSubrange(first...)
    selection.identities.parents.removeSubrange(first...)
    for item in known { put(item) }
    openedGroups[selection.nodes.count] = fresh
    let group = Selection.Node(
      kind: .openedGroup,
      size: fresh.reduce(0) { $0.addingSaturated($1.node.size) },
      name: 0..<0,
      parent: node,
      depth: selection.nodes[node].depth + 1
    )
    let place = hasClasses ? places[node] : FileClasses.Place()
    append(group, place, identity: 0, innermostIdentity: 0)
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
    append(item.node, item.place, identity: item.entry, innermostIdentity: item.parent)
  }
}
