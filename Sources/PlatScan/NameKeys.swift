import Glibc

/// Sorts the names of one directory bytewise, and drops all but the first of equal ones.
///
/// The order is that of `NameOrder`, by the same way: names are sorted by eight bytes, and each run of
/// names that are equal so far by the next eight ("multikey" sorting: Bentley and Sedgewick, *Fast
/// Algorithms for Sorting and Searching Strings*, 1997). Few keys are sorted by counting for each how
/// many come before it, and more by merging: neither has branches for the processor to guess.
///
/// This is unsafe code: it reads up to ``slack`` bytes beyond the end of a name.
internal struct NameKeys: ~Copyable {
  /// A name, by a part of it.
  internal struct Key {
    /// Eight bytes as a big-endian number, 0 beyond the end of the name.
    internal var bytes: UInt64
    /// Which of the names that were added it is.
    internal var position: UInt32
    /// The length of the name.
    internal var length: UInt32
  }

  internal typealias Keys = UnsafeMutablePointer<Key>

  // Safety: both hold plain values, with room for `capacity` of them.
  private var memory: RawMemory
  private var spare: RawMemory
  private var capacity: Int
  private let kept: Int
  private var count = 0
  private var isSorted = true

  /// Bytes after a name that are read without being used.
  internal static let slack = 16
  /// Up to this many keys are sorted by counting.
  private static let countingLimit = 16

  /// Creates an order of no names.
  ///
  /// - Parameter capacity: How many names it has room for, and the most that it keeps room for.
  internal init(capacity: Int) {
    self.capacity = capacity
    kept = capacity
    memory = RawMemory(capacity: capacity * MemoryLayout<Key>.stride)
    spare = RawMemory(capacity: capacity * MemoryLayout<Key>.stride)
  }

  private var keys: Keys { memory.start.assumingMemoryBound(to: Key.self) }

  /// Adds a name of at least one byte.
  @inline(__always)
  internal mutating func append(_ name: UnsafeRawPointer, length: Int) {
    if count == capacity { grow() }
    let bytes = Self.eightBytes(name, length)
    if count > 0, bytes <= keys[count - 1].bytes { isSorted = false }
    (keys + count).initialize(
      to: Key(
        bytes: bytes,
        position: UInt32(truncatingIfNeeded: count),
        length: UInt32(truncatingIfNeeded: length)
      )
    )
    count += 1
  }

  @inline(never)
  private mutating func grow() {
    capacity *= 2
    memory.reserve(capacity * MemoryLayout<Key>.stride)
  }

  /// Forgets the names, and gives back room for more than there was at first.
  internal mutating func removeAll() {
    count = 0
    isSorted = true
    guard capacity > kept else { return }
    capacity = kept
    memory.shrink(to: kept * MemoryLayout<Key>.stride)
  }

  /// Sorts the names added so far.
  ///
  /// - Parameter name: Gives the start of the name that was added at a position.
  /// - Returns: The names in order, without those dropped; valid until the next change.
  @inline(__always)
  internal mutating func sort(
    _ name: (Int) -> UnsafeRawPointer
  ) -> UnsafeBufferPointer<Key> {
    if !isSorted {
      spare.reserve(capacity * MemoryLayout<Key>.stride)
      let spare = spare.start.assumingMemoryBound(to: Key.self)
      if Self.sort(keys, count, spare, depth: 0, name) {
        count = Self.dropEqualNames(keys, count, name)
      }
      self.spare.shrink(to: kept * MemoryLayout<Key>.stride)
    }
    return UnsafeBufferPointer(start: keys, count: count)
  }

  /// Sorts names that are equal up to `depth`.
  ///
  /// - Returns: Whether there are names that are equal to their end.
  private static func sort(
    _ keys: Keys,
    _ count: Int,
    _ spare: Keys,
    depth: Int,
    _ name: (Int) -> UnsafeRawPointer
  ) -> Bool {
    var (start, hasEqualNames) = (0, false)
    sortByBytes(keys, count, spare)
    while start < count {
      let bytes = keys[start].bytes
      var end = start + 1
      while end < count, keys[end].bytes == bytes { end += 1 }
      if end - start > 1 {
        // A last byte of 0 means that the names have ended.
        if bytes & 0xff == 0 {
          hasEqualNames = true
        } else {
          let depth = depth + 8
          for index in start..<end {
            let key = keys[index]
            keys[index].bytes = eightBytes(name(Int(key.position)) + depth, Int(key.length) - depth)
          }
          if sort(keys + start, end - start, spare, depth: depth, name) { hasEqualNames = true }
        }
      }
      start = end
    }
    return hasEqualNames
  }

  /// Sorts keys; equal ones stay in the order they came in.
  private static func sortByBytes(_ keys: Keys, _ count: Int, _ spare: Keys) {
    guard count > countingLimit else { return sortByCounting(keys, count, spare) }
    for start in stride(from: 0, to: count, by: countingLimit) {
      sortByCounting(keys + start, min(countingLimit, count - start), spare)
    }
    var (source, target) = (keys, spare)
    var width = countingLimit
    while width < count {
      for start in stride(from: 0, to: count, by: 2 * width) {
        if start + 2 * width <= count {
          mergeHalves(source + start, width, target + start)
        } else {
          merge(source + start, min(width, count - start), count - start, target + start)
        }
      }
      swap(&source, &target)
      width *= 2
    }
    if source != keys { keys.update(from: source, count: count) }
  }

  /// Sorts a few keys: each goes to the place that is the number of keys before it.
  @inline(__always)
  private static func sortByCounting(_ keys: Keys, _ count: Int, _ spare: Keys) {
    var index = 0
    while index < count {
      let bytes = keys[index].bytes
      var (place, other) = (0, 0)
      while other < index {
        place &+= number(keys[other].bytes <= bytes)
        other &+= 1
      }
      other &+= 1
      while other &+ 1 < count {
        place &+= number(keys[other].bytes < bytes) &+ number(keys[other &+ 1].bytes < bytes)
        other &+= 2
      }
      if other < count { place &+= number(keys[other].bytes < bytes) }
      spare[place] = keys[index]
      index &+= 1
    }
    // A call costs more than this, for so few.
    for index in 0..<count { keys[index] = spare[index] }
  }

  /// Merges two neighbouring sorted parts of `width` keys into `target`.
  ///
  /// From both ends at once, so that the processor has two things to wait for: each end takes `width`
  /// keys, and neither can run out of a part before.
  private static func mergeHalves(_ keys: Keys, _ width: Int, _ target: Keys) {
    var (left, right) = (keys, keys + width)
    var (leftEnd, rightEnd) = (keys + (width - 1), keys + (2 * width - 1))
    var (first, last) = (target, target + (2 * width - 1))
    for _ in 0..<width {
      let takesRight = number(right.pointee.bytes < left.pointee.bytes)
      first.pointee = (takesRight == 0 ? left : right).pointee
      right += takesRight
      left += 1 &- takesRight
      first += 1
      let takesLeft = number(rightEnd.pointee.bytes < leftEnd.pointee.bytes)
      last.pointee = (takesLeft == 0 ? rightEnd : leftEnd).pointee
      leftEnd -= takesLeft
      rightEnd -= 1 &- takesLeft
      last -= 1
    }
  }

  /// Merges two neighbouring sorted parts, the second from `middle` to `end`, into `target`.
  private static func merge(_ keys: Keys, _ middle: Int, _ end: Int, _ target: Keys) {
    var (left, right, place) = (0, middle, 0)
    while left < middle, right < end {
      let takesRight = number(keys[right].bytes < keys[left].bytes)
      target[place] = keys[takesRight == 0 ? left : right]
      right &+= takesRight
      left &+= 1 &- takesRight
      place &+= 1
    }
    (target + place).update(from: keys + left, count: middle - left)
    (target + place + (middle - left)).update(from: keys + right, count: end - right)
  }

  /// 1 for true and 0 for false, without the branch that the compiler makes of `condition ? 1 : 0`.
  @inline(__always)
  private static func number(_ condition: Bool) -> Int {
    Int(truncatingIfNeeded: unsafeBitCast(condition, to: UInt8.self))
  }

  /// Moves the first of equal names together, and returns how many there are.
  private static func dropEqualNames(
    _ keys: Keys,
    _ count: Int,
    _ name: (Int) -> UnsafeRawPointer
  ) -> Int {
    var kept = 1
    for index in 1..<count {
      let (before, key) = (keys[kept - 1], keys[index])
      let isEqual =
        before.length == key.length
        && memcmp(name(Int(before.position)), name(Int(key.position)), Int(key.length)) == 0
      guard !isEqual else { continue }
      keys[kept] = key
      kept += 1
    }
    return kept
  }

  /// The first eight bytes of a name as a big-endian number, 0 beyond its end.
  @inline(__always)
  private static func eightBytes(_ name: UnsafeRawPointer, _ length: Int) -> UInt64 {
    let bytes = UInt64(bigEndian: name.loadUnaligned(as: UInt64.self))
    return length >= 8 ? bytes : bytes & ~(UInt64.max &>> UInt64(truncatingIfNeeded: 8 &* length))
  }
}
