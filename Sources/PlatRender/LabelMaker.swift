/// Decides what labels say and where they stand.
///
/// The measures are pixels of a picture at scale 1.
internal struct LabelMaker: ~Copyable {
  private var ruler: TextRuler
  private let scale: Double
  private let theme: Theme

  /// The characters that a name needs to keep when its middle is left out.
  private static let fewestOfHeader = 4
  private static let fewestOfTile = 6

  internal init(_ options: RenderOptions, scale: Double) throws(RenderError) {
    ruler = try TextRuler(family: options.fontFamily)
    self.scale = scale
    theme = options.theme
  }

  /// What stands between the parts of a line.
  internal var separator: String { ruler.isASCIIOnly ? " - " : " · " }

  /// Returns a label that starts at a point.
  internal mutating func text(
    _ text: String,
    _ font: Font,
    _ color: Color,
    x: Double,
    baseline: Double,
    box: PixelRect
  ) -> Label {
    Label(
      text: text,
      font: font,
      color: color,
      x: x,
      baseline: baseline,
      width: ruler.width(of: text, font),
      box: box
    )
  }

  /// Returns a label that ends at a point.
  internal mutating func text(
    _ text: String,
    _ font: Font,
    _ color: Color,
    end: Double,
    baseline: Double,
    box: PixelRect
  ) -> Label {
    var label = self.text(text, font, color, x: end, baseline: baseline, box: box)
    label.x -= label.width
    label.isRightAligned = true
    return label
  }

  /// Returns the width of a text, in pixels.
  internal mutating func width(of text: String, _ font: Font) -> Double {
    ruler.width(of: text, font)
  }

  /// Returns a text that fits a width, shortened if need be.
  internal mutating func fit(_ text: String, _ font: Font, into width: Double) -> String? {
    ruler.fit(text, font, into: width, fewestLeft: Self.fewestOfHeader)
  }

  /// Returns a font of a size at scale 1.
  internal func font(_ size: Double, isBold: Bool = false) -> Font {
    Font(size * scale, isBold: isBold)
  }
}

// MARK: Headers

extension LabelMaker {
  /// Returns the labels of a directory: its name, and its size at the right where it fits.
  ///
  /// `rect` is the panel of the directory, and `height` the height of its header, in pixels.
  internal mutating func header(
    name: String,
    size: String,
    depth: Int,
    rect: PixelRect,
    height: Double
  ) -> [Label] {
    let points = depth <= 1 ? 12 : depth == 2 ? 11 : 10.5
    let nameFont = font(points, isBold: true)
    let sizeFont = font(points - 1)
    let baseline = Double(rect.top) + height - 5.5 * scale
    let margin = 5 * scale
    var box = rect
    box.bottom = min(box.bottom, box.top + Int(height))

    var labels: [Label] = []
    var room = Double(rect.width) - 2 * margin
    let sizeWidth = ruler.width(of: size, sizeFont)
    let least = ruler.width(of: String(name.prefix(6)), nameFont) + sizeWidth + 14 * scale
    if least <= room {
      let end = Double(rect.right) - margin
      let color = theme.secondaryText
      labels.append(text(size, sizeFont, color, end: end, baseline: baseline, box: box))
      room -= sizeWidth + 8 * scale
    }
    if let fitted = fit(name, nameFont, into: room) {
      let x = Double(rect.left) + margin
      labels.insert(text(fitted, nameFont, theme.text, x: x, baseline: baseline, box: box), at: 0)
    }
    return labels
  }
}

// MARK: Tiles

extension LabelMaker {
  /// Returns whether a tile is large enough for a label at all.
  internal func hasRoom(in rect: PixelRect) -> Bool {
    Double(rect.width) >= 34 * scale && Double(rect.height) >= 15 * scale
  }

  /// Returns the labels of a tile: a name, and below it the size where it fits.
  ///
  /// A single name is shortened to fit; of several, the first that fits is taken as it is.
  internal mutating func tile(
    names: [String],
    size: String,
    style: TileStyle,
    _ rect: PixelRect
  ) -> [Label] {
    let area = Double(rect.area) / (scale * scale)
    let points = area < 9_000 ? 10.5 : area < 40_000 ? 11.5 : area < 120_000 ? 13 : 15
    let nameFont = font(points)
    let margin = (Double(rect.width) < 60 * scale ? 3 : 5) * scale
    let room = Double(rect.width) - 2 * margin
    let name =
      names.count == 1
      ? ruler.fit(names[0], nameFont, into: room, fewestLeft: Self.fewestOfTile)
      : names.first { ruler.width(of: $0, nameFont) <= room }
    guard let name, !name.isEmpty else { return [] }

    let x = Double(rect.left) + margin
    let baseline = Double(rect.top) + (points + 2.5) * scale
    var labels = [text(name, nameFont, style.label, x: x, baseline: baseline, box: rect)]
    let sizeFont = font(points - 1)
    let hasSecondLine =
      Double(rect.height) >= (2 * points + 11) * scale
      && ruler.width(of: size, sizeFont) <= room
    if hasSecondLine {
      let baseline = baseline + 1.28 * points * scale
      let color = style.secondaryLabel
      labels.append(text(size, sizeFont, color, x: x, baseline: baseline, box: rect))
    }
    return labels
  }
}
