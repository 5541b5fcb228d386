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
    print(name, ours, peer)
  }
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
