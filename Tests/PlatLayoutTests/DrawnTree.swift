import PlatLayout

/// What of a tree is drawn.
struct DrawnTree {
  var tree: LayoutTree
  var identities: NodeIdentities
  /// What has kept small files that were drawn before.
  var kept: KeptNodes
  /// The nodes that are files.
  var files: [Int]
}

extension GrowingTree {
  /// Selects what is large enough to be drawn.
  ///
  /// - Parameters:
  ///   - top: The directory to draw.
  ///   - bounds: The picture.
  ///   - kept: What is drawn although it is a little too small.
  ///   - memory: For a picture that is no rescan, the memory whose aggregates are opened in place.
  /// - Returns: What is drawn.
  func draw(
    _ top: Int = 0,
    in bounds: Rect,
    keeping kept: KeptNodes = KeptNodes(nil),
    opening memory: LayoutMemory? = nil
  ) -> DrawnTree {
    let totals = totals
    var drawing = Drawing(
      tree: self,
      totals: totals,
      threshold: CullingRule.nested.threshold(total: totals[top], in: bounds),
      memory: memory,
      kept: kept,
      nodes: [Drawing.Node(node: top, weight: totals[top])]
    )
    return drawing.draw()
  }
}

/// A selection of nodes in level order.
private struct Drawing {
  struct Node {
    /// The index in the tree; that of the directory for an aggregate.
    var node: Int
    var weight: Double
    var isAggregate = false
    /// What an aggregate holds that was opened.
    var opened: [Node] = []
  }

  let tree: GrowingTree
  let totals: [Double]
  let threshold: Double
  let memory: LayoutMemory?
  var kept: KeptNodes
  var nodes: [Node]

  mutating func draw() -> DrawnTree {
    var parents: [UInt64] = []
    var childCounts: [Int32] = []
    while childCounts.count < nodes.count {
      let item = nodes[childCounts.count]
      var children = item.opened
      if item.isAggregate {
        parents.append(0)
      } else {
        let innermost = childCounts.isEmpty ? item.node : innermost(item.node)
        parents.append(tree.nodes[innermost].identity)
        children = self.children(of: innermost)
      }
      childCounts.append(Int32(children.count))
      nodes += children
    }
    return DrawnTree(
      tree: LayoutTree(
        weights: nodes.map(\.weight),
        childCounts: childCounts,
        aggregates: nodes.indices.filter { nodes[$0].isAggregate }
      ),
      identities: NodeIdentities(
        entries: nodes.map { $0.isAggregate ? 0 : tree.nodes[$0.node].identity },
        parents: parents
      ),
      kept: kept,
      files: nodes.indices.filter { index in
        !nodes[index].isAggregate && !tree.nodes[nodes[index].node].isDirectory
      }
    )
  }

  /// The directory that holds the children of a node: one with no other child is joined with it.
  private func innermost(_ node: Int) -> Int {
    var innermost = node
    while tree.nodes[innermost].children.count == 1,
      let only = tree.nodes[innermost].children.first, tree.nodes[only].isDirectory
    {
      innermost = only
    }
    return innermost
  }

  private mutating func children(of directory: Int) -> [Node] {
    // By size, and then by identity: the order that the disk lists them in must not matter.
    let sorted = tree.nodes[directory].children.sorted {
      (-totals[$0], tree.nodes[$0].identity) < (-totals[$1], tree.nodes[$1].identity)
    }
    var drawn: [Node] = []
    var rest = 0.0
    for child in sorted {
      let weight = totals[child]
      if weight >= threshold
        || (weight >= CullingRule.keptShare * threshold && kept.keeps(tree.nodes[child].identity))
      {
        drawn.append(Node(node: child, weight: weight))
      } else {
        rest += weight
      }
    }
    guard !drawn.isEmpty else { return [] }
    let aggregate =
      rest > 0 ? [Node(node: directory, weight: rest, isAggregate: true)] : []
    guard let memory, memory.hasAggregate(in: tree.nodes[directory].identity) else {
      return drawn + aggregate
    }
    let known = drawn.filter { kept.knows(tree.nodes[$0.node].identity) }
    let fresh = drawn.filter { !kept.knows(tree.nodes[$0.node].identity) }
    if known.isEmpty || fresh.isEmpty { return drawn + aggregate }
    return known
      + [Node(node: directory, weight: 0, isAggregate: true, opened: fresh + aggregate)]
  }
}
