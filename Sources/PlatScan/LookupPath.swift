import Glibc

/// A path from a directory that is open, put together name by name.
///
/// It is written in place, as one is made for each directory and file that is looked up so.
internal struct LookupPath: ~Copyable {
  private var memory = RawMemory(capacity: 512)

  /// The number of bytes, without the NUL that ends them.
  internal private(set) var count = 0

  /// The path, ended by NUL; valid until the next change.
  internal var start: UnsafePointer<CChar> {
    UnsafePointer(memory.start.assumingMemoryBound(to: CChar.self))
  }

  /// Returns the first bytes; no more than were appended since.
  internal func bytes(to end: Int) -> [UInt8] {
    Array(UnsafeRawBufferPointer(start: memory.start, count: end))
  }

  /// Keeps the first bytes only.
  @inline(__always)
  internal mutating func cut(to count: Int) { self.count = count }

  /// Appends the bytes from one position to another.
  @inline(__always)
  internal mutating func append(_ source: [UInt8], _ range: Range<Int>) {
    memory.reserve(count + range.count + 1)
    source.withUnsafeBytes { bytes in
      if let start = bytes.baseAddress {
        memcpy(memory.start + count, start + range.lowerBound, range.count)
      }
    }
    count += range.count
    memory.start.storeBytes(of: 0, toByteOffset: count, as: UInt8.self)
  }

  /// Appends the slash between two names.
  @inline(__always)
  internal mutating func appendSlash() {
    memory.reserve(count + 2)
    memory.start.storeBytes(of: UInt8(ascii: "/"), toByteOffset: count, as: UInt8.self)
    count += 1
    memory.start.storeBytes(of: 0, toByteOffset: count, as: UInt8.self)
  }
}
