/// Sorts names bytewise, and drops all but the first of equal ones.
///
/// Names are compared eight bytes at a time: they are sorted by their first eight bytes, taken as a
/// number, and each run of names that are equal so far by the next eight ("multikey" sorting:
/// Bentley and Sedgewick, *Fast Algorithms for Sorting and Searching Strings*, 1997). No name is
/// compared twice over the same bytes, so a directory of names with a long common start costs no
/// more than its bytes.
internal struct NameOrder: Sendable {
  private struct Key: Sendable {
    var bytes: UInt64
    var position: UInt32
  }

  private var keys: [Key] = []
  private var runs: [(range: Range<Int>, depth: Int)] = []

  /// The sorted order: positions of the names that were given.
  internal private(set) var positions: [Int] = []

  /// Sorts names and sets ``positions``.
  ///
  /// - Parameters:
  ///   - count: The number of names.
  ///   - names: The bytes that the names are ranges of; a name has no NUL.
  ///   - range: Gives the range of the name at a position.
  internal mutating func sort(_ count: Int, names: Span<UInt8>, range: (Int) -> Range<Int>) {
    keys.removeAll(keepingCapacity: true)
    var isSorted = true
    var before: UInt64 = 0
    for position in 0..<count {
      let bytes = eightBytes(names, range(position), from: 0)
      isSorted = isSorted && (position == 0 || bytes > before)
      before = bytes
      keys.append(Key(bytes: bytes, position: UInt32(position)))
    }
    if !isSorted { sortRuns(names, range) }
    positions.removeAll(keepingCapacity: true)
    for index in keys.indices {
      let position = Int(keys[index].position)
      if index > 0, !isSorted {
        let other = range(positions[positions.count - 1])
        let name = range(position)
        if other.count == name.count, sharedPrefixLength(names, other, name) == name.count {
          continue
        }
      }
      positions.append(position)
    }
  }

  private mutating func sortRuns(_ names: Span<UInt8>, _ range: (Int) -> Range<Int>) {
    runs.append((0..<keys.count, 0))
    while let (run, depth) = runs.popLast() {
      if depth > 0 {
        for index in run {
          keys[index].bytes = eightBytes(names, range(Int(keys[index].position)), from: depth)
        }
      }
      // Equal keys stay in the order they came in, so that the first of equal names is kept.
      keys[run].sort { ($0.bytes, $0.position) < ($1.bytes, $1.position) }
      var start = run.lowerBound
      while start < run.upperBound {
        var end = start + 1
        while end < run.upperBound, keys[end].bytes == keys[start].bytes { end += 1 }
        // A last byte of 0 means that the names have ended: they are equal.
        if end - start > 1, keys[start].bytes & 0xff != 0 { runs.append((start..<end, depth + 8)) }
        start = end
      }
    }
  }
}

/// Returns the eight bytes of a name from `depth` on as a big-endian number, 0 beyond its end.
@inline(__always)
private func eightBytes(_ names: Span<UInt8>, _ name: Range<Int>, from depth: Int) -> UInt64 {
  let start = name.lowerBound + depth
  var value: UInt64 = 0
  if start + 8 <= name.upperBound {
    let bytes = names.extracting(start..<start + 8)
    for index in 0..<8 { value = value << 8 | UInt64(bytes[index]) }
    return value
  }
  for index in 0..<8 {
    let at = start + index
    value = value << 8 | (at < name.upperBound ? UInt64(names[at]) : 0)
  }
  return value
}

/// Returns how many bytes two names have in common at their start.
@inline(__always)
internal func sharedPrefixLength(
  _ names: Span<UInt8>,
  _ first: Range<Int>,
  _ second: Range<Int>
) -> Int {
  let limit = min(first.count, second.count)
  var length = 0
  while length < limit,
    names[first.lowerBound + length] == names[second.lowerBound + length]
  {
    length += 1
  }
  return length
}
