import CPlatSystem
import Glibc

/// Removes what a scan saw, and nothing else.
///
/// An entry is looked at just before it goes: it has to be the same inode on the same device as in the
/// scan. Every step is taken from an open directory and by one name, so that no link is followed and no
/// way leads out of the tree, whatever others do to it meanwhile. Nothing on another mount is touched.
///
/// ```swift
/// let remover = EntryRemover(root: Array("/srv".utf8))
/// let report = remover.remove(target) { $0.entries < 1000 }
/// ```
public struct EntryRemover: Sendable {
  /// An entry to be removed.
  public struct Target: Hashable, Sendable {
    /// The names that lead from the root to the entry, one a directory.
    public var names: [[UInt8]]
    /// The device that the entry was on.
    public var device: UInt64
    /// The inode that the entry was.
    public var inode: UInt64

    /// Creates a target.
    ///
    /// - Parameters:
    ///   - names: The names that lead from the root to the entry; at least one.
    ///   - device: The device that the scan found it on, `st_dev`.
    ///   - inode: The inode number that the scan found.
    public init(names: [[UInt8]], device: UInt64, inode: UInt64) {
      (self.names, self.device, self.inode) = (names, device, inode)
    }
  }

  /// How much has been removed.
  public struct Progress: Hashable, Sendable {
    /// The entries that are gone.
    public var entries = 0
    /// The bytes that this gave back: those of files whose last name went, and of directories.
    public var freedSize: UInt64 = 0

    /// Creates the progress of a removal that has not begun.
    public init() {}
  }

  /// Something that could not be removed.
  public struct Failure: Hashable, Sendable {
    /// Why an entry stayed.
    public enum Reason: Hashable, Sendable {
      /// It is not what was scanned: another inode, or on another device.
      case changed
      /// A file system is mounted there.
      case mountPoint
      /// A system call failed.
      case system(call: String, code: Int32)
    }

    /// The names that lead from the root to the entry.
    public var names: [[UInt8]]
    /// Why it stayed.
    public var reason: Reason
  }

  /// What came of a removal.
  public struct Report: Hashable, Sendable {
    /// How much was removed.
    public var progress = Progress()
    /// What could not be removed, apart from the directories that hold it.
    public var failures: [Failure] = []
    /// Whether it was broken off.
    public var wasStopped = false
    /// Whether nothing of the target is left.
    public var isComplete = false
  }

  internal let root: [UInt8]

  /// Creates a remover.
  ///
  /// - Parameter root: The path that was scanned. Links in it are followed, as the scan did.
  public init(root: [UInt8]) { self.root = root }

  /// Removes an entry, and what is below it.
  ///
  /// What cannot be removed is reported, and the rest is removed all the same.
  ///
  /// - Parameters:
  ///   - target: The entry.
  ///   - shouldGoOn: Told how much is gone after each entry; the removal stops when it says no.
  /// - Returns: What came of it.
  /// - Precondition: The target has at least one name, and none that is empty, `.`, `..` or has a
  ///   slash.
  public func remove(
    _ target: Target,
    shouldGoOn: (Progress) -> Bool = { _ in true }
  ) -> Report {
    withTarget(target) { parent, name, status in
      if status.isDirectory {
        var walk = RemovalWalk(target.names, mountID: status.mount_id, device: status.device)
        walk.remove(name, in: parent, status, shouldGoOn)
        return walk.report
      }
      var report = Report()
      guard unlinkat(parent, name, 0) == 0 else {
        report.failures = [Failure(names: target.names, reason: .last("unlinkat"))]
        return report
      }
      report.progress.add(status)
      report.isComplete = true
      _ = shouldGoOn(report.progress)
      return report
    }
  }

  /// Opens the directory of a target, and calls `body` if the target is what was scanned.
  internal func withTarget(
    _ target: Target,
    _ body: (_ parent: Int32, _ name: [CChar], _ status: PlatStatus) -> Report
  ) -> Report {
    let isPlain = target.names.allSatisfy { name in
      !name.isEmpty && !name.contains(0x2f) && !name.contains(0) && name != [0x2e]
        && name != [0x2e, 0x2e]
    }
    precondition(!target.names.isEmpty && isPlain, "a target is names below the root")
    var report = Report()
    var directory = plat_open_directory(AT_FDCWD, cString(root), Int32(PLAT_FOLLOW))
    for (index, name) in target.names.dropLast().enumerated() where directory >= 0 {
      let next = plat_open_directory(directory, cString(name), 0)
      let code = errno
      close(directory)
      errno = code
      directory = next
      guard directory < 0 else { continue }
      let names = Array(target.names[...index])
      report.failures = [Failure(names: names, reason: .last("openat"))]
    }
    guard directory >= 0 else {
      if report.failures.isEmpty {
        report.failures = [Failure(names: [], reason: .last("openat"))]
      }
      return report
    }
    defer { close(directory) }
    let name = cString(target.names[target.names.count - 1])
    var status = PlatStatus()
    guard plat_status(directory, name, 0, &status) == 0 else {
      report.failures = [Failure(names: target.names, reason: .last("statx"))]
      return report
    }
    guard status.inode == target.inode, status.device == target.device else {
      report.failures = [Failure(names: target.names, reason: .changed)]
      return report
    }
    guard !status.isMountRoot else {
      report.failures = [Failure(names: target.names, reason: .mountPoint)]
      return report
    }
    return body(directory, name, status)
  }
}

extension EntryRemover.Progress {
  /// Counts an entry that is gone.
  internal mutating func add(_ status: PlatStatus) {
    entries += 1
    guard status.isDirectory || status.link_count <= 1 else { return }
    let (size, overflow) = status.blocks.multipliedReportingOverflow(by: 512)
    let (sum, carry) = freedSize.addingReportingOverflow(size)
    freedSize = overflow || carry ? .max : sum
  }
}

extension EntryRemover.Failure.Reason {
  /// The reason that a call left in `errno`.
  internal static func last(_ call: String) -> Self { .system(call: call, code: errno) }
}

internal func cString(_ name: [UInt8]) -> [CChar] { name.map(CChar.init(bitPattern:)) + [0] }
