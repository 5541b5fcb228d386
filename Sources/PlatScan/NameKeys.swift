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
  internal static let countingLimit = 16

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
  internal static func eightBytes(_ name: UnsafeRawPointer, _ length: Int) -> UInt64 {
    let bytes = UInt64(bigEndian: name.loadUnaligned(as: UInt64.self))
    return length >= 8 ? bytes : bytes & ~(UInt64.max &>> UInt64(truncatingIfNeeded: 8 &* length))
  }
}

/// 1 for true and 0 for false, without the branch that the compiler makes of `condition ? 1 : 0`.
@inline(__always)
internal func number(_ condition: Bool) -> Int {
  Int(truncatingIfNeeded: unsafeBitCast(condition, to: UInt8.self))
}
