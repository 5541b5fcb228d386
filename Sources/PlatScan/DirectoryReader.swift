import CPlatSystem
import Glibc

/// The records of one directory, read whole into a buffer that is used again for the next.
internal struct DirectoryReader: ~Copyable {
  /// One record of `getdents64(2)`.
  internal struct Record {
    /// What the file system says it is, a `DT_*` value; it may be wrong or unknown.
    internal var type: UInt8
    internal var inode: UInt64
    /// The name, ended by NUL.
    internal var name: UnsafePointer<CChar>
    /// Where the name is in the bytes of the reader.
    internal var nameRange: Range<Int>
  }

  // Safety: `buffer` is valid from init to deinit; records point into it until the next `read`.
  private var buffer: UnsafeMutableRawBufferPointer
  private var length = 0
  private var position = 0

  /// A buffer of this size serves almost every directory; larger ones are given back.
  private static let initialCapacity = 1 << 16
  /// The kernel fills no more than this in one call, so that a scan can be cancelled in between.
  private static let step = 1 << 18

  internal init() {
    buffer = .allocate(byteCount: Self.initialCapacity, alignment: 16)
  }

  deinit { buffer.deallocate() }

  /// Reads all records of a directory.
  ///
  /// - Parameters:
  ///   - directory: An open directory.
  ///   - shouldStop: Asked between two calls.
  /// - Returns: 0, or the error number that ended the reading; what was read before is kept.
  internal mutating func read(_ directory: Int32, shouldStop: () -> Bool) -> Int32 {
    length = 0
    position = 0
    while !shouldStop() {
      if buffer.count - length < 1 << 15 { grow() }
      guard let start = buffer.baseAddress else { return ENOMEM }
      let count = plat_read_directory(
        directory,
        start + length,
        min(buffer.count - length, Self.step)
      )
      guard count > 0 else {
        if count < 0, errno == EINTR { continue }
        return count == 0 ? 0 : errno
      }
      length += count
    }
    return ECANCELED
  }

  private mutating func grow() {
    let larger = UnsafeMutableRawBufferPointer.allocate(
      byteCount: buffer.count * 2,
      alignment: 16
    )
    larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[..<length]))
    buffer.deallocate()
    buffer = larger
  }

  /// Goes back to the first record.
  internal mutating func rewind() { position = 0 }

  /// Gives back a buffer that has grown.
  internal mutating func shrink() {
    guard buffer.count > 1 << 18 else { return }
    buffer.deallocate()
    buffer = .allocate(byteCount: Self.initialCapacity, alignment: 16)
    length = 0
    position = 0
  }

  /// Calls `body` with the bytes that ranges of names refer to.
  internal func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    body(UnsafeRawBufferPointer(rebasing: buffer[..<length]).assumingMemoryBound(to: UInt8.self))
  }

  /// Returns the next record other than `.` and `..`, or `nil` at the end.
  internal mutating func next() -> Record? {
    while position < length, let start = buffer.baseAddress {
      // struct linux_dirent64: inode 8, offset 8, record length 2, type 1, name.
      let record = start + position
      let nameStart = record + 19
      let size = Int(record.loadUnaligned(fromByteOffset: 16, as: UInt16.self))
      guard size > 19, size <= length - position else { return nil }
      let name = UnsafeRawPointer(nameStart).assumingMemoryBound(to: CChar.self)
      let offset = position + 19
      position += size
      let nameLength = strnlen(name, size - 19)
      let isDotted =
        name[0] == 46 && (nameLength == 1 || (nameLength == 2 && name[1] == 46))
      guard !isDotted, nameLength > 0, nameLength < size - 19 else { continue }
      return Record(
        type: record.load(fromByteOffset: 18, as: UInt8.self),
        inode: record.loadUnaligned(fromByteOffset: 0, as: UInt64.self),
        name: name,
        nameRange: offset..<offset + nameLength
      )
    }
    return nil
  }
}
