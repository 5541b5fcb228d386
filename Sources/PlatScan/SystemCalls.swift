import CPlatSystem
import Glibc

/// Opens a directory; the access time is left alone where that is allowed.
///
/// - Parameters:
///   - at: The directory that `name` is relative to.
///   - name: One name, or a path, ended by NUL.
///   - follow: Whether a symbolic link at the end is followed.
///   - ownsDirectory: Whether the directory is likely to allow `O_NOATIME`, which belongs to its
///     owner: a wrong guess costs a second call.
/// - Returns: A descriptor, or -1 with the reason in `errno`.
internal func openDirectory(
  at: Int32,
  _ name: UnsafePointer<CChar>,
  follow: Bool = false,
  ownsDirectory: Bool
) -> Int32 {
  let options = follow ? Int32(PLAT_FOLLOW) : 0
  while true {
    if ownsDirectory {
      let file = plat_open_directory(at, name, options | Int32(PLAT_NO_ATIME))
      if file >= 0 || (errno != EPERM && errno != EINTR) { return file }
      if errno == EINTR { continue }
    }
    let file = plat_open_directory(at, name, options)
    if file >= 0 || errno != EINTR { return file }
  }
}

extension PlatStatus {
  internal var isDirectory: Bool { mode & FileType.mask == FileType.directory }
  internal var isRegular: Bool { mode & FileType.mask == FileType.regular }
  internal var isMountRoot: Bool { attributes & UInt64(PLAT_MOUNT_ROOT) != 0 }

  /// Whether it is no longer than a block of its file system.
  internal var isOneBlock: Bool { size <= UInt64(block_size) }

  /// The device number of the file system.
  @inline(__always)
  internal var device: UInt64 { plat_device(device_major, device_minor) }

  /// Nanoseconds since 1970; a time that does not fit is cut down to the nearest that does.
  @inline(__always)
  internal var modificationTime: Int64 {
    nanoseconds(modification_seconds, modification_nanoseconds)
  }

  /// Nanoseconds since 1970; a time that does not fit is cut down to the nearest that does.
  @inline(__always)
  internal var changeTime: Int64 { nanoseconds(change_seconds, change_nanoseconds) }
}

/// The type bits of a mode, as inode(7) gives them; constants here, as Glibc's are calls.
internal enum FileType {
  internal static let mask: UInt16 = 0o170000
  internal static let directory: UInt16 = 0o040000
  internal static let regular: UInt16 = 0o100000
  internal static let symbolicLink: UInt16 = 0o120000
}

/// The nanoseconds since 1970; what an `Int64` cannot hold is its nearest value.
internal func nanoseconds(_ seconds: Int64, _ rest: UInt32) -> Int64 {
  let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
  guard !overflow else { return seconds < 0 ? .min : .max }
  let (sum, carry) = product.addingReportingOverflow(Int64(rest))
  return carry ? .max : sum
}

/// The time of day in nanoseconds since 1970, by a clock that may be far wrong: before 1970 is 1970.
internal func currentTime() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_REALTIME, &time)
  return max(0, nanoseconds(Int64(time.tv_sec), UInt32(truncatingIfNeeded: time.tv_nsec)))
}
