/// Bytes as text of 64 safe characters: RFC 4648, section 4, with padding.
public enum Base64 {
  /// Returns bytes as base64 text.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  public static func encode(_ bytes: some Collection<UInt8>) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    var pending: UInt32 = 0
    var pendingCount = 0
    for byte in bytes {
      pending = pending << 8 | UInt32(byte)
      pendingCount += 1
      if pendingCount == 3 {
        append(pending, characters: 4, to: &text)
        (pending, pendingCount) = (0, 0)
      }
    }
    if pendingCount > 0 {
      append(pending << UInt32(8 * (3 - pendingCount)), characters: pendingCount + 1, to: &text)
      text.append(contentsOf: repeatElement(UInt8(ascii: "="), count: 3 - pendingCount))
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Appends the first characters of a group of 24 bits.
  private static func append(_ group: UInt32, characters: Int, to text: inout [UInt8]) {
    for position in 0..<characters {
      text.append(alphabet[Int(group >> UInt32(18 - 6 * position) & 63)])
    }
  }

  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
  )
}
