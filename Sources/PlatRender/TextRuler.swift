import CPlatCairo

/// A font of a label: family, weight and size.
internal struct Font: Hashable, Sendable {
  /// The size, in pixels.
  internal var size: Double
  internal var isBold = false

  internal init(_ size: Double, isBold: Bool = false) {
    self.size = size
    self.isBold = isBold
  }
}

/// Measures text without drawing it.
///
/// Advances are taken once for each character, at a size where they are not rounded, and scaled: in
/// the text that Cairo draws by itself there is no kerning and no shaping, so that the width of a
/// text is the sum of its advances. What Pango draws is measured as a whole.
internal struct TextRuler: ~Copyable {
  private let canvas: Canvas
  /// Whether the font has no other characters than those of ASCII.
  internal let isASCIIOnly: Bool
  private var regular = Advances()
  private var bold = Advances()

  /// The size at which advances are measured, in pixels.
  private static let referenceSize = 64.0

  /// Creates a ruler for the fonts of one family.
  ///
  /// The family is a name that fontconfig knows, or `@cairo:` for the font built into Cairo.
  internal init(family: String) throws(RenderError) {
    let size = try PixelSize(width: 1, height: 1)
    let builtIn = try Canvas(size: size, fontFamily: "@cairo:")
    canvas = try Canvas(size: size, fontFamily: family)
    // Where there are no fonts, every family is the built-in one: then widths are the same.
    let probe = "Widths tell fonts apart."
    let font = Font(Self.referenceSize)
    isASCIIOnly = canvas.advance(of: probe, font) == builtIn.advance(of: probe, font)
  }

  /// Returns the width of a text, in pixels.
  internal mutating func width(of text: some StringProtocol, _ font: Font) -> Double {
    if text.needsShaping { return canvas.advance(of: String(text), font) }
    var units = 0.0
    for scalar in text.unicodeScalars { units += advance(of: scalar, isBold: font.isBold) }
    return units * font.size / Self.referenceSize
  }

  private mutating func advance(of scalar: Unicode.Scalar, isBold: Bool) -> Double {
    if let known = isBold ? bold[scalar] : regular[scalar] { return known }
    let font = Font(Self.referenceSize, isBold: isBold)
    let advance = canvas.advance(of: String(scalar), font)
    if isBold { bold[scalar] = advance } else { regular[scalar] = advance }
    return advance
  }

  /// The advances measured so far, with a table for the characters that most names are made of.
  private struct Advances {
    private var ascii = [Double](repeating: .nan, count: 128)
    private var others: [Unicode.Scalar: Double] = [:]

    subscript(scalar: Unicode.Scalar) -> Double? {
      get {
        guard scalar.isASCII else { return others[scalar] }
        let advance = ascii[Int(scalar.value)]
        return advance.isNaN ? nil : advance
      }
      set {
        guard let newValue else { return }
        if scalar.isASCII { ascii[Int(scalar.value)] = newValue } else { others[scalar] = newValue }
      }
    }
  }
}

// MARK: Shortening

extension TextRuler {
  /// Returns a text as it fits a width: whole, or with its middle left out.
  ///
  /// A shortened text keeps two thirds of what it shows from the head and one third from the tail,
  /// where extensions and versions are. It is never cut inside a character.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - font: Its font.
  ///   - width: The room, in pixels.
  ///   - fewestLeft: The least number of characters that a shortened text shows.
  /// - Returns: The text to draw, or `nil` if too little of it would be left.
  internal mutating func fit(
    _ text: String,
    _ font: Font,
    into width: Double,
    fewestLeft: Int
  ) -> String? {
    let whole = self.width(of: text, font)
    if whole <= width { return text }

    let ellipsis = isASCIIOnly ? "..." : "…"
    let characters = Array(text)
    let widths = characters.map { self.width(of: String($0), font) }
    var room = width - self.width(of: ellipsis, font)
    var head = 0
    var tail = 0
    while head + tail < characters.count {
      let growsHead = head <= 2 * tail
      let next = growsHead ? widths[head] : widths[characters.count - 1 - tail]
      if next > room { break }
      room -= next
      if growsHead { head += 1 } else { tail += 1 }
    }
    while room >= 0, head + tail >= fewestLeft, head + tail < characters.count {
      let shortened =
        String(characters[..<head]) + ellipsis + String(characters[(characters.count - tail)...])
      // Letters that join can be wider together than one by one.
      if !text.needsShaping || self.width(of: shortened, font) <= width { return shortened }
      if head > 2 * tail { head -= 1 } else { tail -= 1 }
    }
    return nil
  }
}
