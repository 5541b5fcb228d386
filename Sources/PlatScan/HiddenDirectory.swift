import CPlatSystem
import Glibc
internal import PlatTree

/// What a directory holds that something is mounted on: it is in use, and no path leads there.
public struct HiddenDirectory: Hashable, Sendable {
  /// The mount point.
  public var path: [UInt8]
  /// The number of entries that are hidden.
  public var entryCount = 0
  /// What the directory and everything below it occupies, in bytes.
  public var allocatedSize: UInt64 = 0
  /// Whether all of it could be read; otherwise there may be more.
  public var isComplete = true

  /// The most entries that are looked at below one mount point, which takes about a second.
  private static let limit = 500_000

  /// Looks below the mount points of a file system, by way of a copy of its mount on which nothing is
  /// mounted.
  ///
  /// - Parameters:
  ///   - mount: The mount of the whole file system.
  ///   - table: The table that it is of.
  ///   - tree: What a scan found. A directory that is mounted on itself, or elsewhere too, is in it.
  /// - Returns: Those that hide entries, the largest first; none without the permission to copy a
  ///   mount.
  internal static func all(
    on mount: MountTable.Mount,
    in table: MountTable,
    unlessIn tree: FileTree
  ) -> [HiddenDirectory] {
    let points = Set(
      table.mounts.filter { $0.parent == mount.id && $0.id != mount.id }.map(\.mountPoint)
    )
    guard !points.isEmpty else { return [] }
    let copy = withCString(mount.mountPoint) { plat_clone_mount($0) }
    guard copy >= 0 else { return [] }
    defer { close(copy) }
    let base = PathComponents(mount.mountPoint)
    return points.compactMap { point -> HiddenDirectory? in
      let path = PathComponents(point).moved(from: base, to: PathComponents([]))
      guard path.count > 0, !table.hasWay(to: path, on: mount.device, in: tree) else { return nil }
      var hidden = HiddenDirectory(path: point)
      hidden.look(at: Array(path.bytes.dropFirst()), from: copy)
      return hidden.entryCount > 0 ? hidden : nil
    }
    .sorted { ($1.allocatedSize, $0.path.count) < ($0.allocatedSize, $1.path.count) }
  }

  /// Adds up a directory and all that is below it.
  private mutating func look(at path: [UInt8], from start: Int32) {
    var reader = DirectoryReader()
    var linked: Set<UInt64> = []
    var open = [path]
    while let path = open.popLast() {
      let directory = withCString(path) {
        openDirectory(at: start, $0, ownsDirectory: true)
      }
      guard directory >= 0 else {
        // What is hidden by a mounted file is a file.
        if errno != ENOTDIR { isComplete = false }
        continue
      }
      defer { close(directory) }
      var status = PlatStatus()
      guard plat_status(directory, "", 0, &status) == 0 else { continue }
      allocatedSize = [allocatedSize, status.blocks &* 512].saturatedSum
      if reader.read(directory, shouldStop: { false }) != 0 { isComplete = false }
      while let record = reader.next() {
        guard entryCount < Self.limit else {
          isComplete = false
          return
        }
        guard plat_status(directory, record.name, 0, &status) == 0 else { continue }
        entryCount += 1
        if status.isDirectory {
          let name = Array(UnsafeRawBufferPointer(start: record.name, count: strlen(record.name)))
          open.append(path + [UInt8(ascii: "/")] + name)
        } else if status.link_count == 1 || linked.insert(status.inode).inserted {
          allocatedSize = [allocatedSize, status.blocks &* 512].saturatedSum
        }
      }
    }
  }
}

extension MountTable {
  /// Returns whether a tree has a directory of a file system by way of any of its mounts.
  fileprivate func hasWay(
    to content: PathComponents,
    on device: UInt64,
    in tree: FileTree
  ) -> Bool {
    mounts.contains { mount in
      let root = PathComponents(mount.root)
      guard mount.device == device, content.isAtOrBelow(root) else { return false }
      let place = content.moved(from: root, to: PathComponents(mount.mountPoint))
      guard self.mount(at: place)?.id == mount.id else { return false }
      return tree.directory(atPath: place.bytes) != nil
    }
  }
}
