import Glibc

/// A block of memory that grows, and is freed with its owner.
///
/// What it holds is plain bytes: growing moves them, and nothing is initialized or destroyed.
internal struct RawMemory: ~Copyable {
  // Safety: `start` is valid for `capacity` bytes until the next `reserve` or `shrink`, and is freed
  // in `deinit` alone.
  internal private(set) var start: UnsafeMutableRawPointer
  internal private(set) var capacity: Int

  /// Creates a block that holds nothing.
  internal init(capacity: Int) {
    self.capacity = capacity
    start = Self.reallocate(nil, capacity)
  }

  deinit { free(start) }

  // `realloc` and not `allocate`: the C library moves pages of a large block, where a copy would
  // touch each of them.
  private static func reallocate(
    _ start: UnsafeMutableRawPointer?,
    _ capacity: Int
  ) -> UnsafeMutableRawPointer {
    guard let start = realloc(start, capacity) else { fatalError("there is no memory left") }
    return start
  }

  /// Makes room for `needed` bytes in all, and keeps what is there.
  @inline(__always)
  internal mutating func reserve(_ needed: Int) {
    if needed > capacity { grow(to: needed) }
  }

  @inline(never)
  private mutating func grow(to needed: Int) {
    capacity = max(2 * capacity, needed)
    start = Self.reallocate(start, capacity)
  }

  /// Gives back a block of more than `limit` bytes, with what is in it.
  internal mutating func shrink(to limit: Int) {
    guard capacity > limit else { return }
    free(start)
    capacity = limit
    start = Self.reallocate(nil, limit)
  }
}
