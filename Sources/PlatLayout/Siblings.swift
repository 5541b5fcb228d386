/// A node and the weight it is placed by.
internal struct WeightedNode {
  internal var weight: Double
  internal var node: Int32
}

/// The children of one node, in the order in which they are placed.
///
/// One value serves a whole layout, so that its storage is allocated once. Most nodes have few children,
/// for which making an array longer and shorter again would cost more than all else.
internal struct Siblings {
  /// The first ``count`` are the siblings; behind them is room that was used before.
  internal private(set) var storage: [WeightedNode] = []
  /// The number of siblings.
  internal private(set) var count = 0
  private var spare: [WeightedNode] = []

  internal init() {}

  /// Takes some nodes, in the given order.
  internal mutating func load(_ nodes: ArraySlice<Int32>, weights: [Double]) {
    makeRoom(for: nodes.count)
    for (index, node) in nodes.enumerated() {
      storage[index] = WeightedNode(weight: weights[Int(node)], node: node)
    }
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
    makeRoom(for: nodes.count)
    let hasAggregates = isSorted && !tree.aggregateFlags.isEmpty
    var sorted = nodes.count
    if hasAggregates {
      sorted = take(nodes, unless: tree.aggregateFlags.span, weights.span)
    } else {
      fill(with: nodes, weights.span)
    }
    if isSorted { sort(first: sorted) }
    if sorted < count {
      takeAggregates(among: nodes, tree.aggregateFlags.span, weights.span, at: sorted)
    }
  }

  /// Takes the children of a node at some places of `nodes`, sorted by descending weight, and aggregates
  /// after all others.
  ///
  /// Equal weights are in the order of the tree, whatever order they are given in. An order that is
  /// nearly the sorted one, as that of rows mostly is, takes the least time.
  internal mutating func loadSorted(
    _ nodes: [Int32],
    at places: Range<Int>,
    of tree: LayoutTree,
    weights: [Double]
  ) {
    makeRoom(for: places.count)
    let sorted = take(nodes.span.extracting(places), unless: tree.aggregateFlags.span, weights.span)
    if !sortByInsertion(first: sorted, moves: Self.fewMoves * sorted) {
      storage[..<sorted].sort { $0.node < $1.node }
      sort(first: sorted)
    }
    if sorted == count { return }
    var place = sorted
    for index in places where tree.isAggregate(Int(nodes[index])) {
      storage[place] = WeightedNode(weight: weights[Int(nodes[index])], node: nodes[index])
      place += 1
    }
    if place - sorted > 1 { storage[sorted..<place].sort { $0.node < $1.node } }
  }

  /// Takes the children of a node at some places of `nodes`, if they are in the order in which
  /// ``loadSorted(_:at:of:weights:)`` takes them.
  ///
  /// - Returns: Whether they are.
  internal mutating func load(
    _ nodes: [Int32],
    at places: Range<Int>,
    ifSortedIn tree: LayoutTree,
    weights: [Double]
  ) -> Bool {
    makeRoom(for: places.count)
    let (nodes, flags, weights) = (
      nodes.span.extracting(places), tree.aggregateFlags.span, weights.span
    )
    var items = storage.mutableSpan
    var last = WeightedNode(weight: .infinity, node: -1)
    var isLastAggregate = false
    for index in nodes.indices {
      let node = Int(nodes[index])
      let item = WeightedNode(weight: weights[node], node: nodes[index])
      let isAggregate = !flags.isEmpty && flags[node]
      let isInOrder =
        isAggregate
        ? !isLastAggregate || last.node < item.node : !isLastAggregate && last.precedes(item)
      guard isInOrder else { return false }
      items[index] = item
      (last, isLastAggregate) = (item, isAggregate)
    }
    return true
  }

  /// How many places an item of a nearly sorted order moves on average, at most.
  private static let fewMoves = 8

  private mutating func makeRoom(for count: Int) {
    self.count = count
    if storage.count >= count { return }
    let more = max(count, 2 * storage.count, 16) - storage.count
    storage.append(contentsOf: repeatElement(WeightedNode(weight: 0, node: 0), count: more))
  }

  /// Takes all nodes.
  private mutating func fill(with nodes: Range<Int>, _ weights: Span<Double>) {
    var items = storage.mutableSpan
    for node in nodes {
      items[node - nodes.lowerBound] = WeightedNode(
        weight: weights[node],
        node: Int32(truncatingIfNeeded: node)
      )
    }
  }

  /// Takes the nodes that have no flag, and returns their number.
  private mutating func take(
    _ nodes: Range<Int>,
    unless flags: Span<Bool>,
    _ weights: Span<Double>
  ) -> Int {
    var items = storage.mutableSpan
    var place = 0
    for node in nodes where !flags[node] {
      items[place] = WeightedNode(weight: weights[node], node: Int32(truncatingIfNeeded: node))
      place += 1
    }
    return place
  }

  /// Takes the nodes that have no flag, and returns their number.
  private mutating func take(
    _ nodes: Span<Int32>,
    unless flags: Span<Bool>,
    _ weights: Span<Double>
  ) -> Int {
    var items = storage.mutableSpan
    var place = 0
    for index in nodes.indices {
      let node = nodes[index]
      if !flags.isEmpty, flags[Int(node)] { continue }
      items[place] = WeightedNode(weight: weights[Int(node)], node: node)
      place += 1
    }
    return place
  }

  /// Takes the nodes that have a flag, to places up to the last one.
  private mutating func takeAggregates(
    among nodes: Range<Int>,
    _ flags: Span<Bool>,
    _ weights: Span<Double>,
    at start: Int
  ) {
    // There are few, mostly one and that one last.
    var place = count
    var items = storage.mutableSpan
    var node = nodes.upperBound
    while place > start {
      node -= 1
      if !flags[node] { continue }
      place -= 1
      items[place] = WeightedNode(weight: weights[node], node: Int32(truncatingIfNeeded: node))
    }
  }

  /// Sorts the first items by descending weight, keeping the order of equal weights, which is that of the
  /// tree.
  private mutating func sort(first count: Int) {
    if count <= 32 {
      _ = sortByInsertion(first: count, moves: .max)
    } else if !isSorted(first: count) {
      sortByDigits(first: count)
    }
  }

  private func isSorted(first count: Int) -> Bool {
    let items = storage.span
    var index = 1
    while index < count, items[index - 1].weight >= items[index].weight { index += 1 }
    return index >= count
  }

  /// Sorts the first items by descending weight, equal ones in the order of the tree, unless that takes
  /// more than a number of moves.
  ///
  /// - Returns: Whether the items are sorted.
  private mutating func sortByInsertion(first count: Int, moves: Int) -> Bool {
    var items = storage.mutableSpan
    var moves = moves
    var index = 1
    while index < count {
      let item = items[index]
      var hole = index
      while hole > 0, item.precedes(items[hole - 1]) {
        items[hole] = items[hole - 1]
        hole -= 1
      }
      if hole < index { items[hole] = item }
      moves -= index - hole
      if moves < 0 { return false }
      index += 1
    }
    return true
  }

  /// Sorts the first items by one byte of the weights after the other, the last first.
  ///
  /// The bits of doubles that are not negative are in the order of their values. Sizes of files are
  /// whole blocks, so that half the bytes are 0 everywhere, and are skipped.
  private mutating func sortByDigits(first count: Int) {
    var differences: UInt64 = 0
    for item in storage[..<count] {
      differences |= item.weight.bitPattern ^ storage[0].weight.bitPattern
    }
    let more = max(storage.count - spare.count, 0)
    spare.append(contentsOf: repeatElement(WeightedNode(weight: 0, node: 0), count: more))
    for shift in stride(from: 0, to: UInt64.bitWidth, by: 8)
    where differences >> shift & 0xFF != 0 {
      var places = [256 of Int](repeating: 0)
      for item in storage[..<count] { places[item.digit(at: shift)] += 1 }
      var place = 0
      for digit in places.indices {
        let count = places[digit]
        places[digit] = place
        place += count
      }
      for item in storage[..<count] {
        let digit = item.digit(at: shift)
        spare[places[digit]] = item
        places[digit] += 1
      }
      swap(&storage, &spare)
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
