import CPlatSystem
import Glibc

/// The trash of the user, as the FreeDesktop.org Trash specification 1.0 lays it out.
///
/// What is on the file system of the home directory goes to the user's own trash, and anything else to
/// a trash at the top of its file system, so that moving never copies. See
/// <https://specifications.freedesktop.org/trash-spec/1.0/>.
public struct Trash: Sendable {
  /// The folder of the user's own trash.
  private let home: [UInt8]
  private let userID: UInt32
  private let deletionDate: String

  /// Creates the trash of a user.
  ///
  /// - Parameters:
  ///   - dataHome: The folder of the user's data: `$XDG_DATA_HOME`, or `~/.local/share`.
  ///   - userID: The user.
  ///   - deletionDate: The local time as `2026-11-30T04:00:00`, which is written down.
  public init(dataHome: [UInt8], userID: UInt32, deletionDate: String) {
    home = dataHome + Array("/Trash".utf8)
    self.userID = userID
    self.deletionDate = deletionDate
  }

  /// Moves an entry to the trash, if it is what was scanned.
  ///
  /// - Parameters:
  ///   - target: The entry.
  ///   - remover: Knows the root that the target is below.
  /// - Returns: What came of it; nothing is freed.
  public func move(
    _ target: EntryRemover.Target,
    of remover: EntryRemover
  ) -> EntryRemover.Report {
    remover.withTarget(target) { parent, name, status in
      var report = EntryRemover.Report()
      func fail(_ reason: EntryRemover.Failure.Reason) -> EntryRemover.Report {
        report.failures = [EntryRemover.Failure(names: target.names, reason: reason)]
        return report
      }
      var path = remover.root
      for part in target.names { path += (path.last == 0x2f ? [] : [0x2f]) + part }
      guard let can = can(for: path, device: status.device) else { return fail(.last("mkdir")) }
      defer { can.close() }
      guard let slot = can.reserve(target.names[target.names.count - 1], deletionDate) else {
        return fail(.last("open"))
      }
      guard plat_rename_exclusively(parent, name, can.files, slot) == 0 else {
        let reason = EntryRemover.Failure.Reason.last("rename")
        can.giveUp(slot)
        return fail(reason)
      }
      report.progress.entries = 1
      report.isComplete = true
      return report
    }
  }

  /// Opens the trash for a path on a device, and makes it if there is none.
  private func can(for path: [UInt8], device: UInt64) -> Can? {
    if let can = Can(home, path: path, device: device) { return can }
    guard let top = topDirectory(of: path, device: device) else { return nil }
    let prefix = top == [0x2f] ? top : top + [0x2f]
    let relative = Array(path.dropFirst(prefix.count))
    return Can(prefix + Array(".Trash-\(userID)".utf8), path: relative, device: device)
  }

  /// The highest directory above a path that is on a device.
  private func topDirectory(of path: [UInt8], device: UInt64) -> [UInt8]? {
    var top: [UInt8]?
    var end = path.count
    while let slash = path[..<end].lastIndex(of: 0x2f) {
      let directory = slash == 0 ? [0x2f] : Array(path[..<slash])
      var status = PlatStatus()
      guard plat_status(AT_FDCWD, cString(directory), Int32(PLAT_FOLLOW), &status) == 0,
        status.device == device
      else { break }
      top = directory
      end = slash
    }
    return top
  }
}

/// An open folder of trash.
private struct Can {
  let files: Int32
  private let info: Int32
  private let path: [UInt8]

  /// Opens a folder of trash on a device, and makes it if there is none.
  init?(_ folder: [UInt8], path: [UInt8], device: UInt64) {
    Self.makeDirectories(folder)
    var status = PlatStatus()
    // A link in place of the folder could lead anywhere.
    guard plat_status(AT_FDCWD, cString(folder), 0, &status) == 0 else { return nil }
    guard status.isDirectory, status.device == device, status.owner == geteuid() else {
      errno = EXDEV
      return nil
    }
    func open(_ name: String) -> Int32 {
      let path = cString(folder + Array(name.utf8))
      mkdir(path, 0o700)
      return plat_open_directory(AT_FDCWD, path, 0)
    }
    files = open("/files")
    info = open("/info")
    self.path = path
    guard files >= 0, info >= 0 else {
      let code = errno
      close()
      errno = code
      return nil
    }
  }

  private static func makeDirectories(_ folder: [UInt8]) {
    for (index, byte) in folder.enumerated() where byte == 0x2f && index > 0 {
      mkdir(cString(Array(folder[..<index])), 0o700)
    }
    mkdir(cString(folder), 0o700)
  }

  func close() {
    if files >= 0 { Glibc.close(files) }
    if info >= 0 { Glibc.close(info) }
  }

  /// Finds a free name, and writes down where the entry was.
  ///
  /// - Returns: The name for the entry in ``files``, or `nil` with the reason in `errno`.
  func reserve(_ name: [UInt8], _ date: String) -> [CChar]? {
    // A name has 255 bytes, of which the ending of the information takes some.
    let stem = Array(name.prefix(230))
    for attempt in 0..<10_000 {
      let slot = attempt == 0 ? stem : stem + Array(".\(attempt)".utf8)
      let file = openat(
        info,
        cString(slot + Array(".trashinfo".utf8)),
        O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
        0o600
      )
      if file < 0, errno == EEXIST { continue }
      guard file >= 0 else { return nil }
      let text = "[Trash Info]\nPath=\(Self.escaped(path))\nDeletionDate=\(date)\n"
      let isWritten = Array(text.utf8).withUnsafeBytes { bytes in
        write(file, bytes.baseAddress, bytes.count) == bytes.count
      }
      let code = errno
      Glibc.close(file)
      guard isWritten else {
        giveUp(cString(slot))
        errno = code
        return nil
      }
      var status = PlatStatus()
      // Something without information may have the name.
      if plat_status(files, cString(slot), 0, &status) == 0 {
        giveUp(cString(slot))
        continue
      }
      return cString(slot)
    }
    errno = EEXIST
    return nil
  }

  /// Takes back what was written for a name.
  func giveUp(_ slot: [CChar]) {
    let name = slot.dropLast().map(UInt8.init(bitPattern:)) + Array(".trashinfo".utf8)
    unlinkat(info, cString(name), 0)
  }

  /// Writes a path as a URL does, with `%` for all but plain characters.
  private static func escaped(_ path: [UInt8]) -> String {
    var text = ""
    for byte in path {
      let isPlain =
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
        || (0x61...0x7A).contains(byte) || [0x2D, 0x2E, 0x2F, 0x5F, 0x7E].contains(byte)
      if isPlain {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        text += "%" + (digits.count < 2 ? "0" : "") + digits
      }
    }
    return text
  }
}
