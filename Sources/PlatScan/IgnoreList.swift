import PlatTree

/// Patterns of one source in the syntax of gitignore(5); the last that matches decides.
internal struct IgnoreList: Sendable {
  private struct Pattern: Sendable {
    var wildcards: WildcardPattern
    var isNegated: Bool
    var directoriesOnly: Bool
    var matchesPath: Bool
  }

  /// The last first.
  private let patterns: [Pattern]

  /// Whether a pattern needs the path of an entry.
  internal let needsPaths: Bool

  /// Whether a pattern needs to know what is a directory.
  internal let needsKinds: Bool

  /// Whether there is no pattern.
  internal var isEmpty: Bool { patterns.isEmpty }

  /// Creates a list from the text of a file.
  ///
  /// As git reads it: a line is a pattern unless it is empty or starts with `#`, it ends at a NUL, a
  /// carriage return at its end does not belong to it, nor do spaces there without a `\`, and a
  /// byte order mark at the start of the text is skipped. A pattern that git never matches is dropped.
  internal init(_ text: [UInt8]) {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let lines = (text.starts(with: mark) ? text.dropFirst(mark.count) : text[...])
      .split(separator: UInt8(ascii: "\n"))
    patterns = lines.reversed().compactMap { Self.pattern($0) }
    needsPaths = patterns.contains(where: \.matchesPath)
    needsKinds = patterns.contains(where: \.directoriesOnly)
  }

  private static func pattern(_ line: ArraySlice<UInt8>) -> Pattern? {
    let slash = UInt8(ascii: "/")
    guard line.first != UInt8(ascii: "#") else { return nil }
    var body = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
    body = trimmed(body.prefix { $0 != 0 })
    let isNegated = body.first == UInt8(ascii: "!")
    if isNegated { body.removeFirst() }
    let directoriesOnly = body.last == slash
    if directoriesOnly { body.removeLast() }
    let matchesPath = body.contains(slash)
    if body.first == slash { body.removeFirst() }
    guard let wildcards = WildcardPattern(body, matchesPaths: matchesPath) else { return nil }
    return Pattern(
      wildcards: wildcards,
      isNegated: isNegated,
      directoriesOnly: directoriesOnly,
      matchesPath: matchesPath
    )
  }

  /// Removes spaces at the end that have no backslash before them.
  private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var end = line.startIndex
    var index = line.startIndex
    while index < line.endIndex {
      if line[index] == UInt8(ascii: "\\") {
        index = min(index + 2, line.endIndex)
        end = index
      } else {
        index += 1
        if line[index - 1] != UInt8(ascii: " ") { end = index }
      }
    }
    return line[..<end]
  }

  /// Returns what the list says of an entry.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - path: The path from the directory that the patterns are relative to; needed if
  ///     ``needsPaths``.
  ///   - isDirectory: Whether the entry is a directory; needed if ``needsKinds``.
  /// - Returns: Whether to leave it out, or `nil` if no pattern matches.
  internal func excludes(
    _ name: Span<UInt8>,
    path: Span<UInt8>,
    isDirectory: Bool
  ) -> Bool? {
    for pattern in patterns where isDirectory || !pattern.directoriesOnly {
      if pattern.wildcards.matches(pattern.matchesPath ? path : name) { return !pattern.isNegated }
    }
    return nil
  }
}
