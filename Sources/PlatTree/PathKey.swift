/// A path that is looked up, or sorted, as bytes.
///
/// Its bytes are taken eight at a time: paths are long, and most of them begin alike.
internal struct PathKey: Hashable {
  /// The bytes of the path.
  internal var bytes: ArraySlice<UInt8>

  /// Creates a key.
  internal init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  internal func hash(into hasher: inout Hasher) {
    let bytes = bytes.span
    var start = 0
    while let word = word(bytes, at: start) {
      hasher.combine(word)
      start += 8
    }
    var rest: UInt64 = 0
    for index in start..<bytes.count { rest = rest << 8 | UInt64(bytes[index]) }
    hasher.combine(rest)
    hasher.combine(bytes.count)
  }

  /// Returns a negative number if a path comes before another one bytewise, and 0 if they are equal.
  internal static func compare(_ first: [UInt8], _ second: [UInt8]) -> Int {
    let (first, second) = (first.span, second.span)
    var start = 0
    while let one = word(first, at: start), let other = word(second, at: start) {
      if one != other { return one < other ? -1 : 1 }
      start += 8
    }
    for index in start..<min(first.count, second.count) where first[index] != second[index] {
      return first[index] < second[index] ? -1 : 1
    }
    return first.count - second.count
  }
}
