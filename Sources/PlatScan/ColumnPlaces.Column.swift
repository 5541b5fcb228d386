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
    guard value < 1 << 28 else {
      next = Self.put(value, at: next)
      return
    }
    let number = UInt32(truncatingIfNeeded: value)
    // Seven bits in each byte, by halves.
    let halves = number & 0x3fff | (number & 0xfff_c000) << 2
    let spread = halves & 0x7f_007f | (halves & 0x3f80_3f80) << 1
    // All bytes but the last say that more follow: as many as the highest bit is times seven.
    let highest = 31 &- UInt32(truncatingIfNeeded: (number | 1).leadingZeroBitCount)
    let bits = (highest &* 37) >> 5 & 0x18  // 8 * (highest / 7)
    let more = 0x80_8080 & (1 &<< bits &- 1)
    next.storeBytes(of: (spread | more).littleEndian, as: UInt32.self)
    next += Int(bits >> 3) &+ 1
  }

  // The column is not passed to this, so that it can stay in registers.
  @inline(never)
  private static func put(
    _ value: UInt64,
    at start: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer {
    var (rest, next) = (value, start)
    while rest >= 0x80 {
      next.storeBytes(of: UInt8(truncatingIfNeeded: rest) | 0x80, as: UInt8.self)
      rest >>= 7
      next += 1
    }
    next.storeBytes(of: UInt8(truncatingIfNeeded: rest), as: UInt8.self)
    return next + 1
  }

  /// Writes the number of a row of attributes, and the row if it is new.
  internal mutating func put(_ number: Int, _ row: AttributeTable.Row?) {
    putSmall(UInt64(number))
    guard let row else { return }
    putSmall(UInt64(row.mode))
    putSmall(UInt64(row.owner))
    putSmall(UInt64(row.group))
  }

  /// Writes a name by what it has in common with the one before.
  ///
  /// What a name is like is hard to guess for the processor, so there are few branches: what may follow
  /// the header is written in any case, and counted if it is to stay; 32 bytes are copied at once.
  @inline(__always)
  internal mutating func putName(
    _ name: UnsafeRawPointer,
    _ length: Int,
    after before: UnsafeRawPointer,
    _ beforeLength: Int
  ) {
    let shared = Self.commonLength(name, before, min(length, beforeLength))
    let added = length &- shared
    let prefix = min(shared, ListingFormat.prefixEscape)
    let suffix = min(added, ListingFormat.suffixEscape)
    putByte(UInt8(truncatingIfNeeded: prefix << 5 | suffix))
    if (shared &- prefix) | (added &- suffix) < 0x80 {
      next.storeBytes(of: UInt8(truncatingIfNeeded: shared &- prefix), as: UInt8.self)
      next += prefix == ListingFormat.prefixEscape ? 1 : 0
      next.storeBytes(of: UInt8(truncatingIfNeeded: added &- suffix), as: UInt8.self)
      next += suffix == ListingFormat.suffixEscape ? 1 : 0
    } else {
      if prefix == ListingFormat.prefixEscape { putSmall(UInt64(shared &- prefix)) }
      if suffix == ListingFormat.suffixEscape { putSmall(UInt64(added &- suffix)) }
    }
    var offset = 0
    repeat {
      let part = (name + shared + offset).loadUnaligned(as: SIMD32<UInt8>.self)
      (next + offset).storeBytes(of: part, as: SIMD32<UInt8>.self)
      offset += 32
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
