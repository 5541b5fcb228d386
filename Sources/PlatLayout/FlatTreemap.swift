/// A treemap as d3-hierarchy draws it: every node gets an area in proportion to its weight, less
/// what padding takes.
///
/// The rectangles equal those of d3-hierarchy 3.1.2 bit for bit, for the same weights, options and
/// order of children. Two properties follow. Padding comes out of the areas, so a leaf deep in the
/// tree is smaller than a leaf of the same weight at the top; ``NestedTreemap`` has no such error.
/// And the last child may miss the edge of its parent in the last binary places of a coordinate.
public struct FlatTreemap: Hashable, Sendable {
  /// The order in which the children of a node are placed.
  public enum Order: Hashable, Sendable {
    /// By descending weight; equal weights, and aggregates after all others, in the order of the
    /// tree.
    case descending
    /// In the order of the tree.
    case given
  }

  /// Space that is left free around the children of a node.
  public struct Padding: Hashable, Sendable {
    /// The space between siblings.
    public var inner = 0.0
    /// The space above the children.
    public var top = 0.0
    /// The space to the right of the children.
    public var right = 0.0
    /// The space below the children.
    public var bottom = 0.0
    /// The space to the left of the children.
    public var left = 0.0

    /// Creates padding of 0.
    public init() {}

    /// Creates padding from the space between siblings, and that between them and their parent.
    ///
    /// - Parameters:
    ///   - inner: The space between siblings.
    ///   - outer: The space on every side.
    ///   - top: The space above the children; the same as on the other sides if `nil`.
    public init(inner: Double, outer: Double, top: Double? = nil) {
      self.inner = inner
      self.top = top ?? outer
      self.right = outer
      self.bottom = outer
      self.left = outer
    }
  }

  /// How the rectangle of a node is divided among its children.
  public var tiling = Tiling.squarify(ratio: 1)
  /// The order in which the children of a node are placed.
  public var order = Order.descending
  /// The space that is left free.
  public var padding = Padding()
  /// Whether every edge is moved to the nearest whole number.
  public var isRounded = false

  /// Creates a treemap that is squarified in descending order, without padding or rounding.
  public init() {}
}

extension FlatTreemap {
  /// Returns the rectangle of every node.
  ///
  /// - Parameters:
  ///   - tree: The weights to lay out.
  ///   - bounds: The rectangle of the root.
  /// - Returns: One rectangle for each node, in the order of the tree.
  /// - Precondition: `bounds` is valid.
  /// - Complexity: O(*n* log *n*), where *n* is the number of nodes.
  public func rects(of tree: LayoutTree, in bounds: Rect) -> [Rect] {
    var siblings = Siblings()
    return rects(of: tree, in: bounds) { node, depth, box, rects in
      siblings.load(
        tree.children(of: node),
        of: tree,
        weights: tree.totals,
        isSorted: order == .descending
      )
      let items = siblings.storage.span.extracting(first: siblings.count)
      let sum = tree.total(of: node)
      switch tiling {
      case .squarify(let ratio):
        squarify(items, total: sum, in: box, ratio: max(ratio, 1), into: &rects) { _, _ in }
      case .binary: bisect(items, sum: sum, in: box, into: &rects)
      case .slice: slice(items, sum: sum, in: box, into: &rects)
      case .dice: dice(items, sum: sum, in: box, into: &rects)
      case .sliceDice:
        if depth.isMultiple(of: 2) {
          dice(items, sum: sum, in: box, into: &rects)
        } else {
          slice(items, sum: sum, in: box, into: &rects)
        }
      }
    }
  }

  /// Returns the rectangle of every node, with the children of each in the rows of an earlier
  /// layout.
  ///
  /// This is the *resquarify* of d3-hierarchy. Rectangles stay near their places when weights
  /// change, at the price of worse shapes.
  ///
  /// - Parameters:
  ///   - tree: The weights to lay out.
  ///   - bounds: The rectangle of the root.
  ///   - rows: The rows to keep. If it is `nil`, or belongs to a tree of another shape, the tree is
  ///     laid out afresh, and its rows are stored here.
  /// - Returns: One rectangle for each node, in the order of the tree.
  /// - Precondition: `bounds` is valid, and ``tiling`` is ``Tiling/squarify(ratio:)``.
  /// - Complexity: O(*n* log *n*), where *n* is the number of nodes.
  public func rects(
    of tree: LayoutTree,
    in bounds: Rect,
    keeping rows: inout TreemapRows?
  ) -> [Rect] {
    guard case .squarify(let ratio) = tiling else {
      preconditionFailure("only a squarified treemap has rows")
    }
    if let rows, rows.fit(tree) { return rects(of: tree, in: bounds, in: rows) }

    var siblings = Siblings()
    var newRows = TreemapRows(of: tree)
    let result = rects(of: tree, in: bounds) { node, _, box, rects in
      let firstPlace = tree.children(of: node).lowerBound
      siblings.load(
        tree.children(of: node),
        of: tree,
        weights: tree.totals,
        isSorted: order == .descending
      )
      let sum = tree.total(of: node)
      let items = siblings.storage.span.extracting(first: siblings.count)
      squarify(items, total: sum, in: box, ratio: max(ratio, 1), into: &rects) { row, isDiced in
        newRows.set(
          siblings.storage.span.extracting(row),
          at: firstPlace + row.lowerBound,
          isDiced: isDiced
        )
      }
    }
    rows = newRows
    return result
  }

  /// Returns the rectangle of every node, with the children of each in given rows.
  private func rects(of tree: LayoutTree, in bounds: Rect, in rows: TreemapRows) -> [Rect] {
    var siblings = Siblings()
    return rects(of: tree, in: bounds) { node, _, box, rects in
      let children = tree.children(of: node)
      var free = box
      var remaining = tree.total(of: node)
      var place = children.lowerBound
      while place < children.upperBound {
        let row = rows.row(from: place, in: children)
        siblings.load(rows.order[row], weights: tree.totals)
        let sum = siblings.storage[..<row.count].reduce(0) { $0 + $1.weight }
        placeRow(
          siblings.storage.span.extracting(first: siblings.count),
          sum: sum,
          of: remaining,
          isDiced: rows.isDiced(at: place),
          in: &free,
          into: &rects
        )
        remaining -= sum
        place = row.upperBound
      }
    }
  }

  /// Returns the rectangle of every node, with padding and rounding.
  ///
  /// `tile` sets the rectangles of the children of a node, given its depth and the rectangle to
  /// divide among them. It is called for inner nodes only.
  private func rects(
    of tree: LayoutTree,
    in bounds: Rect,
    tile: (_ node: Int, _ depth: Int, _ box: Rect, _ rects: inout MutableSpan<Rect>) -> Void
  ) -> [Rect] {
    precondition(bounds.isValid, "a treemap needs a valid rectangle")
    var result = Array(repeating: Rect.zero, count: tree.count)
    result[0] = bounds
    var rects = result.mutableSpan
    var depths = DepthCounter()
    let gap = padding.inner / 2
    for node in 0..<tree.count {
      depths.visit(node, of: tree)
      let own = node == 0 ? 0 : gap
      let rect = rects[node].inset(left: own, top: own, right: own, bottom: own)
      rects[node] = rect
      guard !tree.isLeaf(node) else { continue }
      // Children give up half a gap on every side, so the rectangle that they divide is larger.
      let box = rect.inset(
        left: padding.left - gap,
        top: padding.top - gap,
        right: padding.right - gap,
        bottom: padding.bottom - gap
      )
      tile(node, depths.depth, box, &rects)
    }
    if isRounded {
      for node in rects.indices { rects[node] = rects[node].rounded() }
    }
    return result
  }
}
