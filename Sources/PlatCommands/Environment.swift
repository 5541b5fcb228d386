import Glibc

/// The environment variables of this process, or made-up ones for tests.
package struct Environment: Sendable {
  /// The made-up variables, or `nil` for those of this process.
  private let values: [String: String]?

  /// The environment of this process.
  package static let process = Environment(values: nil)

  /// Creates an environment of the given variables.
  package init(_ values: [String: String]) {
    self.init(values: values)
  }

  private init(values: [String: String]?) {
    self.values = values
  }

  /// The bytes of a variable, or `nil` if it is not set.
  package subscript(bytes name: String) -> [UInt8]? {
    if let values { return values[name].map { Array($0.utf8) } }
    guard let value = getenv(name) else { return nil }
    return Array(UnsafeRawBufferPointer(start: value, count: strlen(value)))
  }

  /// The text of a variable, or `nil` if it is not set or is empty.
  ///
  /// An empty variable counts as one that is not set, as no-color.org and the XDG specification ask.
  package subscript(name: String) -> String? {
    guard let bytes = self[bytes: name], !bytes.isEmpty else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension Environment {
  /// Whether the locale shows UTF-8: the first of `LC_ALL`, `LC_CTYPE` and `LANG` that is set says so.
  package var usesUTF8: Bool {
    let locale = (self["LC_ALL"] ?? self["LC_CTYPE"] ?? self["LANG"] ?? "").lowercased()
    return locale.contains("utf-8") || locale.contains("utf8")
  }
}
