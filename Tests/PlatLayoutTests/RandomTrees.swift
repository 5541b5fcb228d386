import PlatLayout

/// A generator of random numbers with a seed, so that a failure can be repeated (Steele, Lea and
/// Flood, *Fast splittable pseudorandom number generators*, 2014).
struct SplitMix64: RandomNumberGenerator {
  var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

extension LayoutTree {
  /// Creates a tree of random shape, with whole weights from 0 to 2³⁸ of many magnitudes.
  ///
  /// Whole weights make all sums exact, so that the order of siblings changes no total.
  static func random(leaves: Int, using generator: inout SplitMix64) -> LayoutTree {
    var weights: [Double] = []
    var childCounts: [Int32] = []
    var aggregates: [Int] = []
    var pending = 1
    var leafCount = 0
    while weights.count < pending {
      let wantsMore =
        pending < leaves && (pending == weights.count + 1 || Bool.random(using: &generator))
      let count = wantsMore ? Int.random(in: 1...12, using: &generator) : 0
      childCounts.append(Int32(count))
      if count == 0 {
        let magnitude = Int.random(in: 0...38, using: &generator)
        let isZero = Int.random(in: 0..<20, using: &generator) == 0
        weights.append(isZero ? 0 : Double(Int.random(in: 1...1 << magnitude, using: &generator)))
        leafCount += 1
      } else {
        weights.append(0)
        if count > 2, Int.random(in: 0..<4, using: &generator) == 0 {
          aggregates.append(pending + Int.random(in: 0..<count, using: &generator))
        }
      }
      pending += count
    }
    return LayoutTree(weights: weights, childCounts: childCounts, aggregates: aggregates)
  }

  /// The number of children of each node.
  var childCounts: [Int32] { (0..<count).map { Int32(children(of: $0).count) } }

  /// The nodes that are aggregates.
  var aggregates: [Int] { (0..<count).filter(isAggregate) }

  /// Returns the tree with every weight replaced.
  func mapWeights(_ transform: (Double) -> Double) -> LayoutTree {
    LayoutTree(
      weights: (0..<count).map { transform(total(of: $0)) },
      childCounts: childCounts,
      aggregates: aggregates
    )
  }

  /// Returns the tree with the children of every node in another order, and where each node went.
  func shuffled(using generator: inout SplitMix64) -> (tree: LayoutTree, sources: [Int]) {
    var sources = [0]
    var visited = 0
    while visited < sources.count {
      sources += children(of: sources[visited]).shuffled(using: &generator)
      visited += 1
    }
    let tree = LayoutTree(
      weights: sources.map { total(of: $0) },
      childCounts: sources.map { Int32(children(of: $0).count) },
      aggregates: sources.indices.filter { isAggregate(sources[$0]) }
    )
    return (tree, sources)
  }
}
