/// Sorts names bytewise, and drops all but the first of equal ones.
///
/// Names are compared eight bytes at a time: they are sorted by their first eight bytes, taken as a
/// number, and each run of names that are equal so far by the next eight ("multikey" sorting:
/// Bentley and Sedgewick, *Fast Algorithms for Sorting and Searching Strings*, 1997). No name is
/// compared twice over the same bytes, so a directory of names with a long common start costs no
/// more than its bytes.
public struct NameOrder: Sendable {
  private struct Key: Sendable {
    var bytes: UInt64
    var position: UInt32
  }

  private var keys: [Key] = []
  private var merged: [Key] = []
  private var hasEqualNames = false

  /// Up to this many keys are sorted by insertion.
  private static let insertionLimit = 16
  private var runs: [(range: Range<Int>, depth: Int)] = []

  /// The sorted order: positions of the names that were given.
  public private(set) var positions: [Int] = []

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
    keys.removeAll(keepingCapacity: true)
    hasEqualNames = false
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
    for key in keys { positions.append(Int(key.position)) }
    if hasEqualNames { dropEqualNames(names, range) }
  }

  private mutating func sortRuns(_ names: Span<UInt8>, _ range: (Int) -> Range<Int>) {
    sort(0..<keys.count)
    pushRuns(of: 0..<keys.count, depth: 0)
    while let (run, depth) = runs.popLast() {
      for index in run {
        keys[index].bytes = eightBytes(names, range(Int(keys[index].position)), from: depth)
      }
      sort(run)
      pushRuns(of: run, depth: depth)
    }
  }

  /// Sorts a part of the keys; equal ones stay in the order they came in.
  ///
  /// A merge sort from the bottom up, over short parts that are sorted by insertion. The standard
  /// sort would copy the part, and is slower on the few names that most directories have.
  private mutating func sort(_ run: Range<Int>) {
    var start = run.lowerBound
    while start < run.upperBound {
      let end = min(start + Self.insertionLimit, run.upperBound)
      sortByInsertion(start..<end)
      start = end
    }
    var width = Self.insertionLimit
    while width < run.count {
      start = run.lowerBound
      while start + width < run.upperBound {
        merge(start, start + width, min(start + 2 * width, run.upperBound))
        start += 2 * width
      }
      width *= 2
    }
  }

  private mutating func sortByInsertion(_ part: Range<Int>) {
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
  private mutating func merge(_ start: Int, _ middle: Int, _ end: Int) {
    guard keys[middle - 1].bytes > keys[middle].bytes else { return }
    merged.removeAll(keepingCapacity: true)
    merged.append(contentsOf: keys[start..<middle])
    var (left, right, target) = (0, middle, start)
    while left < merged.count {
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
  private mutating func pushRuns(of run: Range<Int>, depth: Int) {
    var start = run.lowerBound
    while start < run.upperBound {
      var end = start + 1
      while end < run.upperBound, keys[end].bytes == keys[start].bytes { end += 1 }
      if end - start > 1 {
        // A last byte of 0 means that the names have ended.
        if keys[start].bytes & 0xff == 0 {
          hasEqualNames = true
        } else {
          runs.append((start..<end, depth + 8))
        }
      }
      start = end
    }
  }

  private mutating func dropEqualNames(_ names: Span<UInt8>, _ range: (Int) -> Range<Int>) {
    var kept: [Int] = []
    for position in positions {
      if let last = kept.last {
        let (before, name) = (range(last), range(position))
        if before.count == name.count,
          sharedPrefixLength(names, before, name) == name.count
        {
          continue
        }
      }
      kept.append(position)
    }
    positions = kept
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
