import Glibc
import PlatTree

/// Writes output files so that there is the whole file or the old one, never half a file.
///
/// The bytes go to a temporary file in the same directory, are flushed to disk, and replace the file
/// under its name in one step. The new file has the mode of the old one, or what the umask leaves of
/// 0666. Through a symbolic link the file it leads to is replaced, and the link stays. Other hard links
/// of the old file keep the old content.
///
/// A device, FIFO or socket is written to directly, and so is a file that is named by an open
/// descriptor (`/dev/fd/3`, `/proc/…`).
package enum AtomicFile {
  /// Writes a file, or standard output if the path is `-` or `/dev/stdout`.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - context: Has the standard output.
  ///   - body: Writes the content. If it throws, nothing is left of it.
  /// - Throws: ``OutputError`` if the file cannot be written, or what `body` throws.
  package static func write(
    to path: [UInt8],
    in context: CommandContext,
    _ body: (Output) throws -> Void
  ) throws {
    if path.elementsEqual("-".utf8) || path.elementsEqual("/dev/stdout".utf8) {
      try body(context.output)
      return try context.output.flush()
    }
    var status = stat()
    let exists = stat(cString(path), &status) == 0
    // A path that can never be written is refused before the content is made.
    if !exists, errno != ENOENT { throw OutputError(path: path, "write", errno: errno) }
    if exists, status.st_mode & S_IFMT == S_IFDIR {
      throw OutputError(path: path, "write", errno: EISDIR)
    }
    let target = try destination(of: path)
    let isRegular = status.st_mode & S_IFMT == S_IFREG
    if exists, !isRegular || namesDescriptor(target) {
      return try writeDirectly(to: path, body)
    }
    // Replacing a name takes only rights on its directory. Respect what the file itself says.
    if exists, access(cString(target), W_OK) == -1 {
      throw OutputError(path: path, "write", errno: errno)
    }
    try replace(target, shownAs: path, like: exists ? status : nil, body)
  }

  private static func writeDirectly(
    to path: [UInt8],
    _ body: (Output) throws -> Void
  ) throws {
    let descriptor = open(cString(path), O_WRONLY | O_TRUNC | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { throw OutputError(path: path, "open it", errno: errno) }
    let output = Output(descriptor: descriptor, name: NameDisplay.terminalText(path))
    do {
      try body(output)
    } catch {
      close(descriptor)
      throw error
    }
    try output.close()
  }

  /// Writes a temporary file and gives it the name of `target`.
  private static func replace(
    _ target: [UInt8],
    shownAs path: [UInt8],
    like old: stat?,
    _ body: (Output) throws -> Void
  ) throws {
    let (temporary, descriptor) = try openTemporary(beside: target, shownAs: path)
    do {
      let output = Output(descriptor: descriptor, name: NameDisplay.terminalText(path))
      do {
        try body(output)
        try output.flush()
        if let old {
          // Only root can give the owner back; for others it is the same or cannot be helped.
          _ = fchown(descriptor, old.st_uid, old.st_gid)
          try check(fchmod(descriptor, old.st_mode & 0o777), path, "set its mode")
        }
        try check(fsync(descriptor), path, "flush it to disk")
      } catch {
        close(descriptor)
        throw error
      }
      try output.close()
      try check(rename(cString(temporary), cString(target)), path, "replace it")
    } catch {
      unlink(cString(temporary))
      throw error
    }
  }

  /// Creates a file with a name of its own in the directory of `target`.
  private static func openTemporary(
    beside target: [UInt8],
    shownAs path: [UInt8]
  ) throws(OutputError) -> (path: [UInt8], descriptor: CInt) {
    let directory = target[..<(target.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0)]
    while true {
      let tag = String(UInt64.random(in: 0...(.max)), radix: 36)
      let temporary = directory + ".plat-\(tag).tmp".utf8
      let descriptor = open(cString(temporary), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      if descriptor >= 0 { return (Array(temporary), descriptor) }
      if errno != EEXIST {
        throw OutputError(path: path, "create a file in its directory", errno: errno)
      }
    }
  }

  /// Follows symbolic links, as far as there are any, to the path that holds or will hold the file.
  private static func destination(of path: [UInt8]) throws(OutputError) -> [UInt8] {
    var path = path
    // path_resolution(7): the kernel gives up after 40 links.
    for _ in 0..<40 {
      var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
      let length = readlink(cString(path), &buffer, buffer.count)
      guard length >= 0, !namesDescriptor(path) else { return path }
      let target = buffer[..<length].map(UInt8.init(bitPattern:))
      if target.first == UInt8(ascii: "/") {
        path = target
      } else {
        let directory = path[..<(path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0)]
        path = directory + target
      }
    }
    throw OutputError(path: path, "write", errno: ELOOP)
  }

  private static func namesDescriptor(_ path: [UInt8]) -> Bool {
    path.starts(with: "/proc/".utf8) || path.starts(with: "/dev/fd/".utf8)
  }

  private static func check(
    _ result: CInt,
    _ path: [UInt8],
    _ action: String
  ) throws(OutputError) {
    if result == -1 { throw OutputError(path: path, action, errno: errno) }
  }
}

/// Returns a path as C has it, up to the first NUL.
private func cString(_ path: some Sequence<UInt8>) -> [CChar] {
  path.map(CChar.init(bitPattern:)) + [0]
}
