/// A byte string that is written column by column, in tight loops without a growth check a byte.
internal struct ColumnWriter: Sendable {
  internal private(set) var bytes: [UInt8] = []
  internal private(set) var count = 0

  /// Entries between two growth checks.
  private static let stride = 1024

  /// Forgets what was written; keeps the storage unless it has grown beyond `limit` bytes.
  internal mutating func reset(keeping limit: Int) {
    count = 0
    if bytes.count > limit { bytes = [] }
  }

  /// Writes one column: calls `body` with each of `entries`, the space, and the position in it.
  ///
  /// - Parameters:
  ///   - entries: The positions of the entries to write.
  ///   - width: The most bytes that `body` writes for one entry.
  ///   - body: Writes at the position and moves it.
  /// - Returns: The number of bytes written.
  @inline(__always)
  @discardableResult
  internal mutating func column(
    _ entries: Range<Int>,
    width: Int,
    _ body: (Int, inout MutableSpan<UInt8>, inout Int) -> Void
  ) -> Int {
    let before = count
    var next = entries.lowerBound
    while next < entries.upperBound {
      let end = min(next + Self.stride, entries.upperBound)
      reserve((end - next) * width)
      var position = count
      var space = bytes.mutableSpan
      while next < end {
        body(next, &space, &position)
        next += 1
      }
      count = position
    }
    return count - before
  }

  private mutating func reserve(_ more: Int) {
    let needed = count + more
    guard needed > bytes.count else { return }
    let size = max(needed, bytes.count * 2, 4096)
    bytes.append(contentsOf: repeatElement(0, count: size - bytes.count))
  }
}

/// The most bytes of a varint.
internal let varintWidth = 10

/// Writes an unsigned LEB128 number.
@inline(__always)
internal func putVarint(
  _ value: UInt64,
  _ space: inout MutableSpan<UInt8>,
  _ position: inout Int
) {
  var rest = value
  while rest >= 0x80 {
    space[position] = UInt8(truncatingIfNeeded: rest) | 0x80
    position += 1
    rest >>= 7
  }
  space[position] = UInt8(truncatingIfNeeded: rest)
  position += 1
}

extension [UInt8] {
  /// Appends an unsigned LEB128 number.
  internal mutating func appendVarint(_ value: some FixedWidthInteger) {
    var rest = UInt64(value)
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(truncatingIfNeeded: rest))
  }
}
