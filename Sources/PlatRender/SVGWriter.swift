/// Writes a scene as an SVG document.
///
/// Cairo can do that too, with an element for each rectangle and letters as paths: 145 bytes a
/// file. Here all small tiles of a style are one path with relative coordinates, about 10 bytes a
/// tile, and text is text.
internal struct SVGWriter {
  private let scene: Scene
  private var output: [UInt8] = []

  internal init(_ scene: Scene) { self.scene = scene }

  /// Returns the document, which is shown larger by a factor.
  internal mutating func document(scale: Double) -> [UInt8] {
    writeStart(scale: scale)
    writeStyles()
    writePanels()
    writeTiles()
    for swatch in scene.swatches {
      write("<path fill=\"\(swatch.color)\"")
      if let outline = swatch.outline { write(" stroke=\"\(outline)\"") }
      write(" d=\"")
      writePath(of: swatch.rect)
      write("\"/>\n")
    }
    writeLabels()
    write("</svg>\n")
    return output
  }
}

// MARK: Text

extension SVGWriter {
  private mutating func write(_ text: String) { output.append(contentsOf: text.utf8) }

  /// Writes text that may hold anything as the content of an element.
  private mutating func writeEscaped(_ text: String) { output.append(xml: text) }

  /// Returns a number with at most one decimal.
  private func text(of number: Double) -> String {
    let tenths = Int((number * 10).rounded())
    return tenths.isMultiple(of: 10) ? "\(tenths / 10)" : "\(Double(tenths) / 10)"
  }
}

// MARK: Start and styles

extension SVGWriter {
  private mutating func writeStart(scale: Double) {
    let (width, height) = (scene.size.width, scene.size.height)
    write(#"<svg xmlns="http://www.w3.org/2000/svg" width=""#)
    write(text(of: Double(width) * scale))
    write(#"" height=""#)
    write(text(of: Double(height) * scale))
    write(#"" viewBox="0 0 \#(width) \#(height)" role="img" "#)
    write("aria-labelledby=\"plat-title plat-desc\">\n<title id=\"plat-title\">")
    writeEscaped(scene.title)
    write("</title>\n<desc id=\"plat-desc\">")
    writeEscaped(scene.summary)
    write("</desc>\n")
  }

  private mutating func writeStyles() {
    let used = Set(scene.tiles.map(\.style)).sorted()
    write("<style>\n")
    write(
      "text{font-family:\(SVGText.families(scene.fontFamily));white-space:pre;pointer-events:none}\n"
    )
    for depth in Set(scene.panels.map { min($0.depth, Theme.deepestShade) }).sorted() {
      let fill = scene.theme.fill(depth: depth)
      let frame = depth == 0 ? fill : scene.theme.frame(depth: depth)
      write(".p\(depth){fill:\(fill);stroke:\(frame)}\n")
    }
    for style in used {
      let fill = scene.styles[style].fill
      let seam =
        scene.styles[style].outline
        ?? fill.mixed(with: Color(hex: 0), share: scene.theme.seamStrength)
      write(".s\(style){fill:\(fill);stroke:\(seam);stroke-width:.8}\n")
      // Large tiles are elements of their own; on a small one shades would be wasted.
      if isPainted(style) { write(".s\(style) path{fill:url(#plat-\(style))}\n") }
    }
    for (index, style) in textStyles.enumerated() { write(".t\(index){\(css(for: style))}\n") }
    write("</style>\n<defs>\n")
    for style in used where isPainted(style) { writePaint(style) }
    write("</defs>\n<path fill=\"\(scene.theme.background)\" d=\"")
    let (width, height) = (scene.size.width, scene.size.height)
    writePath(of: PixelRect(left: 0, top: 0, right: width, bottom: height))
    write("\"/>\n")
  }

  /// Whether large tiles of a style have a gradient or a pattern.
  private func isPainted(_ style: Int) -> Bool {
    scene.styles[style].dots != nil || scene.theme.isShaded
  }

  /// Writes what large tiles of a style are filled with: dots for a group, a gradient for others.
  private mutating func writePaint(_ index: Int) {
    let style = scene.styles[index]
    if let dots = style.dots {
      write("<pattern id=\"plat-\(index)\" width=\"4\" height=\"4\" ")
      write("patternUnits=\"userSpaceOnUse\">")
      write("<path fill=\"\(style.fill)\" d=\"M0 0h4v4h-4z\"/>")
      write("<path fill=\"\(dots)\" d=\"M2 2h1v1h-1z\"/></pattern>\n")
    } else if let light = style.shades.last, let dark = style.shades.first {
      write("<linearGradient id=\"plat-\(index)\" x1=\".2\" y1=\"-.1\" x2=\".8\" y2=\"1.1\">")
      write("<stop stop-color=\"\(light)\"/><stop offset=\"1\" stop-color=\"\(dark)\"/>")
      write("</linearGradient>\n")
    }
  }
}

// MARK: Rectangles

extension SVGWriter {
  /// Writes a rectangle as the data of a path.
  private mutating func writePath(of rect: PixelRect) {
    write("M\(rect.left) \(rect.top)h\(rect.width)v\(rect.height)h-\(rect.width)z")
  }

  /// Writes many rectangles as the data of one path, each relative to the one before.
  ///
  /// Left edges have no line: what is to the left has one there. That saves closing each rectangle,
  /// and where one stands on another, moving to it.
  private mutating func writePath(of rects: [PixelRect]) {
    var (x, y) = (0, 0)
    for rect in rects.sorted(by: isNearer) {
      if rect.left != x || rect.top != y || output.last == UInt8(ascii: "\"") {
        write("m\(rect.left - x)\(rect.top < y ? "" : " ")\(rect.top - y)")
      }
      write("h\(rect.width)v\(rect.height)h-\(rect.width)")
      (x, y) = (rect.left, rect.bottom)
    }
  }

  /// Orders rectangles so that the next one is near, and the way to it short to write.
  private func isNearer(_ one: PixelRect, _ two: PixelRect) -> Bool {
    (one.top >> 5, one.left, one.top) < (two.top >> 5, two.left, two.top)
  }

  private mutating func writePanels() {
    // The line is centred on the edge: half a pixel inwards it covers whole pixels.
    write("<g transform=\"translate(.5 .5)\">\n")
    let depths = Dictionary(grouping: scene.panels, by: \.depth)
    for (depth, panels) in depths.sorted(by: { $0.key < $1.key }) {
      write("<path class=\"p\(min(depth, Theme.deepestShade))\" d=\"")
      for panel in panels {
        var rect = panel.rect
        rect.right -= 1
        rect.bottom -= 1
        writePath(of: rect)
      }
      write("\"/>\n")
    }
    write("</g>\n")
  }

  private mutating func writeTiles() {
    let styles = Dictionary(grouping: scene.tiles, by: \.style).sorted { $0.key < $1.key }
    for (style, tiles) in styles {
      let small = tiles.filter { $0.description == nil }
      if !small.isEmpty {
        write("<path class=\"s\(style)\" d=\"")
        writePath(of: small.map(\.rect))
        write("\"/>\n")
      }
      if small.count == tiles.count { continue }
      write("<g class=\"s\(style)\">\n")
      for tile in tiles {
        guard let description = tile.description else { continue }
        write("<path d=\"")
        writePath(of: tile.rect)
        write("\"><title>")
        writeEscaped(description)
        write("</title></path>\n")
      }
      write("</g>\n")
    }
  }
}

// MARK: Labels

extension SVGWriter {
  /// What labels of one kind have in common.
  private struct TextStyle: Hashable {
    var font: Font
    var color: Color
    var isRightAligned: Bool

    init(_ label: Label) {
      font = label.font
      color = label.color
      isRightAligned = label.isRightAligned
    }
  }

  /// The kinds of labels, in the order in which they first occur.
  private var textStyles: [TextStyle] {
    var known: Set<TextStyle> = []
    return scene.labels.map(TextStyle.init).filter { known.insert($0).inserted }
  }

  private func css(for style: TextStyle) -> String {
    var css = "fill:\(style.color);font-size:\(text(of: style.font.size))px"
    if style.font.isBold { css += ";font-weight:bold" }
    if style.isRightAligned { css += ";text-anchor:end" }
    return css
  }

  private mutating func writeLabels() {
    let styles = Dictionary(grouping: scene.labels, by: TextStyle.init)
    for (index, style) in textStyles.enumerated() {
      write("<g class=\"t\(index)\">\n")
      for label in styles[style, default: []] {
        write("<text x=\"")
        write(text(of: style.isRightAligned ? label.x + label.width : label.x))
        write("\" y=\"")
        write(text(of: label.baseline))
        // A reader may have wider letters; where that matters, the width is fixed.
        if label.width > 0.6 * Double(label.box.width) {
          write("\" textLength=\"")
          write(text(of: label.width))
        }
        write("\">")
        writeEscaped(label.text)
        write("</text>\n")
      }
      write("</g>\n")
    }
  }
}
