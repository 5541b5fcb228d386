/// A nested treemap on its way to true areas.
///
/// The *structure* of the layout is the decoration of each node and the rows of its children. With
/// the structure kept, rectangles depend on needs alone. *Solving* finds needs and rectangles that
/// agree, always from the same start: so a solved layout is a function of the tree, the bounds and
/// the structure, however that structure was reached. Decisions are made on solved layouts only.
internal struct NestingRounds {
  internal let tree: LayoutTree
  private let decorator: Decorator
  private let isDecorated: Bool
  internal let stretch: Double
  /// What each node is to get of its parent, in proportion to what its siblings get.
  internal var needs: [Double]
  internal var rects: [Rect]
  /// Meaningful for inner nodes.
  private var contents: [Rect]
  internal var decorations: [Decoration]
  internal var rows: TreemapRows
  internal var siblings = Siblings()

  /// How many children of each node stand in rows that are remembered, the first ones.
  internal var rememberedChildren: [Int32]
  /// Whether the decoration of each node is remembered.
  internal var hasRememberedDecoration: [Bool]
  private var solutionCount = 0

  /// What placing does with the structure.
  private enum Mode {
    /// It chooses what is not remembered.
    case choose
    /// It keeps everything.
    case keep
    /// It replaces what does not fit any more, seen from what there is.
    case improve
    /// It does both, where needs are final: a rectangle is final when it is come to.
    case chooseAndImprove
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
    isDecorated = options.isDecorated
    stretch = options.stretch
    needs = tree.totals
    rects = Array(repeating: .zero, count: tree.count)
    rects[0] = bounds
    contents = isDecorated ? rects : []
    decorations = Array(repeating: .none, count: tree.count)
    rows = TreemapRows(of: tree)
    rememberedChildren = Array(repeating: 0, count: tree.count)
    hasRememberedDecoration = Array(repeating: false, count: tree.count)
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
      place(isUnchanged() ? .keep : .chooseAndImprove, tolerance)
      solutionCount = 1
      return
    }
    chooseMissing(tolerance)
    while true {
      solve()
      solutionCount += 1
      if isUnchanged() || solutionCount == Self.solutionLimit { break }
      // What is good as it is has been placed as it is.
      guard place(.improve, tolerance) else { return }
    }
    place(.keep, tolerance)
  }

  /// Chooses all structure that is not remembered.
  private mutating func chooseMissing(_ tolerance: RowTolerance) {
    let isAnyMissing = (0..<tree.count).contains { node in
      rememberedChildren[node] < tree.children(of: node).count
    }
    guard isAnyMissing else { return }
    place(.choose, tolerance)
    for _ in 0..<3 {
      updateNeeds()
      place(.choose, tolerance)
    }
  }

  /// Finds needs that agree with the rectangles that they give.
  private mutating func solve() {
    var solver = NeedSolver(
      tree,
      decorations: decorations,
      rows: rows,
      in: rects[0],
      decorator: decorator
    )
    solver.solve(passes: Self.passes, tree, into: &needs)
  }

  /// Sets every rectangle from the needs, parents first.
  ///
  /// - Returns: Whether the structure has changed.
  @discardableResult
  private mutating func place(_ mode: Mode, _ tolerance: RowTolerance) -> Bool {
    let (tree, needs) = (tree, needs)
    var hasChanged = false
    var depths = DepthCounter()
    for node in 0..<tree.count {
      depths.visit(node, of: tree)
      let children = tree.children(of: node)
      guard !children.isEmpty else { continue }
      var box = rects[node]
      if isDecorated {
        if mode != .keep, node > 0, !tree.isAggregate(node) {
          let changed = updateDecoration(of: node, atDepth: depths.depth, mode)
          hasChanged = hasChanged || changed
        }
        box = decorator.content(of: box, in: decorations[node], atDepth: depths.depth)
        contents[node] = box
      }
      var total = 0.0
      for child in children { total += needs[child] }
      if mode != .keep {
        let space = RowSpace(width: box.width / stretch, height: box.height, need: total)
        if mode != .improve { chooseRows(of: node, in: space) }
        let canImprove = mode == .improve || (mode != .choose && rememberedChildren[node] > 0)
        if canImprove, children.count > 1 {
          let factor = tolerance.factor(for: rects[node], in: rects[0])
          let changed = improveRows(of: node, in: space, tolerance: factor)
          hasChanged = hasChanged || changed
        }
      }
      placeSiblings(children, in: rows, needs: needs, total: total, box: box, into: &rects)
    }
    return hasChanged
  }

  /// Chooses the decoration of a node, and returns whether it has changed.
  private mutating func updateDecoration(of node: Int, atDepth depth: Int, _ mode: Mode) -> Bool {
    let present = decorations[node]
    if mode == .choose {
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
  /// A leaf needs its share of the area that all leaves have; an inner node needs what its children
  /// need, and the area of its decoration.
  private mutating func updateNeeds() {
    // Constants of their own cannot change when a need does, which saves reading them again.
    let (tree, rects, contents) = (tree, rects, contents)
    var leafArea = 0.0
    for node in 0..<tree.count where tree.isLeaf(node) { leafArea += rects[node].area }
    let total = tree.total(of: 0)
    let areaPerWeight = total > 0 ? leafArea / total : 0
    var needs = needs.mutableSpan
    for node in (0..<tree.count).reversed() {
      let children = tree.children(of: node)
      if children.isEmpty {
        needs[node] = areaPerWeight * tree.total(of: node)
      } else {
        var need = rects[node].area - contents[node].area
        for child in children { need += needs[child] }
        needs[node] = need
      }
    }
  }

  /// Returns the result.
  internal consuming func finish() -> NestedLayout {
    if isDecorated {
      for node in 0..<tree.count where tree.isLeaf(node) { contents[node] = rects[node] }
    } else {
      contents = rects
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
