import Glibc
import PlatTree

extension ColumnPlaces {
  /// One column: where it starts, and where its next byte goes.
  internal struct Column {
    internal let start: UnsafeMutableRawPointer
    internal var next: UnsafeMutableRawPointer

    internal init(_ start: UnsafeMutableRawPointer) { (self.start, next) = (start, start) }

    internal var length: Int { next - start }
  }
}

extension ColumnPlaces.Column {
  @inline(__always)
  internal mutating func putByte(_ byte: UInt8) {
    next.storeBytes(of: byte, as: UInt8.self)
    next += 1
  }

  /// Writes an unsigned LEB128 number that has one byte as a rule.
  @inline(__always)
  internal mutating func putSmall(_ value: UInt64) {
    if value < 0x80 { putByte(UInt8(truncatingIfNeeded: value)) } else { putNumber(value) }
  }

  /// Writes an unsigned LEB128 number; up to four bytes are written at once.
  @inline(__always)
  internal mutating func putNumber(_ value: UInt64) {
    guard value < 1 << 28 else { return putLong(value) }
    let number = UInt32(truncatingIfNeeded: value)
    let low = number & 0x7f | (number & 0x3f80) << 1
    let spread = low | (number & 0x1f_c000) << 2 | (number & 0xfe0_0000) << 3
    // The bytes that 1 to 28 bits take, seven in each; all but the last say that more follow.
    let length = ((32 &- (number | 1).leadingZeroBitCount) &* 9 &+ 64) &>> 6
    let more = 0x80_8080 & (UInt32(1) &<< UInt32(truncatingIfNeeded: 8 &* (length &- 1)) &- 1)
    next.storeBytes(of: (spread | more).littleEndian, as: UInt32.self)
    next += length
  }

  @inline(never)
  private mutating func putLong(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      putByte(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    putByte(UInt8(truncatingIfNeeded: rest))
  }

  /// Writes the number of a row of attributes, and the row if it is new.
  internal mutating func put(_ number: Int, _ row: AttributeTable.Row?) {
    putSmall(UInt64(number))
    guard let row else { return }
    putSmall(UInt64(row.mode))
    putSmall(UInt64(row.owner))
    putSmall(UInt64(row.group))
  }

  /// Writes a name by what it has in common with the one before; sixteen bytes are copied at once.
  @inline(__always)
  internal mutating func putName(
    _ name: UnsafeRawPointer,
    _ length: Int,
    after before: UnsafeRawPointer,
    _ beforeLength: Int
  ) {
    let shared = Self.commonLength(name, before, min(length, beforeLength))
    let added = length - shared
    let prefix = min(shared, ListingFormat.prefixEscape)
    let suffix = min(added, ListingFormat.suffixEscape)
    putByte(UInt8(truncatingIfNeeded: prefix << 5 | suffix))
    if prefix == ListingFormat.prefixEscape { putSmall(UInt64(shared - prefix)) }
    if suffix == ListingFormat.suffixEscape { putSmall(UInt64(added - suffix)) }
    var offset = 0
    repeat {
      let part = (name + shared + offset).loadUnaligned(as: SIMD16<UInt8>.self)
      (next + offset).storeBytes(of: part, as: SIMD16<UInt8>.self)
      offset += 16
    } while offset < added
    next += added
  }

  /// Returns how many bytes two names have in common at their start, up to `limit`.
  @inline(__always)
  private static func commonLength(
    _ name: UnsafeRawPointer,
    _ other: UnsafeRawPointer,
    _ limit: Int
  ) -> Int {
    var length = 0
    while length < limit {
      let difference =
        (name + length).loadUnaligned(as: UInt64.self).littleEndian
        ^ (other + length).loadUnaligned(as: UInt64.self).littleEndian
      if difference != 0 { return min(limit, length + difference.trailingZeroBitCount / 8) }
      length += 8
    }
    return limit
  }

  /// Copies the column to an earlier place, and moves the place to its end.
  @inline(__always)
  internal func move(to end: inout UnsafeMutableRawPointer) {
    let length = length
    if length > 256 {
      memmove(end, start, length)
    } else {
      // Upwards, so that bytes are read before others are written over them.
      var offset = 0
      while offset < length {
        let part = (start + offset).loadUnaligned(as: SIMD16<UInt8>.self)
        (end + offset).storeBytes(of: part, as: SIMD16<UInt8>.self)
        offset += 16
      }
    }
    end += length
  }
}
