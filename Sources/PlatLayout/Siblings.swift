/// A node and the weight it is placed by.
internal struct WeightedNode {
  internal var weight: Double
  internal var node: Int32
}

/// The children of one node, in the order in which they are placed.
///
/// One value serves a whole layout, so that its storage is allocated once.
internal struct Siblings {
  internal private(set) var items: [WeightedNode] = []
  private var spare: [WeightedNode] = []
  private var aggregates: [WeightedNode] = []

  internal init() {}

  /// Takes some nodes, in the given order.
  internal mutating func load(_ nodes: some Sequence<Int32>, weights: [Double]) {
    removeItems()
    for node in nodes { items.append(WeightedNode(weight: weights[Int(node)], node: node)) }
  }

  /// Takes siblings, in the order of the tree or sorted.
  ///
  /// Sorted means by descending weight, and aggregates after all others. Equal weights keep the
  /// order of the tree.
  internal mutating func load(
    _ nodes: Range<Int>,
    of tree: LayoutTree,
    weights: [Double],
    isSorted: Bool
  ) {
    removeItems()
    let weights = weights.span
    for node in nodes {
      items.append(WeightedNode(weight: weights[node], node: Int32(truncatingIfNeeded: node)))
    }
    if isSorted { sort(in: tree) }
  }

  /// Takes the children of a node at some places of `nodes`, sorted by descending weight, and aggregates after all others.
  ///
  /// Equal weights are in the order of the tree, whatever order they are given in. An order that is
  /// nearly the sorted one, as that of rows mostly is, takes the least time.
  internal mutating func loadSorted(
    _ nodes: [Int32],
    at places: Range<Int>,
    of tree: LayoutTree,
    weights: [Double]
  ) {
    removeItems()
    removeAggregates()
    let flags = tree.aggregateFlags.span
    let weights = weights.span
    let nodes = nodes.span.extracting(places)
    for index in nodes.indices {
      let node = nodes[index]
      let item = WeightedNode(weight: weights[Int(node)], node: node)
      if !flags.isEmpty, flags[Int(node)] { aggregates.append(item) } else { items.append(item) }
    }
    if items.count > 1, !sortByInsertion(moves: Self.fewMoves * items.count) {
      items.sort { $0.node < $1.node }
      sort()
    }
    if aggregates.count > 1 { aggregates.sort { $0.node < $1.node } }
    for aggregate in aggregates { items.append(aggregate) }
  }

  /// How many places an item of a nearly sorted order moves on average, at most.
  private static let fewMoves = 8

  /// Sorts by descending weight, and aggregates after all others.
  private mutating func sort(in tree: LayoutTree) {
    moveAggregates(of: tree)
    sort()
    for aggregate in aggregates { items.append(aggregate) }
  }

  private mutating func removeItems() { Self.removeAll(&items) }

  private mutating func removeAggregates() { Self.removeAll(&aggregates) }

  private static func removeAll(_ nodes: inout [WeightedNode]) {
    // Most directories have few children, for which one by one is faster.
    if nodes.count > 8 { return nodes.removeAll(keepingCapacity: true) }
    while !nodes.isEmpty { nodes.removeLast() }
  }

  /// Moves the aggregates from the items to a list of their own.
  private mutating func moveAggregates(of tree: LayoutTree) {
    removeAggregates()
    let isAggregate = tree.aggregateFlags
    if isAggregate.isEmpty { return }
    // There are few, mostly one and that one last.
    while let last = items.last, isAggregate[Int(last.node)] {
      aggregates.append(items.removeLast())
    }
    for index in items.indices.reversed() where isAggregate[Int(items[index].node)] {
      aggregates.append(items.remove(at: index))
    }
    if aggregates.count > 1 { aggregates.reverse() }
  }

  /// Sorts by descending weight, keeping the order of equal weights.
  private mutating func sort() {
    let isSorted = items.indices.dropFirst().allSatisfy { items[$0 - 1].weight >= items[$0].weight }
    if isSorted { return }
    if items.count <= 32, sortByInsertion(moves: .max) { return }
    sortByDigits()
  }

  /// Sorts by descending weight, equal ones in the order of the tree, unless that takes more than a
  /// number of moves.
  ///
  /// - Returns: Whether the items are sorted.
  private mutating func sortByInsertion(moves: Int) -> Bool {
    var items = items.mutableSpan
    var moves = moves
    for index in items.indices.dropFirst() {
      let item = items[index]
      var hole = index
      while hole > 0, item.precedes(items[hole - 1]) {
        items[hole] = items[hole - 1]
        hole -= 1
      }
      items[hole] = item
      moves -= index - hole
      if moves < 0 { return false }
    }
    return true
  }

  /// Sorts by one byte of the weights after the other, the last first.
  ///
  /// The bits of doubles that are not negative are in the order of their values. Sizes of files are
  /// whole blocks, so that half the bytes are 0 everywhere, and are skipped.
  private mutating func sortByDigits() {
    var differences: UInt64 = 0
    for item in items { differences |= item.weight.bitPattern ^ items[0].weight.bitPattern }
    spare.removeAll(keepingCapacity: true)
    spare.append(contentsOf: items)
    for shift in stride(from: 0, to: UInt64.bitWidth, by: 8)
    where differences >> shift & 0xFF != 0 {
      var places = [256 of Int](repeating: 0)
      for item in items { places[item.digit(at: shift)] += 1 }
      var place = 0
      for digit in places.indices {
        let count = places[digit]
        places[digit] = place
        place += count
      }
      for item in items {
        let digit = item.digit(at: shift)
        spare[places[digit]] = item
        places[digit] += 1
      }
      swap(&items, &spare)
    }
  }
}

extension WeightedNode {
  /// Returns whether the node stands before another of the same parent.
  @inline(__always)
  fileprivate func precedes(_ other: WeightedNode) -> Bool {
    weight > other.weight || (weight == other.weight && node < other.node)
  }

  /// One byte of the weight, such that the largest byte is 0.
  fileprivate func digit(at shift: Int) -> Int {
    Int(truncatingIfNeeded: ~weight.bitPattern >> shift & 0xFF)
  }
}
