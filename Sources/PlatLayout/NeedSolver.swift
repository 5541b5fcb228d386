/// Finds needs and rectangles that agree, for decorations and rows that stay as they are.
///
/// A node without any decoration at or below it needs area in proportion to its weight, wherever it
/// is. So only the others are placed while needs are sought, which are few in a large tree; of the
/// rest, the weight that lies before each of them in its row is all that counts.
///
/// One value serves a whole layout, so that its storage is allocated once.
internal struct NeedSolver {
  /// A node with a decoration at or below it.
  ///
  /// Its children of the same kind follow each other, in the order of their rows.
  private struct Node {
    /// The node in the tree.
    var node: Int
    var depth: Int
    /// What its decoration takes of its rectangle, at the top and on every other side.
    var margins: Decorator.Margins
    /// The weight of the plain siblings in the row between the node and the one before it.
    var weightBefore: Double
    /// The weight of all plain children.
    var plainWeight = 0.0
    /// The rows of the children, up to the last one that is not plain.
    var rows = 0..<0
    var children = 0..<0
    /// What the node needs, and its children together.
    var need: Double
    var childNeed: Double
    var rect = Rect.zero
    /// The area of the decoration.
    var decorationArea = 0.0
  }

  /// A row, of which `members` are not plain.
  private struct Row {
    var isDiced: Bool
    var plainWeight: Double
    var members: Range<Int>
  }

  private let decorator: Decorator
  private var total = 0.0
  private var nodes: [Node] = []
  private var rows: [Row] = []
  /// What a plain node needs for each unit of weight.
  internal private(set) var areaPerWeight = 1.0

  internal init(_ decorator: Decorator) { self.decorator = decorator }

  /// Takes a tree with a given structure.
  ///
  /// - Complexity: O(*n*), where *n* is the number of nodes with a decoration at or below them, and of
  ///   their children.
  internal mutating func load(
    _ tree: LayoutTree,
    decorations: [Decoration],
    rows: borrowing TreemapRows,
    in bounds: Rect,
    isPlain: [Bool]
  ) {
    total = tree.total(of: 0)
    areaPerWeight = 1
    nodes.removeAll(keepingCapacity: true)
    self.rows.removeAll(keepingCapacity: true)
    nodes.append(node(0, of: tree, decorations, depth: 0, weightBefore: 0))
    nodes[0].rect = bounds
    var next = 0
    while next < nodes.count {
      append(childrenOf: next, tree, decorations, rows, isPlain)
      next += 1
    }
  }

  private func node(
    _ node: Int,
    of tree: LayoutTree,
    _ decorations: [Decoration],
    depth: Int,
    weightBefore: Double
  ) -> Node {
    let total = tree.total(of: node)
    return Node(
      node: node,
      depth: depth,
      margins: decorator.margins(of: decorations[node], atDepth: depth),
      weightBefore: weightBefore,
      need: total,
      childNeed: total
    )
  }

  private mutating func append(
    childrenOf parent: Int,
    _ tree: LayoutTree,
    _ decorations: [Decoration],
    _ treemapRows: borrowing TreemapRows,
    _ isPlain: [Bool]
  ) {
    let children = tree.children(of: nodes[parent].node)
    let depth = nodes[parent].depth + 1
    let (firstRow, firstChild) = (rows.count, nodes.count)
    var rowEnd = firstRow
    var plainWeight = 0.0
    var place = children.lowerBound
    while place < children.upperBound {
      let row = treemapRows.row(from: place, in: children)
      let firstMember = nodes.count
      var (rowWeight, weightBefore) = (0.0, 0.0)
      for place in row {
        let node = Int(treemapRows.order[place])
        if isPlain[node] {
          weightBefore += tree.total(of: node)
          continue
        }
        rowWeight += weightBefore
        nodes.append(
          self.node(node, of: tree, decorations, depth: depth, weightBefore: weightBefore)
        )
        weightBefore = 0
      }
      rowWeight += weightBefore
      plainWeight += rowWeight
      let members = firstMember..<nodes.count
      rows.append(
        Row(
          isDiced: treemapRows.isDiced(at: place),
          plainWeight: rowWeight,
          members: members
        )
      )
      if !members.isEmpty { rowEnd = rows.count }
      place = row.upperBound
    }
    if rowEnd < rows.count { rows.removeSubrange(rowEnd...) }
    nodes[parent].rows = firstRow..<rowEnd
    nodes[parent].children = firstChild..<nodes.count
    nodes[parent].plainWeight = plainWeight
  }
}

extension NeedSolver {
  /// Finds the needs, starting from the weights.
  ///
  /// - Parameters:
  ///   - passes: How often needs are updated.
  ///   - tree: The tree.
  ///   - needs: Where the need of each node of the tree is stored.
  internal mutating func solve(passes: Int, _ tree: LayoutTree, into needs: inout [Double]) {
    for _ in 0..<passes {
      placeNodes()
      updateNeeds()
    }
    tree.setTotals(&needs, scaledBy: areaPerWeight)
    for node in nodes { needs[node.node] = node.need }
  }

  /// Sets the rectangles of all nodes, parents first.
  private mutating func placeNodes() {
    // Spans of parts of the solver leave only copies of others to be used.
    let (areaPerWeight, rows) = (areaPerWeight, rows)
    let rowSpan = rows.span
    var nodes = nodes.mutableSpan
    for index in nodes.indices {
      let rect = nodes[index].rect
      var free = nodes[index].margins.content(of: rect)
      nodes[index].decorationArea = rect.area - free.area
      var remaining = nodes[index].childNeed
      for row in nodes[index].rows {
        Self.place(rowSpan[row], in: &free, of: &remaining, areaPerWeight, &nodes)
      }
    }
  }

  /// Sets the rectangles of the members of a row, and takes its part from what is free.
  @inline(__always)
  private static func place(
    _ row: Row,
    in free: inout Rect,
    of remaining: inout Double,
    _ areaPerWeight: Double,
    _ nodes: inout MutableSpan<Node>
  ) {
    var sum = areaPerWeight * row.plainWeight
    for member in row.members { sum += nodes[member].need }
    let share = sum < remaining ? sum / remaining : 1
    remaining = max(remaining - sum, 0)
    let strip: Rect
    if row.isDiced {
      let edge = min(free.y0 + free.height * share, free.y1)
      strip = Rect(x0: free.x0, y0: free.y0, x1: free.x1, y1: edge)
      free.y0 = edge
    } else {
      let edge = min(free.x0 + free.width * share, free.x1)
      strip = Rect(x0: free.x0, y0: free.y0, x1: edge, y1: free.y1)
      free.x0 = edge
    }

    let end = row.isDiced ? strip.x1 : strip.y1
    var edge = row.isDiced ? strip.x0 : strip.y0
    let scale = sum > 0 ? (end - edge) / sum : 0
    for member in row.members {
      edge = min(edge + areaPerWeight * nodes[member].weightBefore * scale, end)
      let next = min(edge + nodes[member].need * scale, end)
      nodes[member].rect =
        row.isDiced
        ? Rect(x0: edge, y0: strip.y0, x1: next, y1: strip.y1)
        : Rect(x0: strip.x0, y0: edge, x1: strip.x1, y1: next)
      edge = next
    }
  }

  /// Sets the need of every node from the present rectangles, children first.
  ///
  /// A plain node needs its share of the area that decorations leave to leaves; another needs what
  /// its children need, and the area of its decoration.
  private mutating func updateNeeds() {
    var leafArea = nodes[0].rect.area
    for index in nodes.indices { leafArea -= nodes[index].decorationArea }
    let areaPerWeight = total > 0 ? max(leafArea, 0) / total : 0
    self.areaPerWeight = areaPerWeight
    var nodes = nodes.mutableSpan
    for index in nodes.indices.reversed() {
      var need = areaPerWeight * nodes[index].plainWeight
      for child in nodes[index].children { need += nodes[child].need }
      nodes[index].childNeed = need
      nodes[index].need = need + nodes[index].decorationArea
    }
  }
}
