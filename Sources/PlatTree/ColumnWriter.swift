/// A byte string that is written column by column, in tight loops without a growth check a byte.
///
/// In front of the columns there is room for a head, which tells their lengths and is written last.
internal struct ColumnWriter: Sendable {
  private var bytes: [UInt8] = []
  private var count = Self.headRoom
  private var start = Self.headRoom

  /// The most bytes of a head.
  private static let headRoom = 80
  /// Entries between two growth checks.
  private static let step = 1024

  /// Forgets what was written; keeps the storage unless it has grown beyond `limit` bytes.
  internal mutating func reset(keeping limit: Int) {
    count = Self.headRoom
    start = Self.headRoom
    if bytes.count > limit { bytes = [] }
  }

  /// Forgets the columns written so far.
  internal mutating func removeColumns() { count = Self.headRoom }

  /// Writes one column: calls `body` with each of `entries`, the space, and the position in it.
  ///
  /// - Parameters:
  ///   - entries: The positions of the entries to write.
  ///   - width: The most bytes that `body` touches for one entry, from the position it starts at.
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
      let end = min(next + Self.step, entries.upperBound)
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

  /// Writes the head in front of the columns: calls `body` with the space and the position in it.
  internal mutating func head(_ body: (inout MutableSpan<UInt8>, inout Int) -> Void) {
    reserve(0)
    var space = bytes.mutableSpan
    var length = 0
    body(&space, &length)
    start = Self.headRoom - length
    for index in (0..<length).reversed() { space[start + index] = space[index] }
  }

  /// Appends head and columns to a byte string, with their checksum.
  internal mutating func append(to output: inout [UInt8]) {
    reserve(4)
    let checksum = crc32c(bytes.span.extracting(start..<count))
    for shift in stride(from: 0, to: 32, by: 8) {
      bytes[count] = UInt8(truncatingIfNeeded: checksum >> shift)
      count += 1
    }
    output.append(contentsOf: bytes[start..<count])
  }

  @inline(__always)
  private mutating func reserve(_ more: Int) {
    if count + more > bytes.count { grow(to: count + more) }
  }

  @inline(never)
  private mutating func grow(to needed: Int) {
    // Room that is not touched takes no memory, so there can be much, and few copies.
    if bytes.capacity < needed { bytes.reserveCapacity(4 * needed) }
    bytes.append(contentsOf: repeatElement(0, count: needed - bytes.count))
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
