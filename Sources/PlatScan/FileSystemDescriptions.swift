import CPlatSystem
import Glibc
import PlatTree

/// Describes the file systems that a scan meets.
internal final class FileSystemDescriptions: Sendable {
  private let table: MountTable
  private let roots: ScanRoots
  private let known = Locked<[UInt64: FileSystem]>([:])

  internal init(_ table: MountTable, _ roots: ScanRoots) {
    self.table = table
    self.roots = roots
  }

  /// Whether the file system with a device number was described.
  internal func isDescribed(_ device: UInt64) -> Bool {
    known.withLock { $0[device] != nil }
  }

  /// Describes the file system of a directory that is open for reading, once a scan.
  ///
  /// Not every file system is mounted somewhere under its own number: subvolumes are not.
  internal func describe(_ status: DirectoryStatus, _ file: Int32) {
    let device = status.details.device
    guard !isDescribed(device) else { return }
    let found = FileSystem(
      device: device,
      type: typeName(ofMount: status.mountID, device: device),
      uuid: identifier(of: file)
    )
    known.withLock { $0[device] = found }
  }

  /// Returns what is known of the file system with a device number.
  ///
  /// If no directory of it could be opened, a root of the scan, or the place where the file system is
  /// mounted, is opened to read its UUID.
  internal func describe(_ device: UInt64) -> FileSystem {
    if let found = known.withLock({ $0[device] }) { return found }
    let paths =
      roots.directories.map(\.given) + table.mounts.filter { $0.device == device }.map(\.mountPoint)
    for path in paths {
      let file = withCString(path) {
        openDirectory(at: AT_FDCWD, $0, follow: true, ownsDirectory: false)
      }
      guard file >= 0 else { continue }
      defer { close(file) }
      var status = PlatStatus()
      guard plat_status(file, "", 0, &status) == 0, status.device == device else { continue }
      return FileSystem(
        device: device,
        type: typeName(ofMount: status.mount_id, device: device),
        uuid: identifier(of: file)
      )
    }
    return FileSystem(device: device, type: table.type(ofDevice: device))
  }

  private func typeName(ofMount mountID: UInt64, device: UInt64) -> String {
    table.mounts.first { $0.id == mountID }?.type ?? table.type(ofDevice: device)
  }

  /// The UUID of the file system of an open file, or its `f_fsid` where it has none.
  private func identifier(of file: Int32) -> String {
    var uuid: [UInt8] = Array(repeating: 0, count: 16)
    if plat_file_system_uuid(file, &uuid) == 16, uuid.contains(where: { $0 != 0 }) {
      return uuid.map(hexadecimal).joined()
    }
    var identifier: UInt64 = 0
    var type: UInt64 = 0
    guard plat_file_system(file, &identifier, &type) == 0, identifier != 0 else { return "" }
    return stride(from: 56, through: 0, by: -8)
      .map { hexadecimal(UInt8(truncatingIfNeeded: identifier >> UInt64($0))) }.joined()
  }
}

extension FileSystem {
  /// Whether one call reads all names in one block of a directory, or fails.
  ///
  /// A call that has found names and then fails tells only of the names, and the next call tells of the
  /// failure. These read a block before they look for names in it: `ext4_readdir` and
  /// `htree_dirblock_to_tree` in fs/ext4 of Linux, `ext2_readdir` in fs/ext2.
  internal var readsBlocksWhole: Bool { ["ext2", "ext3", "ext4"].contains(type) }
}

/// Returns a byte as two hexadecimal digits.
private func hexadecimal(_ byte: UInt8) -> String {
  let digits = String(byte, radix: 16)
  return byte < 16 ? "0" + digits : digits
}
