import PlatLayout
import Testing

struct FlatTreemapPropertyTests {
  static let seeds = Array(UInt64(1)...1000)

  static func tree(_ seed: UInt64) -> LayoutTree {
    var generator = SplitMix64(seed: seed)
    return LayoutTree.random(leaves: Int.random(in: 1...60, using: &generator), using: &generator)
  }

  static func treemap(_ seed: UInt64) -> FlatTreemap {
    var treemap = FlatTreemap()
    treemap.tiling = ExtremeTreeTests.tilings[Int(seed) % ExtremeTreeTests.tilings.count]
    return treemap
  }

  @Test func `Areas are shares of the whole`() {
    let bounds = Rect(width: 1600, height: 1000)
    for seed in Self.seeds {
      let tree = Self.tree(seed)
      let rects = Self.treemap(seed).rects(of: tree, in: bounds)
      guard tree.total(of: 0) > 0 else { continue }
      for node in 0..<tree.count {
        let expected = bounds.area * tree.total(of: node) / tree.total(of: 0)
        let error = abs(rects[node].area - expected)
        // Below one square pixel, the rounding of coordinates near 1000 shows.
        #expect(error <= 1e-9 * max(expected, 1), "seed \(seed), node \(node)")
      }
    }
  }

  @Test func `The order of siblings makes no difference when they are sorted`() {
    for seed in Self.seeds {
      var generator = SplitMix64(seed: seed)
      var next = 0.0
      let tree = Self.tree(seed).mapWeights { weight in
        next += 1
        return weight * 1024 + next
      }
      let (shuffled, sources) = tree.shuffled(using: &generator)
      let treemap = Self.treemap(seed)
      let rects = treemap.rects(of: tree, in: Rect(width: 1600, height: 1000))
      let other = treemap.rects(of: shuffled, in: Rect(width: 1600, height: 1000))
      #expect(other == sources.map { rects[$0] }, "seed \(seed)")
    }
  }

  @Test func `Other units of weight and length change nothing but the unit`() {
    for seed in Self.seeds {
      let tree = Self.tree(seed)
      let treemap = Self.treemap(seed)
      let rects = treemap.rects(of: tree, in: Rect(width: 1600, height: 1000))
      let scaled = treemap.rects(
        of: tree.mapWeights { $0 * 1024 },
        in: Rect(width: 1600 * 1024, height: 1000 * 1024)
      )
      let expected = rects.map {
        Rect(x0: $0.x0 * 1024, y0: $0.y0 * 1024, x1: $0.x1 * 1024, y1: $0.y1 * 1024)
      }
      #expect(scaled == expected, "seed \(seed)")
    }
  }

  @Test func `A squarified treemap on its side is squarified`() {
    for seed in Self.seeds {
      let tree = Self.tree(seed)
      let upright = FlatTreemap().rects(of: tree, in: Rect(width: 997, height: 1601))
      let onSide = FlatTreemap().rects(of: tree, in: Rect(width: 1601, height: 997))
      // A square may be cut either way, and so may what is in it.
      guard !upright.contains(where: { $0.width == $0.height && $0.area > 0 }) else { continue }
      let expected = onSide.map { Rect(x0: $0.y0, y0: $0.x0, x1: $0.y1, y1: $0.x1) }
      #expect(upright == expected, "seed \(seed)")
    }
  }

  @Test func `Rounded edges that were shared are shared`() {
    for seed in Self.seeds {
      let tree = Self.tree(seed)
      var treemap = Self.treemap(seed)
      let bounds = Rect(width: 160, height: 100)
      let exact = treemap.rects(of: tree, in: bounds)
      treemap.isRounded = true
      #expect(treemap.rects(of: tree, in: bounds) == exact.map { $0.rounded() }, "seed \(seed)")
    }
  }

  @Test(arguments: [
    (0.49999999999999994, 0.0), (0.5, 1), (-0.5, 0), (-0.51, -1), (2.5, 3), (1e15 + 0.5, 1e15 + 1),
  ])
  func `Halves are rounded upwards`(value: Double, expected: Double) {
    #expect(Rect(x0: value, y0: 0, x1: value, y1: 0).rounded().x0 == expected)
  }

  @Test func `Rows of a tree of another shape are not kept`() {
    var rows: TreemapRows?
    let bounds = Rect(width: 800, height: 600)
    let treemap = FlatTreemap()
    _ = treemap.rects(of: Self.tree(1), in: bounds, keeping: &rows)
    let rects = treemap.rects(of: Self.tree(2), in: bounds, keeping: &rows)
    #expect(rects == treemap.rects(of: Self.tree(2), in: bounds))
  }
}
