import CPlatSystem
import Glibc
import PlatTree

/// The places that a scan begins at.
internal struct ScanRoots: Sendable {
  /// A directory to be scanned.
  internal struct Root: Sendable {
    /// The path as it was given: it is what is opened.
    internal var given: [UInt8]
    /// The absolute path.
    internal var path: [UInt8]
  }

  /// A file to be counted.
  internal struct File: Sendable {
    internal var path: [UInt8]
    internal var status: PlatStatus
  }

  /// A root that cannot be scanned, beside others that can.
  internal struct Failure: Sendable {
    internal var path: [UInt8]
    internal var code: Int32
  }

  internal private(set) var directories: [Root] = []
  internal private(set) var files: [File] = []
  internal private(set) var failures: [Failure] = []

  /// Whether the tree needs a top that holds several roots.
  internal var needsGroup: Bool { directories.count != 1 || !files.isEmpty || !failures.isEmpty }

  /// The absolute paths of all roots that can be scanned.
  internal var paths: [[UInt8]] { directories.map(\.path) + files.map(\.path) }

  /// Examines paths.
  ///
  /// Of equal roots one stays, and one inside another goes, unless it is on another file system and
  /// those are not crossed.
  ///
  /// - Throws: ``ScanError/system(call:path:code:)`` if none of the paths can be scanned.
  internal init(
    _ paths: [[UInt8]],
    table: MountTable,
    crossesFileSystems: Bool
  ) throws(ScanError) {
    for path in paths {
      var status = PlatStatus()
      let answer =
        path.isEmpty
        ? -1 : withCString(path) { plat_status(AT_FDCWD, $0, Int32(PLAT_FOLLOW), &status) }
      let absolute = absolutePath(path)
      if answer != 0 {
        failures.append(Failure(path: path, code: path.isEmpty ? ENOENT : errno))
      } else if status.isDirectory {
        directories.append(Root(given: path, path: absolute))
      } else if !files.contains(where: { $0.path == absolute }) {
        files.append(File(path: absolute, status: status))
      }
    }
    if let failure = failures.first, directories.isEmpty, files.isEmpty {
      throw .system(call: "statx", path: failure.path, code: failure.code)
    }
    removeInner(table, crossesFileSystems: crossesFileSystems)
  }

  private mutating func removeInner(_ table: MountTable, crossesFileSystems: Bool) {
    let all = directories.map { PathComponents($0.path) }
    func isCovered(_ path: PathComponents, _ index: Int?) -> Bool {
      all.indices.contains { other in
        guard index != other, path.isAtOrBelow(all[other]) else { return false }
        if path == all[other] { return other < index ?? .max }
        return crossesFileSystems || table.mount(at: path) == table.mount(at: all[other])
      }
    }
    directories = directories.indices.filter { !isCovered(all[$0], $0) }.map { directories[$0] }
    files.removeAll { isCovered(PathComponents($0.path), nil) }
  }
}

/// Returns the absolute path of a file that exists, without links and dots; what cannot be resolved,
/// because it is too long or its directory was removed, is returned as it was given.
internal func absolutePath(_ path: [UInt8]) -> [UInt8] {
  let resolved = withCString(path) { realpath($0, nil) }
  if let resolved {
    defer { free(resolved) }
    return (0..<strlen(resolved)).map { UInt8(bitPattern: resolved[$0]) }
  }
  guard path.first != UInt8(ascii: "/"), let directory = getcwd(nil, 0) else { return path }
  defer { free(directory) }
  var absolute = (0..<strlen(directory)).map { UInt8(bitPattern: directory[$0]) }
  for name in path.split(separator: UInt8(ascii: "/")) where !name.elementsEqual([46]) {
    absolute.appendComponent(name)
  }
  return absolute
}

/// Calls `body` with bytes ended by NUL; bytes after a NUL in them are not seen.
internal func withCString<Result>(
  _ bytes: [UInt8],
  _ body: (UnsafePointer<CChar>) -> Result
) -> Result {
  (bytes.map(CChar.init(bitPattern:)) + [0]).withUnsafeBufferPointer { buffer in
    // Safety: the buffer has at least the NUL, so it has a base address.
    body(buffer.baseAddress.unsafelyUnwrapped)
  }
}
