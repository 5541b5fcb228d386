import Foundation
import PlatLayout

/// A tree of files that changes as disks do, and that knows every file again.
struct GrowingTree {
  struct Node {
    /// What the node is known by; the same in every version of the tree.
    var identity: UInt64
    /// The size of a file.
    var size = 0.0
    var isDirectory = false
    var children: [Int] = []
    var parent = 0
  }

  /// All nodes, the root first; one that was deleted stays, and is no one's child.
  private(set) var nodes = [Node(identity: 1, isDirectory: true)]
  private var lastIdentity: UInt64 = 1
  private(set) var version = 0

  init() {}

  /// Takes over a tree; inner nodes become directories, and leaves files.
  init(_ tree: LayoutTree) {
    for node in 0..<tree.count {
      for child in tree.children(of: node) {
        add(to: node, size: tree.total(of: child), isDirectory: !tree.isLeaf(child))
      }
    }
  }

  /// Adds an entry to a directory, and returns its index.
  @discardableResult
  mutating func add(to parent: Int, size: Double, isDirectory: Bool = false) -> Int {
    lastIdentity += 1
    // Identities without an order, as hashes are.
    var hash = SplitMix64(seed: lastIdentity)
    let node = Node(
      identity: hash.next() | 1,
      size: isDirectory ? 0 : size,
      isDirectory: isDirectory,
      parent: parent
    )
    nodes.append(node)
    nodes[parent].children.append(nodes.count - 1)
    return nodes.count - 1
  }

  /// The size of every node with all below it.
  var totals: [Double] {
    var totals = nodes.map(\.size)
    // Children come after their parents.
    for node in nodes.indices.reversed() where nodes[node].isDirectory {
      totals[node] = nodes[node].children.reduce(0) { $0 + totals[$1] }
    }
    return totals
  }

  /// The indices of the nodes that are there, parents first.
  var present: [Int] {
    var found = [0]
    var next = 0
    while next < found.count {
      found += nodes[found[next]].children
      next += 1
    }
    return found
  }

  /// Returns the tree of all that is in this version or an earlier one, each file as large as it is in
  /// either at most.
  func union(_ earlier: GrowingTree) -> GrowingTree {
    var union = self
    for node in earlier.nodes.indices {
      union.nodes[node].size = max(nodes[node].size, earlier.nodes[node].size)
      let present = Set(nodes[node].children)
      union.nodes[node].children += earlier.nodes[node].children.filter { !present.contains($0) }
    }
    return union
  }

  /// Puts the entries of every directory in another order, as a file system may list them.
  mutating func shuffle(using generator: inout SplitMix64) {
    for node in nodes.indices { nodes[node].children.shuffle(using: &generator) }
  }
}

// MARK: Changes

extension GrowingTree {
  /// Changes the tree as the time between two scans does: 3 % of the files change their size, 0.5 %
  /// go, 0.8 % come, and 6 large ones grow by 5 to 40 %; every third time, a directory of 1 to 4 %
  /// of the whole comes, and a large file or directory goes.
  mutating func change(using generator: inout SplitMix64) {
    version += 1
    let present = present
    let files = present.filter { !nodes[$0].isDirectory }
    let directories = present.filter { nodes[$0].isDirectory }
    guard !files.isEmpty else { return }
    for _ in 0..<files.count * 3 / 100 {
      nodes[files[.random(in: 0..<files.count, using: &generator)]].size *=
        exp(0.3 * Self.normal(&generator))
    }
    for _ in 0..<files.count * 8 / 1000 {
      let model = nodes[files[.random(in: 0..<files.count, using: &generator)]].size
      let parent = directories[.random(in: 0..<directories.count, using: &generator)]
      add(to: parent, size: (model * exp(0.5 * Self.normal(&generator))).rounded(.up))
    }
    for _ in 0..<files.count * 5 / 1000 {
      remove(files[.random(in: 0..<files.count, using: &generator)])
    }
    let largest = files.sorted { nodes[$0].size > nodes[$1].size }.prefix(60)
    for _ in 0..<min(6, largest.count) {
      nodes[largest[.random(in: 0..<largest.count, using: &generator)]].size *=
        Double.random(in: 1.05...1.4, using: &generator)
    }
    for node in files { nodes[node].size = nodes[node].size.rounded() }
    if version.isMultiple(of: 3) { changeMuch(directories, using: &generator) }
  }

  /// Adds a large directory, and removes something large.
  private mutating func changeMuch(_ directories: [Int], using generator: inout SplitMix64) {
    let totals = totals
    let whole = totals[0]
    let victims = present.filter { node in
      node > 0 && totals[node] > 0.005 * whole && totals[node] < 0.03 * whole
    }
    let parents = directories.filter { totals[$0] > 0.05 * whole }
    if let parent = parents.randomElement(using: &generator) {
      let new = add(to: parent, size: 0, isDirectory: true)
      let size = Double.random(in: 0.01...0.04, using: &generator) * whole
      let shares = (0..<40).map { _ in exp(1.2 * Self.normal(&generator)) }
      let sum = shares.reduce(0, +)
      for share in shares { add(to: new, size: (size * share / sum).rounded()) }
    }
    if let victim = victims.randomElement(using: &generator) { remove(victim) }
  }

  private mutating func remove(_ node: Int) {
    nodes[nodes[node].parent].children.removeAll { $0 == node }
  }

  private static func normal(_ generator: inout SplitMix64) -> Double {
    let radius = (-2 * log(Double.random(in: 1e-12...1, using: &generator))).squareRoot()
    return radius * cos(2 * .pi * Double.random(in: 0...1, using: &generator))
  }
}
