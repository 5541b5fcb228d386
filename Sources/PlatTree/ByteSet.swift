/// A set of bytes: what one `[…]` of a pattern matches.
internal struct ByteSet: Hashable, Sendable {
  private var words = SIMD4<UInt64>()

  internal init() {}

  /// Creates the set that a bracket expression of gitignore(5) stands for, and consumes it.
  ///
  /// `!` or `^` first turns it round, `]` first is an ordinary byte, `\` makes the next byte
  /// ordinary, `a-z` is a range of byte values, and `[:alpha:]` a class of ASCII characters.
  ///
  /// There is none for an expression that does not end, or has an unknown class.
  ///
  /// - Parameters:
  ///   - pattern: What follows the opening bracket; left after the closing one.
  ///   - ignoresCase: Whether a letter of ASCII stands for both of its cases.
  internal init?(parsing pattern: inout ArraySlice<UInt8>, ignoresCase: Bool = false) {
    var isInverted = false
    if let first = pattern.first, first == UInt8(ascii: "!") || first == UInt8(ascii: "^") {
      isInverted = true
      pattern.removeFirst()
    }
    /// The byte that a hyphen makes the start of a range.
    var start: UInt8?
    var isFirst = true
    while let byte = pattern.popFirst() {
      if byte == UInt8(ascii: "]"), !isFirst {
        if ignoresCase { insertOtherCases() }
        if isInverted { words = ~words }
        return
      }
      isFirst = false
      let isRange =
        byte == UInt8(ascii: "-") && pattern.first.map { $0 != UInt8(ascii: "]") } == true
      if let lowest = start, isRange {
        guard let next = pattern.popFirst(), let highest = Self.literal(next, &pattern) else {
          return nil
        }
        if lowest <= highest { insert(lowest...highest) }
        start = nil
      } else if byte == UInt8(ascii: "["), pattern.first == UInt8(ascii: ":"),
        let end = pattern.firstIndex(of: UInt8(ascii: "]"))
      {
        let name = pattern[(pattern.startIndex + 1)..<end]
        guard name.last == UInt8(ascii: ":") else {
          insert(byte...byte)
          start = byte
          continue
        }
        guard let members = Self.members(ofClass: name.dropLast()) else { return nil }
        for member in members { insert(member) }
        pattern = pattern[(end + 1)...]
        start = nil
      } else {
        guard let literal = Self.literal(byte, &pattern) else { return nil }
        insert(literal...literal)
        start = literal
      }
    }
    return nil
  }

  private mutating func insertOtherCases() {
    for small in UInt8(ascii: "a")...UInt8(ascii: "z") {
      let capital = small & ~0x20
      if contains(small) || contains(capital) {
        insert(small...small)
        insert(capital...capital)
      }
    }
  }

  /// The byte itself or, for a backslash, the one that follows it.
  private static func literal(_ byte: UInt8, _ pattern: inout ArraySlice<UInt8>) -> UInt8? {
    byte == UInt8(ascii: "\\") ? pattern.popFirst() : byte
  }

  private mutating func insert(_ bytes: ClosedRange<UInt8>) {
    for byte in bytes { words[Int(byte >> 6)] |= 1 << UInt64(byte & 63) }
  }

  internal func contains(_ byte: UInt8) -> Bool {
    words[Int(byte >> 6)] >> UInt64(byte & 63) & 1 == 1
  }

  /// The bytes of a class of ASCII characters; as to git, a vertical tab and a form feed are no space.
  private static func members(ofClass name: ArraySlice<UInt8>) -> [ClosedRange<UInt8>]? {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    let capitals = UInt8(ascii: "A")...UInt8(ascii: "Z")
    let smalls = UInt8(ascii: "a")...UInt8(ascii: "z")
    switch String(decoding: name, as: UTF8.self) {
    case "alnum": return [digits, capitals, smalls]
    case "alpha": return [capitals, smalls]
    case "blank": return [0x09...0x09, 0x20...0x20]
    case "cntrl": return [0x00...0x1F, 0x7F...0x7F]
    case "digit": return [digits]
    case "graph": return [0x21...0x7E]
    case "lower": return [smalls]
    case "print": return [0x20...0x7E]
    case "punct": return [0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E]
    case "space": return [0x09...0x0A, 0x0D...0x0D, 0x20...0x20]
    case "upper": return [capitals]
    case "xdigit": return [digits, UInt8(ascii: "A")...0x46, UInt8(ascii: "a")...0x66]
    default: return nil
    }
  }
}
