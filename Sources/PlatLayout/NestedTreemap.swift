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
///
/// A tree that changes a little gets a layout that changes a little, if the layout before is
/// remembered: see ``layout(_:identities:in:remembering:for:)``.
public struct NestedTreemap: Hashable, Sendable {
  /// What a layout is drawn with, which decides how large decorations are.
  public enum Medium: Hashable, Sendable {
    /// Pixels: headers of some 20, and frames.
    case pixels
    /// Halves of a terminal's cells, one above the other: headers of one row, which is two halves,
    /// down to the third level, and no frames.
    case halfCells
  }

  /// What the layout is drawn with.
  public var medium = Medium.pixels
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
    Decorator(scale: scale, medium: medium).headerHeight(atDepth: depth)
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
    var rounds = rounds(tree, in: bounds)
    rounds.settle(tolerance: RowTolerance(for: .rescan)) { false }
    return rounds.finish()
  }

  /// Returns the layout of a tree that keeps what it can of an earlier layout.
  ///
  /// The children of a node stay in the rows that they had. New ones join the row that suits their
  /// size, and rows are made anew, the last ones first, only where shapes have become too bad: the
  /// more so, the larger a directory is in the picture. A decoration stays until it clearly does
  /// not fit any more.
  ///
  /// The layout of the tree that is remembered, with the same bounds and options, is the same bit
  /// for bit. Nodes that the memory does not know are laid out as if there was none.
  ///
  /// - Parameters:
  ///   - tree: The weights to lay out.
  ///   - identities: By what nodes are known again.
  ///   - bounds: The rectangle of the root.
  ///   - memory: What is known of an earlier layout; `nil` is nothing.
  ///   - use: What the layout is for.
  /// - Returns: The rectangles and decorations of all nodes, in the order of the tree.
  /// - Precondition: `bounds` is valid; ``stretch`` and ``scale`` are above 0 and finite;
  ///   `identities` are of `tree`.
  /// - Complexity: O(*n* log *n*), where *n* is the number of nodes.
  public func layout(
    _ tree: LayoutTree,
    identities: NodeIdentities,
    in bounds: Rect,
    remembering memory: LayoutMemory?,
    for use: LayoutMemory.Use = .rescan
  ) -> NestedLayout {
    precondition(identities.fit(tree), "every node has an identity")
    var rounds = rounds(tree, in: bounds)
    var known: UInt64?
    if let memory {
      rounds.recall(memory, identities)
      known = memory.fingerprint
    }
    let own = known == nil ? nil : fingerprint(of: tree, identities, in: bounds)
    rounds.settle(tolerance: RowTolerance(for: use)) { own != nil && own == known }
    return rounds.finish()
  }

  /// Returns what a later layout needs to know of a layout.
  ///
  /// - Parameters:
  ///   - layout: The layout, made by this treemap for a rescan.
  ///   - tree: The tree that it is of.
  ///   - identities: By what nodes are known again.
  /// - Returns: The memory.
  /// - Precondition: `layout` and `identities` are of `tree`.
  /// - Complexity: O(*n* log *n*), where *n* is the number of nodes.
  public func memory(
    of layout: NestedLayout,
    _ tree: LayoutTree,
    identities: NodeIdentities
  ) -> LayoutMemory {
    precondition(identities.fit(tree) && layout.rows.fit(tree), "the layout is of the tree")
    let bounds = layout.rects[0]
    return LayoutMemory(
      of: layout,
      tree,
      identities,
      width: bounds.width / scale,
      height: bounds.height / scale,
      fingerprint: fingerprint(of: tree, identities, in: bounds)
    )
  }

  /// Returns whether a memory is of a tree as it is.
  ///
  /// A layout that remembers it would give the same memory again.
  ///
  /// - Parameters:
  ///   - memory: The memory.
  ///   - tree: The tree.
  ///   - identities: By what nodes are known again.
  ///   - bounds: The rectangle of the root.
  /// - Returns: Whether it is, by a hash of all that the layout depends on.
  /// - Precondition: `identities` are of `tree`.
  /// - Complexity: O(*n*), where *n* is the number of nodes.
  public func isUpToDate(
    _ memory: LayoutMemory,
    _ tree: LayoutTree,
    identities: NodeIdentities,
    in bounds: Rect
  ) -> Bool {
    precondition(identities.fit(tree), "every node has an identity")
    return memory.fingerprint == fingerprint(of: tree, identities, in: bounds)
  }

  private func rounds(_ tree: LayoutTree, in bounds: Rect) -> NestingRounds {
    precondition(bounds.isValid, "a treemap needs a valid rectangle")
    precondition(stretch > 0 && stretch.isFinite, "the stretch is a positive number")
    precondition(scale > 0 && scale.isFinite, "the scale is a positive number")
    return NestingRounds(tree: tree, bounds: bounds, options: self)
  }

  /// Returns a hash of everything that a layout depends on but its rows and decorations.
  private func fingerprint(
    of tree: LayoutTree,
    _ identities: NodeIdentities,
    in bounds: Rect
  ) -> UInt64 {
    var hash = Fingerprint()
    for number in [bounds.width / scale, bounds.height / scale, stretch] {
      hash.combine(number.bitPattern)
    }
    hash.combine(isDecorated ? 1 : 0)
    for node in 0..<tree.count {
      hash.combine(identities.entries[node])
      hash.combine(tree.total(of: node).bitPattern)
      hash.combine(UInt64(tree.children(of: node).count) << 1 | (tree.isAggregate(node) ? 1 : 0))
    }
    return hash.value
  }
}

/// A hash that is the same in every run: multiplications and shifts over words, as in SplitMix64
/// (Steele, Lea and Flood, 2014).
internal struct Fingerprint {
  internal private(set) var value: UInt64 = 0x9E37_79B9_7F4A_7C15

  internal mutating func combine(_ word: UInt64) {
    var mixed = (value ^ word) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    value = mixed ^ mixed >> 31
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
  /// How often the layout was solved before nothing was left to improve, at most 8.
  public internal(set) var rounds: Int

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
