import Glibc

/// Sorts the names of one directory bytewise, and drops all but the first of equal ones.
///
/// The order is that of `NameOrder`, by the same way: names are sorted by their first bytes, and each
/// run of names that are equal so far by the next ("multikey" sorting: Bentley and Sedgewick, *Fast
/// Algorithms for Sorting and Searching Strings*, 1997). A key is one number: bytes of a name, and
/// below them its position, so that no two keys are equal and equal names stay in their order. Few
/// keys are sorted by counting for each how many come before it, and more by merging: neither has
/// branches for the processor to guess.
///
/// Names are told by where they are in bytes that hold them all. This is unsafe code: it reads up to
/// ``slack`` bytes beyond the end of a name.
internal struct NameKeys: ~Copyable {
  /// Where a name is: its length in 16 bits, and above them where it starts.
  internal struct Name {
    private let bits: UInt64

    @inline(__always)
    internal init(start: Int, length: Int) {
      bits = UInt64(truncatingIfNeeded: start) &<< 16 | UInt64(truncatingIfNeeded: length)
    }

    @inline(__always) internal var start: Int { Int(truncatingIfNeeded: bits &>> 16) }
    @inline(__always) internal var length: Int { Int(truncatingIfNeeded: bits & 0xffff) }
  }

  internal typealias Keys = UnsafeMutablePointer<UInt64>

  // Safety: all hold plain values, with room for `capacity` of them and `countingLimit` more keys.
  private var memory: RawMemory
  private var spare: RawMemory
  private var nameMemory: RawMemory
  private var capacity: Int
  private let kept: Int
  /// The key that was added last, and whether each is greater than the one before.
  private var last: UInt64 = 0
  private var disorder: UInt64 = 0

  /// The number of names that were added, and after ``sort()`` of those that were not dropped.
  internal private(set) var count = 0

  /// Bytes after a name that are read without being used.
  internal static let slack = 32
  /// Up to this many keys are sorted by counting.
  fileprivate static let countingLimit = 16

  /// Creates an order of no names.
  ///
  /// - Parameter capacity: How many names it has room for, and the most that it keeps room for.
  internal init(capacity: Int) {
    self.capacity = capacity
    kept = capacity
    memory = RawMemory(capacity: Self.keyBytes(capacity))
    spare = RawMemory(capacity: Self.keyBytes(capacity))
    nameMemory = RawMemory(capacity: capacity * MemoryLayout<Name>.stride)
  }

  private static func keyBytes(_ count: Int) -> Int {
    (count + countingLimit) * MemoryLayout<UInt64>.stride
  }

  private var keys: Keys { memory.start.assumingMemoryBound(to: UInt64.self) }

  /// The names, in the order they were added in.
  internal var names: UnsafePointer<Name> {
    UnsafePointer(nameMemory.start.assumingMemoryBound(to: Name.self))
  }

  /// Adds a name.
  ///
  /// - Parameters:
  ///   - bytes: What holds the names.
  ///   - start: Where the name starts in them.
  ///   - length: The length of the name, from 1 to 65,535.
  @inline(__always)
  internal mutating func append(_ bytes: UnsafeRawPointer, at start: Int, length: Int) {
    if count == capacity { grow() }
    let bytes = Self.eightBytes(bytes + start, length)
    // No branch, as names come in any order as a rule.
    disorder |= UInt64(truncatingIfNeeded: number(bytes <= last))
    last = bytes
    keys[count] = bytes
    (nameMemory.start.assumingMemoryBound(to: Name.self) + count).initialize(
      to: Name(start: start, length: length)
    )
    count &+= 1
  }

  @inline(never)
  private mutating func grow() {
    capacity *= 2
    memory.reserve(Self.keyBytes(capacity))
    nameMemory.reserve(capacity * MemoryLayout<Name>.stride)
  }

  /// Forgets the names, and gives back room for more than there was at first.
  internal mutating func removeAll() {
    count = 0
    (last, disorder) = (0, 0)
    guard capacity > kept else { return }
    capacity = kept
    memory.shrink(to: Self.keyBytes(kept))
    nameMemory.shrink(to: kept * MemoryLayout<Name>.stride)
  }

  /// Sorts the names added so far.
  ///
  /// - Parameter bytes: What holds the names.
  /// - Returns: The positions of the names in order, without those dropped; valid until the next
  ///   change.
  internal mutating func sort(in bytes: UnsafeRawPointer) -> UnsafeBufferPointer<UInt64> {
    let keys = keys
    if disorder == 0 {
      for index in 0..<count { keys[index] = UInt64(truncatingIfNeeded: index) }
    } else {
      spare.reserve(Self.keyBytes(count))
      let order = KeyOrder(
        bytes: bytes,
        names: names,
        count: count,
        spare: spare.start.assumingMemoryBound(to: UInt64.self)
      )
      let hasEqualNames = order.sort(keys, count)
      spare.shrink(to: Self.keyBytes(kept))
      for index in 0..<count { keys[index] &= order.positionMask }
      if hasEqualNames { dropEqualNames(in: bytes) }
    }
    return UnsafeBufferPointer(start: keys, count: count)
  }

  /// Moves the positions of the first of equal names together.
  @inline(never)
  private mutating func dropEqualNames(in bytes: UnsafeRawPointer) {
    var kept = 1
    for index in 1..<count {
      let (before, name) = (names[Int(keys[kept - 1])], names[Int(keys[index])])
      let isEqual =
        before.length == name.length
        && memcmp(bytes + before.start, bytes + name.start, name.length) == 0
      guard !isEqual else { continue }
      keys[kept] = keys[index]
      kept += 1
    }
    count = kept
  }

  /// The first eight bytes of a name as a big-endian number, 0 beyond its end.
  @inline(__always)
  fileprivate static func eightBytes(_ name: UnsafeRawPointer, _ length: Int) -> UInt64 {
    let bytes = UInt64(bigEndian: name.loadUnaligned(as: UInt64.self))
    return length >= 8 ? bytes : bytes & ~(UInt64.max &>> UInt64(truncatingIfNeeded: 8 &* length))
  }

  /// How the names of one directory are sorted: there are as many bytes in a key as its number of
  /// names leaves room for.
  fileprivate struct KeyOrder {
    let bytes: UnsafeRawPointer
    let names: UnsafePointer<Name>
    let spare: Keys
    let positionBits: UInt64
    let positionMask: UInt64
    /// The bytes of a name in a key.
    let step: Int

    init(bytes: UnsafeRawPointer, names: UnsafePointer<Name>, count: Int, spare: Keys) {
      (self.bytes, self.names, self.spare) = (bytes, names, spare)
      let width = (Int.bitWidth - max(count - 1, 1).leadingZeroBitCount + 7) / 8
      positionBits = UInt64(8 * width)
      positionMask = 1 &<< positionBits &- 1
      step = 8 - width
    }
  }
}

extension NameKeys.KeyOrder {
  /// Sorts all names, by keys that have eight bytes of each, in the order they were added in.
  ///
  /// - Returns: Whether there are names that are equal to their end.
  fileprivate func sort(_ keys: NameKeys.Keys, _ count: Int) -> Bool {
    for index in 0..<count {
      keys[index] = keys[index] & ~positionMask | UInt64(truncatingIfNeeded: index)
    }
    return sort(keys, count, depth: 0)
  }

  /// Sorts names that are equal up to `depth`.
  private func sort(_ keys: NameKeys.Keys, _ count: Int, depth: Int) -> Bool {
    sortByNumber(keys, count)
    var (start, hasEqualNames) = (0, false)
    while start &+ 1 < count {
      let part = keys[start] & ~positionMask
      var end = start &+ 1
      while end < count, keys[end] & ~positionMask == part { end &+= 1 }
      if end &- start > 1, sortEqual(keys + start, end - start, depth: depth) {
        hasEqualNames = true
      }
      start = end
    }
    return hasEqualNames
  }

  /// Sorts names that are equal up to `depth` and in what their keys have of them.
  @inline(never)
  private func sortEqual(_ keys: NameKeys.Keys, _ count: Int, depth: Int) -> Bool {
    var (depth, difference) = (depth, UInt64(0))
    repeat {
      // A last byte of 0 means that the names have ended.
      if keys[0] &>> positionBits & 0xff == 0 { return true }
      depth += step
      for index in 0..<count {
        let position = keys[index] & positionMask
        let name = names[Int(truncatingIfNeeded: position)]
        let next = NameKeys.eightBytes(bytes + name.start + depth, name.length - depth)
        keys[index] = next & ~positionMask | position
        difference |= keys[index] ^ keys[0]
      }
    } while difference & ~positionMask == 0
    return sort(keys, count, depth: depth)
  }

  private func sortByNumber(_ keys: NameKeys.Keys, _ count: Int) {
    let limit = NameKeys.countingLimit
    guard count > limit else { return sortByCounting(keys, count) }
    for start in stride(from: 0, to: count, by: limit) {
      sortByCounting(keys + start, min(limit, count - start))
    }
    var (source, target) = (keys, spare)
    var width = limit
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
  private func sortByCounting(_ keys: NameKeys.Keys, _ count: Int) {
    // Four at a time; what fills up the last four is before nothing.
    var index = 0
    while index < count {
      (spare + index).update(from: keys + index, count: 4)
      index &+= 4
    }
    (spare + count).update(repeating: .max, count: 3)
    let rounded = index
    index = 0
    while index < count {
      let key = spare[index]
      var (place, other) = (0, 0)
      repeat {
        place &+= number(spare[other] < key)
        place &+= number(spare[other &+ 1] < key)
        place &+= number(spare[other &+ 2] < key)
        place &+= number(spare[other &+ 3] < key)
        other &+= 4
      } while other < rounded
      keys[place] = key
      index &+= 1
    }
  }

  /// Merges two neighbouring sorted parts of `width` keys into `target`.
  ///
  /// From both ends at once, so that the processor has two things to wait for: each end takes `width`
  /// keys, and neither can run out of a part before.
  private func mergeHalves(_ keys: NameKeys.Keys, _ width: Int, _ target: NameKeys.Keys) {
    var (left, right) = (keys, keys + width)
    var (leftEnd, rightEnd) = (keys + (width - 1), keys + (2 * width - 1))
    var (first, last) = (target, target + (2 * width - 1))
    for _ in 0..<width {
      let (leftKey, rightKey) = (left.pointee, right.pointee)
      let takesRight = number(rightKey < leftKey)
      first.pointee = min(leftKey, rightKey)
      right += takesRight
      left += 1 &- takesRight
      first += 1
      let (leftLast, rightLast) = (leftEnd.pointee, rightEnd.pointee)
      let takesLeft = number(rightLast < leftLast)
      last.pointee = max(leftLast, rightLast)
      leftEnd -= takesLeft
      rightEnd -= 1 &- takesLeft
      last -= 1
    }
  }

  /// Merges two neighbouring sorted parts, the second from `middle` to `end`, into `target`.
  private func merge(_ keys: NameKeys.Keys, _ middle: Int, _ end: Int, _ target: NameKeys.Keys) {
    var (left, right, place) = (0, middle, 0)
    while left < middle, right < end {
      let (leftKey, rightKey) = (keys[left], keys[right])
      let takesRight = number(rightKey < leftKey)
      target[place] = min(leftKey, rightKey)
      right &+= takesRight
      left &+= 1 &- takesRight
      place &+= 1
    }
    (target + place).update(from: keys + left, count: middle - left)
    (target + place + (middle - left)).update(from: keys + right, count: end - right)
  }
}

/// 1 for true and 0 for false, without the branch that the compiler makes of `condition ? 1 : 0`.
@inline(__always)
private func number(_ condition: Bool) -> Int {
  Int(truncatingIfNeeded: unsafeBitCast(condition, to: UInt8.self))
}
