/// The rows of a directory's children as they were, with those that are there now.
internal struct RowPatch {
  internal struct Row {
    internal var isDiced: Bool
    internal var nodes: [Int32] = []
  }

  internal private(set) var rows: [Row] = []
  private let tree: LayoutTree
  private let children: Range<Int>
  /// Whether each child is in a row.
  private var isPlaced: [Bool]
  /// The row with the aggregate, if there is one.
  private var aggregateRow: Int?

  /// A directory of which more than this share of the bytes is new is laid out anew.
  private static let largestNewPart = 0.5
  /// Where more than this share of the children is new, they and the small ones are laid out anew.
  private static let largestNewCount = 0.7

  internal init(_ tree: LayoutTree, _ children: Range<Int>) {
    self.tree = tree
    self.children = children
    isPlaced = Array(repeating: false, count: children.count)
  }

  /// Takes the rows of a memory, without what has vanished.
  ///
  /// `nodes` finds the node with an identity.
  internal mutating func recall(
    _ memory: LayoutMemory,
    _ record: LayoutMemory.Record,
    _ nodes: IdentityTable
  ) {
    for place in record.cells {
      let cell = memory.cells[place]
      if cell.start != .none {
        if rows.last?.nodes.isEmpty == true { rows.removeLast() }
        rows.append(Row(isDiced: cell.start == .diced))
      }
      let isAggregate = cell.identity == LayoutMemory.aggregate
      guard let node = isAggregate ? nextAggregate : nodes[cell.identity],
        children.contains(node), !isPlaced[node - children.lowerBound]
      else { continue }
      isPlaced[node - children.lowerBound] = true
      if isAggregate { aggregateRow = rows.count - 1 }
      rows[rows.count - 1].nodes.append(Int32(truncatingIfNeeded: node))
    }
    if rows.last?.nodes.isEmpty == true { rows.removeLast() }
  }

  private var nextAggregate: Int? {
    children.first { tree.isAggregate($0) && !isPlaced[$0 - children.lowerBound] }
  }

  /// Finds places for what is new, and returns how many children have one.
  ///
  /// Those that have none are in no row, and come after the others.
  internal mutating func finish() -> Int {
    let fresh = children.filter { !isPlaced[$0 - children.lowerBound] }
    let total = children.reduce(0) { $0 + tree.total(of: $1) }
    let freshTotal = fresh.reduce(0) { $0 + tree.total(of: $1) }
    if rows.isEmpty || freshTotal > Self.largestNewPart * total {
      rows = [Row(isDiced: false, nodes: children.map { Int32(truncatingIfNeeded: $0) })]
      return 0
    }
    if Double(fresh.count) > Self.largestNewCount * Double(children.count) {
      return startTail(with: fresh)
    }
    appendEach(fresh)
    return children.count
  }

  /// Puts new nodes and everything from the aggregate on in one row, to be laid out anew.
  private mutating func startTail(with fresh: [Int]) -> Int {
    let first = aggregateRow ?? rows.count
    let old = rows[first...].flatMap(\.nodes)
    rows.removeSubrange(first...)
    let tail = old + fresh.map { Int32(truncatingIfNeeded: $0) }
    rows.append(Row(isDiced: false, nodes: tail))
    return children.count - tail.count
  }

  /// Appends each new node to the row whose members have about its size.
  private mutating func appendEach(_ fresh: [Int]) {
    var siblings = Siblings()
    siblings.loadSorted(
      fresh.map { Int32(truncatingIfNeeded: $0) },
      of: tree,
      weights: tree.totals
    )
    var sums = rows.map { row in row.nodes.reduce(0) { $0 + tree.total(of: Int($1)) } }
    for item in siblings.items {
      var best = rows.count - 1
      var bestRatio = Double.infinity
      for row in rows.indices {
        let mean = sums[row] / Double(rows[row].nodes.count)
        let ratio = max(item.weight / mean, mean / item.weight)
        // Of equals the later row; NaN, of sizes of 0, loses every comparison.
        if ratio <= bestRatio { (best, bestRatio) = (row, ratio) }
      }
      rows[best].nodes.append(item.node)
      sums[best] += item.weight
    }
  }
}
