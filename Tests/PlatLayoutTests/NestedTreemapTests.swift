import PlatLayout
import Testing

struct NestedTreemapTests {
  static let seeds = Array(UInt64(1)...200)

  static let boundsOfSeed: [Rect] = [
    Rect(width: 1600, height: 1000), Rect(width: 300, height: 2000),
    Rect(x0: -7.25, y0: 11.5, x1: 633, y1: 500.125), Rect(width: 40_000, height: 100),
    Rect(width: 120, height: 90),
  ]

  static func bounds(_ seed: UInt64) -> Rect { boundsOfSeed[Int(seed) % boundsOfSeed.count] }

  static func tree(_ seed: UInt64) -> LayoutTree {
    var generator = SplitMix64(seed: seed)
    let leaves = Int.random(in: 1...400, using: &generator)
    return LayoutTree.random(leaves: leaves, using: &generator)
  }

  @Test(arguments: seeds, [true, false])
  func `Children fill the content of their parent exactly`(seed: UInt64, isDecorated: Bool) {
    let tree = Self.tree(seed)
    var treemap = NestedTreemap()
    treemap.isDecorated = isDecorated
    let layout = treemap.layout(tree, in: Self.bounds(seed))
    #expect(layout.rects[0] == Self.bounds(seed))
    for node in 0..<tree.count {
      #expect(layout.rects[node].isValid)
      #expect(layout.rects[node].contains(layout.contents[node]))
      let children = tree.children(of: node).filter { tree.total(of: $0) > 0 }
      if !children.isEmpty {
        #expect(layout.contents[node].isTiled(by: children.map { layout.rects[$0] }), "\(node)")
      }
    }
  }

  @Test(arguments: seeds)
  func `Without decorations, areas are shares of the whole`(seed: UInt64) {
    let tree = Self.tree(seed)
    var treemap = NestedTreemap()
    treemap.isDecorated = false
    let bounds = Self.bounds(seed)
    let layout = treemap.layout(tree, in: bounds)
    guard tree.total(of: 0) > 0 else { return }
    for node in 0..<tree.count {
      let expected = bounds.area * tree.total(of: node) / tree.total(of: 0)
      // Below one square pixel, the rounding of coordinates near 1000 shows.
      let error = abs(layout.rects[node].area - expected)
      #expect(error <= 1e-9 * max(expected, 1), "\(node)")
    }
  }

  @Test(arguments: seeds, [true, false])
  func `The order of siblings makes no difference`(seed: UInt64, isDecorated: Bool) {
    var generator = SplitMix64(seed: seed)
    // Weights without ties, as equal siblings are told apart by their order alone.
    var next = 0.0
    let tree = Self.tree(seed).mapWeights { weight in
      next += 1
      return weight * 1024 + next
    }
    let (shuffled, sources) = tree.shuffled(using: &generator)
    var treemap = NestedTreemap()
    treemap.isDecorated = isDecorated
    let layout = treemap.layout(tree, in: Self.bounds(seed))
    let other = treemap.layout(shuffled, in: Self.bounds(seed))
    if isDecorated {
      // Needs are no whole numbers, so the order in which they are added shows in the last places,
      // and the thinner a rectangle is, the more.
      for (node, source) in sources.enumerated() where layout.rects[source].shorterSide > 1e-3 {
        #expect(other.rects[node].isNear(layout.rects[source], 1e-3))
      }
      #expect(other.decorations == sources.map { layout.decorations[$0] })
    } else {
      #expect(other.rects == sources.map { layout.rects[$0] })
    }
  }

  @Test(arguments: seeds)
  func `Weights in another unit give the same layout bit for bit`(seed: UInt64) {
    let tree = Self.tree(seed)
    let bounds = Self.bounds(seed)
    let scaled = tree.mapWeights { $0 * 1024 }
    #expect(NestedTreemap().layout(scaled, in: bounds) == NestedTreemap().layout(tree, in: bounds))
  }

  @Test(arguments: seeds)
  func `Pixels are shared out without overlap or gap`(seed: UInt64) {
    let tree = Self.tree(seed)
    let layout = NestedTreemap().layout(tree, in: Self.bounds(seed)).snappedToPixels()
    for node in 0..<tree.count {
      let rect = layout.rects[node]
      #expect([rect.x0, rect.y0, rect.x1, rect.y1].allSatisfy { $0 == $0.rounded() })
      let children = tree.children(of: node).filter { tree.total(of: $0) > 0 }
      if !children.isEmpty {
        #expect(layout.contents[node].isTiled(by: children.map { layout.rects[$0] }))
      }
    }
  }

  @Test func `An aggregate is placed last, whatever its weight`() {
    let tree = LayoutTree(
      weights: [0, 50, 30, 15, 5],
      childCounts: [4, 0, 0, 0, 0],
      aggregates: [1]
    )
    let layout = NestedTreemap().layout(tree, in: Rect(width: 300, height: 200))
    #expect(layout.rects[2].x0 == 0 && layout.rects[2].y0 == 0)
    #expect(layout.rects[1].x1 == 300 && layout.rects[1].y1 == 200)
  }

  @Test(arguments: [[], [2]])
  func `A node has the decoration it has room for, the root and an aggregate none`(
    aggregates: [Int]
  ) {
    let tree = LayoutTree(
      weights: [0, 0, 0, 0, 0, 60, 30, 2, 0.01],
      childCounts: [4, 1, 1, 1, 1, 0, 0, 0, 0],
      aggregates: aggregates
    )
    let treemap = NestedTreemap()
    let layout = treemap.layout(tree, in: Rect(width: 400, height: 300))
    let second: Decoration = aggregates.isEmpty ? .header : .none
    #expect(
      layout.decorations == [.none, .header, second, .frame, .none, .none, .none, .none, .none]
    )
    var content = layout.rects[1]
    content.x0 += 3
    content.y0 += treemap.headerHeight(atDepth: 1)
    content.x1 -= 3
    content.y1 -= 3
    #expect(layout.contents[1] == content)
    #expect(layout.contents[5] == layout.rects[5])
  }

  @Test(arguments: [(90.0, Decoration.header), (60, .frame), (13, .none)])
  func `A decoration takes no more than a third of a rectangle`(side: Double, expected: Decoration)
  {
    let tree = LayoutTree(weights: [0, 0, 1], childCounts: [1, 1, 0])
    let layout = NestedTreemap().layout(tree, in: Rect(width: side, height: side))
    #expect(layout.decorations[1] == expected)
    #expect(layout.contents[1].area >= layout.rects[1].area * 2 / 3)
  }

  @Test func `In a terminal a header is one row, down to the third level, and nothing is framed`() {
    // Each level holds nearly all of the one above, and a file beside it.
    let tree = LayoutTree(
      weights: [0, 0, 1, 0, 1, 0, 1, 0, 1, 90],
      childCounts: [2, 2, 0, 2, 0, 2, 0, 1, 0, 0]
    )
    var treemap = NestedTreemap()
    treemap.medium = .halfCells
    let layout = treemap.layout(tree, in: Rect(width: 60, height: 80))
    for node in [1, 3, 5] {
      #expect(layout.decorations[node] == .header)
      var content = layout.rects[node]
      content.y0 += 2
      #expect(layout.contents[node] == content)
    }
    #expect(layout.decorations[7] == .none)
    let small = treemap.layout(tree, in: Rect(width: 7, height: 80))
    #expect(small.decorations.allSatisfy { $0 == .none })
  }

  @Test func `A picture of twice the scale and size is the same picture`() {
    let tree = Self.tree(3)
    var treemap = NestedTreemap()
    let layout = treemap.layout(tree, in: Rect(width: 800, height: 500))
    treemap.scale = 2
    let larger = treemap.layout(tree, in: Rect(width: 1600, height: 1000))
    #expect(larger.decorations == layout.decorations)
    #expect(
      larger.rects
        == layout.rects.map { Rect(x0: $0.x0 * 2, y0: $0.y0 * 2, x1: $0.x1 * 2, y1: $0.y1 * 2) }
    )
  }
}

extension Rect {
  func contains(_ other: Rect) -> Bool {
    other.x0 >= x0 && other.y0 >= y0 && other.x1 <= x1 && other.y1 <= y1
  }

  func isNear(_ other: Rect, _ tolerance: Double) -> Bool {
    abs(x0 - other.x0) <= tolerance && abs(y0 - other.y0) <= tolerance
      && abs(x1 - other.x1) <= tolerance && abs(y1 - other.y1) <= tolerance
  }

  /// Whether rectangles cover this one exactly once.
  ///
  /// Rectangles inside another that do not overlap, and whose areas add up to its area, cover it;
  /// and every edge of theirs is one of its own, or the very number that a neighbour on the other
  /// side has.
  func isTiled(by rects: [Rect]) -> Bool {
    guard rects.allSatisfy(contains) else { return false }
    let area = rects.reduce(0) { $0 + $1.area }
    guard abs(area - self.area) <= 1e-9 * self.area else { return false }
    let lefts = Set(rects.map(\.x0) + [x1])
    let rights = Set(rects.map(\.x1) + [x0])
    let tops = Set(rects.map(\.y0) + [y1])
    let bottoms = Set(rects.map(\.y1) + [y0])
    guard
      rects.allSatisfy({
        rights.contains($0.x0) && lefts.contains($0.x1) && bottoms.contains($0.y0)
          && tops.contains($0.y1)
      })
    else { return false }
    return rects.indices.allSatisfy { first in
      rects[(first + 1)...].allSatisfy { !rects[first].overlaps($0) }
    }
  }

  private func overlaps(_ other: Rect) -> Bool {
    max(x0, other.x0) < min(x1, other.x1) && max(y0, other.y0) < min(y1, other.y1)
  }
}
