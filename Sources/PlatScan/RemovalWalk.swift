import CPlatSystem
import Glibc

/// The removal of one directory with everything in it, without recursion.
///
/// Descriptors are few: those of directories far above are closed, and opened again through `..`, where
/// they are known by their inode.
internal struct RemovalWalk: ~Copyable {
  /// A directory that is being emptied.
  private struct Level {
    /// Its name in the directory above.
    var name: [CChar]
    var status: PlatStatus
    var descriptor: Int32
    /// The subdirectories that are still to be removed.
    var subdirectories: [[CChar]] = []
    /// Whether something stays in it, so that it stays itself.
    var isKept = false
  }

  internal private(set) var report = EntryRemover.Report()
  private let names: [[UInt8]]
  private let mountID: UInt64
  private let device: UInt64
  private var levels: [Level] = []
  private var reader = DirectoryReader()

  /// The descriptors to keep open.
  private static let openLevels = 32
  /// Nobody reads more.
  private static let failureLimit = 10_000

  /// Creates the walk of a directory.
  ///
  /// - Parameters:
  ///   - names: The names that lead to it, for reports.
  ///   - mountID: The mount that it is on.
  ///   - device: The device that it is on, where mounts are not known.
  internal init(_ names: [[UInt8]], mountID: UInt64, device: UInt64) {
    (self.names, self.mountID, self.device) = (names, mountID, device)
  }

  deinit {
    for level in levels where level.descriptor >= 0 { close(level.descriptor) }
  }

  /// Removes the directory `name` of an open directory.
  internal mutating func remove(
    _ name: [CChar],
    in parent: Int32,
    _ status: PlatStatus,
    _ shouldGoOn: (EntryRemover.Progress) -> Bool
  ) {
    guard enter(name, in: parent, status) else { return }
    while let level = levels.last {
      if !report.wasStopped { emptyFiles(shouldGoOn) }
      if !report.wasStopped, let next = levels[levels.count - 1].subdirectories.popLast() {
        descend(into: next)
      } else {
        leave(level.name, parent: parent, shouldGoOn)
      }
    }
  }

  // MARK: Going down and up

  private mutating func descend(into name: [CChar]) {
    let index = levels.count - 1
    let directory = levels[index].descriptor
    var status = PlatStatus()
    guard plat_status(directory, name, 0, &status) == 0 else {
      if errno != ENOENT { fail(name, .last("statx")) }
      return
    }
    guard status.isDirectory else {
      // It has become something else since it was listed; that is no longer what was to go.
      return fail(name, .changed)
    }
    guard !status.isMountRoot, status.mount_id == mountID, status.device == device else {
      return fail(name, .mountPoint)
    }
    _ = enter(name, in: directory, status)
  }

  /// Opens a directory and lists it.
  private mutating func enter(_ name: [CChar], in parent: Int32, _ status: PlatStatus) -> Bool {
    let descriptor = plat_open_directory(parent, name, 0)
    guard descriptor >= 0 else {
      fail(name, .last("openat"))
      return false
    }
    var opened = PlatStatus()
    guard plat_status(descriptor, "", 0, &opened) == 0, opened.inode == status.inode,
      opened.device == status.device
    else {
      close(descriptor)
      fail(name, .changed)
      return false
    }
    levels.append(Level(name: name, status: status, descriptor: descriptor))
    let far = levels.count - 1 - Self.openLevels
    if far >= 0, levels[far].descriptor >= 0 {
      close(levels[far].descriptor)
      levels[far].descriptor = -1
    }
    isListed = false
    return true
  }

  /// Whether the files of the innermost directory have been removed.
  private var isListed = false

  /// Removes an empty directory, and goes back to the one above.
  private mutating func leave(
    _ name: [CChar],
    parent: Int32,
    _ shouldGoOn: (EntryRemover.Progress) -> Bool
  ) {
    let level = levels.removeLast()
    isListed = true
    let isOutermost = levels.isEmpty
    var above = isOutermost ? parent : levels[levels.count - 1].descriptor
    if above < 0 {
      above = reopen(through: level.descriptor)
      levels[levels.count - 1].descriptor = above
    }
    close(level.descriptor)
    guard !level.isKept, !report.wasStopped, above >= 0 else {
      keepAbove()
      // Without a way back nothing above can be removed, nor can what else it holds.
      if above < 0 { report.wasStopped = true }
      return
    }
    // Only an empty directory goes, so that what has come meanwhile stays.
    guard unlinkat(above, name, AT_REMOVEDIR) == 0 || errno == ENOENT else {
      return fail(name, .last("rmdir"))
    }
    count(level.status, shouldGoOn)
    if isOutermost { report.isComplete = true }
  }

  private func reopen(through child: Int32) -> Int32 {
    let expected = levels[levels.count - 1].status
    let descriptor = plat_open_directory(child, "..", 0)
    guard descriptor >= 0 else { return -1 }
    var status = PlatStatus()
    guard plat_status(descriptor, "", 0, &status) == 0, status.inode == expected.inode,
      status.device == expected.device
    else {
      close(descriptor)
      return -1
    }
    return descriptor
  }

  // MARK: Files

  /// Removes what is in the innermost directory and is none itself, once.
  private mutating func emptyFiles(_ shouldGoOn: (EntryRemover.Progress) -> Bool) {
    guard !isListed else { return }
    isListed = true
    let index = levels.count - 1
    let directory = levels[index].descriptor
    let failure = reader.read(directory) { false }
    if failure != 0 { fail(nil, .system(call: "getdents64", code: failure)) }
    while !report.wasStopped, let record = reader.next() {
      let name = Array(UnsafeBufferPointer(start: record.name, count: strlen(record.name) + 1))
      var status = PlatStatus()
      guard plat_status(directory, name, 0, &status) == 0 else {
        if errno != ENOENT { fail(name, .last("statx")) }
        continue
      }
      if status.isDirectory {
        levels[index].subdirectories.append(name)
      } else if status.isMountRoot {
        fail(name, .mountPoint)
      } else if unlinkat(directory, name, 0) == 0 {
        count(status, shouldGoOn)
      } else if errno != ENOENT {
        fail(name, .last("unlinkat"))
      }
    }
    reader.shrink()
  }

  // MARK: Reporting

  private mutating func count(
    _ status: PlatStatus,
    _ shouldGoOn: (EntryRemover.Progress) -> Bool
  ) {
    report.progress.add(status)
    if !shouldGoOn(report.progress) { report.wasStopped = true }
  }

  /// Reports an entry of the innermost directory, or that directory itself.
  private mutating func fail(_ name: [CChar]?, _ reason: EntryRemover.Failure.Reason) {
    keepAbove()
    guard report.failures.count < Self.failureLimit else { return }
    // The outermost directory is the last of `names` already.
    var path = names
    for level in levels.dropFirst() { path.append(bytes(of: level.name)) }
    if let name, !levels.isEmpty { path.append(bytes(of: name)) }
    report.failures.append(EntryRemover.Failure(names: path, reason: reason))
  }

  private mutating func keepAbove() {
    if !levels.isEmpty { levels[levels.count - 1].isKept = true }
  }

  private func bytes(of name: [CChar]) -> [UInt8] {
    name.dropLast().map(UInt8.init(bitPattern:))
  }
}
