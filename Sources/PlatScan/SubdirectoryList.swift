import Glibc

/// The subdirectories of one directory, as its records name them.
///
/// The names stay in the records until ``take(from:)``; see ``NameKeys`` on what that relies on.
internal struct SubdirectoryList: ~Copyable {
  private var keys = NameKeys(capacity: kept)
  private var size = 0
  // Kept, so that they are not allocated for each directory.
  private var starts: [Int] = []
  private var joined = RawMemory(capacity: kept * 32)

  /// Names of more directories than this are not kept room for.
  private static let kept = 256

  internal var isEmpty: Bool { keys.count == 0 }

  /// Adds a name, which has a NUL after its end, by where it is in the records.
  internal mutating func append(_ records: UnsafeRawPointer, at start: Int, length: Int) {
    keys.append(records, at: start, length: length)
    size += length + 1
  }

  /// Forgets the names.
  internal mutating func removeAll() {
    guard !isEmpty else { return }
    keys.removeAll()
    size = 0
  }

  /// Takes the names, sorted bytewise and each once.
  ///
  /// - Parameter records: What holds the names.
  /// - Returns: The names, each ended by NUL, and where each starts.
  internal mutating func take(from records: UnsafeRawPointer) -> (bytes: [UInt8], starts: [Int]) {
    let order = keys.sort(in: records)
    if starts.capacity > Self.kept { starts = [] } else { starts.removeAll(keepingCapacity: true) }
    starts.reserveCapacity(order.count)
    joined.reserve(size)
    var end = 0
    for position in order {
      let name = keys.names[Int(truncatingIfNeeded: position)]
      starts.append(end)
      memcpy(joined.start + end, records + name.start, name.length + 1)
      end += name.length + 1
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(end)
    bytes.append(contentsOf: UnsafeRawBufferPointer(start: joined.start, count: end))
    joined.shrink(to: Self.kept * 32)
    return (bytes, starts)
  }
}
