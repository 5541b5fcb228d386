/// The tree that a treemap shows: weights of leaves, and which nodes belong together.
///
/// Nodes are numbered in *level order*: the root is 0, then come its children, then the children of
/// its first child, those of its second, and so on. The children of a node are one range, every
/// node comes after its parent, and a level is one range too, so that every pass over the tree is
/// one loop, and no depth is too deep.
///
/// ```swift
/// // A root that holds a leaf of weight 5, and a node with two leaves of weights 2 and 1.
/// let tree = LayoutTree(weights: [0, 5, 0, 2, 1], childCounts: [2, 0, 2, 0, 0])
/// tree.children(of: 2)  // 3..<5
/// tree.total(of: 0)  // 8
/// ```
///
/// An *aggregate* is a node that stands for siblings too small to be drawn one by one. It is placed
/// after its siblings, whatever its weight, and gets no decoration. One with children is an
/// aggregate that was opened: its children stand where it stood, among themselves.
public struct LayoutTree: Hashable, Sendable {
  /// Where the children of each node start; those of node `i` end where those of `i + 1` start.
  @usableFromInline internal let firstChildren: [Int32]
  @usableFromInline internal let totals: [Double]
  /// The number of nodes that have children.
  internal let innerCount: Int
  /// Whether each node is an aggregate; empty if none is.
  internal let aggregateFlags: [Bool]

  /// The weights that a leaf can have besides 0.
  ///
  /// The limits keep squares, sums and quotients of weights finite, and are far from any size of a
  /// file. They are what makes a layout free of infinities and NaN for every input.
  public static let weightRange = 1e-100...1e100

  /// Creates a tree from the weight and the number of children of each node, in level order.
  ///
  /// - Parameters:
  ///   - weights: The weight of each leaf. What stands at the place of an inner node is ignored:
  ///     its weight is the sum of its leaves. A value outside ``weightRange`` (a negative one, an
  ///     infinity, NaN) counts as 0.
  ///   - childCounts: How many children each node has; a leaf has none.
  ///   - aggregates: The nodes that are aggregates, in any order.
  /// - Precondition: The arrays have the same count, of at least 1 and less than 2³¹. The counts
  ///   describe one tree: they add up to all nodes but the root, and no node is its own ancestor.
  ///   `aggregates` holds nodes of the tree other than the root.
  /// - Complexity: O(*n*), where *n* is the number of nodes.
  public init(weights: [Double], childCounts: [Int32], aggregates: [Int] = []) {
    var areAggregates: [Bool] = []
    if !aggregates.isEmpty {
      areAggregates = Array(repeating: false, count: weights.count)
      for node in aggregates {
        precondition(node > 0 && node < weights.count, "an aggregate is a node other than the root")
        areAggregates[node] = true
      }
    }
    self.init(weights: weights, childCounts: childCounts, areAggregates: areAggregates)
  }

  /// Creates a tree from the weight and the number of children of each node, in level order, and
  /// whether each is an aggregate.
  ///
  /// - Parameters:
  ///   - weights: As in ``init(weights:childCounts:aggregates:)``.
  ///   - childCounts: As there.
  ///   - areAggregates: Whether each node is an aggregate; the root is none.
  /// - Precondition: As there; `areAggregates` has as many items, or none.
  /// - Complexity: O(*n*), where *n* is the number of nodes.
  public init(weights: [Double], childCounts: [Int32], areAggregates: [Bool]) {
    let count = weights.count
    precondition(count >= 1 && count < Int32.max, "a tree has from 1 to 2147483646 nodes")
    precondition(childCounts.count == count, "every node has a weight and a number of children")

    var firstChildren = [Int32](repeating: 0, count: count + 1)
    innerCount = Self.findChildren(childCounts.span, &firstChildren)
    var totals = weights
    Self.addUp(firstChildren.span, &totals)

    precondition(
      areAggregates.isEmpty || (areAggregates.count == count && !areAggregates[0]),
      "every node but the root may be an aggregate"
    )

    self.firstChildren = firstChildren
    self.totals = totals
    aggregateFlags = areAggregates.contains(true) ? areAggregates : []
  }

  /// Sets where the children of each node start, and returns how many nodes have children.
  private static func findChildren(
    _ childCounts: Span<Int32>,
    _ firstChildren: inout [Int32]
  ) -> Int {
    let count = childCounts.count
    var firstChildren = firstChildren.mutableSpan
    var next = 1
    var innerCount = 0
    for node in childCounts.indices {
      let childCount = Int(childCounts[node])
      precondition(childCount >= 0 && next > node, "nodes are not in level order")
      firstChildren[node] = Int32(truncatingIfNeeded: next)
      next += childCount
      if childCount > 0 { innerCount += 1 }
      precondition(next <= count, "there are fewer nodes than children")
    }
    precondition(next == count, "there are more nodes than children")
    firstChildren[count] = Int32(truncatingIfNeeded: next)
    return innerCount
  }

  /// Sets the total of each inner node, and those of leaves to 0 that are out of range.
  private static func addUp(_ firstChildren: Span<Int32>, _ totals: inout [Double]) {
    var totals = totals.mutableSpan
    for node in totals.indices.reversed() {
      let first = Int(firstChildren[node])
      var child = Int(firstChildren[node + 1])
      if child == first {
        if !weightRange.contains(totals[node]) { totals[node] = 0 }
        continue
      }
      // Last child first, as d3-hierarchy adds: sums of doubles depend on the order.
      var total = 0.0
      while child > first {
        child -= 1
        total += totals[child]
      }
      totals[node] = total
    }
  }
}

extension LayoutTree {
  /// The number of nodes, at least 1.
  @inlinable
  public var count: Int { totals.count }

  /// Returns the children of a node.
  @inlinable
  public func children(of node: Int) -> Range<Int> {
    Int(firstChildren[node])..<Int(firstChildren[node + 1])
  }

  /// Returns whether a node has no children.
  @inlinable
  public func isLeaf(_ node: Int) -> Bool { firstChildren[node] == firstChildren[node + 1] }

  /// Returns the sum of the weights of the leaves at or below a node.
  @inlinable
  public func total(of node: Int) -> Double { totals[node] }

  /// Sets numbers to the totals of all nodes, each times a factor.
  internal func setTotals(_ numbers: inout [Double], scaledBy factor: Double) {
    var numbers = numbers.mutableSpan
    let totals = totals.span
    for node in numbers.indices { numbers[node] = factor * totals[node] }
  }

  /// Returns whether a node stands for siblings that are not drawn one by one.
  public func isAggregate(_ node: Int) -> Bool {
    !aggregateFlags.isEmpty && aggregateFlags[node]
  }
}

/// Counts levels while a loop visits the nodes of a tree in order.
internal struct DepthCounter {
  private var nextLevel = 1

  /// The depth of the node that was visited last; that of the root is 0.
  internal private(set) var depth = 0

  /// Visits the node after the last one.
  internal mutating func visit(_ node: Int, of tree: LayoutTree) {
    guard node == nextLevel else { return }
    depth += 1
    // The children of a level start where those of its first node do, or would if it had any.
    nextLevel = tree.children(of: node).lowerBound
  }
}
