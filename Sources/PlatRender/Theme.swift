/// The colours around the tiles, and how tiles are shaded.
public enum Theme: String, CaseIterable, Hashable, Sendable {
  /// Light text on a dark ground.
  case dark
  /// Dark text on a light ground.
  case light
  /// Light, with a white ground, flat fills and black labels: for paper.
  case print
}

extension Theme {
  internal var background: Color {
    switch self {
    case .dark: Color(hex: 0x0b0e14)
    case .light: Color(hex: 0xf9fafc)
    case .print: Color(hex: 0xffffff)
    }
  }

  /// The colour of titles and names on the background and on headers.
  internal var text: Color {
    switch self {
    case .dark: Color(hex: 0xdadee5)
    case .light, .print: Color(hex: 0x232933)
    }
  }

  /// The colour of sizes and other text of second rank.
  internal var secondaryText: Color {
    switch self {
    case .dark: Color(hex: 0xbcc1c9)
    case .light, .print: Color(hex: 0x3f4550)
    }
  }

  /// Whether tiles are shaded from the top left to the bottom right.
  internal var isShaded: Bool { self != .print }

  /// The share of its light that a tile loses at the right and bottom edge.
  internal var seamStrength: Double { self == .dark ? 0.45 : 0.30 }

  // MARK: Directories

  /// Returns the fill of a directory; the root has depth 0.
  internal func fill(depth: Int) -> Color { directory(depth).color }

  /// Returns the frame of a directory; the root has depth 0.
  internal func frame(depth: Int) -> Color {
    var color = directory(depth)
    color.lightness += self == .dark ? 0.10 : -0.10
    color.chroma *= 1.4
    return color.color
  }

  /// The depth from which directories do not get lighter (or darker) any more.
  internal static let deepestShade = 6

  private func directory(_ depth: Int) -> OKLCH {
    let depth = Double(min(depth, Self.deepestShade))
    return self == .dark
      ? OKLCH(0.255 + 0.028 * depth, 0.018, 262)
      : OKLCH(0.93 - 0.022 * depth, 0.010, 262)
  }

  // MARK: Tiles

  /// The colour of the line inside a tile that is new.
  internal var outline: Color { self == .dark ? Color(hex: 0xfff1d6) : Color(hex: 0x7a2d00) }

  /// Returns a colour of the palette, which is made for the dark theme, as this theme shows it.
  ///
  /// Any lighter, and documents would look like pictures to those who see no green.
  internal func adapted(_ color: OKLCH) -> OKLCH {
    self == .dark ? color : OKLCH(color.lightness + 0.015, color.chroma * 0.92, color.hue)
  }

  /// Returns the fill of a group of small items, from the fill of an item.
  internal func grouped(_ color: OKLCH) -> OKLCH {
    // Neither as dark as the ground nor white.
    let lightness =
      self == .dark ? max(color.lightness - 0.175, 0.30) : min(color.lightness + 0.07, 0.97)
    return OKLCH(lightness, color.chroma * 0.6, color.hue)
  }
}
