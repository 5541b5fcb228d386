/// Restores the rows of directories as they were, with the children that are there now.
///
/// One value serves a whole layout, so that its storage is allocated once.
internal struct RowPatch {
  /// A row: some members that it had, one after the other, and some that are new, in a list.
  private struct Row {
    var isDiced: Bool
    var firstMember: Int
    /// How many members it has, new ones too.
    var count = 0
    var sum = 0.0
    var firstAddition: Int?
    var lastAddition = 0
  }

  private struct Addition {
    var node: Int32
    var next: Int?
  }

  private let tree: LayoutTree
  private let nodes: IdentityTable
  /// Whether each node of the tree is in a row.
  private var isPlaced: [Bool]
  private var rows: [Row] = []
  /// What stays, in the order of the rows.
  private var members: [Int32] = []
  private var additions: [Addition] = []
  /// The row with the aggregate, if there is one.
  private var aggregateRow: Int?
  private var siblings = Siblings()

  /// A directory of which more than this share of the bytes is new is laid out anew.
  private static let largestNewPart = 0.5
  /// Where more than this share of the children is new, they and the small ones are laid out anew.
  private static let largestNewCount = 0.7

  internal init(_ tree: LayoutTree, _ identities: NodeIdentities) {
    var nodes = IdentityTable(capacity: tree.count)
    for node in 0..<tree.count where !tree.isAggregate(node) {
      nodes.add(identities.entries[node], node)
    }
    self.tree = tree
    self.nodes = nodes
    isPlaced = Array(repeating: false, count: tree.count)
  }

  /// Stores the rows of a directory.
  ///
  /// - Returns: How many children have a place in them. The others come after these, in one row.
  internal mutating func restore(
    _ record: LayoutMemory.Record,
    of memory: LayoutMemory,
    to node: Int,
    in treemapRows: inout TreemapRows
  ) -> Int {
    let children = tree.children(of: node)
    recall(memory.cells[record.cells], children)
    let remembered = members.count == children.count ? children.count : addMissing(children)
    var place = children.lowerBound
    for row in rows.indices { store(row, at: &place, in: &treemapRows) }
    return remembered
  }

  /// Takes the rows of a memory, without what has vanished.
  private mutating func recall(_ cells: ArraySlice<LayoutMemory.Cell>, _ children: Range<Int>) {
    rows.removeAll(keepingCapacity: true)
    members.removeAll(keepingCapacity: true)
    additions.removeAll(keepingCapacity: true)
    aggregateRow = nil
    for cell in cells {
      if cell.start != .none { startRow(isDiced: cell.start == .diced) }
      let isAggregate = cell.identity == LayoutMemory.aggregate
      guard let node = isAggregate ? nextAggregate(of: children) : nodes[cell.identity],
        children.contains(node), !isPlaced[node], !rows.isEmpty
      else { continue }
      isPlaced[node] = true
      if isAggregate { aggregateRow = rows.count - 1 }
      members.append(Int32(truncatingIfNeeded: node))
      rows[rows.count - 1].count += 1
    }
    if rows.last?.count == 0 { rows.removeLast() }
  }

  private mutating func startRow(isDiced: Bool) {
    if rows.last?.count == 0 { rows.removeLast() }
    rows.append(Row(isDiced: isDiced, firstMember: members.count))
  }

  private func nextAggregate(of children: Range<Int>) -> Int? {
    children.first { tree.isAggregate($0) && !isPlaced[$0] }
  }

  /// Finds places for what is new, and returns how many children have one.
  private mutating func addMissing(_ children: Range<Int>) -> Int {
    let fresh = children.filter { !isPlaced[$0] }.map { Int32(truncatingIfNeeded: $0) }
    let total = children.reduce(0) { $0 + tree.total(of: $1) }
    let freshTotal = fresh.reduce(0) { $0 + tree.total(of: Int($1)) }
    if rows.isEmpty || freshTotal > Self.largestNewPart * total {
      rows = [Row(isDiced: false, firstMember: 0, count: children.count)]
      members = children.map { Int32(truncatingIfNeeded: $0) }
      return 0
    }
    if Double(fresh.count) > Self.largestNewCount * Double(children.count) {
      return startTail(with: fresh)
    }
    appendEach(fresh)
    return children.count
  }

  /// Puts new nodes and everything from the aggregate on in one row, to be laid out anew.
  private mutating func startTail(with fresh: [Int32]) -> Int {
    let first = aggregateRow ?? rows.count
    let kept = first < rows.count ? rows[first].firstMember : members.count
    rows.removeSubrange(first...)
    members += fresh
    rows.append(Row(isDiced: false, firstMember: kept, count: members.count - kept))
    return kept
  }

  /// Appends each new node to the row whose members have about its size.
  private mutating func appendEach(_ fresh: [Int32]) {
    siblings.loadSorted(fresh, at: fresh.indices, of: tree, weights: tree.totals)
    for row in rows.indices {
      let first = rows[row].firstMember
      for place in first..<first + rows[row].count {
        rows[row].sum += tree.total(of: Int(members[place]))
      }
    }
    for item in siblings.storage[..<siblings.count] {
      var best = rows.count - 1
      var bestRatio = Double.infinity
      for row in rows.indices {
        let mean = rows[row].sum / Double(rows[row].count)
        let ratio = max(item.weight / mean, mean / item.weight)
        // Of equals the later row; NaN, of sizes of 0, loses every comparison.
        if ratio <= bestRatio { (best, bestRatio) = (row, ratio) }
      }
      append(item, to: best)
    }
  }

  private mutating func append(_ item: WeightedNode, to row: Int) {
    let addition = additions.count
    additions.append(Addition(node: item.node, next: nil))
    if rows[row].firstAddition == nil {
      rows[row].firstAddition = addition
    } else {
      additions[rows[row].lastAddition].next = addition
    }
    rows[row].lastAddition = addition
    rows[row].count += 1
    rows[row].sum += item.weight
  }

  /// Stores a row from a place on, and moves on to the place after it.
  private func store(_ index: Int, at place: inout Int, in treemapRows: inout TreemapRows) {
    let row = rows[index]
    let end = index + 1 < rows.count ? rows[index + 1].firstMember : members.count
    var start: TreemapRows.Start = row.isDiced ? .diced : .sliced
    for member in members[row.firstMember..<end] {
      treemapRows.set(member, at: place, start)
      start = .none
      place += 1
    }
    var next = row.firstAddition
    while let addition = next {
      treemapRows.set(additions[addition].node, at: place, .none)
      next = additions[addition].next
      place += 1
    }
  }
}
