/// The name of a file: bytes, which need not be text.
///
/// ```swift
/// let plain: FileName = "a.txt"
/// let hostile = FileName([0x0a, 0x1b, 0xff])
/// ```
package struct FileName: Hashable, Sendable, ExpressibleByStringInterpolation {
  /// The bytes, without a slash or a NUL.
  package let bytes: [UInt8]

  /// Creates a name of bytes.
  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Creates a name of text.
  package init(_ text: String) { bytes = Array(text.utf8) }

  package init(stringLiteral text: String) { self.init(text) }

  /// The bytes, ended by NUL, as C wants them.
  package var cString: [CChar] { bytes.map(CChar.init(bitPattern:)) + [0] }
}
