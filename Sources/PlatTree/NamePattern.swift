/// What a name or a path has to look like.
public struct NamePattern: Sendable {
  private enum Form: Sendable {
    case wildcards(WildcardPattern)
    case part([UInt8])
  }

  private let form: Form
  private let ignoresCase: Bool

  /// Creates a pattern with wildcards, which has to match all of a name.
  ///
  /// `*` stands for any bytes but slashes, `?` for one, `[a-z]` for one of a set and `[!a-z]` for one
  /// that is not in it; `\` makes the next byte ordinary. In a pattern for paths `**` between slashes
  /// stands for any directories, as in gitignore(5). There is none for what can match nothing, as a
  /// bracket left open.
  ///
  /// - Parameters:
  ///   - glob: The pattern.
  ///   - matchesPaths: Whether it is for paths rather than names.
  ///   - ignoresCase: Whether letters of ASCII match in either case.
  public init?(glob: [UInt8], matchesPaths: Bool = false, ignoresCase: Bool = false) {
    let wildcards = WildcardPattern(
      glob[...],
      matchesPaths: matchesPaths,
      ignoresCase: ignoresCase
    )
    guard let wildcards else { return nil }
    form = .wildcards(wildcards)
    self.ignoresCase = ignoresCase
  }

  /// Creates a pattern that matches what contains some bytes.
  ///
  /// - Parameters:
  ///   - part: The bytes.
  ///   - ignoresCase: Whether letters of ASCII match in either case.
  public init(part: [UInt8], ignoresCase: Bool = false) {
    form = .part(ignoresCase ? part.map(\.lowercased) : part)
    self.ignoresCase = ignoresCase
  }

  /// Creates what a person means who types some text to find a name, in either case: wildcards, if
  /// there are any, that match all of it, else a part of it.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - matchesPaths: Whether it is for paths rather than names.
  public init(typed text: [UInt8], matchesPaths: Bool = false) {
    let wildcards: [UInt8] = [UInt8(ascii: "*"), UInt8(ascii: "?"), UInt8(ascii: "[")]
    let pattern =
      text.contains(where: wildcards.contains)
      ? NamePattern(glob: text, matchesPaths: matchesPaths, ignoresCase: true) : nil
    // While a bracket is being typed it is only a bracket.
    self = pattern ?? NamePattern(part: text, ignoresCase: true)
  }

  /// Returns whether a name or a path is as the pattern says.
  ///
  /// - Complexity: O(*n* × *m*), where *n* and *m* are the lengths of the pattern and the name.
  public func matches(_ name: [UInt8]) -> Bool { matches(name.span) }

  /// Returns whether a name or a path is as the pattern says.
  ///
  /// - Complexity: O(*n* × *m*), where *n* and *m* are the lengths of the pattern and the name.
  public func matches(_ name: ArraySlice<UInt8>) -> Bool { matches(name.span) }

  /// Returns whether a name or a path is as the pattern says.
  internal func matches(_ name: Span<UInt8>) -> Bool {
    switch form {
    case .wildcards(let wildcards): wildcards.matches(name)
    case .part(let part): range(of: part, in: name) != nil
    }
  }

  /// Returns where the part is that the pattern looks for, the first time; `nil` if it is nowhere, or
  /// the pattern has wildcards.
  package func range(in name: [UInt8]) -> Range<Int>? {
    if case .part(let part) = form { range(of: part, in: name.span) } else { nil }
  }

  private func range(of part: [UInt8], in name: Span<UInt8>) -> Range<Int>? {
    guard let first = part.first else { return 0..<0 }
    guard part.count <= name.count else { return nil }
    let starts = name.extracting(first: name.count &- part.count &+ 1)
    var start = 0
    while start < starts.count {
      if folded(starts[start]) == first,
        part.indices.allSatisfy({ folded(name[start + $0]) == part[$0] })
      {
        return start..<start + part.count
      }
      start &+= 1
    }
    return nil
  }

  /// A byte as it is compared.
  @inline(__always)
  private func folded(_ byte: UInt8) -> UInt8 { ignoresCase ? byte.lowercased : byte }
}

extension UInt8 {
  /// A capital letter of ASCII as a small one, and any other byte as it is.
  @inline(__always)
  internal var lowercased: UInt8 {
    self >= UInt8(ascii: "A") && self <= UInt8(ascii: "Z") ? self | 0x20 : self
  }
}
