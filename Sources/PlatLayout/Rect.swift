/// A rectangle with sides along the axes, given by its edges.
///
/// `y` grows downwards, as on a screen. The unit is whatever the caller draws in; the documentation
/// of this module says "pixels".
///
/// Edges are stored rather than an origin and a size, so that two rectangles that share an edge
/// hold the same number, bit for bit. `x + width` would round.
public struct Rect: Hashable, Sendable {
  /// The left edge.
  public var x0: Double
  /// The top edge.
  public var y0: Double
  /// The right edge, not left of `x0`.
  public var x1: Double
  /// The bottom edge, not above `y0`.
  public var y1: Double

  /// Creates a rectangle from its edges.
  @inlinable
  public init(x0: Double, y0: Double, x1: Double, y1: Double) {
    self.x0 = x0
    self.y0 = y0
    self.x1 = x1
    self.y1 = y1
  }

  /// Creates a rectangle with its top left corner at the origin.
  @inlinable
  public init(width: Double, height: Double) {
    self.init(x0: 0, y0: 0, x1: width, y1: height)
  }
}

extension Rect {
  /// An empty rectangle at the origin.
  public static let zero = Rect(width: 0, height: 0)

  /// The extent from left to right.
  @inlinable
  public var width: Double { x1 - x0 }

  /// The extent from top to bottom.
  @inlinable
  public var height: Double { y1 - y0 }

  /// The width times the height.
  @inlinable
  public var area: Double { width * height }

  /// The length of the shorter side.
  @inlinable
  public var shorterSide: Double { min(width, height) }

  /// Whether no edge is on the wrong side of its opposite, and none is farther out than 1e100.
  ///
  /// The limit is far from any screen, and keeps every computation with coordinates finite.
  public var isValid: Bool {
    let limit = 1e100
    return -limit <= x0 && x0 <= x1 && x1 <= limit && -limit <= y0 && y0 <= y1 && y1 <= limit
  }

  /// Returns the rectangle with every edge moved to the nearest whole number, halves upwards.
  ///
  /// Rectangles that share an edge still share it afterwards: nothing overlaps, and nothing gapes.
  /// A rectangle thinner than one pixel may become empty.
  public func rounded() -> Rect {
    Rect(
      x0: roundedHalfUp(x0),
      y0: roundedHalfUp(y0),
      x1: roundedHalfUp(x1),
      y1: roundedHalfUp(y1)
    )
  }

  /// Returns the rectangle that is left when a margin is taken from every side.
  ///
  /// Where the margins leave nothing, the result has no extent, and lies in the middle between the
  /// places where its edges would be, as in d3-hierarchy. A negative margin makes the rectangle
  /// larger.
  internal func inset(left: Double, top: Double, right: Double, bottom: Double) -> Rect {
    var result = Rect(x0: x0 + left, y0: y0 + top, x1: x1 - right, y1: y1 - bottom)
    if result.x1 < result.x0 {
      result.x0 = (result.x0 + result.x1) / 2
      result.x1 = result.x0
    }
    if result.y1 < result.y0 {
      result.y0 = (result.y0 + result.y1) / 2
      result.y1 = result.y0
    }
    return result
  }
}

/// Rounds as `Math.round` of JavaScript does: to the nearest whole number, halves upwards.
private func roundedHalfUp(_ value: Double) -> Double {
  let below = value.rounded(.down)
  // Not (value + 0.5).rounded(.down): that sum rounds 0.49999999999999994 up to 1.
  return value - below < 0.5 ? below : below + 1
}
