import Foundation
import PlatLayout

/// A tree of a fixture: a number is a leaf, and an array holds the children of an inner node.
struct FixtureTree {
  var tree: LayoutTree
  /// The nodes of `tree` in the order in which the fixture lists them: a node before its children,
  /// and these before its next sibling.
  var preorder: [Int]

  init(_ input: Any) {
    var waiting = [input]
    var weights: [Double] = []
    var childCounts: [Int32] = []
    while weights.count < waiting.count {
      let next = waiting[weights.count]
      let children = next as? [Any] ?? []
      weights.append((next as? NSNumber)?.doubleValue ?? 0)
      childCounts.append(Int32(children.count))
      waiting += children
    }
    tree = LayoutTree(weights: weights, childCounts: childCounts)

    preorder = []
    var stack = [0]
    while let node = stack.popLast() {
      preorder.append(node)
      stack += tree.children(of: node).reversed()
    }
  }
}

/// The contents of a JSON file below `Fixtures/treemaps/d3`.
func fixture(_ name: String) throws -> [String: Any] {
  let url = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Fixtures/treemaps/d3/\(name)")
  let object = try JSONSerialization.jsonObject(with: Data(contentsOf: url))
  guard let fixture = object as? [String: Any] else { throw CocoaError(.fileReadCorruptFile) }
  return fixture
}
