/// Reads numbers that were packed into bytes.
///
/// There are zeros behind the end: what is damaged is found by a checksum over the numbers.
internal struct PackedNumbers {
  // Safety: who makes a value keeps the bytes for as long as it is used, and every read is checked.
  private let bytes: UnsafeRawBufferPointer
  private var position = 0

  internal init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// Reads a number of 32 bits, which has four bytes, the least first.
  @inline(__always)
  internal mutating func readWord() -> Int64 {
    guard bytes.count - position >= 4 else {
      position = bytes.count
      return 0
    }
    defer { position += 4 }
    let word = bytes.loadUnaligned(fromByteOffset: position, as: UInt32.self)
    return Int64(UInt32(littleEndian: word))
  }

  /// Reads an unsigned LEB128 number.
  @inline(__always)
  internal mutating func readNumber() -> UInt64 {
    var (number, shift) = (0 as UInt64, 0 as UInt64)
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      number |= UInt64(byte & 0x7f) << shift
      shift += 7
      if byte < 0x80 { break }
    }
    return number
  }

  /// Reads the bytes that are left.
  internal mutating func readRest() -> [UInt8] {
    defer { position = bytes.count }
    return position < bytes.count ? Array(bytes[position...]) : []
  }
}

extension [UInt8] {
  /// Appends the lower 32 bits of a number as four bytes, the least first.
  internal mutating func appendWord(_ word: Int64) {
    let word = UInt32(truncatingIfNeeded: word)
    append(UInt8(truncatingIfNeeded: word))
    append(UInt8(truncatingIfNeeded: word >> 8))
    append(UInt8(truncatingIfNeeded: word >> 16))
    append(UInt8(truncatingIfNeeded: word >> 24))
  }

  /// Appends an unsigned LEB128 number.
  internal mutating func appendNumber(_ number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(rest))
  }
}
