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
    let middle = isGroup ? theme.grouped(plain) : plain
    let swing = theme.isShaded ? Self.swing : 0
    shades = (-Self.reach...Self.reach).map { step in
      OKLCH(
        middle.lightness + swing * Double(step) / Double(Self.reach),
        middle.chroma,
        middle.hue
      ).color
    }
    dots = isGroup ? middle.color.mixed(with: plain.color, share: 0.4) : nil

    let grounds = [shades.first, shades.last].compactMap(\.self) + [middle.color]
    label = Self.label(on: grounds, theme)
    secondaryLabel = Self.softened(label, on: grounds)
  }

  /// The least contrast of text, as WCAG 2.1 asks of level AA.
  internal static let leastContrast = 4.5

  /// Returns the label colour that is read best on all of some grounds.
  private static func label(on grounds: [Color], _ theme: Theme) -> Color {
    var candidates = [Color(hex: 0x0a1018), Color(hex: 0xfcfcfc)]
    if theme == .print { candidates = [Color(hex: 0x000000)] }
    // Pure black and white are for grounds of middling lightness, where nothing else will do.
    let reserve = [Color(hex: 0x000000), Color(hex: 0xffffff)]
    func contrast(_ color: Color) -> Double {
      grounds.map { $0.contrast(with: color) }.min() ?? 1
    }
    func best(_ colors: [Color]) -> Color {
      colors.max { contrast($0) < contrast($1) } ?? reserve[0]
    }
    let chosen = best(candidates)
    return contrast(chosen) >= leastContrast ? chosen : best(reserve)
  }

  /// Returns a label colour mixed with its ground, as far as it stays readable.
  private static func softened(_ label: Color, on grounds: [Color]) -> Color {
    for share in [0.25, 0.2, 0.15, 0.1, 0.05] {
      let mixed = label.mixed(with: grounds[grounds.count - 1], share: share)
      if grounds.allSatisfy({ $0.contrast(with: mixed) >= leastContrast }) { return mixed }
    }
    return label
  }
}
