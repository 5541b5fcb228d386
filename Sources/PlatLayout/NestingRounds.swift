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
  /// - Parameter choosingStructure: Whether to choose decorations and rows by the way, rather than to
  ///   keep those there are.
  internal mutating func place(choosingStructure: Bool) {
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
      if choosingStructure { chooseRows(of: node, total: total, in: box) }
      placeChildren(children, total: total, in: box)
    }
  }

  /// Sets the need of every node from the present rectangles, children first.
  ///
  /// A leaf needs its share of the area that all leaves have; an inner node needs what its children
  /// need, and the area of its decoration.
  internal mutating func updateNeeds() {
    var leafArea = 0.0
    for node in 0..<tree.count where tree.isLeaf(node) { leafArea += rects[node].area }
    let total = tree.total(of: 0)
    let areaPerWeight = total > 0 ? leafArea / total : 0
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

  /// Chooses the order of the children of a node, and their rows.
  private mutating func chooseRows(of node: Int, total: Double, in box: Rect) {
    siblings.load(node, of: tree, weights: needs, isSorted: true)
    let items = siblings.items
    let firstPlace = tree.children(of: node).lowerBound
    var width = box.width / stretch
    var height = box.height
    var remaining = total
    var start = 0
    while start < items.count {
      let row = Row(
        growing: items,
        from: start,
        total: remaining,
        width: width,
        height: height,
        ratio: 1
      )
      let isDiced = width < height
      rows.set(items[start..<row.end], at: firstPlace + start, isDiced: isDiced)
      let share = row.sum < remaining ? row.sum / remaining : 1
      if isDiced { height -= height * share } else { width -= width * share }
      remaining = max(remaining - row.sum, 0)
      start = row.end
    }
  }

  /// Sets the rectangles of siblings from their rows.
  ///
  /// The last row, and the last child of every row, end where the box does, not where rounding takes
  /// them. *Last* means the last with a need: those without get an empty rectangle.
  private mutating func placeChildren(_ children: Range<Int>, total: Double, in box: Rect) {
    guard total > 0 else {
      let empty = Rect(x0: box.x0, y0: box.y0, x1: box.x0, y1: box.y0)
      for child in children { rects[child] = empty }
      return
    }
    let last = lastPlaceWithNeed(in: children)
    var free = box
    var remaining = total
    var place = children.lowerBound
    while place < children.upperBound {
      let row = rows.row(from: place, in: children)
      var sum = 0.0
      for place in row { sum += needs[Int(rows.order[place])] }
      let share = row.upperBound <= last && sum < remaining ? sum / remaining : 1
      let isDiced = rows.isDiced(at: place)
      var strip = free
      if isDiced {
        strip.y1 = share < 1 ? min(free.y0 + free.height * share, free.y1) : free.y1
        free.y0 = strip.y1
      } else {
        strip.x1 = share < 1 ? min(free.x0 + free.width * share, free.x1) : free.x1
        free.x0 = strip.x1
      }
      placeRow(row, sum: sum, isDiced: isDiced, in: strip)
      remaining = max(remaining - sum, 0)
      place = row.upperBound
    }
  }

  /// Sets the rectangles of the members of a row.
  private mutating func placeRow(_ row: Range<Int>, sum: Double, isDiced: Bool, in strip: Rect) {
    let last = lastPlaceWithNeed(in: row)
    let end = isDiced ? strip.x1 : strip.y1
    var edge = isDiced ? strip.x0 : strip.y0
    let scale = sum > 0 ? (end - edge) / sum : 0
    for place in row {
      let node = Int(rows.order[place])
      let next = place < last ? min(edge + needs[node] * scale, end) : end
      var rect = strip
      if isDiced {
        rect.x0 = edge
        rect.x1 = next
      } else {
        rect.y0 = edge
        rect.y1 = next
      }
      rects[node] = rect
      edge = next
    }
  }

  /// Returns the last place in a range whose node has a need, or the first place if none has.
  private func lastPlaceWithNeed(in places: Range<Int>) -> Int {
    var last = places.upperBound - 1
    while last > places.lowerBound, needs[Int(rows.order[last])] == 0 { last -= 1 }
    return last
  }
}
