/// The columns that text takes in a terminal.
///
/// A character (an extended grapheme cluster) is as wide as its first scalar, or 2 columns if it asks
/// to be drawn as an emoji. Wide are emoji and what Unicode Standard Annex #11 calls Wide or Fullwidth;
/// combining marks and controls take no column. Characters of ambiguous width count as 1.
public enum ColumnWidth {
  /// Returns the columns that text takes.
  ///
  /// - Complexity: O(*n*), where *n* is the length of `text`.
  public static func of(_ text: some StringProtocol) -> Int {
    if text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return text.utf8.count }
    return text.reduce(0) { $0 + of($1) }
  }

  /// Returns the columns that one character takes: 0, 1, or 2.
  public static func of(_ character: Character) -> Int {
    let scalars = character.unicodeScalars
    guard let first = scalars.first else { return 0 }
    let asksForEmoji = scalars.dropFirst().contains("\u{FE0F}") && first.properties.isEmoji
    return asksForEmoji ? 2 : width(of: first)
  }

  /// Leaves out the middle of text that does not fit.
  ///
  /// Two thirds of the room go to the start and one third to the end, where names tell most. No
  /// character is split, so the result can be a column short beside a wide one.
  ///
  /// - Parameters:
  ///   - text: The text to fit.
  ///   - columns: The room. At 0 or less nothing is left of the text.
  ///   - ellipsis: What stands for the middle; `~` where the terminal shows only ASCII.
  /// - Returns: Text that takes at most `columns`; `text` itself if it fits.
  public static func truncatingMiddle(
    of text: String,
    to columns: Int,
    ellipsis: String = "…"
  ) -> String {
    guard of(text) > columns else { return text }
    let room = columns - of(ellipsis)
    guard room >= 0 else { return "" }
    let tailRoom = room / 3
    let head = prefix(of: text, columns: room - tailRoom)
    var tail: [Character] = []
    var tailWidth = 0
    for character in text.reversed() {
      tailWidth += of(character)
      guard tailWidth <= tailRoom else { break }
      tail.append(character)
    }
    return head + ellipsis + String(tail.reversed())
  }

  private static func prefix(of text: String, columns: Int) -> String {
    var width = 0
    return String(
      text.prefix { character in
        width += of(character)
        return width <= columns
      }
    )
  }

  private static func width(of scalar: Unicode.Scalar) -> Int {
    if scalar.isASCII { return (0x20...0x7E).contains(scalar.value) ? 1 : 0 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .control, .format, .lineSeparator, .paragraphSeparator:
      return 0
    default:
      // The vowels and final consonants of conjoining Hangul are drawn into the syllable before them.
      switch scalar.value {
      case 0x1160...0x11FF, 0xD7B0...0xD7FF: return 0
      default: return isWide(scalar) ? 2 : 1
      }
    }
  }

  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.value >= 0x1100 else { return false }
    return scalar.properties.isEmojiPresentation
      || wideRanges.contains { $0.contains(scalar.value) }
  }

  /// What Unicode 18's EastAsianWidth.txt lists as W or F, without emoji.
  ///
  /// Ranges are joined across characters that are unassigned or take no column.
  private static let wideRanges: [ClosedRange<UInt32>] = [
    0x1100...0x115F,  // Hangul initial consonants
    0x2329...0x232A,  // angle brackets
    0x2630...0x2637, 0x268A...0x268F,  // trigrams and digrams
    0x2E80...0x303E,  // radicals, ideographic punctuation
    0x3041...0x3247, 0x3250...0xA4C6,  // kana to Yi; between them, circled numbers are ambiguous
    0xA960...0xA97C, 0xAC00...0xD7A3,  // Hangul
    0xF900...0xFAFF,  // compatibility ideographs
    0xFE10...0xFE19, 0xFE30...0xFE6B,  // vertical and small forms
    0xFF01...0xFF60, 0xFFE0...0xFFE6,  // fullwidth forms
    0x16FE0...0x191D2, 0x1AFF0...0x1B2FB,  // Tangut to Jurchen, kana supplements, Nushu
    0x1D300...0x1D376,  // tetragrams, counting rods
    0x1F200...0x1F265,  // enclosed ideographs
    0x20000...0x3FFFD,  // ideographic planes
  ]
}
