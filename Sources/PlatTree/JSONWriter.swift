/// Writes one JSON document piece by piece, in the order of the calls.
///
/// The document is valid UTF-8 and safe to look at: what ``NameDisplay`` does not show as it is comes
/// out as a `\u` escape, which every parser reads back as the exact character. Integers are exact, and
/// a number that JSON lacks (infinite, not a number) is `null`.
///
/// ```swift
/// let json = JSONWriter { bytes in output.write(bytes) }
/// json.object {
///   json.member("schema", "plat/scan/1")
///   json.member("files", 149_646)
///   json.array("issues") {
///     for issue in issues { json.object { json.name("path", issue.path) } }
///   }
/// }
/// json.finish()
/// ```
public final class JSONWriter {
  /// Where a document has line breaks.
  public enum Layout: Sendable {
    /// Each object in an array starts a line, so that a table can be searched and compared by line.
    case rows
    /// Everything is on one line, for a stream of documents.
    case line
  }

  /// What the value being written stands in.
  private enum Container {
    case document, object, array
  }

  /// What was written last in the container.
  private enum Position {
    case start, afterKey, afterValue
  }

  private let layout: Layout
  private let sink: ([UInt8]) -> Void
  private var buffer: [UInt8] = []
  private var containers: [Container] = [.document]
  private var position = Position.start

  private static let flushThreshold = 32_768

  /// Creates a writer at the start of a document.
  ///
  /// - Parameters:
  ///   - layout: Where to break lines.
  ///   - sink: Takes the bytes, a batch at a time, in order.
  public init(layout: Layout = .rows, sink: @escaping (_ bytes: [UInt8]) -> Void) {
    self.layout = layout
    self.sink = sink
  }

  /// Ends the document, or one of a stream of documents, with a newline, and hands over all bytes.
  ///
  /// - Precondition: Every object and array has ended.
  public func finish() {
    precondition(containers.count == 1, "a document ends outside of its objects and arrays")
    append("\n")
    position = .start
    flush()
  }

  private func append(_ character: Unicode.Scalar) {
    buffer.append(UInt8(ascii: character))
  }

  private func flush() {
    sink(buffer)
    buffer.removeAll(keepingCapacity: true)
  }
}

// MARK: Objects and arrays

extension JSONWriter {
  /// Writes an object as an element of an array or as the document; `body` writes its members.
  ///
  /// - Throws: What `body` throws. The document is then incomplete.
  public func object<Failure>(_ body: () throws(Failure) -> Void) throws(Failure) {
    try container(.object, "{", "}", body)
  }

  /// Writes an object as a member; `body` writes its own members.
  ///
  /// - Throws: What `body` throws. The document is then incomplete.
  public func object<Failure>(
    _ key: String,
    _ body: () throws(Failure) -> Void
  ) throws(Failure) {
    self.key(key)
    try container(.object, "{", "}", body)
  }

  /// Writes an array as an element of another; `body` writes its elements.
  ///
  /// - Throws: What `body` throws. The document is then incomplete.
  public func array<Failure>(_ body: () throws(Failure) -> Void) throws(Failure) {
    try container(.array, "[", "]", body)
  }

  /// Writes an array as a member; `body` writes its elements.
  ///
  /// - Throws: What `body` throws. The document is then incomplete.
  public func array<Failure>(
    _ key: String,
    _ body: () throws(Failure) -> Void
  ) throws(Failure) {
    self.key(key)
    try container(.array, "[", "]", body)
  }

  private func container<Failure>(
    _ container: Container,
    _ start: Unicode.Scalar,
    _ end: Unicode.Scalar,
    _ body: () throws(Failure) -> Void
  ) throws(Failure) {
    startValue(breaksLine: container == .object)
    append(start)
    containers.append(container)
    position = .start
    try body()
    containers.removeLast()
    append(end)
    endValue()
  }
}

// MARK: Values

extension JSONWriter {
  /// Writes a member of an object.
  public func member(_ key: String, _ value: some JSONValue) {
    self.key(key)
    value.write(to: self)
  }

  /// Writes an element of an array.
  public func element(_ value: some JSONValue) {
    value.write(to: self)
  }

  /// Writes a name or a path as a member, exactly.
  ///
  /// If the bytes are not UTF-8, the member has U+FFFD in place of what is not, and a second member
  /// `<key>_base64` has the bytes.
  public func name(_ key: String, _ bytes: some Collection<UInt8>) {
    let (text, isExact) = NameDisplay.dataText(bytes)
    member(key, text)
    if !isExact { member(key + "_base64", Base64.encode(bytes)) }
  }

  /// Writes a time as a member, as RFC 3339 has it, in UTC.
  public func time(_ key: String, secondsSince1970 seconds: Int64) {
    member(key, CivilDate.timestamp(secondsSince1970: seconds))
  }

  /// Writes a value that is JSON as it stands.
  fileprivate func literal(_ text: String) {
    startValue()
    buffer.append(contentsOf: text.utf8)
    endValue()
  }

  fileprivate func string(_ text: String) {
    startValue()
    buffer.appendQuoted(text)
    endValue()
  }

  private func key(_ key: String) {
    precondition(containers.last == .object, "a member stands in an object")
    if position == .afterValue { append(",") }
    buffer.appendQuoted(key)
    append(":")
    position = .afterKey
  }

  private func startValue(breaksLine: Bool = false) {
    guard position != .afterKey else { return }
    let container = containers[containers.count - 1]
    precondition(container != .object, "a value in an object has a key")
    precondition(container == .array || position == .start, "a document is one value")
    if position == .afterValue { append(",") }
    if breaksLine, container == .array, layout == .rows { append("\n") }
  }

  private func endValue() {
    position = .afterValue
    if buffer.count >= Self.flushThreshold { flush() }
  }
}

// MARK: Text

extension [UInt8] {
  /// Appends text as a JSON string.
  fileprivate mutating func appendQuoted(_ text: String) {
    append(UInt8(ascii: "\""))
    if text.utf8.allSatisfy(Self.isPlain) {
      append(contentsOf: text.utf8)
    } else {
      for scalar in text.unicodeScalars { appendEscaping(scalar) }
    }
    append(UInt8(ascii: "\""))
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    (0x20...0x7E).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }

  private mutating func appendEscaping(_ scalar: Unicode.Scalar) {
    switch scalar {
    case "\"": append(contentsOf: #"\""#.utf8)
    case "\\": append(contentsOf: #"\\"#.utf8)
    case "\n": append(contentsOf: #"\n"#.utf8)
    case "\r": append(contentsOf: #"\r"#.utf8)
    case "\t": append(contentsOf: #"\t"#.utf8)
    case _ where NameDisplay.isAlwaysVisible(scalar):
      append(contentsOf: String(scalar).utf8)
    default:
      for unit in String(scalar).utf16 {
        let digits = String(unit, radix: 16)
        append(contentsOf: #"\u"#.utf8)
        append(contentsOf: repeatElement(UInt8(ascii: "0"), count: 4 - digits.utf8.count))
        append(contentsOf: digits.utf8)
      }
    }
  }
}

/// A value that ``JSONWriter`` writes as a member or an element.
public protocol JSONValue {
  /// Writes the value where `json` stands.
  func write(to json: JSONWriter)
}

extension String: JSONValue {
  /// Writes the text as a string.
  public func write(to json: JSONWriter) { json.string(self) }
}

extension Bool: JSONValue {
  /// Writes `true` or `false`.
  public func write(to json: JSONWriter) { json.literal(self ? "true" : "false") }
}

extension JSONValue where Self: FixedWidthInteger {
  /// Writes all digits of the number.
  public func write(to json: JSONWriter) { json.literal(String(self)) }
}

extension Int: JSONValue {}
extension Int32: JSONValue {}
extension Int64: JSONValue {}
extension UInt32: JSONValue {}
extension UInt64: JSONValue {}

extension Double: JSONValue {
  /// Writes the shortest number that reads back as this one, or `null` if JSON has none.
  public func write(to json: JSONWriter) { json.literal(isFinite ? description : "null") }
}

extension Optional: JSONValue where Wrapped: JSONValue {
  /// Writes the value, or `null`.
  public func write(to json: JSONWriter) {
    if let self { self.write(to: json) } else { json.literal("null") }
  }
}
