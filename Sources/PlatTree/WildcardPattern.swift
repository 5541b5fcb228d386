/// A pattern of gitignore(5) without what is around it: wildcards, compiled to match bytes.
///
/// `?` stands for a byte, `[…]` for one of a set, and `*` for any number of bytes, none of them a
/// slash. `\` makes the next byte ordinary. In a pattern for paths `**` that stands alone between
/// slashes matches whole directories, none included; elsewhere it is `*`.
///
/// Matching takes no more time than the product of the lengths of pattern and text: of the wildcards
/// before a mismatch only the last has to be tried again, because it can take whatever those before
/// it could (Krauss, *Matching Wildcards: An Algorithm*, 2008). Here there are two last ones, as
/// `*` ends at a slash and `**` does not.
package struct WildcardPattern: Sendable {
  private enum Token: Sendable {
    case byte(UInt8)
    case anyByte
    /// One of the bytes of a set, by its position in `sets`.
    case set(Int)
    /// Any number of bytes that are no slashes.
    case star
    /// Any number of bytes.
    case anything
    /// Nothing, or any number of bytes that end with a slash.
    case directories
  }

  private enum Form: Sendable {
    case literal([UInt8])
    /// `*` and then bytes as they are, of a pattern for names.
    case suffix([UInt8])
    case tokens
  }

  /// Whether letters of ASCII match in either case; those of the pattern are small then.
  private let ignoresCase: Bool
  private var form = Form.tokens
  private var tokens: [Token] = []
  private var sets: [ByteSet] = []

  private static let slash = UInt8(ascii: "/")
  private static let asterisk = UInt8(ascii: "*")

  /// Compiles a pattern, unless it matches nothing, as one with a bracket left open.
  ///
  /// - Parameters:
  ///   - pattern: The pattern, without a slash at the end.
  ///   - matchesPaths: Whether the texts are paths rather than names.
  ///   - ignoresCase: Whether letters of ASCII match in either case.
  package init?(_ pattern: ArraySlice<UInt8>, matchesPaths: Bool, ignoresCase: Bool = false) {
    self.ignoresCase = ignoresCase
    guard !pattern.isEmpty else { return nil }
    let literalCount = pattern.prefix { !Self.isSpecial($0) }.count
    if literalCount == pattern.count {
      form = .literal(pattern.map { folded($0) })
      return
    }
    let tail = pattern.dropFirst()
    if !matchesPaths, pattern.first == Self.asterisk, !tail.contains(where: Self.isSpecial) {
      form = .suffix(tail.map { folded($0) })
      return
    }
    // git matches the bytes before the first wildcard by themselves, and what is left as a pattern of
    // its own, so that "**" right after them stands "alone", too: "a**/b" matches "ax/y/b".
    let start = pattern.startIndex + literalCount
    var rest = pattern
    while let byte = rest.first {
      let index = rest.startIndex
      rest.removeFirst()
      switch byte {
      case Self.asterisk:
        let stars = rest.prefix { $0 == Self.asterisk }.count
        rest.removeFirst(stars)
        let isAlone =
          matchesPaths && stars > 0 && (index == start || pattern[index - 1] == Self.slash)
        tokens.append(isAlone ? Self.tokenForDoubleStar(before: &rest) : .star)
      case UInt8(ascii: "?"): tokens.append(.anyByte)
      case UInt8(ascii: "["):
        guard let set = ByteSet(parsing: &rest, ignoresCase: ignoresCase) else { return nil }
        tokens.append(.set(sets.count))
        sets.append(set)
      case UInt8(ascii: "\\"):
        guard let literal = rest.popFirst() else { return nil }
        tokens.append(.byte(folded(literal)))
      default: tokens.append(.byte(folded(byte)))
      }
    }
  }

  /// A byte as it is compared.
  @inline(__always)
  private func folded(_ byte: UInt8) -> UInt8 { ignoresCase ? byte.lowercased : byte }

  private static func isSpecial(_ byte: UInt8) -> Bool {
    byte == asterisk || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "[")
      || byte == UInt8(ascii: "\\")
  }

  /// What `**` after a slash means, by what follows it; takes a slash that belongs to it.
  private static func tokenForDoubleStar(before rest: inout ArraySlice<UInt8>) -> Token {
    if rest.first == slash {
      rest.removeFirst()
      return .directories
    }
    return rest.isEmpty || rest.starts(with: [UInt8(ascii: "\\"), slash]) ? .anything : .star
  }
}

// MARK: - Matching

extension WildcardPattern {
  /// A wildcard that can take more bytes than it has.
  private struct Retry {
    /// The token after it.
    var token: Int
    /// Where the text after it starts.
    var position: Int
  }

  /// Returns whether the pattern matches a whole text.
  ///
  /// - Complexity: O(*n* × *m*), where *n* and *m* are the lengths of pattern and text.
  package func matches(_ text: Span<UInt8>) -> Bool {
    switch form {
    case .literal(let bytes): text.count == bytes.count && isSuffix(bytes, of: text)
    case .suffix(let bytes): text.count >= bytes.count && isSuffix(bytes, of: text)
    case .tokens: matchTokens(text)
    }
  }

  private func isSuffix(_ bytes: [UInt8], of text: Span<UInt8>) -> Bool {
    // From the end: the names of a directory differ there more often than at the start.
    let offset = text.count - bytes.count
    return bytes.indices.reversed().allSatisfy { bytes[$0] == folded(text[offset + $0]) }
  }

  private func matchTokens(_ text: Span<UInt8>) -> Bool {
    var star: Retry?
    var deep: Retry?
    var deepTakesDirectories = false
    var token = 0
    var position = 0
    while true {
      if token == tokens.count {
        if position == text.count { return true }
      } else {
        switch tokens[token] {
        case .star:
          token += 1
          star = Retry(token: token, position: position)
          continue
        case .anything, .directories:
          if case .directories = tokens[token] {
            deepTakesDirectories = true
          } else {
            deepTakesDirectories = false
          }
          token += 1
          deep = Retry(token: token, position: position)
          star = nil
          continue
        default:
          if position < text.count, matches(tokens[token], text[position]) {
            token += 1
            position += 1
            continue
          }
        }
      }
      if let retry = star, retry.position < text.count, text[retry.position] != Self.slash {
        star?.position += 1
        (token, position) = (retry.token, retry.position + 1)
        continue
      }
      guard let retry = deep else { return false }
      var next = retry.position
      if deepTakesDirectories {
        while next < text.count, text[next] != Self.slash { next += 1 }
      }
      guard next < text.count else { return false }
      star = nil
      deep?.position = next + 1
      (token, position) = (retry.token, next + 1)
    }
  }

  @inline(__always)
  private func matches(_ token: Token, _ byte: UInt8) -> Bool {
    switch token {
    case .byte(let literal): folded(byte) == literal
    case .anyByte: byte != Self.slash
    case .set(let index): byte != Self.slash && sets[index].contains(byte)
    case .star, .anything, .directories: false
    }
  }
}
