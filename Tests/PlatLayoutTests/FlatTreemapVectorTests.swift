import Foundation
import PlatLayout
import Testing

/// Comparison with d3-hierarchy 3.1.2, on the vectors in `Fixtures/treemaps/d3`.
struct FlatTreemapVectorTests {
  static let files = [
    "all_zero", "ascending", "binary10", "blocks", "chain500", "dominant", "equal100", "equal7",
    "flare", "halves", "leaf", "lognormal200", "nested_zero", "one", "paper", "pareto10k",
    "pow2_60", "rand1", "rand3", "real_doc", "real_include", "real_python3", "real_swift",
    "real_usrbin", "real_usrlib", "real_venv", "three", "tiny", "two_equal", "two_uneven",
    "zeros_mixed",
  ]

  @Test(arguments: files)
  func `Rectangles equal those of d3-hierarchy bit for bit`(name: String) throws {
    let vectors = try fixture("\(name).json")
    let fixtureTree = FixtureTree(try #require(vectors["input"]))
    let cases = try #require(vectors["cases"] as? [[String: Any]])
    #expect(!cases.isEmpty)
    for vector in cases {
      let options = try #require(vector["options"] as? [String: Any])
      let size = try #require(options["size"] as? [Double])
      let treemap = try FlatTreemap(options: options)
      let rects = treemap.rects(
        of: fixtureTree.tree,
        in: Rect(width: size[0], height: size[1])
      )
      let edges = fixtureTree.preorder.flatMap { rects[$0].edges }

      let expected = try #require(vector["rects"] as? [Double])
      #expect(edges.count == expected.count)
      let error = zip(edges, expected).reduce(0) { max($0, abs($1.0 - $1.1)) }
      #expect(error <= 1e-6, "\(options)")

      let bytes = edges.flatMap { edge in
        (0..<8).map { UInt8(truncatingIfNeeded: edge.bitPattern >> (8 * $0)) }
      }
      #expect(String(sha256(bytes).prefix(32)) == vector["sha256_128"] as? String, "\(options)")
    }
  }

  @Test func `Rectangles equal those computed with exact fractions`() throws {
    let vectors = try fixture("exact/exact.json")
    let cases = try #require(vectors["cases"] as? [[String: Any]])
    #expect(!cases.isEmpty)
    for vector in cases {
      let areas = try #require(vector["areas"] as? [Double])
      let size = try #require(vector["size"] as? [Double])
      let expected = try #require(vector["rects"] as? [[String]])
      let tree = LayoutTree(
        weights: [0] + areas,
        childCounts: [Int32(areas.count)] + areas.map { _ in 0 }
      )
      let rects = FlatTreemap().rects(of: tree, in: Rect(width: size[0], height: size[1]))
      for (rect, fractions) in zip(rects.dropFirst(), expected) {
        for (edge, fraction) in zip(rect.edges, fractions) {
          let terms = fraction.split(separator: "/").compactMap { Double($0) }
          let value = terms.count == 2 ? terms[0] / terms[1] : terms[0]
          #expect(abs(edge - value) <= 1e-9, "\(areas)")
        }
      }
    }
  }

  @Test func `Kept rows give the rectangles of the resquarify of d3-hierarchy`() throws {
    let vectors = try fixture("resquarify.json")
    let sequences = try #require(vectors["sequences"] as? [[String: Any]])
    #expect(!sequences.isEmpty)
    for sequence in sequences {
      let size = try #require(sequence["size"] as? [Double])
      let frames = try #require(sequence["frames"] as? [[String: Any]])
      var treemap = FlatTreemap()
      treemap.tiling = .squarify(ratio: try #require(sequence["ratio"] as? Double))
      var rows: TreemapRows?
      for frame in frames {
        let values = try #require(frame["values"] as? [Double])
        let tree = FixtureTree(values).tree
        let rects = treemap.rects(
          of: tree,
          in: Rect(width: size[0], height: size[1]),
          keeping: &rows
        )
        let expected = try #require(frame["rects"] as? [Double])
        let edges = rects.dropFirst().flatMap(\.edges)
        #expect(edges.count == expected.count)
        #expect(zip(edges, expected).allSatisfy { abs($0 - $1) <= 1e-6 }, "\(values)")
      }
    }
  }

  @Test func `The digest that the comparison rests on is SHA-256`() {
    #expect(
      sha256(Array("abc".utf8))
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    )
  }
}

extension Rect {
  fileprivate var edges: [Double] { [x0, y0, x1, y1] }
}

extension FlatTreemap {
  /// The treemap that the options of a vector describe.
  fileprivate init(options: [String: Any]) throws {
    self.init()
    let ratio = try #require(options["ratio"] as? Double)
    switch options["tile"] as? String {
    case "squarify": tiling = .squarify(ratio: ratio)
    case "binary": tiling = .binary
    case "slice": tiling = .slice
    case "dice": tiling = .dice
    case "sliceDice": tiling = .sliceDice
    case let other: Issue.record("unknown tiling \(other ?? "")")
    }
    order = options["sort"] as? String == "desc" ? .descending : .given
    isRounded = try #require(options["round"] as? Bool)
    padding = Padding(
      inner: try #require(options["inner"] as? Double),
      outer: try #require(options["outer"] as? Double),
      top: options["top"] as? Double
    )
  }
}
