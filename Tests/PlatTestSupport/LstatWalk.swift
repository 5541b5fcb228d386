import Glibc

/// What a plain walk with `readdir(3)` and `lstat(2)` finds below a directory.
///
/// It shares no code with the scanner: whole paths, one call after the other, one thread. What the
/// scanner finds is compared with this. Paths must be shorter than `PATH_MAX`.
package struct LstatWalk: Hashable, Sendable {
  /// The bytes occupied on disk, every inode once, the top included.
  package var allocatedSize: UInt64 = 0
  /// The lengths of files and symbolic links, every inode once.
  package var apparentSize: UInt64 = 0
  /// The number of names of regular files.
  package var files = 0
  /// The number of directories, the top included.
  package var directories = 0
  /// The number of symbolic links.
  package var symbolicLinks = 0
  /// The number of other entries.
  package var others = 0
  /// The paths of all entries, the top included.
  package var paths: Set<[UInt8]> = []

  private var seen: Set<[UInt64]> = []

  /// Creates a walk that has not begun.
  package init() {}

  /// Walks through everything at and below a path; what was met before is not counted again.
  package mutating func add(_ root: String) { visit(Array(root.utf8)) }

  private mutating func visit(_ path: [UInt8]) {
    let name = path.map(CChar.init(bitPattern:)) + [0]
    var status = stat()
    guard lstat(name, &status) == 0, paths.insert(path).inserted else { return }
    let isNew = seen.insert([UInt64(status.st_dev), UInt64(status.st_ino)]).inserted
    if isNew { allocatedSize += UInt64(status.st_blocks) * 512 }
    switch status.st_mode & S_IFMT {
    case S_IFDIR:
      directories += 1
      for entry in list(name) { visit(path + [0x2f] + entry) }
    case S_IFREG:
      files += 1
      if isNew { apparentSize += UInt64(status.st_size) }
    case S_IFLNK:
      symbolicLinks += 1
      if isNew { apparentSize += UInt64(status.st_size) }
    default: others += 1
    }
  }

  private func list(_ path: [CChar]) -> [[UInt8]] {
    guard let directory = opendir(path) else { return [] }
    defer { closedir(directory) }
    var names: [[UInt8]] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      if name != [0x2e], name != [0x2e, 0x2e] { names.append(name) }
    }
    return names
  }
}
