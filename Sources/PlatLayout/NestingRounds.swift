/// A nested treemap on its way to true areas.
///
/// The *structure* of the layout is the decoration of each node and the rows of its children. With
/// the structure kept, rectangles depend on needs alone.
internal struct NestingRounds {
  private let tree: LayoutTree
  private let decorator: Decorator
  private let isDecorated: Bool
  private let stretch: Double
  /// What each node is to get of its parent, in proportion to what its siblings get.
  private var needs: [Double]
  private var rects: [Rect]
  /// Meaningful for inner nodes.
  private var contents: [Rect]
  private var decorations: [Decoration]
  private var rows: TreemapRows
  private var siblings = Siblings()

  internal init(tree: LayoutTree, bounds: Rect, options: NestedTreemap) {
    self.tree = tree
    decorator = Decorator(scale: options.scale)
    isDecorated = options.isDecorated
    stretch = options.stretch
    needs = tree.totals
    rects = Array(repeating: .zero, count: tree.count)
    rects[0] = bounds
    contents = isDecorated ? rects : []
    decorations = Array(repeating: .none, count: tree.count)
    rows = TreemapRows(of: tree)
  }
}

extension NestingRounds {
  /// Sets every rectangle from the needs, parents first.
  ///
  /// - Parameter choosingStructure: Whether to choose decorations and rows by the way, rather than
  ///   to keep those there are.
  internal mutating func place(choosingStructure: Bool) {
    let (tree, needs) = (tree, needs)
    var depths = DepthCounter()
    for node in 0..<tree.count {
      depths.visit(node, of: tree)
      let children = tree.children(of: node)
      guard !children.isEmpty else { continue }
      var box = rects[node]
      if isDecorated {
        let depth = depths.depth
        if choosingStructure, node > 0, !tree.isAggregate(node) {
          decorations[node] = decorator.decoration(for: box, atDepth: depth)
        }
        box = decorator.content(of: box, in: decorations[node], atDepth: depth)
        contents[node] = box
      }
      var total = 0.0
      for child in children { total += needs[child] }
      if choosingStructure {
        siblings.load(node, of: tree, weights: needs, isSorted: true)
        rows.set(
          siblings,
          at: children.lowerBound,
          total: total,
          width: box.width / stretch,
          height: box.height
        )
      }
      placeSiblings(children, in: rows, needs: needs, total: total, box: box, into: &rects)
    }
  }

  /// Sets the need of every node from the present rectangles, children first.
  ///
  /// A leaf needs its share of the area that all leaves have; an inner node needs what its children
  /// need, and the area of its decoration.
  internal mutating func updateNeeds() {
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
    return NestedLayout(rects: rects, contents: contents, decorations: decorations, rows: rows)
  }
}
