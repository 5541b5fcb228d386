import PlatTree

/// Packs the largest entries of a tree for a page.
internal struct PagePacker: ~Copyable {
  private let tree: FileTree
  private let measure: SizeMeasure
  private let depthLimit: Int
  private var limit: EntryLimit
  private let growth: TreeGrowth?

  private var page = PageTree()
  /// The directories to open, in the order of their entries.
  private var waiting: [(entry: Int, directory: DirectoryID, depth: Int)] = []
  /// The size to write of each entry, before the unit is known.
  private var sizes: [UInt64] = []
  /// The counts to write of each entry: those of a directory are known later than its place.
  private var counts: [(all: Int, others: Int)] = []
  private var lastTime: Int64 = 0
  /// The owner of each entry that is no directory.
  private var owners: [UInt32] = []
  private var ownerSums = OwnerSums()

  /// What is left out of the directory in hand.
  private var group = Group()
  /// The entries of the directory in hand, and their names.
  private var children: [Child] = []
  private var childNames: [UInt8] = []

  private struct Group {
    var items = 0
    var files = 0
    var size: UInt64 = 0
    var newest: Int64?
    var categories = [UInt64](repeating: 0, count: FileCategory.allCases.count)
    var growths = [UInt64](repeating: 0, count: GrowthClass.allCases.count)
    var owners = OwnerSums()

    mutating func meet(time: Int64) { newest = max(newest ?? time, time) }
  }

  private struct Child {
    var size: UInt64
    var name: Range<Int>
    var kind: PageTree.Kind
    var category: UInt8
    var time: Int64 = 0
    var owner: UInt32 = 0
    var growth = GrowthClass.unchanged
    /// The directory, if it is one.
    var directory: DirectoryID?
  }

  /// Creates a packer.
  ///
  /// - Parameters:
  ///   - tree: The tree.
  ///   - measure: The size that counts.
  ///   - depthLimit: How many levels of directories are opened.
  ///   - limit: Which entries are large enough.
  ///   - growth: What has grown, if that is known.
  internal init(
    _ tree: FileTree,
    measure: SizeMeasure,
    depthLimit: Int,
    limit: EntryLimit,
    growth: TreeGrowth?
  ) {
    self.growth = growth
    self.tree = tree
    self.measure = measure
    self.depthLimit = depthLimit
    self.limit = limit
  }

  /// Packs a directory and what is below it.
  internal consuming func pack(from top: DirectoryID) -> PageTree {
    page.names += tree.path(of: top) + [0]
    append(top, depth: 0)
    var next = 0
    while next < waiting.count {
      let (entry, directory, depth) = waiting[next]
      let before = page.kinds.count
      choose(from: directory, isOpen: depth < depthLimit)
      writeChildren(depth: depth + 1)
      writeGroup()
      counts[entry].all = page.kinds.count - before
      next += 1
    }
    return finish()
  }

  private consuming func finish() -> PageTree {
    writeOwners()
    page.unit = sizes.allSatisfy { $0.isMultiple(of: 512) } ? 512 : 1
    for (entry, kind) in page.kinds.enumerated() {
      page.sizes.appendVarint(sizes[entry] / page.unit)
      switch PageTree.Kind(rawValue: kind >> 4) {
      case .directory: page.counts.appendVarint(UInt64(counts[entry].all))
      case .group:
        page.counts.appendVarint(UInt64(counts[entry].all))
        page.counts.appendVarint(UInt64(counts[entry].others))
      default: break
      }
    }
    return page
  }
}

// MARK: Choosing

extension PagePacker {
  /// Takes what is large enough of a directory that is opened, and adds the rest to the group.
  private mutating func choose(from directory: DirectoryID, isOpen: Bool) {
    children.removeAll(keepingCapacity: true)
    childNames.removeAll(keepingCapacity: true)
    for subdirectory in tree.subdirectories(of: directory) {
      let size = tree.size(of: subdirectory, measure)
      guard isOpen, limit.takes(size) else {
        leaveOut(subdirectory)
        continue
      }
      let start = childNames.count
      childNames += tree.name(of: subdirectory)
      children.append(
        Child(
          size: size,
          name: start..<childNames.count,
          kind: .directory,
          category: 0,
          directory: subdirectory
        )
      )
    }
    let holdsManualPages = FileCategory.holdsManualPages(
      directoryNamed: tree.name(of: directory)
    )
    var cursor = tree.listing(of: directory).makeCursor()
    while cursor.advance() {
      let size = tree.chargedSize(cursor, of: directory, measure)
      if isOpen, limit.takes(size) {
        take(cursor, of: directory, size: size, holdsManualPages)
      } else {
        leaveOut(cursor, of: directory, size: size, holdsManualPages)
      }
    }
  }

  private mutating func take(
    _ cursor: ListingCursor,
    of directory: DirectoryID,
    size: UInt64,
    _ holdsManualPages: Bool
  ) {
    let entry = cursor.entry
    let isElsewhere =
      entry.linkCount > 1
      && tree.isCountedElsewhere(EntryID(directory, ordinal: cursor.ordinal))
    let start = childNames.count
    childNames += cursor.name
    let kind: PageTree.Kind =
      switch entry.kind {
      case .file: isElsewhere ? .countedElsewhere : .file
      case .symbolicLink: .symbolicLink
      case .other, .directory: .other
      }
    children.append(
      Child(
        size: size,
        name: start..<childNames.count,
        kind: kind,
        category: entry.isUnreadable
          ? PageTree.unreadableCategory : category(of: cursor, holdsManualPages).rawValue,
        time: entry.modificationTime,
        owner: entry.owner,
        growth: growthClass(of: cursor, in: directory)
      )
    )
    ownerSums.add(size, of: entry.owner)
  }

  private func growthClass(of cursor: ListingCursor, in directory: DirectoryID) -> GrowthClass {
    growth?.growthClass(of: cursor.name, in: directory.index) ?? .unchanged
  }

  private mutating func leaveOut(
    _ cursor: ListingCursor,
    of directory: DirectoryID,
    size: UInt64,
    _ holdsManualPages: Bool
  ) {
    group.items += 1
    group.files += cursor.entry.kind == .file ? 1 : 0
    group.size = group.size.addingSaturated(size)
    if !cursor.entry.isUnreadable { group.meet(time: cursor.entry.modificationTime) }
    addToClasses(of: cursor, in: directory, size: size, holdsManualPages)
  }

  private mutating func leaveOut(_ directory: DirectoryID) {
    let totals = tree.totals(of: directory)
    group.items += totals.entries
    group.files += totals.files
    group.size = group.size.addingSaturated(totals.size(measure))
    group.meet(time: tree.newestModification(of: directory))
    var below: [DirectoryID] = []
    tree.forEachDirectory(from: directory) { below.append($0) }
    for directory in below {
      let holdsManualPages = FileCategory.holdsManualPages(
        directoryNamed: tree.name(of: directory)
      )
      var cursor = tree.listing(of: directory).makeCursor()
      while cursor.advance() {
        let size = tree.chargedSize(cursor, of: directory, measure)
        addToClasses(of: cursor, in: directory, size: size, holdsManualPages)
      }
    }
  }

  private mutating func addToClasses(
    of cursor: ListingCursor,
    in directory: DirectoryID,
    size: UInt64,
    _ holdsManualPages: Bool
  ) {
    group.owners.add(size, of: cursor.entry.owner)
    guard size > 0 else { return }
    ownerSums.add(size, of: cursor.entry.owner)
    let growth = growthClass(of: cursor, in: directory).rawValue
    group.growths[growth] = group.growths[growth].addingSaturated(size)
    let index = Int(category(of: cursor, holdsManualPages).rawValue)
    group.categories[index] = group.categories[index].addingSaturated(size)
  }

  private func category(of cursor: ListingCursor, _ holdsManualPages: Bool) -> FileCategory {
    guard cursor.entry.kind == .file else { return .other }
    return FileCategory(
      name: cursor.name.span,
      isExecutable: cursor.entry.mode & 0o111 != 0,
      isManualPage: holdsManualPages
    )
  }
}

// MARK: Writing

extension PagePacker {
  /// Writes the entry of a directory, and has it opened later.
  private mutating func append(_ directory: DirectoryID, depth: Int) {
    let details = tree.details(of: directory)
    let category =
      details.flags.contains(.isUnreadable)
      ? PageTree.unreadableCategory : PageTree.directoryCategory
    waiting.append((page.kinds.count, directory, depth))
    append(.directory, category: category, size: measure == .allocated ? details.allocatedSize : 0)
  }

  private mutating func append(
    _ kind: PageTree.Kind,
    category: UInt8,
    size: UInt64,
    counts: (all: Int, others: Int) = (0, 0)
  ) {
    page.kinds.append(kind.rawValue << 4 | category)
    sizes.append(size)
    self.counts.append(counts)
  }

  private mutating func writeChildren(depth: Int) {
    let names = childNames
    children.sort { one, two in
      one.size != two.size
        ? one.size > two.size
        : names[one.name].lexicographicallyPrecedes(names[two.name])
    }
    var before: UInt64?
    for child in children {
      page.names += names[child.name]
      page.names.append(0)
      if let directory = child.directory {
        append(directory, depth: depth)
        continue
      }
      let size = before.map { $0 - child.size } ?? child.size
      append(child.kind, category: child.category, size: size)
      before = child.size
      write(time: child.time)
      owners.append(child.owner)
      if growth != nil { page.growths.append(UInt8(child.growth.rawValue)) }
    }
  }

  private mutating func writeGroup() {
    guard group.items > 0 else { return }
    let largest = group.categories.indices.max { group.categories[$0] < group.categories[$1] }
    let isEmpty = group.size == 0
    let category = isEmpty ? FileCategory.other.rawValue : UInt8(largest ?? 0)
    append(
      .group,
      category: category,
      size: group.size,
      counts: (group.items, group.items - group.files)
    )
    write(time: group.newest ?? lastTime)
    owners.append(group.owners.ranking.first ?? 0)
    if growth != nil { page.growths.append(UInt8(GrowthClass(meanOf: group.growths).rawValue)) }
    page.names.append(0)
    page.groupedItems += group.items
    group = Group()
  }

  /// Writes whose all entries are: the users with the most bytes have a colour each.
  private mutating func writeOwners() {
    page.shownOwners = Array(ownerSums.ranking.prefix(Palette.hues.count))
    page.owners = owners.map { owner in
      UInt8(page.shownOwners.firstIndex(of: owner) ?? page.shownOwners.count)
    }
  }

  /// Writes the difference of a time to the one before.
  ///
  /// What is further from 1970 than scripts can reckon, 275,760 years, is written as that.
  private mutating func write(time: Int64) {
    let time = min(max(time, -8_640_000_000_000), 8_640_000_000_000)
    let step = time - lastTime
    page.times.appendVarint(UInt64(bitPattern: step << 1 ^ step >> 63))
    lastTime = time
  }
}
