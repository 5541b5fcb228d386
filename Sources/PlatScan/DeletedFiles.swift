import CPlatSystem
import Glibc

/// The files of a file system that have no name any more, and stay because processes have them open.
///
/// They are found as proc_pid_fd(5) tells: the names of descriptors that end with ` (deleted)`. Nothing
/// of another file system is touched, as a server may not answer. Files that are mapped and not open
/// are not among them, and where permission is missing, only those of one's own processes are.
public struct DeletedFiles: Hashable, Sendable {
  /// A file.
  public struct File: Hashable, Sendable {
    /// The path that it had, as the kernel tells it.
    public var path: [UInt8]
    /// What it occupies, in bytes.
    public var allocatedSize: UInt64
    /// A process that has it open; there may be others.
    public var processID: Int
    /// The name of that process.
    public var processName: [UInt8]
  }

  /// The files, the largest first.
  public var files: [File] = []
  /// Whether the descriptors of every process could be looked at.
  public var isComplete = true

  /// What all of them occupy, in bytes.
  public var allocatedSize: UInt64 { files.lazy.map(\.allocatedSize).saturatedSum }
}

extension DeletedFiles {
  /// Looks at the descriptors of all processes.
  ///
  /// - Parameter device: The device number of the file system, as the mount table has it.
  internal init(onDevice device: UInt64) {
    var reader = DirectoryReader()
    // Subvolumes of one file system have device numbers, and inodes, of their own.
    var seen: Set<[UInt64]> = []
    for process in Self.numbers(in: "/proc", &reader) ?? [] {
      guard let descriptors = Self.numbers(in: "/proc/\(process)/fd", &reader) else {
        // A process that has ended has nothing open.
        if errno != ENOENT, errno != ESRCH { isComplete = false }
        continue
      }
      var table: MountTable?
      for descriptor in descriptors {
        let path = "/proc/\(process)/fd/\(descriptor)"
        guard let name = Self.deletedName(path) else { continue }
        let mounts = table ?? MountTable(parsing: readFile("/proc/\(process)/mountinfo"))
        table = mounts
        let mount = Self.mount(ofDescriptor: descriptor, of: process)
        guard mounts.mounts.contains(where: { $0.id == mount && $0.device == device }) else {
          continue
        }
        var status = PlatStatus()
        guard plat_status(AT_FDCWD, path, Int32(PLAT_FOLLOW | PLAT_NO_SYNC), &status) == 0,
          status.link_count == 0, seen.insert([status.device, status.inode]).inserted
        else { continue }
        files.append(
          File(
            path: name,
            allocatedSize: status.blocks &* 512,
            processID: process,
            processName: Array(readFile("/proc/\(process)/comm").prefix { $0 != 0x0A })
          )
        )
      }
    }
    files.sort {
      ($1.allocatedSize, $0.processID) < ($0.allocatedSize, $1.processID)
    }
  }

  /// Returns the names in a directory that are numbers, or `nil` if it cannot be read.
  private static func numbers(in path: String, _ reader: inout DirectoryReader) -> [Int]? {
    let directory = plat_open_directory(AT_FDCWD, path, 0)
    guard directory >= 0 else { return nil }
    defer { close(directory) }
    let failure = reader.read(directory) { false }
    guard failure == 0 else {
      errno = failure
      return nil
    }
    var numbers: [Int] = []
    while let record = reader.next() {
      if let number = Int(String(cString: record.name)) { numbers.append(number) }
    }
    return numbers
  }

  /// Returns the path that an open file had, if it was deleted.
  private static func deletedName(_ path: String) -> [UInt8]? {
    let mark = Array(" (deleted)".utf8)
    var name = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = name.withUnsafeMutableBytes { buffer in
      buffer.baseAddress.map {
        readlink(path, $0.assumingMemoryBound(to: CChar.self), buffer.count)
      }
    }
    guard let count, count > mark.count, name[..<count].suffix(mark.count).elementsEqual(mark)
    else {
      return nil
    }
    return Array(name[..<(count - mark.count)])
  }

  /// Returns the mount that a descriptor was opened through, as proc_pid_fdinfo(5) tells.
  private static func mount(ofDescriptor descriptor: Int, of process: Int) -> UInt64? {
    let lines = readFile("/proc/\(process)/fdinfo/\(descriptor)").split(separator: 0x0A)
    let title = Array("mnt_id:".utf8)
    guard let line = lines.first(where: { $0.starts(with: title) }) else { return nil }
    let digits = line.dropFirst(title.count).filter { (0x30...0x39).contains($0) }
    return UInt64(String(decoding: digits, as: UTF8.self))
  }
}
