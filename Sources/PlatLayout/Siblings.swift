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

  internal init() {}

  /// Takes some nodes, in the given order.
  internal mutating func load(_ nodes: some Sequence<Int32>, weights: [Double]) {
    items.removeAll(keepingCapacity: true)
    for node in nodes { items.append(WeightedNode(weight: weights[Int(node)], node: node)) }
  }

  /// Takes the children of a node, in the order of the tree or sorted.
  ///
  /// Sorted means by descending weight, and aggregates after all others. Equal weights keep the order
  /// of the tree.
  internal mutating func load(
    _ node: Int,
    of tree: LayoutTree,
    weights: [Double],
    isSorted: Bool
  ) {
    let children = tree.children(of: node)
    items.removeAll(keepingCapacity: true)
    for child in children {
      items.append(WeightedNode(weight: weights[child], node: Int32(truncatingIfNeeded: child)))
    }
    guard isSorted else { return }
    if tree.aggregateFlags.isEmpty {
      sort()
    } else {
      let isAggregate = tree.aggregateFlags
      let aggregates = items.filter { isAggregate[Int($0.node)] }
      if !aggregates.isEmpty { items.removeAll { isAggregate[Int($0.node)] } }
      sort()
      items.append(contentsOf: aggregates)
    }
  }

  /// Sorts by descending weight, keeping the order of equal weights.
  private mutating func sort() {
    if items.count <= 24 {
      sortByInsertion()
    } else {
      items.sort { $0.weight != $1.weight ? $0.weight > $1.weight : $0.node < $1.node }
    }
  }

  private mutating func sortByInsertion() {
    for index in items.indices.dropFirst() {
      let item = items[index]
      var hole = index
      while hole > 0, items[hole - 1].weight < item.weight {
        items[hole] = items[hole - 1]
        hole -= 1
      }
      items[hole] = item
    }
  }
}
