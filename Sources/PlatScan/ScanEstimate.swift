import CPlatSystem
import Glibc

extension DirectoryScanner {
  /// Returns about how many entries a scan of roots will see, or `nil` if nothing tells.
  ///
  /// The root of a mount has as many entries as its file system has inodes in use, but for names of
  /// hard links and what is mounted below; a file system that makes inodes as it goes does not say.
  ///
  /// - Parameter roots: The paths to scan.
  /// - Returns: The number of inodes in use, if every root is the root of a mount.
  public func estimatedEntryCount(of roots: [[UInt8]]) -> Int? {
    var total = 0
    for root in roots {
      var status = PlatStatus()
      var space = statvfs()
      let isMountRoot = withCString(root) { path in
        plat_status(AT_FDCWD, path, Int32(PLAT_FOLLOW), &status) == 0 && status.isMountRoot
          && statvfs(path, &space) == 0
      }
      guard isMountRoot, space.f_files > space.f_ffree else { return nil }
      total += Int(clamping: space.f_files - space.f_ffree)
    }
    return total > 0 ? total : nil
  }
}
