import PlatLayout
public import PlatTree

/// How a snapshot is arranged in pictures, so that the pictures of a series of snapshots resemble
/// each other.
///
/// Each snapshot has a memory that is made when it is scanned, from the memory of the snapshot
/// before. Pictures of any size and of any part read it, and never change it: what a snapshot looks
/// like depends on the series of snapshots, and not on how often it was drawn.
///
/// ```swift
/// let first = PictureMemory(of: monday, after: nil)
/// let second = PictureMemory(of: tuesday, after: PictureMemory(first.bytes, of: monday))
/// try TreemapRenderer(memory: second).png(of: tuesday)
/// ```
public struct PictureMemory: Sendable {
  internal let layout: LayoutMemory
  private let kept: KeptNodes

  /// Makes the memory of a tree.
  ///
  /// - Parameters:
  ///   - tree: The tree.
  ///   - previous: The memory of the snapshot before; `nil` for the first, which is arranged for a
  ///     picture of the usual size.
  /// - Complexity: O(*n*), where *n* is the number of entries in directories that are large enough
  ///   to be drawn.
  public init(of tree: FileTree, after previous: PictureMemory?) {
    let bounds = previous?.bounds ?? Self.usualBounds
    let selection = Self.select(tree, in: bounds, KeptNodes(previous?.layout))
    let layoutTree = selection.layoutTree
    let treemap = NestedTreemap()
    kept = selection.kept
    if let last = previous?.layout,
      treemap.isUpToDate(last, layoutTree, identities: selection.identities, in: bounds)
    {
      self.layout = last
      return
    }
    let layout = treemap.layout(
      layoutTree,
      identities: selection.identities,
      in: bounds,
      remembering: previous?.layout
    )
    self.layout = treemap.memory(of: layout, layoutTree, identities: selection.identities)
  }

  /// Reads a memory; fails if the bytes are no memory, are of another version, or are shortened and
  /// do not fit the tree.
  ///
  /// - Parameters:
  ///   - bytes: What ``bytes`` gave, or ``shortened(_:)`` made of it.
  ///   - tree: The tree that the memory is of, which shortened bytes need; `nil` if it is not at
  ///     hand.
  public init?(_ bytes: [UInt8], of tree: FileTree?) {
    guard let encoded = EncodedLayoutMemory(bytes) else { return nil }
    kept = KeptNodes(encoded)
    if let memory = encoded.memory {
      layout = memory
    } else if let tree {
      let bounds = Rect(width: encoded.width, height: encoded.height)
      let selection = Self.select(tree, in: bounds, kept)
      guard
        let memory = encoded.memory(selection.layoutTree, identities: selection.identities)
      else { return nil }
      layout = memory
    } else {
      return nil
    }
  }

  /// The number of rectangles that the memory is of.
  public var tileCount: Int { layout.cellCount }

  /// The memory as bytes that can be read without the tree, about ten for each tile.
  public var bytes: [UInt8] { EncodedLayoutMemory(layout, kept: kept).bytes }

  /// Returns bytes that can be read with the tree only, about one for each tile.
  public static func shortened(_ bytes: [UInt8]) -> [UInt8] {
    EncodedLayoutMemory(bytes)?.withoutIdentities.bytes ?? bytes
  }

  private var bounds: Rect { Rect(width: layout.width, height: layout.height) }

  /// The map of a picture with the default options.
  private static let usualBounds: Rect = {
    let map = (try? PictureFrame(RenderOptions()))?.map
    return map.map { Rect(width: $0.width, height: $0.height) } ?? Rect(width: 1576, height: 908)
  }()

  private static func select(_ tree: FileTree, in bounds: Rect, _ kept: KeptNodes) -> Selection {
    let total = Double(tree.size(of: tree.root, .allocated))
    return Selector(
      tree,
      top: tree.root,
      measure: .allocated,
      threshold: CullingRule.nested.wholeThreshold(total: total, in: bounds),
      depthLimit: .max,
      classes: nil,
      kept: kept
    ).select()
  }
}

extension CullingRule {
  /// Returns the smallest size in bytes that is worth a rectangle.
  internal func wholeThreshold(total: Double, in bounds: Rect) -> UInt64 {
    UInt64(exactly: threshold(total: total, in: bounds).rounded(.up)) ?? .max
  }
}
