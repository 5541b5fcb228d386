/// How tiles of one kind look: their shades, and the colours of their labels.
internal struct TileStyle: Hashable, Sendable {
  /// The number of shades on either side of the middle one.
  internal static let reach = 16
  /// By how much the lightness of the last shade differs from that of the middle one.
  private static let swing = 0.045

  /// The shades from dark to light; the middle one is ``fill``.
  internal let shades: [Color]
  /// The colour of the dots on a group of small items.
  internal let dots: Color?
  /// The colour of names.
  internal let label: Color
  /// The colour of sizes, softer than names where contrast allows.
  internal let secondaryLabel: Color

  /// The colour of a line inside the edges, if there is one.
  internal var outline: Color?

  /// The colour without shading.
  internal var fill: Color { shades[Self.reach] }

  /// Creates a style.
  ///
  /// - Parameters:
  ///   - color: A colour of the palette.
  ///   - theme: The theme of the picture.
  ///   - isGroup: Whether the tiles stand for many small items.
  internal init(_ color: OKLCH, in theme: Theme, isGroup: Bool) {
    let plain = theme.adapted(color)
    let wanted = isGroup ? theme.grouped(plain) : plain
    let swing = theme.isShaded ? Self.swing : 0
    let middle = Self.legible(wanted, swing: swing, theme)
    let shades = Self.shades(of: middle, swing: swing)
    let label = Self.label(on: shades, theme)
    self.shades = shades
    self.label = label
    secondaryLabel = Self.softened(label, on: shades)
    dots = isGroup ? middle.color.mixed(with: plain.color, share: 0.4) : nil
  }

  private static func shades(of middle: OKLCH, swing: Double) -> [Color] {
    (-reach...reach).map { step in
      let lightness = middle.lightness + swing * Double(step) / Double(reach)
      return OKLCH(lightness, middle.chroma, middle.hue).color
    }
  }
}

// MARK: Contrast

extension TileStyle {
  /// The least contrast of text, as WCAG 2.1 asks of level AA.
  internal static let leastContrast = 4.5

  /// Returns the nearest lightness of a colour on all of whose shades a label can be read.
  ///
  /// On a shade of middling lightness neither black nor white text can.
  private static func legible(_ color: OKLCH, swing: Double, _ theme: Theme) -> OKLCH {
    for step in 0..<20 {
      for sign in [1.0, -1.0] {
        var candidate = color
        candidate.lightness += sign * 0.005 * Double(step)
        let ends = shades(of: candidate, swing: swing)
        if contrast(of: label(on: ends, theme), on: ends) >= leastContrast { return candidate }
      }
    }
    return color
  }

  /// Returns the least contrast of a colour with several grounds.
  private static func contrast(of color: Color, on grounds: [Color]) -> Double {
    // Contrast is least at the lightest or the darkest of the grounds, which are in order.
    [grounds.first, grounds.last].compactMap { $0?.contrast(with: color) }.min() ?? 1
  }

  /// Returns the label colour that is read best on all of some shades.
  private static func label(on shades: [Color], _ theme: Theme) -> Color {
    let (black, white) = (Color(hex: 0x000000), Color(hex: 0xffffff))
    // Pure black and white are for paper, and for grounds where nothing else will do.
    let choices =
      theme == .print
      ? [[black], [white]]
      : [[Color(hex: 0x0a1018), Color(hex: 0xfcfcfc)], [black, white]]
    for colors in choices {
      let best = colors.max { contrast(of: $0, on: shades) < contrast(of: $1, on: shades) }
      if let best, contrast(of: best, on: shades) >= leastContrast { return best }
    }
    return black
  }

  /// Returns a label colour mixed with its ground, as far as it stays readable.
  private static func softened(_ label: Color, on shades: [Color]) -> Color {
    for share in [0.25, 0.2, 0.15, 0.1, 0.05] {
      let mixed = label.mixed(with: shades[reach], share: share)
      if contrast(of: mixed, on: shades) >= leastContrast { return mixed }
    }
    return label
  }
}
