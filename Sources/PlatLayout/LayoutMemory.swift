/// What is remembered of a layout, so that the layout of a changed tree can stay near it: the
/// decoration of each directory, and which of its children stood together in which order.
///
/// A memory holds no rectangles: it fits any size of picture. It belongs to a series of scans of
/// one tree, and each scan makes the next memory from the last. Pictures only read it, or their
/// number and their sizes would show in those that follow.
///
/// The memory of another tree does no harm: what it does not know is laid out afresh.
public struct LayoutMemory: Sendable {
  /// What a layout that reads a memory is for, which decides how much worse its shapes may become
  /// before something moves.
  public enum Use: Hashable, Sendable {
    /// A tree that has changed, in a picture of the same size.
    case rescan
    /// A picture of another size.
    case resize
    /// A picture of a part of the tree.
    case zoom
  }

  /// The width of the picture, at scale 1.
  public let width: Double
  /// The height of the picture, at scale 1.
  public let height: Double
  /// A hash of everything that the layout depended on but its rows and decorations.
  internal let fingerprint: UInt64

  /// A directory: its decoration, and where its children are in ``cells``.
  internal struct Record: Hashable, Sendable {
    internal var decoration: Decoration
    internal var cells: Range<Int>
  }

  /// A child.
  internal struct Cell: Hashable, Sendable {
    internal var identity: UInt64
    /// The position among its siblings by size, aggregates last.
    internal var rank: Int32
    internal var start: TreemapRows.Start
  }

  /// The identities of the directories, in the order of the tree.
  internal let directories: [UInt64]
  /// What is known of each of ``directories``.
  internal let records: [Record]
  /// The children of all directories, those of each in the order of its rows.
  internal let cells: [Cell]
  private let positions: IdentityTable

  /// The identity of every aggregate.
  internal static let aggregate: UInt64 = 0

  internal init(
    width: Double,
    height: Double,
    fingerprint: UInt64,
    directories: [UInt64],
    records: [Record],
    cells: [Cell]
  ) {
    self.width = width
    self.height = height
    self.fingerprint = fingerprint
    self.directories = directories
    self.records = records
    self.cells = cells
    var positions = IdentityTable(capacity: directories.count)
    for (position, directory) in directories.enumerated() { positions.add(directory, position) }
    self.positions = positions
  }
}

extension LayoutMemory {
  /// Remembers a layout.
  internal init(
    of layout: NestedLayout,
    _ tree: LayoutTree,
    _ identities: NodeIdentities,
    width: Double,
    height: Double,
    fingerprint: UInt64
  ) {
    var directories: [UInt64] = []
    var records: [Record] = []
    directories.reserveCapacity(tree.innerCount)
    records.reserveCapacity(tree.innerCount)
    let order = layout.rows.order
    let entries = identities.entries.span
    var ranking = Ranking()
    let cells = Array(capacity: tree.count) { (cells: inout OutputSpan<Cell>) in
      for node in 0..<tree.count where !tree.isLeaf(node) && !tree.isAggregate(node) {
        let children = tree.children(of: node)
        // Where nothing was remembered, it is the order of sizes that rows are made of.
        let isSorted = tree.areByRank(order.span.extracting(children))
        if !isSorted { ranking.rank(node, of: tree, order, at: children) }
        let first = cells.count
        for place in children {
          let child = Int(order[place])
          let position = place - children.lowerBound
          let rank =
            isSorted
            ? Int32(truncatingIfNeeded: position) : ranking.ranks[child - children.lowerBound]
          cells.append(
            Cell(
              identity: tree.isAggregate(child) ? Self.aggregate : entries[child],
              rank: rank,
              start: layout.rows.start(at: place)
            )
          )
        }
        directories.append(identities.parents[node])
        records.append(Record(decoration: layout.decorations[node], cells: first..<cells.count))
      }
    }
    self.init(
      width: width,
      height: height,
      fingerprint: fingerprint,
      directories: directories,
      records: records,
      cells: cells
    )
  }

  /// The number of rectangles that are remembered.
  public var cellCount: Int { cells.count }

  /// Returns whether a directory is remembered with an aggregate among its children.
  public func hasAggregate(in directory: UInt64) -> Bool {
    guard let record = record(of: directory) else { return false }
    return record.cells.contains { cells[$0].identity == Self.aggregate }
  }

  /// Returns whether the memory is of use for a picture of a given size, at scale 1.
  ///
  /// The rows of a wide picture are bad ones for a high picture, which is better laid out afresh.
  public func suits(width: Double, height: Double) -> Bool {
    let change = (width * self.height) / (height * self.width)
    return change <= Self.largestChange && 1 / change <= Self.largestChange
  }

  private static let largestChange = 1.6

  internal func record(of directory: UInt64) -> Record? {
    positions[directory].map { records[$0] }
  }
}

extension LayoutMemory: Equatable {
  /// Whether two memories have the same effect on every layout.
  public static func == (first: LayoutMemory, second: LayoutMemory) -> Bool {
    first.width == second.width && first.height == second.height
      && first.fingerprint == second.fingerprint && first.directories == second.directories
      && first.records == second.records && first.cells == second.cells
  }
}

extension LayoutTree {
  /// Returns whether siblings stand by size, aggregates last, equal ones in the order of the tree.
  fileprivate func areByRank(_ siblings: Span<Int32>) -> Bool {
    var place = 1
    while place < siblings.count {
      let (before, node) = (Int(siblings[place - 1]), Int(siblings[place]))
      place += 1
      let areAggregates = (isAggregate(before), isAggregate(node))
      if areAggregates == (false, true) { continue }
      if areAggregates == (true, false) { return false }
      let isBefore =
        areAggregates.0 || total(of: before) == total(of: node)
        ? before < node : total(of: before) > total(of: node)
      if !isBefore { return false }
    }
    return true
  }
}

/// The positions of siblings by size, aggregates last; equal ones in the order of the tree.
internal struct Ranking {
  private var siblings = Siblings()
  /// The rank of each child of the node that was ranked last, and others behind them.
  internal private(set) var ranks: [Int32] = []
  /// Those children, by rank.
  internal var order: [Int32] { siblings.storage[..<siblings.count].map(\.node) }

  internal init() {}

  /// Ranks the children of a node, which are at `places` of an order that may be near that of their
  /// sizes, which saves time.
  internal mutating func rank(
    _ node: Int,
    of tree: LayoutTree,
    _ order: [Int32],
    at places: Range<Int>
  ) {
    let children = tree.children(of: node)
    siblings.loadSorted(order, at: places, of: tree, weights: tree.totals)
    if ranks.count < children.count {
      ranks.append(contentsOf: repeatElement(0, count: children.count - ranks.count))
    }
    let items = siblings.storage
    for rank in 0..<children.count {
      ranks[Int(items[rank].node) - children.lowerBound] = Int32(truncatingIfNeeded: rank)
    }
  }

  /// Ranks the children of a node.
  internal mutating func rank(_ node: Int, of tree: LayoutTree) {
    siblings.load(tree.children(of: node), of: tree, weights: tree.totals, isSorted: true)
  }
}
