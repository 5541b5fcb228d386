import PlatLayout
import PlatTree

/// How the map of a directory is drawn.
internal enum MapStyle: Hashable, Sendable {
  case nested, flat, off
}

/// What the colours of the map and of the bars stand for.
internal enum ColorKey: Hashable, Sendable {
  case type, age, owner, depth
  /// What has become of it since an older snapshot, while one is compared with.
  case growth
}

/// The treemap of a directory on a grid of half cells: one column wide, half a row high.
internal struct MapModel: Sendable {
  /// All that a map depends on; as long as this is the same, so is the map.
  internal struct Request: Equatable, Sendable {
    internal var directory: DirectoryID
    internal var revision: Int
    internal var measure: SizeMeasure
    internal var columns: Int
    internal var rows: Int
    internal var style: MapStyle
    internal var key: ColorKey
    /// Whether tiles have lines of characters around them, for want of colours.
    internal var isOutlined: Bool
    internal var hasCategories: Bool
    /// The time that ages are counted from, in days, so that a map does not change all the time.
    internal var day: Int64
    /// When the older snapshot was taken that growth is measured from.
    internal var comparedWith: Int64?
  }

  internal struct Tile: Sendable {
    internal enum Content: Hashable, Sendable {
      /// A directory, with all that is drawn in it.
      case directory(DirectoryID)
      case file(EntryID)
      /// What is too small to be drawn: so many entries of a directory, with all below them.
      case group(DirectoryID, entries: Int)
    }

    internal var content: Content
    internal var parent: Int
    internal var depth: Int
    internal var size: UInt64
    internal var name: [UInt8]
    internal var color = TileColor()
    internal var hasChildren = false
    /// The row of the list that the tile belongs to: an entry of the directory that is shown, or
    /// `nil` if it is in the group at the top.
    internal var row: EntryID?

    // Edges in columns and half rows.
    internal var x0 = 0
    internal var y0 = 0
    internal var x1 = 0
    internal var y1 = 0
    internal var hasHead = false

    internal var width: Int { x1 - x0 }
    internal var height: Int { y1 - y0 }
    internal var isGroup: Bool { if case .group = content { true } else { false } }
    /// The entry that the tile stands for, if it is one.
    internal var id: EntryID? {
      switch content {
      case .directory(let directory): EntryID(directory)
      case .file(let id): id
      case .group: nil
      }
    }
    /// Whether the tile is large enough for shading and seams.
    internal var isLarge: Bool { width >= 4 && height >= 4 }
  }

  internal let request: Request
  internal private(set) var tiles: [Tile] = []
  /// The tile at each half cell, row by row.
  internal private(set) var grid: [Int32] = []
  /// The colours in use with their words and sizes, the largest first.
  internal private(set) var legend: [(color: TileColor, title: String, size: Double)] = []

  /// What is known of the layout for the next one of the same directory.
  private var memory: LayoutMemory?
  private let path: [UInt8]

  /// Makes the map of a directory.
  ///
  /// - Parameters:
  ///   - request: All that the map depends on, besides what follows.
  ///   - tree: The tree.
  ///   - categories: How much of each kind is where, if that is known yet.
  ///   - names: The names of users.
  ///   - comparison: The older snapshot, if colours are by growth.
  ///   - sizes: How sizes are written in a legend.
  ///   - previous: The map that is shown. One of the same directory in the same size keeps its tiles
  ///     near where they were.
  internal init(
    _ request: Request,
    of tree: FileTree,
    categories: CategorySizes?,
    names: OwnerNames,
    comparison: Comparison? = nil,
    sizes: SizeFormat = .iec,
    after previous: MapModel? = nil
  ) {
    self.request = request
    path = tree.path(of: request.directory)
    var selection = MapSelection(
      tree,
      request: request,
      categories: categories,
      coloring: TileColoring(request, tree: tree, names: names),
      growth: comparison.map { GrowthColoring($0, tree, request.measure) }
    )
    selection.select()
    tiles = selection.tiles
    legend = selection.legend(sizes)
    let isSame =
      previous.map { previous in
        previous.path == path && previous.request.columns == request.columns
          && previous.request.rows == request.rows && previous.request.style == request.style
      } ?? false
    place(selection.childCounts, remembering: isSame ? previous?.memory : nil)
    fillGrid()
  }

  private mutating func place(_ childCounts: [Int32], remembering memory: LayoutMemory?) {
    let tree = LayoutTree(
      weights: tiles.map { Double($0.size) },
      childCounts: childCounts,
      aggregates: tiles.indices.filter { tiles[$0].isGroup && $0 > 0 }
    )
    var treemap = NestedTreemap()
    treemap.medium = .halfCells
    treemap.isDecorated = request.style == .nested
    treemap.stretch = 1.8
    // An outline is shared by neighbours: the lines are the edges, one fewer than there are cells.
    let inset = request.isOutlined ? 1 : 0
    let bounds = Rect(
      width: Double(max(request.columns - inset, 1)),
      height: Double(max(2 * (request.rows - inset), 1))
    )
    let identities = identities()
    let layout = treemap.layout(
      tree,
      identities: identities,
      in: bounds,
      remembering: memory
    )
    self.memory = treemap.memory(of: layout, tree, identities: identities)
    snap(layout, tree)
  }

  /// By what tiles are known again in the next tree: hashes of their paths from here.
  private func identities() -> NodeIdentities {
    var entries: [UInt64] = []
    var parents: [UInt64] = []
    for (index, tile) in tiles.enumerated() {
      // FNV-1a, by Fowler, Noll and Vo.
      var hash: UInt64 = index == 0 ? 0xcbf2_9ce4_8422_2325 : parents[tile.parent]
      var outermost: UInt64?
      // A tile can stand for several directories, each nearly all of the one before.
      for name in tile.name.split(separator: UInt8(ascii: "/")) {
        for byte in [UInt8(ascii: "/")] + name {
          hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
        }
        if outermost == nil { outermost = hash }
      }
      entries.append(outermost ?? hash)
      parents.append(hash)
    }
    return NodeIdentities(entries: entries, parents: parents)
  }

  /// Puts edges on the grid: shared edges together, so that nothing gapes.
  private mutating func snap(_ layout: NestedLayout, _ tree: LayoutTree) {
    tiles[0].x1 = max(request.columns - (request.isOutlined ? 1 : 0), 1)
    tiles[0].y1 = 2 * max(request.rows - (request.isOutlined ? 1 : 0), 1)
    for node in 0..<tree.count {
      let children = tree.children(of: node)
      tiles[node].hasChildren = !children.isEmpty
      tiles[node].hasHead = layout.decorations[node] == .header && tiles[node].height >= 4
      guard !children.isEmpty else { continue }
      let box = layout.contents[node]
      let outer = tiles[node]
      let top = outer.y0 + (outer.hasHead ? 2 : 0)
      let isCoarse =
        request.isOutlined || outer.depth < 2
        || children.contains { layout.decorations[$0] == .header }
      let step = isCoarse ? 2.0 : 1.0
      for child in children {
        let rect = layout.rects[child]
        tiles[child].x0 = snap(rect.x0, box.x0, box.x1, outer.x0, outer.x1, 1)
        tiles[child].x1 = snap(rect.x1, box.x0, box.x1, outer.x0, outer.x1, 1)
        tiles[child].y0 = snap(rect.y0, box.y0, box.y1, top, outer.y1, step)
        tiles[child].y1 = snap(rect.y1, box.y0, box.y1, top, outer.y1, step)
      }
    }
  }

  /// Returns where an edge goes: with the edge of what surrounds it if it is there, else to the
  /// nearest line of the grid inside.
  private func snap(
    _ edge: Double,
    _ low: Double,
    _ high: Double,
    _ snappedLow: Int,
    _ snappedHigh: Int,
    _ step: Double
  ) -> Int {
    if edge <= low + 1e-6 { return snappedLow }
    if edge >= high - 1e-6 { return snappedHigh }
    let snapped = Int((edge / step).rounded() * step)
    return min(max(snapped, snappedLow), snappedHigh)
  }

  private mutating func fillGrid() {
    let (columns, halves) = (request.columns, 2 * request.rows)
    grid = Array(repeating: 0, count: columns * halves)
    for (index, tile) in tiles.enumerated() where tile.width > 0 {
      for y in tile.y0..<min(max(tile.y1, tile.y0), halves) {
        for x in tile.x0..<min(tile.x1, columns) { grid[y * columns + x] = Int32(index) }
      }
    }
  }
}

// MARK: Legend

extension MapModel {
  /// An entry of the legend, and where it is on the screen.
  internal struct LegendEntry: Sendable {
    internal var columns: Range<Int>
    internal var text: String
    internal var color: TileColor
    /// The kind of file that it stands for, where colours are by kind.
    internal var category: FileCategory?
  }

  /// Returns the entries of the legend that fit into some columns, the largest first.
  internal func legendEntries(in columns: Range<Int>) -> [LegendEntry] {
    let total = legend.reduce(0) { $0 + $1.size }
    var entries: [LegendEntry] = []
    var column = columns.lowerBound
    for (color, title, size) in legend {
      let share = NumberFormat.share(UInt64(clamping: size), of: UInt64(clamping: max(total, 1)))
      let text = request.key == .growth ? title : "\(title) \(share)"
      let end = column + 2 + ColumnWidth.of(text)
      guard end < columns.upperBound else { break }
      let category =
        request.key == .type ? FileCategory.allCases.first { $0.title == title } : nil
      entries.append(
        LegendEntry(columns: column..<end, text: text, color: color, category: category)
      )
      column = end + 2
    }
    return entries
  }
}

// MARK: Finding tiles

extension MapModel {
  /// Returns the tile at a cell.
  internal func tile(row: Int, column: Int) -> Int? {
    guard (0..<request.rows).contains(row), (0..<request.columns).contains(column) else {
      return nil
    }
    return Int(grid[2 * row * request.columns + column])
  }

  /// Returns the tile of a row of the list: its own, or the group that it is part of.
  internal func topTile(of id: EntryID?) -> Int? {
    guard let id else { return nil }
    let top = tiles.indices.dropFirst().prefix { tiles[$0].depth == 1 }
    return top.first { tiles[$0].row == id } ?? top.first { tiles[$0].isGroup }
  }

  /// Returns the tile of the first level that is next to another, in a direction.
  internal func neighbor(of index: Int, columns: Int, rows: Int) -> Int? {
    let from = tiles[index]
    let top = tiles.indices.dropFirst().prefix { tiles[$0].depth == 1 }
    func distance(_ tile: Tile) -> Int? {
      let ahead: Int
      let overlap: Int
      if columns != 0 {
        ahead = columns > 0 ? tile.x0 - from.x1 : from.x0 - tile.x1
        overlap = min(tile.y1, from.y1) - max(tile.y0, from.y0)
      } else {
        ahead = rows > 0 ? tile.y0 - from.y1 : from.y0 - tile.y1
        overlap = min(tile.x1, from.x1) - max(tile.x0, from.x0)
      }
      guard ahead >= 0, tile.width > 0, tile.height > 0 else { return nil }
      return ahead * 4 + (overlap > 0 ? 0 : 1000 - overlap)
    }
    return top.filter { $0 != index }
      .compactMap { index in distance(tiles[index]).map { (index, $0) } }
      .min { $0.1 < $1.1 }?.0
  }
}
