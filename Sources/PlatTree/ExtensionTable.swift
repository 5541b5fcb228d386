/// The categories of all known file name extensions, by hashing with open addressing.
///
/// A picture of a large tree classifies a million names, which the standard dictionary's hash would
/// dominate.
internal struct ExtensionTable: Sendable {
  /// An extension in lower case, packed into a number.
  internal struct Key: Hashable, Sendable {
    internal var low: UInt64
    internal var high: UInt64
  }

  /// The table of all categories.
  internal static let shared = ExtensionTable()

  // A power of two, and four times the number of extensions, so that probes are short.
  private static let slotCount = 1024

  private var keys = [Key](repeating: Key(low: 0, high: 0), count: slotCount)
  private var categories = [FileCategory](repeating: .other, count: slotCount)

  private init() {
    for category in FileCategory.allCases {
      for text in category.extensions {
        let key = Key(text)
        let slot = slot(of: key)
        keys[slot] = key
        categories[slot] = category
      }
    }
  }

  /// The category that an extension marks, or `nil` if it is not known.
  internal subscript(key: Key) -> FileCategory? {
    let slot = slot(of: key)
    return keys[slot] == key ? categories[slot] : nil
  }

  /// Returns where a key is, or the free slot where it would be.
  private func slot(of key: Key) -> Int {
    let mixed = (key.low ^ key.high &* 0x9e37_79b9_7f4a_7c15) &* 0xd6e8_feb8_6659_fd93
    var slot = Int(truncatingIfNeeded: mixed >> 40) & (Self.slotCount - 1)
    while keys[slot] != key, !keys[slot].isEmpty { slot = (slot + 1) & (Self.slotCount - 1) }
    return slot
  }
}

extension ExtensionTable.Key {
  internal static let sharedObject = ExtensionTable.Key("so")
  private static let license = ExtensionTable.Key("license")
  private static let copyright = ExtensionTable.Key("copyright")

  /// Packs a range of a name, or returns `nil` if it is empty or longer than any known extension.
  internal init?(_ name: Span<UInt8>, from start: Int, to end: Int) {
    guard (1...16).contains(end - start) else { return nil }
    let middle = max(start, end - 8)
    var (low, high): (UInt64, UInt64) = (0, 0)
    for index in middle..<end { low = low &<< 8 | UInt64(name[index]) }
    for index in start..<middle { high = high &<< 8 | UInt64(name[index]) }
    self.init(low: Self.lowercased(low), high: high == 0 ? 0 : Self.lowercased(high))
  }

  /// Changes the capital letters among eight bytes of ASCII, all at once.
  private static func lowercased(_ bytes: UInt64) -> UInt64 {
    let tops: UInt64 = 0x8080_8080_8080_8080
    // The top bit of each byte tells whether it is a capital letter, without a carry to the next.
    let low = bytes & ~tops
    let fromA = low &+ 0x3f3f_3f3f_3f3f_3f3f
    let afterZ = low &+ 0x2525_2525_2525_2525
    let isCapital = ~bytes & (fromA ^ afterZ) & tops
    return bytes | (isCapital >> 2)
  }

  /// Packs a text of at most 16 bytes.
  internal init(_ text: String) {
    self.init(low: 0, high: 0)
    for byte in text.utf8 {
      high = high << 8 | low >> 56
      low = low << 8 | UInt64(byte)
    }
  }

  internal var isEmpty: Bool { low == 0 && high == 0 }

  /// Whether the key has digits only: a version, not a type.
  internal var isNumber: Bool {
    var (low, high) = (low, high)
    while low != 0 {
      let byte = UInt8(truncatingIfNeeded: low)
      guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return false }
      low = low >> 8 | high << 56
      high >>= 8
    }
    return true
  }

  /// Whether the key is the whole name of a licence file.
  internal var isLegalText: Bool { self == Self.license || self == Self.copyright }
}
