import PlatLayout
import Testing

/// Trees and rectangles at the limits, for every way to lay out.
struct ExtremeTreeTests {
  struct Case: CustomTestStringConvertible {
    var testDescription: String
    var tree: LayoutTree
  }

  static let cases = [
    Case(testDescription: "a lone root", tree: LayoutTree(weights: [1], childCounts: [0])),
    Case(
      testDescription: "a lone root of weight 0",
      tree: LayoutTree(weights: [0], childCounts: [0])
    ),
    Case(
      testDescription: "nothing but zeros",
      tree: LayoutTree(
        weights: Array(repeating: 0, count: 9),
        childCounts: [3, 2, 0, 3, 0, 0, 0, 0, 0]
      )
    ),
    Case(
      testDescription: "the largest sizes beside the smallest",
      tree: .star([Double(Int64.max), Double(Int64.max), 1, 0, 1, 4096, Double(Int64.max)])
    ),
    Case(
      testDescription: "many of the largest sizes",
      tree: .star(Array(repeating: Double(UInt64.max), count: 1000))
    ),
    Case(
      testDescription: "weights that are none",
      tree: .star([.nan, .infinity, -.infinity, -1, 1e300, .leastNonzeroMagnitude, 3])
    ),
    Case(testDescription: "the limits of weights", tree: .star([1e100, 1e-100, 1e100, 1e-100])),
    Case(
      testDescription: "one weight and a thousand zeros",
      tree: .star([1] + Array(repeating: 0, count: 1000))
    ),
  ]

  static let boundsToFill = [
    Rect.zero, Rect(width: 1, height: 1), Rect(width: 40_000, height: 100),
    Rect(width: 0, height: 100), Rect(width: 100, height: 0), Rect(width: 1e-3, height: 1e-3),
    Rect(x0: -5, y0: -5, x1: 1e6, y1: 1e6), Rect(x0: -1e100, y0: -1e100, x1: 1e100, y1: 1e100),
  ]

  static let tilings: [Tiling] = [
    .squarify(ratio: 1), .squarify(ratio: Tiling.goldenRatio), .binary, .slice, .dice, .sliceDice,
  ]

  @Test(arguments: cases, boundsToFill)
  func `A nested layout stays inside its bounds`(example: Case, bounds: Rect) {
    let tree = example.tree
    let layout = NestedTreemap().layout(tree, in: bounds)
    #expect(layout.rects.allSatisfy { $0.isValid && bounds.contains($0) })
    #expect(layout.contents.allSatisfy { $0.isValid && bounds.contains($0) })
    for node in 1..<max(tree.count, 1) where tree.total(of: node) == 0 {
      #expect(layout.rects[node].area == 0)
    }
    for node in 0..<tree.count where tree.total(of: node) > 0 {
      let children = tree.children(of: node).filter { tree.total(of: $0) > 0 }
      if !children.isEmpty {
        #expect(layout.contents[node].isTiled(by: children.map { layout.rects[$0] }))
      }
    }
  }

  @Test(arguments: cases, boundsToFill)
  func `A flat layout has no infinities or NaN`(example: Case, bounds: Rect) {
    for tiling in Self.tilings {
      var treemap = FlatTreemap()
      treemap.tiling = tiling
      for padding in [0.0, 3] {
        treemap.padding = FlatTreemap.Padding(inner: padding, outer: padding)
        let rects = treemap.rects(of: example.tree, in: bounds)
        // The last edge may be off by its last place, and so beyond the limit of a valid rectangle.
        let areFinite = rects.allSatisfy { rect in
          [rect.x0, rect.y0, rect.x1, rect.y1].allSatisfy { $0.isFinite }
            && rect.x0 <= rect.x1 && rect.y0 <= rect.y1
        }
        #expect(areFinite, "\(tiling), padding \(padding)")
      }
    }
  }

  @Test func `A chain of half a million nodes is laid out`() {
    let count = 500_000
    let tree = LayoutTree(
      weights: Array(repeating: 1, count: count),
      childCounts: Array(repeating: 1, count: count - 1) + [0]
    )
    let bounds = Rect(width: 1600, height: 1000)
    let layout = NestedTreemap().layout(tree, in: bounds)
    #expect(layout.rects.allSatisfy { $0.isValid && bounds.contains($0) })
    #expect(layout.decorations[1] == .header)
    #expect(layout.rects[count - 1].area > 0)
    #expect(FlatTreemap().rects(of: tree, in: bounds).allSatisfy { $0 == bounds })
  }

  @Test func `Nodes that are not in level order stop the process`() async {
    await #expect(processExitsWith: .failure) {
      _ = LayoutTree(weights: [0, 0, 1], childCounts: [1, 0, 1])
    }
  }

  @Test func `A rectangle with its edges on the wrong sides stops the process`() async {
    await #expect(processExitsWith: .failure) {
      let tree = LayoutTree(weights: [1], childCounts: [0])
      _ = NestedTreemap().layout(tree, in: Rect(x0: 1, y0: 0, x1: 0, y1: 1))
    }
  }

  @Test func `More children than nodes stop the process`() async {
    await #expect(processExitsWith: .failure) {
      _ = LayoutTree(weights: [0, 1], childCounts: [2, 0])
    }
  }
}

extension LayoutTree {
  /// A root with leaves of the given weights.
  fileprivate static func star(_ weights: [Double]) -> LayoutTree {
    LayoutTree(
      weights: [0] + weights,
      childCounts: [Int32(weights.count)] + weights.map { _ in 0 }
    )
  }
}
