/// What is drawn around the children of a node to show that they belong together.
public enum Decoration: UInt8, Sendable {
  /// Nothing: the children fill the rectangle.
  case none
  /// A thin line on every side.
  case frame
  /// A bar for a name along the top, and a margin on the other sides.
  case header
}

/// Which decoration the rectangle of a node has room for.
///
/// Besides room, there is a limit to the share of the rectangle that a decoration may take. Without
/// it the rounds of ``NestedTreemap`` would not come to rest, but give ever more of the picture to
/// decorations.
internal struct DecorationLimits {
  /// The least width of a rectangle with a header, in pixels.
  internal var headerWidth = 52.0
  /// The least height of a rectangle with a header, in heights of the header.
  internal var headerHeights = 2.4
  /// The length of the shorter side that a frame needs, in pixels.
  internal var frameSide = 14.0
  /// The largest share of the area that a decoration may take.
  internal var share = 0.32
}

/// The sizes of decorations, and the choice among them.
internal struct Decorator {
  /// The factor by which everything is larger than at a scale of 1.
  internal var scale: Double
  internal var limits = DecorationLimits()

  internal init(scale: Double) { self.scale = scale }

  /// Returns the height of the header of a node at a given depth.
  internal func headerHeight(atDepth depth: Int) -> Double {
    switch depth {
    case ...1: 20 * scale
    case 2: 18 * scale
    default: 16 * scale
    }
  }

  /// Returns what a decoration leaves of a rectangle for the children.
  internal func content(of rect: Rect, in decoration: Decoration, atDepth depth: Int) -> Rect {
    switch decoration {
    case .none: return rect
    case .frame: return rect.inset(left: scale, top: scale, right: scale, bottom: scale)
    case .header:
      let margin = 3 * scale
      let top = headerHeight(atDepth: depth)
      return rect.inset(left: margin, top: top, right: margin, bottom: margin)
    }
  }

  /// Returns the most telling decoration that a rectangle has room for.
  internal func decoration(for rect: Rect, atDepth depth: Int) -> Decoration {
    let hasHeaderRoom =
      rect.width >= limits.headerWidth * scale
      && rect.height >= limits.headerHeights * headerHeight(atDepth: depth)
    if hasHeaderRoom, isWithinShare(.header, rect, depth) { return .header }
    let hasFrameRoom = rect.shorterSide >= limits.frameSide * scale
    return hasFrameRoom && isWithinShare(.frame, rect, depth) ? .frame : .none
  }

  private func isWithinShare(_ decoration: Decoration, _ rect: Rect, _ depth: Int) -> Bool {
    let content = content(of: rect, in: decoration, atDepth: depth)
    return rect.area - content.area <= limits.share * rect.area
  }
}
