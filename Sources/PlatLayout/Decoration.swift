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
  internal var headerWidth: Double
  /// The least height of a rectangle with a header, in heights of the header.
  internal var headerHeights: Double
  /// The largest share of the area that a header and its margins may take.
  internal var headerShare: Double
  /// The length of the shorter side that a frame needs, in pixels.
  internal var frameSide: Double
  /// The largest share of the area that a frame may take.
  internal var frameShare: Double

  /// The limits for a node of which nothing is known.
  internal static let fresh = DecorationLimits(
    headerWidth: 52,
    headerHeights: 2.4,
    headerShare: 0.32,
    frameSide: 14,
    frameShare: 0.32
  )
  /// The limits within which a node keeps the decoration that it has.
  internal static let keeping = DecorationLimits(
    headerWidth: 40,
    headerHeights: 1.9,
    headerShare: 0.4,
    frameSide: 12,
    frameShare: 0.36
  )
  /// The limits within which a node gets a decoration that it does not have.
  internal static let gaining = DecorationLimits(
    headerWidth: 64,
    headerHeights: 3,
    headerShare: 0.25,
    frameSide: 16,
    frameShare: 0.28
  )
}

/// The sizes of decorations, and the choice among them.
internal struct Decorator {
  /// The factor by which everything is larger than at a scale of 1.
  internal var scale: Double
  /// What the layout is drawn with.
  internal var medium = NestedTreemap.Medium.pixels

  /// Returns the height of the header of a node at a given depth.
  internal func headerHeight(atDepth depth: Int) -> Double {
    guard medium == .pixels else { return 2 * scale }
    return switch depth {
    case ...1: 20 * scale
    case 2: 18 * scale
    default: 16 * scale
    }
  }

  /// What a decoration takes of a rectangle.
  internal struct Margins {
    /// The extent at the top.
    fileprivate var top: Double
    /// The extent on each of the other sides.
    fileprivate var sides: Double

    /// Returns what is left of a rectangle for the children.
    @inline(__always)
    internal func content(of rect: Rect) -> Rect {
      rect.inset(left: sides, top: top, right: sides, bottom: sides)
    }
  }

  /// Returns what the decoration of a node at a given depth takes of its rectangle.
  internal func margins(of decoration: Decoration, atDepth depth: Int) -> Margins {
    switch decoration {
    case .none: Margins(top: 0, sides: 0)
    case .frame: Margins(top: scale, sides: scale)
    case .header:
      Margins(top: headerHeight(atDepth: depth), sides: medium == .pixels ? 3 * scale : 0)
    }
  }

  /// Returns what a decoration leaves of a rectangle for the children.
  internal func content(of rect: Rect, in decoration: Decoration, atDepth depth: Int) -> Rect {
    decoration == .none ? rect : margins(of: decoration, atDepth: depth).content(of: rect)
  }

  /// Returns the most telling decoration that a rectangle has room for.
  internal func decoration(for rect: Rect, atDepth depth: Int) -> Decoration {
    if hasNoRoom(in: rect) { return .none }
    if hasRoom(for: .header, in: rect, depth, .fresh) { return .header }
    return hasRoom(for: .frame, in: rect, depth, .fresh) ? .frame : .none
  }

  /// Returns the most telling decoration that a rectangle has room for, with a preference for the
  /// one it has.
  internal func decoration(
    for rect: Rect,
    atDepth depth: Int,
    insteadOf present: Decoration
  ) -> Decoration {
    if hasNoRoom(in: rect) { return .none }
    let hasHeader = present == .header
    if hasRoom(for: .header, in: rect, depth, hasHeader ? .keeping : .gaining) { return .header }
    let hasFrame = present != .none
    return hasRoom(for: .frame, in: rect, depth, hasFrame ? .keeping : .gaining) ? .frame : .none
  }

  /// Returns whether a rectangle is so small that neither it nor any rectangle inside can have a
  /// decoration, whatever it had.
  internal func hasNoRoom(in rect: Rect) -> Bool {
    let least = medium == .pixels ? DecorationLimits.keeping.frameSide : 6
    return !(rect.shorterSide >= least * scale)
  }

  private func hasRoom(
    for decoration: Decoration,
    in rect: Rect,
    _ depth: Int,
    _ limits: DecorationLimits
  ) -> Bool {
    let isLarge: Bool
    let share: Double
    if medium == .halfCells {
      // A header of one row takes a third of the lowest rectangle that gets one.
      share = 0.34
      isLarge = decoration == .header && hasRoomForRow(in: rect, depth)
    } else if decoration == .header {
      share = limits.headerShare
      isLarge =
        rect.width >= limits.headerWidth * scale
        && rect.height >= limits.headerHeights * headerHeight(atDepth: depth)
    } else {
      share = limits.frameShare
      isLarge = rect.shorterSide >= limits.frameSide * scale
    }
    guard isLarge else { return false }
    let content = content(of: rect, in: decoration, atDepth: depth)
    return rect.area - content.area <= share * rect.area
  }

  /// Returns whether a rectangle of half cells has room for a header.
  private func hasRoomForRow(in rect: Rect, _ depth: Int) -> Bool {
    switch depth {
    case ...1: rect.width >= 8 * scale && rect.height >= 6 * scale
    case 2: rect.width >= 11 * scale && rect.height >= 9 * scale
    case 3: rect.width >= 14 * scale && rect.height >= 16 * scale
    // Names that deep are read in the list.
    default: false
    }
  }
}
