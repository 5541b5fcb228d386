/// A type of file that somebody looks for: a category, or the end of the name.
public enum FileType: Hashable, Sendable {
  /// All files that have a use in common.
  case category(FileCategory)
  /// Files whose names end with a dot and these bytes, in lower case; in a name letters of ASCII may be
  /// capitals.
  case suffix([UInt8])
}

extension FileType {
  /// Reads `video` or `.mp4`.
  ///
  /// - Returns: The type, or `nil` if the text is neither a category nor a dot with something after it.
  public init?(_ text: [UInt8]) {
    if text.first == UInt8(ascii: "."), text.count > 1 {
      self = .suffix(text.map(\.lowercased))
      return
    }
    let word = String(decoding: text, as: UTF8.self)
    let category = FileCategory.allCases.first { $0.keyword == word }
    guard let category else { return nil }
    self = .category(category)
  }

  /// Returns whether an entry is a file of the type.
  internal func matches(_ entry: WalkedEntry) -> Bool {
    guard entry.kind == .file else { return false }
    switch self {
    case .category(let category): return entry.category == category
    case .suffix(let suffix):
      // A dot at the start hides the file and starts no extension.
      guard entry.name.count > suffix.count else { return false }
      let start = entry.name.count - suffix.count
      return suffix.indices.allSatisfy { entry.name[start + $0].lowercased == suffix[$0] }
    }
  }
}

extension FileCategory {
  /// The category as a command line and data name it: `code`, `video`.
  public var keyword: String { "\(self)" }
}
