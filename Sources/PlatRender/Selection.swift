import PlatLayout
import PlatTree

/// The part of a tree that is large enough to be drawn, in the level order of ``LayoutTree``.
internal struct Selection: Sendable {
  /// What a node stands for.
  internal enum Kind: Hashable, Sendable {
    /// A directory. One without children in the selection is drawn like a file.
    case directory(DirectoryID)
    /// An entry that is not a directory.
    case file
    /// Entries of the parent that are too small to be drawn, with so many files at or below them.
    case group(files: Int)
    /// Entries that stand where a group of them stood in an earlier picture, as its children.
    case openedGroup

    internal var isGroup: Bool {
      if case .group = self { true } else { false }
    }

    /// Whether it stands for siblings that are too small.
    internal var isAggregate: Bool {
      switch self {
      case .group, .openedGroup: true
      case .directory, .file: false
      }
    }
  }

  internal struct Node: Sendable {
    internal var kind: Kind
    /// The size in bytes.
    internal var size: UInt64
    /// Where the name is in ``Selection/names``; empty for a group, opened or not.
    internal var name: Range<Int>
    /// The node above; that of the root is the root.
    internal var parent: Int
    internal var depth: Int
    /// The class of a file; of anything else, the class that has the most bytes of it.
    internal var classIndex = 0
  }

  internal var nodes: [Node] = []
  internal var childCounts: [Int32] = []
  /// By what nodes are known in pictures of other snapshots.
  internal var identities = NodeIdentities(entries: [], parents: [])
  /// What has kept nodes that are a little too small.
  internal var kept: KeptNodes
  /// The names of nodes, one after the other; none if nodes were selected without classes.
  ///
  /// Those of directories that hold nothing but another directory are joined by slashes.
  internal var names: [UInt8] = []
  /// The classes of all files below the top, drawn or not.
  internal var classes: FileClasses
  /// The regular files that have a tile.
  internal var drawnFiles = 0

  internal init(classes: FileClasses, kept: KeptNodes) {
    self.classes = classes
    self.kept = kept
  }

  /// Makes room for a number of nodes.
  internal mutating func makeRoom(for count: Int) {
    nodes.reserveCapacity(count)
    childCounts.reserveCapacity(count)
    identities.entries.reserveCapacity(count)
    identities.parents.reserveCapacity(count)
  }
}

extension Selection {
  /// Returns the bytes of a node's name.
  internal func name(of node: Int) -> ArraySlice<UInt8> { names[nodes[node].name] }

  /// Returns the path of a node below the top.
  internal func path(of node: Int) -> [UInt8] {
    var chain: [Int] = []
    var node = node
    while nodes[node].parent != node {
      chain.append(node)
      node = nodes[node].parent
    }
    var path: [UInt8] = []
    for node in chain.reversed() where !nodes[node].name.isEmpty {
      path.appendComponent(name(of: node))
    }
    return path
  }

  /// The tree to lay out.
  internal var layoutTree: LayoutTree {
    var areAggregates: [Bool] = []
    let weights = Array(capacity: nodes.count) { (weights: inout OutputSpan<Double>) in
      areAggregates = Array(capacity: nodes.count) { areAggregates in
        for node in nodes {
          weights.append(Double(node.size))
          areAggregates.append(node.kind.isAggregate)
        }
      }
    }
    return LayoutTree(weights: weights, childCounts: childCounts, areAggregates: areAggregates)
  }
}
