/// The name that was read last, in room that is kept for the next one.
internal struct NameBuffer {
  private var bytes: [UInt8] = []
  /// The number of bytes of the name.
  internal private(set) var count = 0

  /// The name.
  internal var name: ArraySlice<UInt8> { bytes[..<count] }

  /// Calls `body` with the name.
  @inline(__always)
  internal func withSpan<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
    body(bytes.span.extracting(first: count))
  }

  /// Keeps the start of the name, and sets what follows.
  ///
  /// - Parameters:
  ///   - shared: The number of bytes to keep.
  ///   - suffix: Where the bytes that follow are.
  ///   - source: The bytes that they are among.
  @inline(__always)
  internal mutating func replace(from shared: Int, with suffix: Range<Int>, of source: [UInt8]) {
    let end = shared &+ suffix.count
    if bytes.count < end {
      bytes.append(contentsOf: repeatElement(0, count: max(64, 2 * end) - bytes.count))
    }
    let added = source.span.extracting(suffix)
    var name = bytes.mutableSpan
    for index in 0..<added.count { name[shared &+ index] = added[index] }
    count = end
  }
}
