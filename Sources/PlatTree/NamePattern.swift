/// What a name or a path has to look like.
public struct NamePattern: Sendable {
  private enum Form: Sendable {
    case wildcards(WildcardPattern)
    case part([UInt8])
  }

  private let form: Form

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
  public init?(glob: [UInt8], matchesPaths: Bool = false) {
    guard let wildcards = WildcardPattern(glob[...], matchesPaths: matchesPaths) else { return nil }
    form = .wildcards(wildcards)
  }

  /// Creates a pattern that matches what contains some bytes as they stand.
  public init(part: [UInt8]) {
    form = .part(part)
  }

  /// Returns whether a name or a path is as the pattern says.
  ///
  /// - Complexity: O(*n* × *m*), where *n* and *m* are the lengths of the pattern and the name.
  public func matches(_ name: [UInt8]) -> Bool {
    switch form {
    case .wildcards(let wildcards): wildcards.matches(name.span)
    case .part(let part): contains(part, in: name.span)
    }
  }

  private func contains(_ part: [UInt8], in name: Span<UInt8>) -> Bool {
    guard let first = part.first else { return true }
    var start = 0
    while start + part.count <= name.count {
      if name[start] == first, part.indices.allSatisfy({ name[start + $0] == part[$0] }) {
        return true
      }
      start += 1
    }
    return false
  }
}
