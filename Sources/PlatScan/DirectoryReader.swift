import CPlatSystem
import Glibc

/// The records of one directory, read whole into a buffer that is used again for the next.
internal struct DirectoryReader: ~Copyable {
  /// One record of `getdents64(2)`.
  internal struct Record {
    /// What the file system says it is, a `DT_*` value; it may be wrong or unknown.
    internal var type: UInt8
    /// The name, ended by NUL.
    internal var name: UnsafePointer<CChar>
    /// The length of the name.
    internal var length: Int
    /// Where the name starts in the bytes of the reader.
    internal var start: Int

    /// Where the name is in the bytes of the reader.
    internal var nameRange: Range<Int> { start..<start + length }
  }

  // Safety: `buffer` is valid from init to deinit; records point into it until the next `read`.
  private var buffer: UnsafeMutableRawPointer
  private var capacity = initialCapacity
  private var length = 0
  private var position = 0

  /// A buffer of this size serves almost every directory; larger ones are given back.
  private static let initialCapacity = 1 << 16
  /// Bytes after the records that can be read, and mean nothing.
  private static let slack = ListingPacker.slack
  /// The kernel fills no more than this in one call, so that a scan can be cancelled in between.
  private static let step = 1 << 18

  internal init() { buffer = Self.makeBuffer() }

  deinit { free(buffer) }

  // `malloc` and not `allocate`, for `realloc` takes only what `malloc` gave.
  private static func makeBuffer() -> UnsafeMutableRawPointer {
    guard let start = malloc(initialCapacity) else { fatalError("there is no memory left") }
    return start
  }

  /// Reads all records of a directory.
  ///
  /// - Parameters:
  ///   - directory: An open directory.
  ///   - isOneBlock: Whether one call that has room for more reads the whole directory, or fails; no
  ///     other call asks for its end then.
  ///   - shouldStop: Asked between two calls.
  /// - Returns: 0, or the error number that ended the reading; what was read before is kept.
  internal mutating func read(
    _ directory: Int32,
    isOneBlock: Bool = false,
    shouldStop: () -> Bool
  ) -> Int32 {
    length = 0
    position = 0
    while !shouldStop() {
      if capacity - length - Self.slack < 1 << 15, !grow() { return ENOMEM }
      let room = min(capacity - length - Self.slack, Self.step)
      let count = plat_read_directory(directory, buffer + length, room)
      guard count > 0 else {
        if count < 0, errno == EINTR { continue }
        return count == 0 ? 0 : errno
      }
      length += count
      if isOneBlock, count < room / 2 { return 0 }
    }
    return ECANCELED
  }

  /// Doubles the buffer; returns `false` if there is no memory.
  private mutating func grow() -> Bool {
    // The C library moves pages of a large block, where a copy would touch each of them.
    guard let larger = realloc(buffer, 2 * capacity) else { return false }
    (buffer, capacity) = (larger, 2 * capacity)
    return true
  }

  /// What the names of records are in; valid until the next ``read(_:shouldStop:)`` or ``shrink()``.
  internal var bytes: UnsafeRawPointer { UnsafeRawPointer(buffer) }

  /// Goes back to the first record.
  internal mutating func rewind() { position = 0 }

  /// Gives back a buffer that has grown.
  internal mutating func shrink() {
    guard capacity > 1 << 18 else { return }
    free(buffer)
    (buffer, capacity) = (Self.makeBuffer(), Self.initialCapacity)
    length = 0
    position = 0
  }

  /// Calls `body` with the bytes that ranges of names refer to.
  internal func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    body(UnsafeBufferPointer(start: buffer.assumingMemoryBound(to: UInt8.self), count: length))
  }

  /// Returns the next record other than `.` and `..`, or `nil` at the end.
  @inline(__always)
  internal mutating func next() -> Record? {
    while position < length {
      // struct linux_dirent64: inode 8, offset 8, record length 2, type 1, name; a multiple of 8.
      let record = buffer + position
      let size = Int(record.loadUnaligned(fromByteOffset: 16, as: UInt16.self))
      guard size >= 24, size <= length &- position else { return nil }
      let nameStart = position &+ 19
      position &+= size
      let name = UnsafeRawPointer(record + 19).assumingMemoryBound(to: CChar.self)
      let nameLength = size &- 27 &+ lengthOfEnd(record, size)
      let isDotted =
        name[0] == 46 && (nameLength == 1 || (nameLength == 2 && name[1] == 46))
      guard !isDotted, nameLength > 0, nameLength < size &- 19 else { continue }
      return Record(
        type: record.load(fromByteOffset: 18, as: UInt8.self),
        name: name,
        length: nameLength,
        start: nameStart
      )
    }
    return nil
  }

  /// Returns how many of the last eight bytes of a record come before the NUL that ends the name.
  ///
  /// It is 8 if there is no NUL. The kernel adds no more than it takes to reach a multiple of eight.
  @inline(__always)
  private func lengthOfEnd(_ record: UnsafeMutableRawPointer, _ size: Int) -> Int {
    var bytes = UInt64(
      littleEndian: record.loadUnaligned(fromByteOffset: size - 8, as: UInt64.self)
    )
    // The first three bytes of the shortest record's end are not of the name.
    if size == 24 { bytes |= 0xff_ffff }
    // The lowest bit that this leaves is in the first byte that is zero.
    let zeros = (bytes &- 0x0101_0101_0101_0101) & ~bytes & 0x8080_8080_8080_8080
    return zeros.trailingZeroBitCount / 8
  }
}
