/// A nested treemap on its way to true areas.
///
/// The *structure* of the layout is the decoration of each node and the rows of its children. With
/// the structure kept, rectangles depend on needs alone. *Solving* finds needs and rectangles that
/// agree, always from the same start: so a solved layout is a function of the tree, the bounds and
/// the structure, however that structure was reached. Decisions are made on solved layouts only.
///
/// Where no decoration has room, needs are in proportion to weights, whatever the rows are. Such a
/// node is *closed*: nothing at or below it is looked at before all needs are final, which leaves few
/// nodes of a large tree for the rounds.
internal struct NestingRounds {
  internal let tree: LayoutTree
  private let decorator: Decorator
  internal let isDecorated: Bool
  internal let stretch: Double
  /// The nodes that have children, in the order of the tree.
  private let innerNodes: [InnerNode]
  /// The positions of the inner nodes that are not closed, in the order of the tree.
  private var openNodes: [Int32]
  /// Whether each inner node is known to have no decoration at or below it.
  private var isBare: [Bool]
  /// What each node is to get of its parent, in proportion to what its siblings get.
  internal var needs: [Double]
  internal var rects: [Rect]
  internal var decorations: [Decoration]
  internal var rows: TreemapRows
  internal var siblings = Siblings()

  /// How many children of each node stand in rows that are remembered, the first ones.
  internal var rememberedChildren: [Int32]
  /// Whether the decoration of each node is remembered.
  internal var hasRememberedDecoration: [Bool]
  /// Whether all children of each node stand in rows.
  private var hasRows: [Bool]
  /// The shape of the space for which the rows of each node were last found good; NaN if they were not.
  private var settledShapes: [Double]
  private var solver: NeedSolver
  private var solutionCount = 0

  /// What placing does with the structure.
  private enum Mode {
    /// It chooses what is not remembered, as far as needs depend on it.
    case sketch
    /// It chooses what is not remembered, but not below what has no room for decorations.
    case choose
    /// It replaces what does not fit any more, seen from what there is.
    case improve
  }

  /// How often needs are updated to solve a layout.
  ///
  /// After 8 times, the areas of some trees with many frames were still half a percent off.
  private static let passes = 12
  /// How often a layout is solved; experiments came to rest after 3 on average.
  private static let solutionLimit = 8

  internal init(tree: LayoutTree, bounds: Rect, options: NestedTreemap) {
    self.tree = tree
    decorator = Decorator(scale: options.scale, medium: options.medium)
    solver = NeedSolver(decorator)
    isDecorated = options.isDecorated
    stretch = options.stretch
    innerNodes = InnerNode.all(of: tree)
    openNodes = tree.isLeaf(0) ? [] : [0]
    isBare = Array(repeating: true, count: innerNodes.count)
    needs = tree.totals
    rects = Array(repeating: .zero, count: tree.count)
    rects[0] = bounds
    decorations = Array(repeating: .none, count: tree.count)
    rows = TreemapRows(of: tree)
    rememberedChildren = Array(repeating: 0, count: tree.count)
    hasRememberedDecoration = Array(repeating: false, count: tree.count)
    hasRows = Array(repeating: false, count: tree.count)
    settledShapes = Array(repeating: .nan, count: tree.count)
  }
}

extension NestingRounds {
  /// Finds a structure that suits its own solution.
  ///
  /// - Parameters:
  ///   - tolerance: How much worse than new rows the rows that there are may be.
  ///   - isUnchanged: Returns whether the structure is known to suit the tree as it is.
  internal mutating func settle(tolerance: RowTolerance, isUnchanged: () -> Bool) {
    guard isDecorated else {
      // Without decorations, needs are the weights.
      placeAll(isUnchanged() ? nil : tolerance)
      solutionCount = 1
      return
    }
    chooseMissing(tolerance)
    while true {
      solve()
      solutionCount += 1
      if isUnchanged() { return placeAll(nil) }
      if solutionCount == Self.solutionLimit { break }
      guard placeOpenNodes(.improve, tolerance) else { break }
    }
    placeAll(tolerance)
  }

  /// Chooses all structure that is not remembered.
  private mutating func chooseMissing(_ tolerance: RowTolerance) {
    let isAnyMissing = innerNodes.contains { inner in
      rememberedChildren[inner.node] < tree.children(of: inner.node).count
    }
    guard isAnyMissing else { return }
    for _ in 0..<3 {
      placeOpenNodes(.sketch, tolerance)
      updateNeeds()
    }
    placeOpenNodes(.choose, tolerance)
  }

  /// Finds needs that agree with the rectangles that they give.
  private mutating func solve() {
    solver.load(tree, decorations: decorations, rows: rows, in: rects[0], isPlain: plainNodes())
    solver.solve(passes: Self.passes, tree, into: &needs)
  }

  /// Returns for each node whether it has no decoration at or below it.
  ///
  /// Those that are closed have none.
  private func plainNodes() -> [Bool] {
    var isPlain = Array(repeating: true, count: tree.count)
    for index in openNodes.reversed() {
      let inner = innerNodes[Int(index)]
      if decorations[inner.node] != .none { isPlain[inner.node] = false }
      if !isPlain[inner.node] { isPlain[inner.parent] = false }
    }
    return isPlain
  }

  /// Sets the rectangles of all open nodes and their children from the needs, parents first.
  ///
  /// - Returns: Whether the structure that needs depend on has changed.
  @discardableResult
  private mutating func placeOpenNodes(_ mode: Mode, _ tolerance: RowTolerance) -> Bool {
    openNodes.removeAll(keepingCapacity: true)
    if !tree.isLeaf(0) { openNodes.append(0) }
    var hasChanged = false
    var next = 0
    while next < openNodes.count {
      let inner = innerNodes[Int(openNodes[next])]
      let node = inner.node
      next += 1
      if node > 0, !tree.isAggregate(node) {
        hasChanged = updateDecoration(of: node, atDepth: inner.depth, mode) || hasChanged
      }
      if mode == .sketch, !inner.hasInnerChildren { continue }
      let box = content(of: inner)
      let children = tree.children(of: node)
      let total = needs.span.extracting(children).sum
      let space = RowSpace(width: box.width / stretch, height: box.height, need: total)
      hasChanged = updateRows(of: inner, in: space, mode, tolerance) || hasChanged
      if !inner.hasInnerChildren { continue }
      placeSiblings(children, in: rows, needs: needs, total: total, box: box, into: &rects)
      for child in inner.children {
        if isTooSmall(innerNodes[child].node, mode) {
          if !isBare[child] { hasChanged = close(child) || hasChanged }
        } else {
          isBare[child] = false
          openNodes.append(Int32(truncatingIfNeeded: child))
        }
      }
    }
    return hasChanged
  }

  /// Has all nodes looked at, as any may have a decoration that is remembered.
  internal mutating func openAll() {
    openNodes = Array(0..<Int32(truncatingIfNeeded: innerNodes.count))
    isBare = Array(repeating: false, count: innerNodes.count)
  }

  /// Takes the decorations at and below an inner node away, and returns whether there were any.
  private mutating func close(_ index: Int) -> Bool {
    var hasChanged = false
    // The children of neighbours are neighbours, so each level is one range.
    var level = index..<index + 1
    while let first = level.first, let last = level.last {
      for index in level {
        isBare[index] = true
        if decorations[innerNodes[index].node] == .none { continue }
        decorations[innerNodes[index].node] = .none
        hasChanged = true
      }
      level = innerNodes[first].children.lowerBound..<innerNodes[last].children.upperBound
    }
    return hasChanged
  }

  /// Sets all rectangles from needs that are final, parents first.
  ///
  /// - Parameter tolerance: How much worse than new rows those may be that needs do not depend on;
  ///   `nil` to keep them all.
  private mutating func placeAll(_ tolerance: RowTolerance?) {
    let isPlain = tolerance == nil ? [] : plainNodes()
    for inner in innerNodes {
      let node = inner.node
      let box = content(of: inner)
      let children = tree.children(of: node)
      let total = needs.span.extracting(children).sum
      if let tolerance {
        let space = RowSpace(width: box.width / stretch, height: box.height, need: total)
        finishRows(of: node, in: space, tolerance, isPlain: isPlain[node])
      }
      placeSiblings(children, in: rows, needs: needs, total: total, box: box, into: &rects)
    }
  }

  /// Returns what the decoration of a node leaves of its rectangle.
  @inline(__always)
  private func content(of inner: InnerNode) -> Rect {
    decorator.content(of: rects[inner.node], in: decorations[inner.node], atDepth: inner.depth)
  }

  /// Returns whether nothing at or below a node can have a decoration.
  private func isTooSmall(_ node: Int, _ mode: Mode) -> Bool {
    // What is remembered is not given up before needs are known.
    guard mode == .improve || decorations[node] == .none || !hasRememberedDecoration[node] else {
      return false
    }
    return decorator.hasNoRoom(in: rects[node])
  }

  /// Chooses or improves the rows of a node on which needs may depend, and returns whether they have
  /// changed.
  private mutating func updateRows(
    of inner: InnerNode,
    in space: RowSpace,
    _ mode: Mode,
    _ tolerance: RowTolerance
  ) -> Bool {
    let node = inner.node
    if mode != .improve || !hasRows[node] {
      let isFresh = !hasRows[node] && rememberedChildren[node] == 0
      chooseRows(of: node, in: space, isFresh: isFresh)
      hasRows[node] = true
      // Rows that are remembered, in part or in whole, have yet to be looked at.
      if rememberedChildren[node] == 0, mode != .sketch { settle(node, in: space) }
    }
    guard mode == .improve, inner.hasInnerChildren || !isSettled(node, in: space) else {
      return false
    }
    settle(node, in: space)
    let factor = tolerance.factor(for: rects[node], in: rects[0])
    return improveRows(of: node, in: space, tolerance: factor)
  }

  /// Chooses or improves the rows of a node where that changes no need.
  private mutating func finishRows(
    of node: Int,
    in space: RowSpace,
    _ tolerance: RowTolerance,
    isPlain: Bool
  ) {
    let hadRows = hasRows[node]
    if !hadRows {
      chooseRows(of: node, in: space, isFresh: rememberedChildren[node] == 0)
      hasRows[node] = true
    }
    guard isPlain, hadRows || rememberedChildren[node] > 0, !isSettled(node, in: space) else {
      return
    }
    let factor = tolerance.factor(for: rects[node], in: rects[0])
    _ = improveRows(of: node, in: space, tolerance: factor)
  }

  /// Returns whether the rows of a node were found good for a space of about this shape.
  ///
  /// Where needs are in proportion to weights, the cost of rows depends on the shape alone, and
  /// changes by no larger share than the shape does.
  private func isSettled(_ node: Int, in space: RowSpace) -> Bool {
    let largestChange = 0.02  // Rows are replaced for a tenth, at the least.
    let settled = settledShapes[node]
    return abs(space.width / space.height - settled) <= largestChange * settled
  }

  private mutating func settle(_ node: Int, in space: RowSpace) {
    settledShapes[node] = space.width / space.height
  }

  /// Chooses the decoration of a node, and returns whether it has changed.
  private mutating func updateDecoration(of node: Int, atDepth depth: Int, _ mode: Mode) -> Bool {
    let present = decorations[node]
    if mode != .improve {
      if hasRememberedDecoration[node] { return false }
      decorations[node] = decorator.decoration(for: rects[node], atDepth: depth)
    } else {
      decorations[node] = decorator.decoration(
        for: rects[node],
        atDepth: depth,
        insteadOf: present
      )
    }
    return decorations[node] != present
  }

  /// Sets the need of every node from the present rectangles, children first.
  ///
  /// A node without any decoration at or below it needs its share of the area that all leaves have;
  /// another needs what its children need, and the area of its decoration.
  private mutating func updateNeeds() {
    var leafArea = rects[0].area
    for index in openNodes { leafArea -= decorationArea(of: innerNodes[Int(index)]) }
    let total = tree.total(of: 0)
    let areaPerWeight = total > 0 ? max(leafArea, 0) / total : 0
    tree.setTotals(&needs, scaledBy: areaPerWeight)
    for index in openNodes.reversed() {
      let inner = innerNodes[Int(index)]
      var need = decorationArea(of: inner)
      for child in tree.children(of: inner.node) { need += needs[child] }
      needs[inner.node] = need
    }
  }

  private func decorationArea(of inner: InnerNode) -> Double {
    if decorations[inner.node] == .none { return 0 }
    return rects[inner.node].area - content(of: inner).area
  }

  /// Returns the result.
  internal consuming func finish() -> NestedLayout {
    var contents = rects
    for inner in innerNodes where decorations[inner.node] != .none {
      contents[inner.node] = content(of: inner)
    }
    return NestedLayout(
      rects: rects,
      contents: contents,
      decorations: decorations,
      rows: rows,
      rounds: solutionCount
    )
  }
}

/// A node that has children.
///
/// Numbers are short ones, as all of these nodes are read in each round.
private struct InnerNode {
  private var shortNode: Int32
  private var shortDepth: Int32
  private var shortParent: Int32
  private var firstChild: Int32
  private var childEnd: Int32

  init(node: Int, depth: Int, parent: Int) {
    shortNode = Int32(truncatingIfNeeded: node)
    shortDepth = Int32(truncatingIfNeeded: depth)
    shortParent = Int32(truncatingIfNeeded: parent)
    (firstChild, childEnd) = (1, 1)
  }

  var node: Int { Int(shortNode) }
  var depth: Int { Int(shortDepth) }
  /// The node above; that of the root is the root.
  var parent: Int { Int(shortParent) }

  /// Those of its children that have children, by their positions among the inner nodes; where it has
  /// none, where they would be.
  var children: Range<Int> {
    get { Int(firstChild)..<Int(childEnd) }
    set {
      firstChild = Int32(truncatingIfNeeded: newValue.lowerBound)
      childEnd = Int32(truncatingIfNeeded: newValue.upperBound)
    }
  }

  var hasInnerChildren: Bool { firstChild < childEnd }

  /// Returns the inner nodes of a tree, in its order.
  static func all(of tree: LayoutTree) -> [InnerNode] {
    let none = InnerNode(node: 0, depth: 0, parent: 0)
    var nodes = Array(repeating: none, count: tree.innerCount)
    fill(&nodes, of: tree)
    return nodes
  }

  private static func fill(_ nodes: inout [InnerNode], of tree: LayoutTree) {
    var nodes = nodes.mutableSpan
    var count = 0
    var depths = DepthCounter()
    var parent = 0
    for node in 0..<tree.count {
      depths.visit(node, of: tree)
      if tree.isLeaf(node) { continue }
      if node > 0 {
        while tree.children(of: nodes[parent].node).upperBound <= node {
          parent += 1
          nodes[parent].children = count..<count
        }
        nodes[parent].children = nodes[parent].children.lowerBound..<count + 1
      }
      nodes[count] = InnerNode(node: node, depth: depths.depth, parent: nodes[parent].node)
      count += 1
    }
    for index in nodes.indices.dropFirst(parent + 1) { nodes[index].children = count..<count }
  }
}

extension Span<Double> {
  fileprivate var sum: Double {
    var sum = 0.0
    for index in indices { sum += self[index] }
    return sum
  }
}
