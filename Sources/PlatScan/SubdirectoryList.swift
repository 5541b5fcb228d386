import Glibc

/// The subdirectories of one directory, as its records name them.
///
/// The names stay in the records until ``take()``; see ``ListingPacker`` on what that relies on.
internal struct SubdirectoryList: ~Copyable {
  private var keys = NameKeys(capacity: kept)
  private var names: [UnsafeRawPointer] = []
  private var size = 0

  /// Names of more directories than this are not kept room for.
  private static let kept = 256

  internal var isEmpty: Bool { names.isEmpty }

  /// Adds a name, which has a NUL after its end.
  internal mutating func append(_ name: UnsafeRawPointer, length: Int) {
    keys.append(name, length: length)
    names.append(name)
    size += length + 1
  }

  /// Forgets the names.
  internal mutating func removeAll() {
    guard !names.isEmpty else { return }
    keys.removeAll()
    if names.count > Self.kept { names = [] } else { names.removeAll(keepingCapacity: true) }
    size = 0
  }

  /// Returns the names, each ended by NUL, sorted bytewise and each once, and where each starts.
  internal mutating func take() -> (bytes: [UInt8], starts: [Int]) {
    let sorted = keys.sort { [names] in names[$0] }
    var starts: [Int] = []
    starts.reserveCapacity(sorted.count)
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      guard let target = buffer.baseAddress else { return }
      for key in sorted {
        starts.append(count)
        memcpy(target + count, names[Int(key.position)], Int(key.length) + 1)
        count += Int(key.length) + 1
      }
    }
    return (bytes, starts)
  }
}
