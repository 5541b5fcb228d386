import CPlatSystem
import Glibc

/// A file whose content says what to leave out: `.gitignore`, `CACHEDIR.TAG`.
///
/// Anybody may have put it there. Only a regular file counts, which is found out before it is opened,
/// for to open a device can have effects; a symbolic link is none, and does not count. What is opened
/// is asked again, and never waited for.
internal enum ControlFile {
  /// A system call that failed.
  internal struct Failure: Error {
    internal var call: String
    internal var code: Int32
  }

  /// Reads a file from its start.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - directory: A descriptor of the directory that holds it.
  ///   - userID: The user whose files are read without a new access time.
  ///   - limit: The most bytes to read; more are left unread.
  /// - Returns: The content, or `nil` if there is no such file, or it is not a regular one.
  /// - Throws: ``Failure``
  internal static func read(
    _ name: StaticString,
    in directory: Int32,
    userID: UInt32,
    limit: Int
  ) throws(Failure) -> [UInt8]? {
    let file = try open(name, in: directory, userID: userID)
    guard let file else { return nil }
    defer { close(file) }
    guard let status = try status(of: "", in: file), status.isRegular else { return nil }
    var bytes = [UInt8](repeating: 0, count: Int(min(status.size, UInt64(limit))))
    var count = 0
    while count < bytes.count {
      let answer = bytes.withUnsafeMutableBytes { buffer in
        Glibc.read(file, buffer.baseAddress.map { $0 + count }, buffer.count - count)
      }
      if answer < 0, errno == EINTR { continue }
      guard answer >= 0 else { throw Failure(call: "read", code: errno) }
      guard answer > 0 else { break }
      count += answer
    }
    bytes.removeLast(bytes.count - count)
    return bytes
  }

  private static func open(
    _ name: StaticString,
    in directory: Int32,
    userID: UInt32
  ) throws(Failure) -> Int32? {
    guard let status = try status(of: name, in: directory), status.isRegular else { return nil }
    let isOwn = userID == 0 || status.owner == userID
    var options = isOwn ? Int32(PLAT_NO_ATIME) : 0
    while true {
      let file = withPointer(to: name) { plat_open_file(directory, $0, options) }
      if file >= 0 { return file }
      switch errno {
      case EINTR: continue
      case EPERM where options != 0: options = 0
      // It has vanished, or become a symbolic link or a socket.
      case ENOENT, ELOOP, ENXIO: return nil
      default: throw Failure(call: "openat", code: errno)
      }
    }
  }

  private static func status(
    of name: StaticString,
    in directory: Int32
  ) throws(Failure) -> PlatStatus? {
    var status = PlatStatus()
    let answer = withPointer(to: name) { plat_status(directory, $0, 0, &status) }
    guard answer != 0 else { return status }
    guard errno != ENOENT else { return nil }
    throw Failure(call: "statx", code: errno)
  }

  private static func withPointer<Result>(
    to name: StaticString,
    _ body: (UnsafePointer<CChar>) -> Result
  ) -> Result {
    // Safety: a literal of a string ends with a NUL.
    body(UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self))
  }
}
