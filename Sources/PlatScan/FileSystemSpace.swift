import Glibc

/// How large a file system is, and how much of it is free.
public struct FileSystemSpace: Hashable, Sendable {
  /// Its size in bytes.
  public var total: UInt64
  /// What is in use, in bytes, as `df` counts: all but what is free for root.
  public var used: UInt64
  /// What is free for those who are not root, in bytes.
  public var free: UInt64
}

extension FileSystemSpace {
  /// Asks for the space of the file system that a path is on; `nil` if it does not say.
  ///
  /// - Parameter path: The bytes of the path.
  public init?(at path: [UInt8]) {
    var answer = statvfs()
    guard withCString(path, { statvfs($0, &answer) }) == 0, answer.f_blocks > 0 else { return nil }
    func bytes(_ blocks: UInt) -> UInt64 {
      let (product, overflow) = UInt64(blocks).multipliedReportingOverflow(
        by: UInt64(answer.f_frsize)
      )
      return overflow ? .max : product
    }
    total = bytes(answer.f_blocks)
    used = bytes(answer.f_blocks - min(answer.f_bfree, answer.f_blocks))
    free = bytes(answer.f_bavail)
  }
}
