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
    internal var device: UInt64
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

  /// The device of the files, or of the first directory if there is no file.
  internal var device: UInt64 { files.first?.status.device ?? directories.first?.device ?? 0 }

  /// Whether the tree needs a top that holds several roots.
  internal var needsGroup: Bool { directories.count != 1 || !files.isEmpty || !failures.isEmpty }

  /// The absolute paths of all roots that can be scanned.
  internal var paths: [[UInt8]] { directories.map(\.path) + files.map(\.path) }

  /// Examines paths.
  ///
  /// Of equal roots the first stays, be they two paths of one place or two mounts of it. One inside
  /// another goes, unless it is on another file system that the scan of the other does not enter.
  ///
  /// - Throws: ``ScanError/system(call:path:code:)`` if none of the paths can be scanned.
  internal init(
    _ paths: [[UInt8]],
    table: MountTable,
    crossesFileSystems: Bool
  ) throws(ScanError) {
    for path in paths {
      var status = PlatStatus()
      // No file has such a name, and the kernel would see another one.
      guard !path.isEmpty, !path.contains(0) else {
        failures.append(Failure(path: path, code: ENOENT))
        continue
      }
      guard withCString(path, { plat_status(AT_FDCWD, $0, Int32(PLAT_FOLLOW), &status) }) == 0
      else {
        failures.append(Failure(path: path, code: errno))
        continue
      }
      let absolute = absolutePath(path)
      if status.isDirectory {
        directories.append(Root(given: path, path: absolute, device: status.device))
      } else {
        files.append(File(path: absolute, status: status))
      }
    }
    if let failure = failures.first, directories.isEmpty, files.isEmpty {
      throw .system(call: "statx", path: failure.path, code: failure.code)
    }
    removeEqual(table)
    removeInner(table, crossesFileSystems: crossesFileSystems)
  }

  private mutating func removeEqual(_ table: MountTable) {
    struct Place: Hashable {
      var device: UInt64?
      var path: PathComponents
    }
    var seen: Set<Place> = []
    func isNew(_ path: [UInt8]) -> Bool {
      let path = PathComponents(path)
      let isNewPath = seen.insert(Place(device: nil, path: path)).inserted
      guard let location = table.location(of: path) else { return isNewPath }
      let place = Place(device: location.mount.device, path: location.content)
      return seen.insert(place).inserted && isNewPath
    }
    directories = directories.filter { isNew($0.path) }
    files = files.filter { isNew($0.path) }
  }

  private mutating func removeInner(_ table: MountTable, crossesFileSystems: Bool) {
    let roots = Set(directories.map { PathComponents($0.path) })
    func isInside(_ path: [UInt8]) -> Bool {
      let path = PathComponents(path)
      return (0..<path.count).contains { count in
        let outer = PathComponents(names: Array(path.names[..<count]))
        guard roots.contains(outer) else { return false }
        let mount = table.mount(at: path)
        if mount == table.mount(at: outer) { return true }
        return crossesFileSystems && !kernelFileSystems.contains(mount?.type ?? "")
      }
    }
    directories.removeAll { isInside($0.path) }
    files.removeAll { isInside($0.path) }
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
