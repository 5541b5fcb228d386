import PlatTree

/// Finds what of a directory is large enough to be a tile, in the level order of a layout.
///
/// Work grows with what is drawn and with the entries of the directories that are opened for that, not
/// with all that is below.
internal struct MapSelection {
  internal private(set) var tiles: [MapModel.Tile] = []
  internal private(set) var childCounts: [Int32] = []

  private let tree: FileTree
  private let request: MapModel.Request
  private let categories: CategorySizes?
  private var coloring: TileColoring
  private var growth: GrowthColoring?
  private let threshold: UInt64
  /// How many entries that are no directories were looked at, and how many of their names were read: that
  /// is what takes time where there are many.
  internal private(set) var (entriesRead, namesRead) = (0, 0)

  /// The bytes of each kind in the group in hand.
  private var groupSizes = [Float](repeating: 0, count: CategorySizes.count)

  internal init(
    _ tree: FileTree,
    request: MapModel.Request,
    categories: CategorySizes?,
    coloring: TileColoring,
    growth: GrowthColoring? = nil
  ) {
    self.tree = tree
    self.request = request
    self.categories = categories
    self.coloring = coloring
    self.growth = growth
    // With lines around it, a tile needs room for a line and a letter.
    let leastArea = request.isOutlined ? 10.0 : 2.2
    let area = Double(max(request.columns * request.rows * 2, 1))
    let total = Double(tree.size(of: request.directory, request.measure))
    threshold = max(UInt64(clamping: (total * leastArea / area).rounded(.down)), 1)
  }

  /// Whether colours can be taken from what is known of whole directories.
  private var knowsCategories: Bool { coloring.isByType && categories != nil }

  /// The legend: of all files where kinds are known, else of those with a tile.
  internal func legend(
    _ sizes: SizeFormat = .iec
  ) -> [(color: TileColor, title: String, size: Double)] {
    if let growth { return growth.legend(of: request.directory, sizes) }
    guard coloring.isByType, let categories else { return coloring.legend }
    return categories.ranking(of: request.directory).map {
      (TileColor($0.category), $0.category.title, Double($0.size))
    }
  }

  internal mutating func select() {
    append(.directory(request.directory), name: [], size: size(request.directory), below: 0)
    tiles[0].depth = 0
    var node = 0
    while node < tiles.count {
      let before = tiles.count
      if case .directory(let directory) = tiles[node].content { open(directory, node) }
      childCounts.append(Int32(tiles.count - before))
      node += 1
    }
  }

  private func size(_ directory: DirectoryID) -> UInt64 {
    tree.size(of: directory, request.measure)
  }

  private mutating func append(
    _ content: MapModel.Tile.Content,
    name: [UInt8],
    size: UInt64,
    below parent: Int,
    color: TileColor = TileColor()
  ) {
    var tile = MapModel.Tile(
      content: content,
      parent: parent,
      depth: (tiles.isEmpty ? 0 : tiles[parent].depth) + 1,
      size: size,
      name: name,
      color: color
    )
    if tile.depth > 1 {
      tile.row = tiles[parent].row
    } else if case .file(let id) = content {
      tile.row = id
    } else if case .directory(let directory) = content {
      tile.row = EntryID(directory)
    }
    tiles.append(tile)
  }

  // MARK: Directories

  private mutating func open(_ directory: DirectoryID, _ node: Int) {
    var rest: UInt64 = 0
    var entries = 0
    startGroup(of: directory)
    growth?.open(directory)
    for subdirectory in tree.subdirectories(of: directory) {
      let size = size(subdirectory)
      if size >= threshold {
        appendDirectory(subdirectory, size: size, below: node)
        takeFromGroup(subdirectory)
        growth?.leaveOut(subdirectory)
      } else {
        rest = rest.addingSaturated(size)
        entries += tree.totals(of: subdirectory).entries
      }
    }
    appendFiles(of: directory, node, &rest, &entries)
    // The blocks of the directory itself go with a group, or stand for one where they are many.
    let own = request.measure == .allocated ? tree.details(of: directory).allocatedSize : 0
    if rest > 0 || own >= threshold { rest = rest.addingSaturated(own) }
    guard rest > 0 else { return }
    append(
      .group(directory, entries: entries),
      name: [],
      size: rest,
      below: node,
      color: growth?.colorOfRest(size: rest) ?? groupColor
    )
  }

  /// Appends a directory, or in its place the one inside that is nearly all of it, and so on.
  private mutating func appendDirectory(
    _ directory: DirectoryID,
    size: UInt64,
    below node: Int
  ) {
    var name = Array(tree.name(of: directory))
    var innermost = directory
    while let only = dominantSubdirectory(of: innermost) {
      name.appendComponent(tree.name(of: only))
      innermost = only
    }
    append(.directory(innermost), name: name, size: size, below: node)
    if tiles[node].depth == 0 { tiles[tiles.count - 1].row = EntryID(directory) }
  }

  private func dominantSubdirectory(of directory: DirectoryID) -> DirectoryID? {
    let whole = Double(size(directory))
    return tree.subdirectories(of: directory).first { Double(size($0)) >= 0.92 * whole }
  }

  // MARK: Files

  private mutating func appendFiles(
    of directory: DirectoryID,
    _ node: Int,
    _ rest: inout UInt64,
    _ entries: inout Int
  ) {
    let holdsManualPages = FileCategory.holdsManualPages(
      directoryNamed: tree.name(of: directory)
    )
    let depth = tiles[node].depth + 1
    let listing = tree.listing(of: directory)
    // The size and the number of the entries that were not looked at yet: none of them is a tile once
    // all together would be none. The legend of kinds is that of all files, whose names are not read here.
    var left = tree.ownTotals(of: directory).size(request.measure)
    var count = listing.count
    var cursor = listing.makeCursor()
    while left >= max(threshold, 1), cursor.advanceWithoutName() {
      entriesRead += 1
      count -= 1
      let size = tree.chargedSize(of: cursor, in: directory, request.measure)
      left -= min(size, left)
      guard size >= max(threshold, 1) else {
        rest = rest.addingSaturated(size)
        entries += 1
        continue
      }
      guard cursor.readName() else { break }
      namesRead += 1
      let category = FileCategory(cursor.entry, named: cursor.name, holdsManualPages)
      if knowsCategories { groupSizes[Int(category.rawValue)] -= Float(size) }
      let change = growth?.color(of: cursor.name, size: size)
      append(
        .file(EntryID(directory, ordinal: cursor.ordinal)),
        name: cursor.name,
        size: size,
        below: node,
        color: change
          ?? coloring.color(of: cursor.entry, category: category, depth: depth, size: size)
      )
    }
    rest = rest.addingSaturated(left)
    entries += count
  }

  /// Begins with all of a directory, from which tiles are taken.
  private mutating func startGroup(of directory: DirectoryID) {
    guard knowsCategories, let categories else { return }
    for category in FileCategory.allCases {
      groupSizes[Int(category.rawValue)] = categories.size(of: directory, category)
    }
  }

  private mutating func takeFromGroup(_ directory: DirectoryID) {
    guard knowsCategories, let categories else { return }
    for category in FileCategory.allCases {
      groupSizes[Int(category.rawValue)] -= categories.size(of: directory, category)
    }
  }

  /// The colour of the kind that has the most bytes of a group.
  private var groupColor: TileColor {
    guard knowsCategories else { return TileColor() }
    var largest = Int(FileCategory.other.rawValue)
    for index in groupSizes.indices where groupSizes[index] > groupSizes[largest] {
      largest = index
    }
    return TileColor(FileCategory.allCases[largest])
  }
}

extension UInt64 {
  /// Returns the sum, or the largest number where it does not fit.
  internal func addingSaturated(_ other: UInt64) -> UInt64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
