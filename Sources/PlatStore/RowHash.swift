/// A 64-bit hash of the values of a row, to find damage.
///
/// A word is taken in by a multiplication to 128 bits whose halves are folded, the step of wyhash
/// (Wang Yi, <https://github.com/wangyi-fudan/wyhash>). The numbers reach the disk and are stable.
internal struct RowHash {
  private static let multiplier: UInt64 = 0xa076_1d64_78bd_642f
  private static let increment: UInt64 = 0xe703_7ed1_a0b4_28db

  /// The hash of what was taken in so far.
  internal private(set) var value: UInt64 = 0x8ebc_6af0_9c88_c6e3

  /// The part of the hash that is kept in a row: 31 bits, which SQLite stores in four bytes.
  internal var short: Int64 { Int64(value & 0x7fff_ffff) }

  /// Takes in a number.
  @inline(__always)
  internal mutating func combine(_ word: Int64) {
    let product = (value ^ UInt64(bitPattern: word)).multipliedFullWidth(by: Self.multiplier)
    value = (product.high ^ product.low) &+ Self.increment
  }

  /// Takes in bytes, and how many they are.
  internal mutating func combine(_ bytes: UnsafeRawBufferPointer) {
    combine(Int64(bytes.count))
    var offset = 0
    while offset + 8 <= bytes.count {
      combine(Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Int64.self)))
      offset += 8
    }
    guard offset < bytes.count else { return }
    var rest: Int64 = 0
    for index in offset..<bytes.count { rest = rest << 8 | Int64(bytes[index]) }
    combine(rest)
  }

  /// Takes in bytes, and how many they are.
  internal mutating func combine(_ bytes: ArraySlice<UInt8>) {
    bytes.withUnsafeBytes { combine($0) }
  }

  /// Takes in a text.
  internal mutating func combine(_ text: String) { combine(Array(text.utf8)[...]) }
}
