import PlatTree

/// What the times of a directory prove on a file system.
internal enum TrustRule: Hashable, Sendable {
  /// Nothing: the directory is read.
  case never
  /// That its names lead to the same inodes, if the times are the same.
  case names
  /// That nothing at all changed, as nothing can.
  case everything

  /// Creates the rule for a file system.
  ///
  /// The list is of those that are known to change both times of a directory with its names. Others
  /// need not: a FAT that another system wrote to, a server whose answers are held back, layers below
  /// an overlay. A file system that nothing but a device number tells from others proves nothing: the
  /// number is given to the next one that is mounted.
  internal init(_ fileSystem: FileSystem) {
    let hasUUID = fileSystem.uuid.count == 32
    self =
      switch fileSystem.type {
      case "ext2", "ext3", "ext4", "btrfs", "f2fs", "bcachefs", "zfs":
        // Without a UUID it is `f_fsid`, which these make of the UUID.
        fileSystem.uuid.isEmpty ? .never : .names
      case "xfs", "tmpfs": hasUUID ? .names : .never
      case "squashfs", "erofs", "iso9660": hasUUID ? .everything : .never
      default: .never
      }
  }
}
