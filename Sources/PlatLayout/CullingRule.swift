/// The rule for which children of a node are worth a rectangle of their own.
///
/// Those that are not are drawn together, as one aggregate with the sum of their weights. Nothing
/// is left out: areas stay true.
public struct CullingRule: Hashable, Sendable {
  /// The smallest area worth a rectangle, in square pixels.
  public var minimumArea: Double
  /// The share of the picture that the leaves are expected to cover, above 0 and at most 1.
  ///
  /// Decorations take the rest. How much that is comes out of the layout, which needs to know the
  /// nodes first; so the rule goes by a share that holds for trees of files.
  public var leafShare: Double

  /// Creates a rule.
  public init(minimumArea: Double, leafShare: Double) {
    self.minimumArea = minimumArea
    self.leafShare = leafShare
  }

  /// The rule for a treemap with decorations.
  public static let nested = CullingRule(minimumArea: 14, leafShare: 0.75)
  /// The rule for a treemap without decorations.
  public static let flat = CullingRule(minimumArea: 5, leafShare: 1)

  /// The share of the threshold down to which a node that was drawn before is drawn again.
  ///
  /// Without it, what is near the threshold would come and go with every scan.
  public static let keptShare = 0.7

  /// Returns the smallest weight that is worth a rectangle; a weight below it is culled.
  ///
  /// - Parameters:
  ///   - total: The weight of the whole picture.
  ///   - bounds: The rectangle of the whole picture.
  /// - Returns: A weight; infinity, which culls everything, if `bounds` has no area.
  public func threshold(total: Double, in bounds: Rect) -> Double {
    let area = leafShare * bounds.area
    return area > 0 ? minimumArea * total / area : .infinity
  }
}
