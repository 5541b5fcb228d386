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
    compare(first, second[...])
  }

  /// Returns a negative number if a path comes before another one bytewise, and 0 if they are equal.
  internal static func compare(_ first: [UInt8], _ second: ArraySlice<UInt8>) -> Int {
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

  /// Returns whether a path begins with all bytes of another one.
  internal static func starts(_ path: [UInt8], with other: [UInt8]) -> Bool {
    let (path, other) = (path.span, other.span)
    guard path.count >= other.count else { return false }
    var start = 0
    while let one = word(other, at: start) {
      guard one == word(path, at: start) else { return false }
      start += 8
    }
    for index in start..<other.count where path[index] != other[index] { return false }
    return true
  }
}
