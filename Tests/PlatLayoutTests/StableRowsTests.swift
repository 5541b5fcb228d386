import PlatLayout
import Testing

struct StableRowsTests {
  static let bounds = Rect(width: 1600, height: 1000)
  static let seeds = Array(UInt64(1)...24)

  /// A tree with some thousand files, and the generator of its changes.
  static func tree(_ seed: UInt64) -> (GrowingTree, SplitMix64) {
    var generator = SplitMix64(seed: seed)
    let leaves = Int.random(in: 1...1500, using: &generator)
    return (GrowingTree(LayoutTree.random(leaves: leaves, using: &generator)), generator)
  }

  static func series(_ seed: UInt64, versions: Int) -> (PictureSeries, GrowingTree) {
    var (tree, generator) = tree(seed)
    var series = PictureSeries(in: bounds)
    _ = series.advance(tree)
    for _ in 0..<versions {
      tree.change(using: &generator)
      _ = series.advance(tree)
    }
    return (series, tree)
  }

  @Test(arguments: seeds)
  func `A tree that has not changed has the same layout bit for bit`(seed: UInt64) throws {
    for versions in [0, 3] {
      var (series, tree) = Self.series(seed, versions: versions)
      let picture = try #require(series.picture)
      let memory = series.memory
      #expect(series.advance(tree).layout.rects == picture.layout.rects)
      #expect(series.memory == memory)
      let view = series.view(tree, in: Self.bounds, for: .resize)
      #expect(view.layout.rects == picture.layout.rects)
      #expect(view.layout.decorations == picture.layout.decorations)
    }
  }

  @Test(arguments: seeds)
  func `A solved layout has nothing left to improve, also without a fingerprint`(
    seed: UInt64
  )
    throws
  {
    let (series, tree) = Self.series(seed, versions: 3)
    let picture = try #require(series.picture)
    let memory = try #require(series.memory)
    // As read for a picture of another size, which the fingerprint says is another picture.
    let drawn = tree.draw(in: Self.bounds, keeping: KeptNodes(memory))
    var treemap = series.treemap
    treemap.scale = 2
    let larger = treemap.layout(
      drawn.tree,
      identities: drawn.identities,
      in: Rect(width: 3200, height: 2000),
      remembering: memory
    )
    let halves = larger.rects.map {
      Rect(x0: $0.x0 / 2, y0: $0.y0 / 2, x1: $0.x1 / 2, y1: $0.y1 / 2)
    }
    #expect(halves == picture.layout.rects)
    #expect(picture.layout.rounds < 8)
  }

  @Test(arguments: seeds)
  func `The order in which a disk lists its files makes no difference`(seed: UInt64) {
    var (tree, generator) = Self.tree(seed)
    var shuffled = tree
    var series = PictureSeries(in: Self.bounds)
    var other = PictureSeries(in: Self.bounds)
    for _ in 0..<3 {
      shuffled.shuffle(using: &generator)
      #expect(series.advance(tree).layout == other.advance(shuffled).layout)
      tree.change(using: &generator)
      shuffled = tree
    }
    #expect(series.memory == other.memory)
  }

  @Test(arguments: seeds)
  func `Children fill the content of their parent, and areas are true, whatever is remembered`(
    seed: UInt64
  ) throws {
    let (series, tree) = Self.series(seed, versions: 4)
    let pictures = [
      try #require(series.picture),
      series.view(tree, in: Rect(width: 500, height: 400), for: .resize),
    ]
    for picture in pictures {
      let (tree, layout) = (picture.drawn.tree, picture.layout)
      for node in 0..<tree.count {
        #expect(layout.rects[node].isValid)
        let children = tree.children(of: node).filter { tree.total(of: $0) > 0 }
        if !children.isEmpty {
          #expect(layout.contents[node].isTiled(by: children.map { layout.rects[$0] }), "\(node)")
        }
      }
      #expect(LayoutQuality(picture).variation <= 0.005)
    }
  }

  @Test(arguments: seeds)
  func `The memory of another tree does no harm`(seed: UInt64) {
    let (series, _) = Self.series(seed + 1000, versions: 1)
    let (tree, _) = Self.tree(seed)
    let drawn = tree.draw(in: Self.bounds)
    // Other identities, but for the root: its children are all new, and it is laid out afresh.
    var identities = drawn.identities
    for node in 1..<drawn.tree.count {
      identities.entries[node] ^= 0xFFFF
      identities.parents[node] ^= 0xFFFF
    }
    let layout = series.treemap.layout(
      drawn.tree,
      identities: identities,
      in: Self.bounds,
      remembering: series.memory
    )
    #expect(layout.rects == series.treemap.layout(drawn.tree, in: Self.bounds).rects)
  }

  @Test(arguments: seeds)
  func `A layout without decorations has none, whatever is remembered`(seed: UInt64) throws {
    let (series, tree) = Self.series(seed, versions: 1)
    let memory = try #require(series.memory)
    let drawn = tree.draw(in: Self.bounds, keeping: KeptNodes(memory))
    var treemap = series.treemap
    treemap.isDecorated = false
    let layout = treemap.layout(
      drawn.tree,
      identities: drawn.identities,
      in: Self.bounds,
      remembering: memory,
      for: .resize
    )
    #expect(layout.decorations.allSatisfy { $0 == .none })
    #expect(layout.contents == layout.rects)
  }

  @Test func `A new file joins the row of files of its size`() throws {
    var tree = GrowingTree()
    for size in [900, 800, 300, 290, 280, 100, 90, 80, 70.0] { tree.add(to: 0, size: size * 1000) }
    var series = PictureSeries(in: Self.bounds)
    _ = series.advance(tree)
    let new = tree.add(to: 0, size: 85_000)
    let files = series.advance(tree)
    let rect = files.rects[try #require(files.files[tree.nodes[new].identity])]
    let neighbours = try (1...9).filter { other in
      let like = files.rects[try #require(files.files[tree.nodes[other].identity])]
      return (like.x0 == rect.x0 && like.x1 == rect.x1)
        || (like.y0 == rect.y0 && like.y1 == rect.y1)
    }
    #expect(!neighbours.isEmpty)
    #expect(neighbours.allSatisfy { tree.nodes[$0].size <= 100_000 })
  }

  @Test func `A directory keeps its header until it is clearly too small`() {
    func decoration(_ widths: [Double]) -> Decoration {
      var last = Decoration.none
      var memory: LayoutMemory?
      let tree = LayoutTree(weights: [0, 0, 1], childCounts: [1, 1, 0])
      let identities = NodeIdentities(entries: [1, 2, 3], parents: [1, 2, 3])
      let treemap = NestedTreemap()
      for width in widths {
        let layout = treemap.layout(
          tree,
          identities: identities,
          in: Rect(width: width, height: 200),
          remembering: memory
        )
        memory = treemap.memory(of: layout, tree, identities: identities)
        last = layout.decorations[1]
      }
      return last
    }
    #expect(decoration([55]) == .header)
    #expect(decoration([55, 49]) == .header)
    #expect(decoration([49]) == .frame)
    #expect(decoration([49, 55]) == .frame)
    #expect(decoration([49, 60]) == .frame)
    #expect(decoration([49, 60, 68]) == .header)
    #expect(decoration([60, 42]) == .header)
    #expect(decoration([60, 38]) == .frame)
  }
}

// MARK: Gates

extension StableRowsTests {
  @Test(arguments: ["swift", "python3", "venv"])
  func `Little moves when little changes, at little cost to shapes`(name: String) throws {
    var tree = GrowingTree(try RealTreeTests.tree(name))
    var generator = SplitMix64(seed: 4242)
    var series = PictureSeries(in: Self.bounds)
    var old = series.advance(tree)
    var oldFresh = series.fresh(tree)
    var (travel, freshTravel, moved, freshMoved) = (0.0, 0.0, 0.0, 0.0)
    var (ratio, freshRatio) = (0.0, 0.0)
    for _ in 0..<6 {
      tree.change(using: &generator)
      let new = series.advance(tree)
      let newFresh = series.fresh(tree)
      let change = LayoutChange(from: old, to: new)
      let freshChange = LayoutChange(from: oldFresh, to: newFresh)
      travel += change.travel
      freshTravel += freshChange.travel
      moved += change.moved
      freshMoved += freshChange.moved
      ratio += LayoutQuality(new).ratio
      freshRatio += LayoutQuality(newFresh).ratio
      #expect(new.layout.rounds < 8)
      (old, oldFresh) = (new, newFresh)
    }
    #expect(travel <= 0.5 * freshTravel)
    #expect(moved <= 0.35 * freshMoved)
    #expect(ratio <= 1.12 * freshRatio)
  }

  @Test(arguments: ["python3", "venv"])
  func `A picture of another size has everything where it was`(name: String) throws {
    let tree = GrowingTree(try RealTreeTests.tree(name))
    var series = PictureSeries(in: Self.bounds)
    let picture = series.advance(tree)
    for (width, limit) in [(1500.0, 1.0), (1200, 2)] {
      let bounds = Rect(width: width, height: 1000)
      let view = series.view(tree, in: bounds, for: .resize)
      #expect(LayoutChange(from: picture, to: view).moved <= limit)
      let fresh = PictureSeries(in: bounds).fresh(tree)
      #expect(LayoutQuality(view).ratio <= 1.05 * LayoutQuality(fresh).ratio)
    }
  }
}
