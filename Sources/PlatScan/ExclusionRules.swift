import Glibc

/// Patterns of entries that a scan leaves out.
///
/// A pattern without a slash matches a name at any depth; one with a slash matches the path from the
/// root of the scan, and `*` does not match across a slash. A slash at the end means directories
/// only, and one at the start nothing more than that the pattern has a slash. `*`, `?` and `[…]`
/// are those of fnmatch(3), on bytes.
internal struct ExclusionRules: Sendable {
  private struct Rule: Sendable {
    var pattern: [CChar]
    var isAnchored: Bool
    /// The number of slashes within the pattern.
    var slashes: Int
    var directoriesOnly: Bool
  }

  private let rules: [Rule]

  /// The most slashes of a pattern with slashes, or -1 if there is none.
  ///
  /// As no wildcard matches a slash, the path of a deeper entry is not needed.
  internal let deepestPath: Int

  /// Whether there is no pattern.
  internal var isEmpty: Bool { rules.isEmpty }

  /// Creates rules of patterns.
  ///
  /// - Throws: ``ScanError/pattern(_:)`` for a pattern that is empty, or only slashes, or has a NUL.
  internal init(_ patterns: [[UInt8]]) throws(ScanError) {
    let slash = UInt8(ascii: "/")
    var rules: [Rule] = []
    for pattern in patterns {
      var body = pattern[...]
      while body.last == slash { body.removeLast() }
      let isAnchored = body.contains(slash)
      while body.first == slash { body.removeFirst() }
      guard !body.isEmpty, !body.contains(0) else { throw .pattern(pattern) }
      rules.append(
        Rule(
          pattern: body.map(CChar.init(bitPattern:)) + [0],
          isAnchored: isAnchored,
          slashes: body.count { $0 == slash },
          directoriesOnly: pattern.last == slash
        )
      )
    }
    self.rules = rules
    deepestPath = rules.filter(\.isAnchored).map(\.slashes).max() ?? -1
  }

  /// Returns whether an entry is to be left out.
  ///
  /// - Parameters:
  ///   - path: The path from the root of the scan, or only the name, ended by NUL.
  ///   - nameStart: Where the name starts in `path`.
  ///   - isWhole: Whether `path` is the path; needed if it has no more slashes than ``deepestPath``.
  ///   - isDirectory: Whether the entry is a directory.
  /// - Returns: Whether a pattern matches it.
  internal func exclude(
    _ path: [UInt8],
    nameStart: Int,
    isWhole: Bool,
    isDirectory: Bool
  ) -> Bool {
    path.withUnsafeBytes { bytes in
      guard let path = bytes.baseAddress?.assumingMemoryBound(to: CChar.self) else { return false }
      return rules.contains { rule in
        guard isDirectory || !rule.directoriesOnly else { return false }
        return rule.isAnchored
          ? isWhole && fnmatch(rule.pattern, path, FNM_PATHNAME) == 0
          : fnmatch(rule.pattern, path + nameStart, 0) == 0
      }
    }
  }
}
