/// Sorts names bytewise, and drops all but the first of equal ones.
///
/// Names are compared eight bytes at a time: they are sorted by their first eight bytes, taken as a
/// number, and each run of names that are equal so far by the next eight ("multikey" sorting:
/// Bentley and Sedgewick, *Fast Algorithms for Sorting and Searching Strings*, 1997). No name is
/// compared twice over the same bytes, so a directory of names with a long common start costs no
/// more than its bytes.
public struct NameOrder: Sendable {
  internal struct Key: Sendable {
    internal var bytes: UInt64 = 0
    internal var position: UInt32 = 0
  }

  /// The first ``count`` are in use, in sorted order; the others are room that is kept.
  internal private(set) var keys: [Key] = []
  /// The number of names, without those dropped.
  internal private(set) var count = 0
  private var merged: [Key] = []
  private var runs: [(range: Range<Int>, depth: Int)] = []

  /// The sorted order: positions of the names that were given.
  public var positions: [Int] { keys[..<count].map { Int($0.position) } }

  /// Creates an order of no names.
  public init() {}

  /// Sorts names and sets ``positions``.
  ///
  /// - Parameters:
  ///   - count: The number of names.
  ///   - names: The bytes that the names are ranges of; a name has no NUL.
  ///   - range: Gives the range of the name at a position.
  /// - Complexity: O(*n* log *n*), or O(*n*) for names that come sorted.
  public mutating func sort(_ count: Int, names: Span<UInt8>, range: (Int) -> Range<Int>) {
    grow(&keys, to: count)
    self.count = count
    guard !setKeys(&keys, count, names, range) else { return }
    if count > insertionLimit { grow(&merged, to: count) }
    self.count = sortNames(&keys, count, &merged, &runs, names, range)
  }
}

/// Makes room for keys.
private func grow(_ keys: inout [NameOrder.Key], to count: Int) {
  guard keys.count < count else { return }
  keys.append(contentsOf: repeatElement(NameOrder.Key(), count: count - keys.count))
}

/// Sets keys to the starts of the names, and returns whether they are in order.
@inline(__always)
private func setKeys(
  _ keys: inout [NameOrder.Key],
  _ count: Int,
  _ names: Span<UInt8>,
  _ range: (Int) -> Range<Int>
) -> Bool {
  var keys = keys.mutableSpan
  var isSorted = true
  var before: UInt64 = 0
  for position in 0..<count {
    let bytes = eightBytes(names, range(position), from: 0)
    isSorted = isSorted && (position == 0 || bytes > before)
    before = bytes
    keys[position] = NameOrder.Key(
      bytes: bytes,
      position: UInt32(truncatingIfNeeded: position)
    )
  }
  return isSorted
}

/// Sorts names by keys that are set to their starts, and returns how many differ.
@inline(__always)
private func sortNames(
  _ keys: inout [NameOrder.Key],
  _ count: Int,
  _ merged: inout [NameOrder.Key],
  _ runs: inout [(range: Range<Int>, depth: Int)],
  _ names: Span<UInt8>,
  _ range: (Int) -> Range<Int>
) -> Int {
  var keys = keys.mutableSpan
  var merged = merged.mutableSpan
  sortKeys(&keys, 0..<count, &merged)
  var hasEqualNames = pushRuns(of: keys.span, 0..<count, depth: 0, to: &runs)
  while let (run, depth) = runs.popLast() {
    for index in run {
      keys[index].bytes = eightBytes(names, range(Int(keys[index].position)), from: depth)
    }
    sortKeys(&keys, run, &merged)
    hasEqualNames = pushRuns(of: keys.span, run, depth: depth, to: &runs) || hasEqualNames
  }
  return hasEqualNames ? dropEqualNames(&keys, count, names, range) : count
}

/// Up to this many keys are sorted by insertion.
private let insertionLimit = 16

/// Sorts a part of keys; equal ones stay in the order they came in.
///
/// A merge sort from the bottom up, over short parts that are sorted by insertion. The standard
/// sort would copy the part, and is slower on the few names that most directories have.
private func sortKeys(
  _ keys: inout MutableSpan<NameOrder.Key>,
  _ run: Range<Int>,
  _ merged: inout MutableSpan<NameOrder.Key>
) {
  var start = run.lowerBound
  while start < run.upperBound {
    let end = min(start + insertionLimit, run.upperBound)
    sortByInsertion(&keys, start..<end)
    start = end
  }
  var width = insertionLimit
  while width < run.count {
    start = run.lowerBound
    while start + width < run.upperBound {
      merge(&keys, start, start + width, min(start + 2 * width, run.upperBound), &merged)
      start += 2 * width
    }
    width *= 2
  }
}

@inline(__always)
private func sortByInsertion(_ keys: inout MutableSpan<NameOrder.Key>, _ part: Range<Int>) {
  for index in part.dropFirst() {
    let key = keys[index]
    var hole = index
    while hole > part.lowerBound, key.bytes < keys[hole - 1].bytes {
      keys[hole] = keys[hole - 1]
      hole -= 1
    }
    keys[hole] = key
  }
}

/// Merges two neighbouring sorted parts.
private func merge(
  _ keys: inout MutableSpan<NameOrder.Key>,
  _ start: Int,
  _ middle: Int,
  _ end: Int,
  _ merged: inout MutableSpan<NameOrder.Key>
) {
  guard keys[middle - 1].bytes > keys[middle].bytes else { return }
  let count = middle - start
  for index in 0..<count { merged[index] = keys[start + index] }
  var (left, right, target) = (0, middle, start)
  while left < count {
    if right < end, keys[right].bytes < merged[left].bytes {
      keys[target] = keys[right]
      right += 1
    } else {
      keys[target] = merged[left]
      left += 1
    }
    target += 1
  }
}

/// Finds the parts of a sorted run whose names are equal so far, to be sorted by what follows.
///
/// - Returns: Whether there are names that are equal to their end.
private func pushRuns(
  of keys: Span<NameOrder.Key>,
  _ run: Range<Int>,
  depth: Int,
  to runs: inout [(range: Range<Int>, depth: Int)]
) -> Bool {
  var hasEqualNames = false
  var start = run.lowerBound
  while start < run.upperBound {
    let bytes = keys[start].bytes
    var end = start + 1
    while end < run.upperBound, keys[end].bytes == bytes { end += 1 }
    if end - start > 1 {
      // A last byte of 0 means that the names have ended.
      if bytes & 0xff == 0 {
        hasEqualNames = true
      } else {
        runs.append((start..<end, depth + 8))
      }
    }
    start = end
  }
  return hasEqualNames
}

/// Moves the first of equal names together, and returns how many there are.
private func dropEqualNames(
  _ keys: inout MutableSpan<NameOrder.Key>,
  _ count: Int,
  _ names: Span<UInt8>,
  _ range: (Int) -> Range<Int>
) -> Int {
  var kept = 1
  for index in 1..<count {
    let before = range(Int(keys[kept - 1].position))
    let name = range(Int(keys[index].position))
    let isEqual =
      before.count == name.count && sharedPrefixLength(names, before, name) == name.count
    guard !isEqual else { continue }
    keys[kept] = keys[index]
    kept += 1
  }
  return kept
}

/// Returns the eight bytes of a name from `depth` on as a big-endian number, 0 beyond its end.
@inline(__always)
private func eightBytes(_ names: Span<UInt8>, _ name: Range<Int>, from depth: Int) -> UInt64 {
  let start = name.lowerBound + depth
  let rest = name.upperBound - start
  if let bytes = word(names, at: start) {
    if rest >= 8 { return bytes }
    return rest > 0 ? bytes & ~(.max >> UInt64(8 * rest)) : 0
  }
  var value: UInt64 = 0
  for index in 0..<8 {
    value = value << 8 | (index < rest ? UInt64(names[start + index]) : 0)
  }
  return value
}

/// Returns eight bytes as a big-endian number, or `nil` where there are fewer.
@inline(__always)
internal func word(_ bytes: Span<UInt8>, at start: Int) -> UInt64? {
  // With `&+` the compiler sees that the part has eight bytes, and reads them at once.
  guard start &+ 8 <= bytes.count else { return nil }
  let part = bytes.extracting(start..<start &+ 8)
  var value: UInt64 = 0
  for index in 0..<8 { value = value << 8 | UInt64(part[index]) }
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
  while length < limit {
    let (one, other) = (first.lowerBound &+ length, second.lowerBound &+ length)
    if let word1 = word(names, at: one), let word2 = word(names, at: other) {
      let difference = word1 ^ word2
      guard difference == 0 else {
        return min(limit, length &+ difference.leadingZeroBitCount / 8)
      }
      length &+= 8
    } else {
      guard names[one] == names[other] else { return length }
      length &+= 1
    }
  }
  return limit
}
