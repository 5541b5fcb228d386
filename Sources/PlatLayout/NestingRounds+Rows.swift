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
  internal mutating func chooseRows(of node: Int, in space: RowSpace) {
    let children = tree.children(of: node)
    let remembered = Int(rememberedChildren[node])
    if remembered == children.count { return }
    if remembered == 0 {
      siblings.load(node, of: tree, weights: needs, isSorted: true)
      rows.set(siblings, at: children.lowerBound, in: space)
    } else {
      squarifyRows(from: children.lowerBound + remembered, of: children, in: space)
    }
  }

  /// Replaces rows whose shapes are too bad, as few as will do, and returns whether it did.
  internal mutating func improveRows(
    of node: Int,
    in space: RowSpace,
    tolerance: Double
  ) -> Bool {
    let children = tree.children(of: node)
    siblings.load(node, of: tree, weights: needs, isSorted: true)
    var fresh = ShapeCost()
    var freshSpace = space
    freshSpace.squarify(siblings.items.span) { row, items, strip in
      for index in row { fresh.add(items[index].weight, in: strip) }
    }
    // Written so that it is false for NaN, the cost of siblings without any need.
    guard cost(of: children, in: space) > tolerance * fresh.value else { return false }

    let part = 0.5  // Repairs go half way, or the next change would bring the next one.
    let goal = (1 + (tolerance - 1) * part) * fresh.value
    var starts: [Int] = []
    var ignored = space
    ignored.take(rows, of: children, upTo: children.upperBound, needs: needs) { row, _ in
      starts.append(row.lowerBound)
    }
    for start in starts.dropFirst().reversed() {
      squarifyRows(from: start, of: children, in: space)
      if cost(of: children, in: space) <= goal { return true }
    }
    siblings.load(node, of: tree, weights: needs, isSorted: true)
    rows.set(siblings, at: children.lowerBound, in: space)
    return true
  }

  /// Makes squarified rows of the children from a place on, in what the rows before leave.
  private mutating func squarifyRows(
    from place: Int,
    of children: Range<Int>,
    in space: RowSpace
  ) {
    var rest = space
    rest.take(rows, of: children, upTo: place, needs: needs)
    siblings.loadSorted(rows.order[place..<children.upperBound], of: tree, weights: needs)
    rows.set(siblings, at: place, in: rest)
  }

  private func cost(of children: Range<Int>, in space: RowSpace) -> Double {
    var space = space
    var cost = ShapeCost()
    let needs = needs
    let order = rows.order.span
    space.take(rows, of: children, upTo: children.upperBound, needs: needs) { row, strip in
      for place in row { cost.add(needs[Int(order[place])], in: strip) }
    }
    return cost.value
  }
}

// MARK: Memory

extension NestingRounds {
  /// Takes over the decorations and rows of an earlier layout.
  internal mutating func recall(_ memory: LayoutMemory, _ identities: NodeIdentities) {
    var nodes = IdentityTable(capacity: tree.count)
    for node in 0..<tree.count where !tree.isAggregate(node) {
      nodes.add(identities.entries[node], node)
    }
    for node in 0..<tree.count where !tree.isLeaf(node) && !tree.isAggregate(node) {
      guard let record = memory.record(of: identities.parents[node]) else { continue }
      if node > 0 {
        decorations[node] = record.decoration
        hasRememberedDecoration[node] = true
      }
      let children = tree.children(of: node)
      var patch = RowPatch(tree, children)
      patch.recall(memory, record, nodes)
      rememberedChildren[node] = Int32(truncatingIfNeeded: patch.finish())
      var place = children.lowerBound
      for row in patch.rows {
        rows.set(row.nodes, at: place, isDiced: row.isDiced)
        place += row.nodes.count
      }
    }
  }
}
