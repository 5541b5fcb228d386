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

extension DirectoryDetails {
  /// Creates the details of a directory from what the kernel says of it.
  internal init(_ status: PlatStatus) {
    self.init()
    let (size, overflow) = status.blocks.multipliedReportingOverflow(by: 512)
    allocatedSize = overflow ? .max : size
    inode = status.inode
    device = status.device
    modificationTime = status.modificationTime
    changeTime = status.changeTime
    mode = status.mode & 0o7777
    owner = status.owner
    group = status.group
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
