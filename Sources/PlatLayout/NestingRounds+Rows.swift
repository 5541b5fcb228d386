/// How much worse than new rows the rows of a directory may become before they are replaced.
///
/// Moving is a matter of what is seen: a small directory is put in order at little cost to the eye,
/// a large one keeps its arrangement longer.
internal struct RowTolerance {
  /// The cost of the rows of a tiny directory, in costs of new rows.
  private static let least = 1.1
  /// The side of a directory that gets the full tolerance, in sides of the picture.
  private static let span = 0.3

  private let most: Double

  internal init(for use: LayoutMemory.Use) {
    most =
      switch use {
      case .rescan: 1.6
      case .resize: 2.5
      case .zoom: 2
      }
  }

  /// Returns the tolerance for the rows of a directory, given its rectangle and that of the root.
  internal func factor(for rect: Rect, in bounds: Rect) -> Double {
    guard bounds.area > 0 else { return most }
    let side = (rect.area / bounds.area).squareRoot()
    return Self.least + (most - Self.least) * min(1, side / Self.span)
  }
}

extension NestingRounds {
  /// Makes squarified rows of the children that stand in no remembered one.
  ///
  /// Fresh children are in the order of the tree.
  internal mutating func chooseRows(of node: Int, in space: RowSpace, isFresh: Bool) {
    let children = tree.children(of: node)
    let remembered = Int(rememberedChildren[node])
    if remembered == children.count { return }
    // Most directories of a large tree show but one child, for which there is no choice.
    if children.count == 1 {
      let start: TreemapRows.Start = space.width < space.height ? .diced : .sliced
      return rows.set(
        Int32(truncatingIfNeeded: children.lowerBound),
        at: children.lowerBound,
        start
      )
    }
    if children.count == 2, isFresh { return choosePair(children, in: space) }
    squarifyRows(from: children.lowerBound + remembered, of: children, in: space, isFresh: isFresh)
  }

  /// Makes squarified rows of two children, which most of the other directories show.
  private mutating func choosePair(_ children: Range<Int>, in space: RowSpace) {
    let (one, other) = (children.lowerBound, children.lowerBound + 1)
    let isSorted =
      tree.isAggregate(one) == tree.isAggregate(other)
      ? tree.isAggregate(one) || needs[one] >= needs[other] : tree.isAggregate(other)
    let (first, second) = isSorted ? (one, other) : (other, one)
    let items: [2 of WeightedNode] = [
      WeightedNode(weight: needs[first], node: Int32(truncatingIfNeeded: first)),
      WeightedNode(weight: needs[second], node: Int32(truncatingIfNeeded: second)),
    ]
    rows.set(items.span, at: children.lowerBound, in: space)
  }

  /// Replaces rows whose shapes are too bad, as few as will do, and returns whether it did.
  internal mutating func improveRows(
    of node: Int,
    in space: RowSpace,
    tolerance: Double
  ) -> Bool {
    let children = tree.children(of: node)
    if children.count == 1 || areNew(children, in: space) { return false }
    let present = cost(of: children, in: space)
    // No rows cost less than squares, which cost 1. Written so that it is false for NaN, the cost of
    // siblings without any need.
    guard present > tolerance else { return false }
    let fresh = costOfNewRows(of: children, in: space)
    guard present > tolerance * fresh else { return false }

    let part = 0.5  // Repairs go half way, or the next change would bring the next one.
    let goal = (1 + (tolerance - 1) * part) * fresh
    var starts: [Int] = []
    var ignored = space
    ignored.take(rows, of: children, upTo: children.upperBound, needs: needs) { row, _ in
      starts.append(row.lowerBound)
    }
    for start in starts.dropFirst().reversed() {
      squarifyRows(from: start, of: children, in: space)
      if cost(of: children, in: space) <= goal { return true }
    }
    squarifyRows(from: children.lowerBound, of: children, in: space)
    return true
  }

  /// Makes squarified rows of the children from a place on, in what the rows before leave.
  private mutating func squarifyRows(
    from place: Int,
    of children: Range<Int>,
    in space: RowSpace,
    isFresh: Bool = false
  ) {
    var rest = space
    rest.take(rows, of: children, upTo: place, needs: needs)
    let places = place..<children.upperBound
    if isFresh {
      siblings.load(places, of: tree, weights: needs, isSorted: true)
    } else {
      siblings.loadSorted(rows.order, at: places, of: tree, weights: needs)
    }
    rows.set(siblings, at: place, in: rest)
  }

  /// Returns whether siblings stand in the rows that new ones would be.
  ///
  /// Most do, and need no look at what either costs.
  private mutating func areNew(_ children: Range<Int>, in space: RowSpace) -> Bool {
    siblings.load(rows.order, at: children, ifSortedIn: tree, weights: needs)
      && rows.areSquarified(siblings, at: children, in: space)
  }

  private mutating func costOfNewRows(of children: Range<Int>, in space: RowSpace) -> Double {
    // What there is is nearly sorted, as a rule.
    siblings.loadSorted(rows.order, at: children, of: tree, weights: needs)
    var cost = ShapeCost()
    var space = space
    space.squarify(siblings.storage.span.extracting(first: siblings.count)) { row, items, strip in
      let shape = ShapeCost.Strip(strip)
      for index in row { cost.add(items[index].weight, in: shape) }
    }
    return cost.value
  }

  private func cost(of children: Range<Int>, in space: RowSpace) -> Double {
    var space = space
    var cost = ShapeCost()
    let needs = needs.span
    let order = rows.order.span
    var place = children.lowerBound
    while place < children.upperBound {
      let row = rows.row(from: place, in: children)
      var sum = 0.0
      for place in row { sum += needs[Int(order[place])] }
      let strip = ShapeCost.Strip(space.take(sum, isDiced: rows.isDiced(at: place)))
      for place in row { cost.add(needs[Int(order[place])], in: strip) }
      place = row.upperBound
    }
    return cost.value
  }
}

// MARK: Memory

extension NestingRounds {
  /// Takes over the decorations and rows of an earlier layout.
  internal mutating func recall(_ memory: LayoutMemory, _ identities: NodeIdentities) {
    var patch = RowPatch(tree, identities)
    if isDecorated { openAll() }
    for node in 0..<tree.count where !tree.isLeaf(node) && !tree.isAggregate(node) {
      guard let record = memory.record(of: identities.parents[node]) else { continue }
      if node > 0, isDecorated {
        decorations[node] = record.decoration
        hasRememberedDecoration[node] = true
      }
      let remembered = patch.restore(record, of: memory, to: node, in: &rows)
      rememberedChildren[node] = Int32(truncatingIfNeeded: remembered)
    }
  }
}
