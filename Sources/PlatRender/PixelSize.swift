import PlatLayout

/// The size of a picture in pixels, one that can be drawn.
internal struct PixelSize: Hashable, Sendable {
  /// The longest side that Cairo draws.
  internal static let longestSide = 32_767
  /// The most pixels of a picture, for which 1 GiB of memory is needed.
  internal static let largestArea = 268_435_456

  internal let width: Int
  internal let height: Int

  /// Creates a size.
  ///
  /// - Throws: ``RenderError/impossibleSize(width:height:)`` before anything is allocated.
  internal init(width: Int, height: Int) throws(RenderError) {
    let sides = 1...Self.longestSide
    guard sides.contains(width), sides.contains(height), width * height <= Self.largestArea else {
      throw .impossibleSize(width: width, height: height)
    }
    self.width = width
    self.height = height
  }
}

/// A rectangle of whole pixels; it may be empty.
internal struct PixelRect: Hashable, Sendable {
  internal var left: Int
  internal var top: Int
  internal var right: Int
  internal var bottom: Int

  internal var width: Int { right - left }
  internal var height: Int { bottom - top }
  internal var shortSide: Int { min(width, height) }
  internal var area: Int { width * height }
  internal var isEmpty: Bool { right <= left || bottom <= top }

  /// Returns what two rectangles have in common.
  internal func intersection(_ other: PixelRect) -> PixelRect {
    PixelRect(
      left: max(left, other.left),
      top: max(top, other.top),
      right: min(right, other.right),
      bottom: min(bottom, other.bottom)
    )
  }

  /// Returns the rectangle without a border of some pixels on every side.
  internal func inset(by border: Int) -> PixelRect {
    PixelRect(
      left: left + border,
      top: top + border,
      right: right - border,
      bottom: bottom - border
    )
  }
}

extension PixelRect {
  /// Creates a rectangle from one whose edges are whole numbers.
  internal init(_ rect: Rect) {
    self.init(left: Int(rect.x0), top: Int(rect.y0), right: Int(rect.x1), bottom: Int(rect.y1))
  }
}
