import CPlatSystem
import Glibc
import PlatTree

extension ListingEntry {
  /// Creates an entry from what the kernel says of it.
  @inline(__always)
  internal init(_ status: PlatStatus) {
    self.init()
    kind =
      switch status.mode & FileType.mask {
      case FileType.regular: .file
      case FileType.symbolicLink: .symbolicLink
      default: .other
      }
    size = status.size
    blocks = status.blocks
    modificationTime = status.modification_seconds
    changeTime = status.change_seconds
    inode = status.inode
    linkCount = status.link_count
    mode = status.mode & 0o7777
    owner = status.owner
    group = status.group
  }
}

/// What a scan keeps of what the kernel says of a directory: a third of it, as it is passed around.
internal struct DirectoryStatus: Sendable {
  internal var details: DirectoryDetails
  /// The mount that the path led through; see `PlatStatus.mount_id`.
  internal var mountID: UInt64

  internal init(_ status: UnsafePointer<PlatStatus>) {
    details = DirectoryDetails(status)
    mountID = status.pointee.mount_id
  }
}

extension DirectoryDetails {
  /// Creates the details of a directory from what the kernel says of it.
  internal init(_ status: UnsafePointer<PlatStatus>) {
    self.init()
    let (size, overflow) = status.pointee.blocks.multipliedReportingOverflow(by: 512)
    allocatedSize = overflow ? .max : size
    inode = status.pointee.inode
    device = status.pointee.device
    modificationTime = status.pointee.modificationTime
    changeTime = status.pointee.changeTime
    mode = status.pointee.mode & 0o7777
    owner = status.pointee.owner
    group = status.pointee.group
  }
}

extension EntryKind {
  /// Creates a kind from a `DT_*` value.
  internal init(directoryType: UInt8) {
    switch Int(directoryType) {
    case Int(DT_DIR): self = .directory
    case Int(DT_REG): self = .file
    case Int(DT_LNK): self = .symbolicLink
    default: self = .other
    }
  }
}
