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

  /// Returns the bytes of base64 text, or `nil` if it is none.
  ///
  /// - Complexity: O(*n*), where *n* is the length of the text.
  public static func decode(_ text: some StringProtocol) -> [UInt8]? {
    let characters = Array(text.utf8)
    guard characters.count.isMultiple(of: 4) else { return nil }
    let padding = characters.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
    var bytes: [UInt8] = []
    bytes.reserveCapacity(characters.count / 4 * 3)
    var group: UInt32 = 0
    for (position, character) in characters.dropLast(padding).enumerated() {
      guard let value = alphabet.firstIndex(of: character) else { return nil }
      group = group << 6 | UInt32(value)
      if position % 4 > 0 {
        bytes.append(UInt8(truncatingIfNeeded: group >> UInt32(6 - position % 4 * 2)))
      }
    }
    // What the last character says beyond the last byte is nothing.
    guard group & (1 << UInt32(2 * padding) - 1) == 0 else { return nil }
    return bytes
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
