import Foundation
import PlatLayout
import Testing

/// Quality of layouts of real directories, against d3-hierarchy, to which `FlatTreemap` is equal.
struct RealTreeTests {
  static let names = ["doc", "include", "python3", "swift", "usrbin", "usrlib", "venv"]
  static let bounds = Rect(width: 1600, height: 1000)

  static func tree(_ name: String) throws -> LayoutTree {
    FixtureTree(try #require(try fixture("real_\(name).json")["input"])).tree
  }

  /// The nested treemap of d3-hierarchy with a space of 2 between siblings, 19 above and 3 around.
  static var peer: FlatTreemap {
    var treemap = FlatTreemap()
    treemap.padding = FlatTreemap.Padding(inner: 2, outer: 3, top: 19)
    return treemap
  }

  @Test(arguments: names)
  func `Areas of leaves are true in a nested layout`(name: String) throws {
    let tree = try Self.tree(name)
    let layout = NestedTreemap().layout(tree, in: Self.bounds)
    let ours = Spread(of: tree, layout.rects)
    let peer = Spread(of: tree, Self.peer.rects(of: tree, in: Self.bounds))

    #expect(ours.variation <= 0.005)
    #expect(ours.visible >= peer.visible)
    // A directory that is one level of files has no padding to err by.
    if peer.variation > 0.01 { #expect(ours.variation <= peer.variation / 50) }
  }

  @Test func `Squares are as good as those of d3-hierarchy, and better than its golden rectangles`()
    throws
  {
    var treemap = NestedTreemap()
    treemap.isDecorated = false
    treemap.stretch = 1
    var golden = FlatTreemap()
    golden.tiling = .squarify(ratio: Tiling.goldenRatio)

    let gains = try Self.names.map { name in
      let tree = try Self.tree(name)
      let ours = aspectRatio(of: tree, treemap.layout(tree, in: Self.bounds).rects)
      let square = aspectRatio(of: tree, FlatTreemap().rects(of: tree, in: Self.bounds))
      let other = aspectRatio(of: tree, golden.rects(of: tree, in: Self.bounds))
      #expect(ours <= 1.01 * square, "\(name)")
      #expect(ours < other, "\(name)")
      return ours / other
    }
    // How much better depends on the tree: 5 % for `doc`, 23 to 33 % for the others.
    #expect(geometricMean(gains) <= 0.85)
  }

  @Test func `Stretched rectangles have room for more names`() throws {
    var treemap = NestedTreemap()
    treemap.isDecorated = false
    var golden = FlatTreemap()
    golden.tiling = .squarify(ratio: Tiling.goldenRatio)

    let gains = try Self.names.map { name in
      let tree = try Self.tree(name)
      let ours = labels(of: tree, treemap.layout(tree, in: Self.bounds).rects)
      let other = labels(of: tree, golden.rects(of: tree, in: Self.bounds))
      return Double(ours) / Double(other)
    }
    #expect(geometricMean(gains) >= 1.25)
  }
}

private func geometricMean(_ values: [Double]) -> Double {
  pow(values.reduce(1, *), 1 / Double(values.count))
}

/// Returns the mean aspect ratio of the leaves that are at least 2 pixels wide and high.
private func aspectRatio(of tree: LayoutTree, _ rects: [Rect]) -> Double {
  let ratios = (0..<tree.count)
    .filter { tree.isLeaf($0) && rects[$0].shorterSide >= 2 }
    .map { max(rects[$0].width / rects[$0].height, rects[$0].height / rects[$0].width) }
  return ratios.reduce(0, +) / Double(ratios.count)
}

/// Returns how many leaves have room for a name of twelve letters.
private func labels(of tree: LayoutTree, _ rects: [Rect]) -> Int {
  (0..<tree.count).count { tree.isLeaf($0) && rects[$0].width >= 84 && rects[$0].height >= 15 }
}

/// How evenly leaves of at least 3 pixels on either side are scaled.
private struct Spread {
  var visible = 0
  /// The standard deviation of area per weight, divided by its mean.
  var variation = 0.0

  init(of tree: LayoutTree, _ rects: [Rect]) {
    let scales = (0..<tree.count)
      .filter { tree.isLeaf($0) && tree.total(of: $0) > 0 && rects[$0].shorterSide >= 3 }
      .map { rects[$0].area / tree.total(of: $0) }
    visible = scales.count
    guard visible > 0 else { return }
    let mean = scales.reduce(0, +) / Double(visible)
    let variance = scales.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(visible)
    variation = variance.squareRoot() / mean
  }
}
