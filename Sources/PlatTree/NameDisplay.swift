/// Ways to show a file name or a path, which is any bytes, to people and programs.
///
/// A name can hold a newline, a terminal's escape sequence, a control that reverses the text after it,
/// a character that nobody can see, or bytes that are no text at all. None of them gets through: what
/// these functions return is valid UTF-8 that looks like what it is.
///
/// Characters that are never shown as they are: C0 and C1 controls, DEL, invalid UTF-8, line and
/// paragraph separators, format controls (bidirectional, zero-width, soft hyphen, tags), fillers and
/// other characters that Unicode lets a font leave out, spaces other than U+0020 and U+3000, blank
/// braille, unassigned characters, and combining marks with nothing of the name to sit on. Three that
/// a plain spelling needs stay: the joiner inside an emoji, the emoji variation selector after an
/// emoji, and joiners where RFC 5892, appendix A, finds them visible (after a virama, and between
/// Arabic letters).
public enum NameDisplay {
  /// Returns a name as a terminal shows it: plain, or in the shell's `$'…'` quotes.
  ///
  /// A name of visible characters stays plain, with its spaces and its shell specials: a table is for
  /// reading. `ls --quoting-style=shell-escape` puts those in quotes, and starts and ends `$'…'` around
  /// every odd character; here the whole name is inside one pair of quotes if any of it needs them.
  /// Quoted are names with a character that is not shown as it is, names that start or end in a space,
  /// and names that start with `$'` themselves, so no two names look alike. Bash and zsh read `$'…'`
  /// back as the exact bytes.
  ///
  /// - Parameters:
  ///   - name: The bytes of a name or a path.
  ///   - asciiOnly: Whether to escape all that is not ASCII, for a terminal that does not show UTF-8.
  /// - Returns: `report 1.txt`, `$'a\nb'`, `$'\u202Egnp.exe'`, `$'caf\351'`.
  public static func terminalText(
    _ name: some Collection<UInt8>,
    asciiOnly: Bool = false
  ) -> String {
    if isVisibleASCII(name) { return String(decoding: name, as: UTF8.self) }
    let units = units(of: name)
    let mustQuote =
      name.starts(with: "$'".utf8) || name.first == 0x20 || isSpace(units.last)
      || units.contains { !$0.isVisible || (asciiOnly && !$0.isASCII) }
    guard mustQuote else { return String(decoding: name, as: UTF8.self) }

    var text = "$'"
    for unit in units {
      switch unit {
      case .visible(let scalar) where scalar == "'" || scalar == "\\":
        text.append("\\")
        text.unicodeScalars.append(scalar)
      case .visible(let scalar) where !asciiOnly || scalar.isASCII:
        text.unicodeScalars.append(scalar)
      case .visible(let scalar), .blank(let scalar), .hidden(let scalar):
        text.append(escape(scalar))
      case .invalid(let byte):
        text.append(octalEscape(byte))
      }
    }
    return text + "'"
  }

  /// Returns a name as a label of a picture or a page, with U+FFFD for what cannot be shown.
  ///
  /// An odd space becomes a plain one, for a label does not have to be exact.
  public static func label(_ name: some Collection<UInt8>) -> String {
    if isVisibleASCII(name) { return String(decoding: name, as: UTF8.self) }
    var text = ""
    for unit in units(of: name) {
      switch unit {
      case .visible(let scalar): text.unicodeScalars.append(scalar)
      case .blank: text.append(" ")
      case .hidden, .invalid: text.append("\u{FFFD}")
      }
    }
    return text
  }

  /// Returns a name as the text of a data format such as JSON, and whether the text is exact.
  ///
  /// All valid text is kept, whatever it looks like. Where the bytes are not UTF-8 the text has U+FFFD
  /// in their place, and the caller gives the bytes another way.
  public static func dataText(
    _ name: some Collection<UInt8>
  ) -> (text: String, isExact: Bool) {
    if let text = String(validating: name, as: UTF8.self) { return (text, true) }
    return (String(decoding: name, as: UTF8.self), false)
  }

  /// Returns whether text made from names may hold a character as it is, wherever it stands.
  ///
  /// This is the strict form of the rule, without the exceptions for what surrounds a character.
  internal static func isAlwaysVisible(_ scalar: Unicode.Scalar) -> Bool {
    if case .visible = unit(for: scalar, after: "a", before: nil) { return true }
    return false
  }
}

// MARK: Classification

extension NameDisplay {
  /// A piece of a name, by how it can be shown.
  private enum Unit {
    case visible(Unicode.Scalar)
    /// Looks like a space and is another character.
    case blank(Unicode.Scalar)
    case hidden(Unicode.Scalar)
    /// A byte that is not part of valid UTF-8.
    case invalid(UInt8)

    var isVisible: Bool {
      if case .visible = self { true } else { false }
    }

    var isASCII: Bool {
      if case .visible(let scalar) = self { scalar.isASCII } else { false }
    }
  }

  /// Returns whether a name is plain in every output: ASCII, and nothing that makes it quoted.
  private static func isVisibleASCII(_ name: some Collection<UInt8>) -> Bool {
    var last: UInt8 = 0x20
    for byte in name {
      // A first byte `$` is left to the full rule: the name may start with `$'`.
      guard (0x20...0x7E).contains(byte), byte != 0x24 else { return false }
      last = byte
    }
    return name.first != 0x20 && last != 0x20
  }

  private static func isSpace(_ unit: Unit?) -> Bool {
    if case .visible(" ") = unit { true } else { false }
  }

  private static func units(of name: some Collection<UInt8>) -> [Unit] {
    let pieces = decode(name)
    var units: [Unit] = []
    units.reserveCapacity(pieces.count)
    var previous: Unicode.Scalar?
    for (position, piece) in pieces.enumerated() {
      guard case .visible(let scalar) = piece else {
        units.append(piece)
        previous = nil
        continue
      }
      var next: Unicode.Scalar?
      if position + 1 < pieces.count, case .visible(let scalar) = pieces[position + 1] {
        next = scalar
      }
      let unit = unit(for: scalar, after: previous, before: next)
      units.append(unit)
      previous = unit.isVisible ? scalar : nil
    }
    return units
  }

  /// Splits bytes into characters, all `visible` as yet, and invalid bytes.
  private static func decode(_ name: some Collection<UInt8>) -> [Unit] {
    var pieces: [Unit] = []
    var parser = Unicode.UTF8.ForwardParser()
    var bytes = name.makeIterator()
    var position = name.startIndex
    while true {
      switch parser.parseScalar(from: &bytes) {
      case .valid(let encoded):
        pieces.append(.visible(Unicode.UTF8.decode(encoded)))
        position = name.index(position, offsetBy: encoded.count)
      case .error(let length):
        for _ in 0..<length {
          pieces.append(.invalid(name[position]))
          position = name.index(after: position)
        }
      case .emptyInput:
        return pieces
      }
    }
  }

  /// Decides how a character can be shown.
  ///
  /// - Parameters:
  ///   - scalar: The character.
  ///   - previous: The character before it, or `nil` if there is none or it is not shown as it is.
  ///   - next: The character after it.
  /// - Returns: `visible`, `blank` or `hidden`.
  private static func unit(
    for scalar: Unicode.Scalar,
    after previous: Unicode.Scalar?,
    before next: Unicode.Scalar?
  ) -> Unit {
    if scalar.isASCII {
      return (0x20...0x7E).contains(scalar.value) ? .visible(scalar) : .hidden(scalar)
    }
    if isJoiner(scalar, after: previous, before: next) { return .visible(scalar) }
    let properties = scalar.properties
    if properties.isDefaultIgnorableCodePoint { return .hidden(scalar) }
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned:
      return .hidden(scalar)
    case .spaceSeparator:
      return scalar == "\u{3000}" ? .visible(scalar) : .blank(scalar)
    case .nonspacingMark, .enclosingMark:
      guard let previous, previous != " ", previous != "/" else { return .hidden(scalar) }
      return .visible(scalar)
    default:
      return scalar == "\u{2800}" ? .blank(scalar) : .visible(scalar)
    }
  }

  /// Returns whether a joiner or variation selector changes how its neighbours are drawn.
  private static func isJoiner(
    _ scalar: Unicode.Scalar,
    after previous: Unicode.Scalar?,
    before next: Unicode.Scalar?
  ) -> Bool {
    guard let previous else { return false }
    switch scalar {
    case "\u{200C}", "\u{200D}":
      guard let next else { return false }
      if previous.properties.canonicalCombiningClass == .virama {
        return next.properties.generalCategory == .otherLetter
      }
      if scalar == "\u{200C}" { return isArabicLetter(previous) && isArabicLetter(next) }
      return isEmoji(previous) && isEmoji(next)
    case "\u{FE0E}", "\u{FE0F}":
      let isKeycap = previous.properties.isEmoji && next == "\u{20E3}"
      return isKeycap || (isEmoji(previous) && previous != "\u{FE0F}")
    default:
      return false
    }
  }

  private static func isEmoji(_ scalar: Unicode.Scalar) -> Bool {
    !scalar.isASCII && (scalar.properties.isEmoji || scalar == "\u{FE0F}")
  }

  private static func isArabicLetter(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0620...0x064A, 0x066E...0x06D3, 0x0750...0x077F, 0x08A0...0x08C9: true
    default: false
    }
  }
}

// MARK: Escapes

extension NameDisplay {
  /// Returns the shell's escape for a character, which no text after it can lengthen.
  private static func escape(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\u{07}": return #"\a"#
    case "\u{08}": return #"\b"#
    case "\t": return #"\t"#
    case "\n": return #"\n"#
    case "\u{0B}": return #"\v"#
    case "\u{0C}": return #"\f"#
    case "\r": return #"\r"#
    case _ where scalar.isASCII: return octalEscape(UInt8(scalar.value))
    default:
      let digits = String(scalar.value, radix: 16, uppercase: true)
      let width = digits.count > 4 ? 8 : 4
      let zeros = String(repeating: "0", count: width - digits.count)
      return (width == 8 ? #"\U"# : #"\u"#) + zeros + digits
    }
  }

  private static func octalEscape(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 8)
    return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
  }
}
