import CPlatSystem
import Glibc
public import PlatTree

/// What is in use on a file system by its own account, beside what a scan of all of it found.
///
/// The two differ by what has no name that leads there: deleted files that are still open, what lies
/// below mount points, and the file system's own records. Directories that could not be read are
/// issues of the tree.
public struct FileSystemUse: Hashable, Sendable {
  /// Where it is mounted: a root of the scan.
  public var mountPoint: [UInt8]
  /// Its type as the kernel names it.
  public var type: String
  /// Its size, and what is in use.
  public var space: FileSystemSpace
  /// What the scan counted on it, in bytes.
  public var found: UInt64
  /// The deleted files that are still open.
  public var deletedFiles: DeletedFiles
  /// What is known to lie below its mount points, the largest first.
  public var hiddenDirectories: [HiddenDirectory]

  /// By how much more is in use than was found, in bytes; negative if less is.
  public var difference: Int64 {
    space.used >= found
      ? Int64(clamping: space.used - found) : -Int64(clamping: found - space.used)
  }

  /// What of that is known: deleted files and hidden directories, in bytes.
  public var explained: UInt64 {
    ([deletedFiles.allocatedSize] + hiddenDirectories.map(\.allocatedSize)).saturatedSum
  }
}

extension FileSystemUse {
  /// Asks a file system, if a root of a scan is the whole of it.
  ///
  /// It is `nil` if the root is not the root of a local file system, or something in it was left out on
  /// purpose. The kernel must be asked soon after the scan, before a snapshot is written.
  ///
  /// - Parameters:
  ///   - root: The absolute path of the root.
  ///   - tree: What a scan of it, and perhaps of others, found.
  public init?(of root: [UInt8], in tree: FileTree) {
    guard !tree.exclusions.contains(where: { $0.reason.isChoice }) else { return nil }
    var status = PlatStatus()
    guard withCString(root, { plat_status(AT_FDCWD, $0, Int32(PLAT_FOLLOW), &status) }) == 0,
      status.isMountRoot
    else { return nil }
    let table = MountTable()
    guard let mount = table.mounts.first(where: { $0.id == status.mount_id }),
      mount.root == [UInt8(ascii: "/")], Self.types.contains(mount.type),
      let space = FileSystemSpace(at: root)
    else { return nil }
    let device = status.device
    let uuid = tree.fileSystems.first { $0.device == device }?.uuid ?? ""
    mountPoint = root
    type = mount.type
    self.space = space
    found = tree.allocatedSize { $0.device == device || (!uuid.isEmpty && $0.uuid == uuid) }
    deletedFiles = DeletedFiles(onDevice: mount.device)
    hiddenDirectories = HiddenDirectory.all(on: mount, in: table, unlessIn: tree)
  }

  /// The types whose own account is of what is stored in them, and of nothing else.
  private static let types: Set<String> = [
    "bcachefs", "btrfs", "exfat", "ext2", "ext3", "ext4", "f2fs", "hfsplus", "jfs", "msdos",
    "nilfs2", "ntfs", "ntfs3", "reiserfs", "tmpfs", "vfat", "xfs", "zfs",
  ]
}

extension Exclusion.Reason {
  /// Whether somebody asked for entries to be left out.
  fileprivate var isChoice: Bool {
    switch self {
    case .pattern, .gitignore, .cache: true
    case .otherFileSystem, .kernelFileSystem, .countedElsewhere: false
    }
  }
}

extension Sequence<UInt64> {
  /// The sum of sizes, or the largest value if that does not fit.
  package var saturatedSum: UInt64 {
    reduce(0) { sum, size in
      let (total, overflow) = sum.addingReportingOverflow(size)
      return overflow ? .max : total
    }
  }
}
