/// The rows of a treemap: which children of each node stand together, and in which order.
///
/// Rows are what is left of a layout when its sizes are taken away. New weights laid out in the
/// rows of old ones move every rectangle a little, and none far.
public struct TreemapRows: Hashable, Sendable {
  /// How a child stands to the one that is placed before it.
  internal enum Start: UInt8, Sendable {
    /// It is in the same row.
    case none
    /// It is the first of a row whose rectangles lie one on top of the other.
    case sliced
    /// It is the first of a row whose rectangles lie side by side.
    case diced
  }

  /// Where the children of each node start, as in the tree.
  private let firstChildren: [Int32]
  /// All nodes, the children of each node in the order in which they are placed.
  ///
  /// The children of a node take the same places as in the tree, so that a node can get new rows
  /// without a change for any other.
  internal private(set) var order: [Int32]
  /// How the child at each place of `order` starts a row.
  private var starts: [Start]

  /// Creates rows for a tree, with the children of each node in one row, in the order of the tree.
  internal init(of tree: LayoutTree) {
    firstChildren = tree.firstChildren
    order = Array(0..<Int32(truncatingIfNeeded: tree.count))
    starts = Array(repeating: .none, count: tree.count)
  }
}

extension TreemapRows {
  /// Returns whether every node of a tree has as many children as in the tree that these rows are
  /// of.
  internal func fit(_ tree: LayoutTree) -> Bool { firstChildren == tree.firstChildren }

  /// Makes siblings the next row of their parent.
  ///
  /// - Parameters:
  ///   - items: The members of the row, in order.
  ///   - place: The place of the first of them: that of the first child of the parent for its first
  ///     row, and the place after the last row for any other.
  ///   - isDiced: Whether the rectangles lie side by side rather than one on top of the other.
  internal mutating func set(_ items: Span<WeightedNode>, at place: Int, isDiced: Bool) {
    Self.fill(&order, from: place, with: items)
    var rowStarts = starts.mutableSpan
    rowStarts[place] = isDiced ? .diced : .sliced
    for index in 1..<max(items.count, 1) { rowStarts[place + index] = .none }
  }

  private static func fill(_ order: inout [Int32], from place: Int, with items: Span<WeightedNode>)
  {
    var order = order.mutableSpan
    for index in items.indices { order[place + index] = items[index].node }
  }

  /// Puts a node at a place.
  internal mutating func set(_ node: Int32, at place: Int, _ start: Start) {
    order[place] = node
    starts[place] = start
  }

  /// Makes squarified rows of siblings.
  ///
  /// - Parameters:
  ///   - items: The siblings, in order.
  ///   - firstPlace: The place of the first.
  ///   - space: What they will fill, in a unit in which squares are best.
  internal mutating func set(_ items: Span<WeightedNode>, at firstPlace: Int, in space: RowSpace) {
    Self.squarify(items, at: firstPlace, in: space, &order, &starts)
  }

  /// Makes squarified rows of siblings.
  internal mutating func set(_ siblings: borrowing Siblings, at firstPlace: Int, in space: RowSpace)
  {
    set(siblings.storage.span.extracting(first: siblings.count), at: firstPlace, in: space)
  }

  private static func squarify(
    _ items: Span<WeightedNode>,
    at firstPlace: Int,
    in space: RowSpace,
    _ order: inout [Int32],
    _ starts: inout [Start]
  ) {
    var order = order.mutableSpan
    var starts = starts.mutableSpan
    var space = space
    var start = 0
    while start < items.count {
      let (end, strip) = space.takeRow(of: items, from: start)
      for index in start..<end {
        order[firstPlace + index] = items[index].node
        starts[firstPlace + index] = .none
      }
      starts[firstPlace + start] = strip.isDiced ? .diced : .sliced
      start = end
    }
  }

  /// Returns whether the rows of siblings, which are in this order, are those that ``set(_:at:in:)``
  /// would make.
  internal func areSquarified(
    _ siblings: borrowing Siblings,
    at places: Range<Int>,
    in space: RowSpace
  ) -> Bool {
    let items = siblings.storage.span.extracting(first: siblings.count)
    let starts = starts.span.extracting(places)
    var space = space
    var start = 0
    while start < items.count {
      let (end, strip) = space.takeRow(of: items, from: start)
      guard starts[start] == (strip.isDiced ? .diced : .sliced),
        end == items.count || starts[end] != .none
      else { return false }
      for place in start + 1..<end where starts[place] != .none { return false }
      start = end
    }
    return true
  }

  /// Returns the places of the row that starts at a place, in the range of all children of a node.
  @inline(__always)
  internal func row(from place: Int, in children: Range<Int>) -> Range<Int> {
    var end = place + 1
    while end < children.upperBound, starts[end] == .none { end += 1 }
    return place..<end
  }

  /// Returns how the child at a place starts a row.
  internal func start(at place: Int) -> Start { starts[place] }

  /// Returns whether the rectangles of the row that starts at a place lie side by side.
  internal func isDiced(at place: Int) -> Bool { starts[place] == .diced }
}
