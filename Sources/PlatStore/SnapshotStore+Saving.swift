import Glibc
public import PlatTree

extension SnapshotStore {
  /// Adds a snapshot to a file, and puts a damaged file aside rather than fail.
  ///
  /// The damaged file keeps all its bytes, under its name and `.corrupt-` and a date, and snapshots in
  /// it that are intact can be read there. The new snapshot is then the first of a new file. What is
  /// not ours, or newer than we know, is never touched.
  ///
  /// - Parameters:
  ///   - tree: A complete scan of one directory.
  ///   - scan: How the scan was made.
  ///   - stored: A snapshot of the file that was loaded, as in ``write(_:_:after:)``.
  ///   - path: The bytes of the path of the file.
  ///   - isOurPlace: Whether nobody else keeps files at such a path, so that even one that is no
  ///     database can be put aside.
  ///   - options: Choices about the use of the file.
  /// - Returns: The snapshot, and the path that a damaged file has now.
  /// - Throws: ``StoreError`` if the snapshot could not be written.
  public static func save(
    _ tree: FileTree,
    _ scan: ScanDescription,
    after stored: StoredTree? = nil,
    to path: [UInt8],
    isOurPlace: Bool,
    options: Options = Options()
  ) throws(StoreError) -> (snapshot: SnapshotInfo, setAside: [UInt8]?) {
    func write() throws(StoreError) -> SnapshotInfo {
      try SnapshotStore(path, for: .writing, options: options).write(tree, scan, after: stored)
    }
    let before = StoreFile.Identity(path)
    do throws(StoreError) {
      return (try write(), nil)
    } catch {
      switch error {
      case .damaged where isOurPlace || StoreFile.bearsOurMark(path): break
      case .notADatabase where isOurPlace && before?.isRegular == true: break
      default: throw error
      }
      // Another process may have been faster.
      guard let before, StoreFile.Identity(path) == before else { return (try write(), nil) }
      let day = scan.finishedAt.secondsFromNanoseconds / 86_400
      let aside = try StoreFile.setAside(path, daysSince1970: day)
      return (try write(), aside)
    }
  }
}

extension StoreFile {
  /// What tells a file from another one that takes its name.
  internal struct Identity: Equatable {
    private let device: UInt64
    private let inode: UInt64
    /// Whether it is a regular file.
    internal let isRegular: Bool

    /// Looks at a path; `nil` if there is nothing.
    internal init?(_ path: [UInt8]) {
      var status = stat()
      guard withCString(path, { stat($0, &status) }) == 0 else { return nil }
      device = UInt64(status.st_dev)
      inode = UInt64(status.st_ino)
      isRegular = status.st_mode & S_IFMT == S_IFREG
    }
  }

  /// Whether a file has the mark of our databases in its first bytes, and is not newer than we know.
  ///
  /// For a file that SQLite cannot read, and that this process has not open: see ``state(of:)``. The
  /// offsets are those of the *SQLite Database File Format*, section 1.3.
  internal static func bearsOurMark(_ path: [UInt8]) -> Bool {
    let file = withCString(path) { open($0, O_RDONLY | O_CLOEXEC) }
    guard file >= 0 else { return false }
    defer { close(file) }
    var header = [UInt8](repeating: 0, count: 100)
    guard read(file, &header, header.count) == header.count,
      header.starts(with: "SQLite format 3\0".utf8)
    else { return false }
    func number(at offset: Int) -> Int64 {
      header[offset..<offset + 4].reduce(0) { $0 << 8 | Int64($1) }
    }
    return number(at: 68) == Schema.applicationID && number(at: 60) <= Schema.version
  }

  /// Gives a damaged file, and the log beside it, another name, which nothing has yet.
  internal static func setAside(
    _ path: [UInt8],
    daysSince1970 day: Int64
  ) throws(StoreError) -> [UInt8] {
    let name = path + Array(".corrupt-\(CivilDate(daysSince1970: day))".utf8)
    var number = 1
    while true {
      let aside = number == 1 ? name : name + Array(".\(number)".utf8)
      if try publish(path, as: aside) {
        for suffix in companions {
          let bytes = Array(suffix.utf8)
          _ = withCString(path + bytes) { from in withCString(aside + bytes) { rename(from, $0) } }
        }
        // Where there are no hard links it has its new name alone already.
        if Identity(path) == Identity(aside), withCString(path, { unlink($0) }) != 0 {
          throw systemError("unlink", path)
        }
        return aside
      }
      number += 1
    }
  }
}
