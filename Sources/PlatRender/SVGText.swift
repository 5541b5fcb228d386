/// Text in SVG documents.
internal enum SVGText {
  /// Returns the families of all text of a document, in CSS.
  internal static func families(_ family: String) -> String {
    let isPlain = family.allSatisfy { character in
      character.isLetter || character.isNumber || character == " " || character == "-"
    }
    guard isPlain, family != "sans", !family.isEmpty else {
      return "\"Noto Sans\",\"DejaVu Sans\",sans-serif"
    }
    return "\"\(family)\",sans-serif"
  }
}

extension [UInt8] {
  /// Appends text that may hold anything as the content of an element.
  internal mutating func append(xml text: String) {
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": append(contentsOf: "&amp;".utf8)
      case "<": append(contentsOf: "&lt;".utf8)
      case ">": append(contentsOf: "&gt;".utf8)
      // Not allowed in XML 1.0, not even as a reference.
      case "\u{0}"..."\u{8}", "\u{B}", "\u{C}", "\u{E}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}":
        append(contentsOf: "\u{FFFD}".utf8)
      default: append(contentsOf: String(scalar).utf8)
      }
    }
  }
}
