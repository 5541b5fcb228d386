/// A treemap in which nodes have headers and frames, and areas are true all the same.
///
/// In an ordinary nested treemap every header and margin comes out of the area of the leaves below
/// it, so that equal files at different places have different sizes. Here each node gets the area
/// that its leaves need, and that its decorations and those below need too: the area of every leaf
/// is in proportion to its weight, over the whole picture. What a node needs depends on the
/// decorations that fit, which depend on what it gets; a few rounds settle both.
///
/// The children of a node fill its content rectangle exactly. Where two rectangles meet, their
/// edges are the same number.
public struct NestedTreemap: Hashable, Sendable {
  /// Whether nodes have decorations; without them, every rectangle is filled by the children.
  public var isDecorated = true
  /// How much wider than high rectangles are to be, so that a name fits; 1 aims at squares.
  public var stretch = 1.5
  /// The factor by which decorations are larger than on a screen with one dot to a pixel.
  public var scale = 1.0

  /// Creates a treemap with decorations, for a screen with one dot to a pixel.
  public init() {}
}

extension NestedTreemap {
  /// Returns the height of the header of a node whose ancestors number `depth`, in pixels.
  public func headerHeight(atDepth depth: Int) -> Double {
    Decorator(scale: scale).headerHeight(atDepth: depth)
  }

  /// Returns the layout of a tree.
  ///
  /// Children are placed by descending weight, aggregates after all others. The root and aggregates
  /// have no decoration. A leaf of weight 0 gets a rectangle without area.
  ///
  /// - Parameters:
  ///   - tree: The weights to lay out.
  ///   - bounds: The rectangle of the root.
  /// - Returns: The rectangles and decorations of all nodes, in the order of the tree.
  /// - Precondition: `bounds` is valid; ``stretch`` and ``scale`` are above 0 and finite.
  /// - Complexity: O(*n* log *n*), where *n* is the number of nodes.
  public func layout(_ tree: LayoutTree, in bounds: Rect) -> NestedLayout {
    precondition(bounds.isValid, "a treemap needs a valid rectangle")
    precondition(stretch > 0 && stretch.isFinite, "the stretch is a positive number")
    precondition(scale > 0 && scale.isFinite, "the scale is a positive number")
    var rounds = NestingRounds(tree: tree, bounds: bounds, options: self)
    rounds.place(choosingStructure: true)
    if isDecorated {
      for round in 0..<8 {
        rounds.updateNeeds()
        // Decorations that come and go would keep the later rounds from coming to rest.
        rounds.place(choosingStructure: round < 3)
      }
    }
    return rounds.finish()
  }
}

/// The rectangles of a nested treemap, each array in the order of the tree.
public struct NestedLayout: Hashable, Sendable {
  /// The rectangle of each node.
  public internal(set) var rects: [Rect]
  /// What the decoration of each node leaves for its children; the rectangle itself for a leaf.
  public internal(set) var contents: [Rect]
  /// The decoration of each node.
  public internal(set) var decorations: [Decoration]
  /// How the children of each node are arranged.
  public internal(set) var rows: TreemapRows

  /// Returns the layout with every edge on the grid of pixels.
  ///
  /// Edges that were shared are shared afterwards. Areas are true up to half a pixel at each edge.
  public func snappedToPixels() -> NestedLayout {
    var result = self
    for node in result.rects.indices {
      result.rects[node] = rects[node].rounded()
      result.contents[node] = contents[node].rounded()
    }
    return result
  }
}
