import CPlatSystem
import Glibc
import PlatTree

extension ScanWorker {
  /// Returns why a directory is left out if it is on a mount that came since the plan was made.
  internal func exclusionOfNewMount(
    _ status: DirectoryStatus,
    in parent: OpenDirectory
  ) -> Exclusion.Reason? {
    guard status.mountID != parent.identity.mountID else { return nil }
    if let reason = job.exclusionOfNewMount(status.mountID) { return reason }
    // A directory that is mounted inside itself would have no end.
    let isLoop = parent.isAtOrBelow(
      device: status.details.device,
      inode: status.details.inode
    )
    return isLoop ? .countedElsewhere : nil
  }

  /// Waits a moment if descriptors have run out: other workers close some all the time.
  ///
  /// - Returns: Whether to try again.
  private func waitForDescriptor(_ reason: Int32, _ attempts: inout Int) -> Bool {
    guard reason == EMFILE || reason == ENFILE, attempts < 200, !job.isCancelled else {
      return false
    }
    attempts += 1
    usleep(5_000)
    return true
  }

  /// Opens a directory again whose descriptor was not kept.
  ///
  /// - Returns: The descriptor, or -1 with the reason in `errno`.
  internal mutating func openAgain(_ directory: OpenDirectory) -> Int32 {
    var attempts = 0
    while true {
      let file = descriptors.open(directory, onClose: job.descriptorClosed)
      let reason = errno
      if file >= 0 || !waitForDescriptor(reason, &attempts) {
        errno = reason
        return file
      }
    }
  }

  /// Opens a directory; what cannot be opened is noted.
  internal mutating func openRetrying(_ at: Int32, _ task: DirectoryTask, follow: Bool) -> Int32? {
    let parent = task.parent
    var attempts = 0
    while true {
      let file =
        parent.withName(at: task.nameOffset) { name in
          openDirectory(
            at: at,
            name,
            follow: follow,
            ownsDirectory: job.userID == 0 || parent.owner == job.userID
          )
        } ?? -1
      if file >= 0 { return file }
      let reason = errno
      if waitForDescriptor(reason, &attempts) { continue }
      noteUnopened(at, task, reason)
      return nil
    }
  }

  /// Notes a directory that could not be opened: what it is by now decides what it counts as.
  private mutating func noteUnopened(_ at: Int32, _ task: DirectoryTask, _ reason: Int32) {
    let parent = task.parent
    let isRoot = parent.parent == nil
    var status = PlatStatus()
    let answer =
      parent.withName(at: task.nameOffset) { name in
        plat_status(at, name, isRoot ? Int32(PLAT_FOLLOW) : 0, &status)
      } ?? -1
    // Of one root alone that cannot be read there is nothing to tell.
    if isRoot, answer != 0 || !status.isDirectory || job.hasOneRoot {
      report(task, "openat", reason)
      return
    }
    if answer != 0, errno == ENOENT { return }
    if answer == 0, !status.isDirectory {
      batch.appendLate(
        ListingEntry(status),
        name: parent.name(at: task.nameOffset),
        to: parent.number
      )
      counters.add(entries: 1, directories: 0, allocatedSize: status.blocks &* 512, issues: 0)
      return
    }
    var details = answer == 0 ? DirectoryDetails(&status) : DirectoryDetails()
    if answer != 0 { details.device = parent.identity.device }
    details.flags.insert(.isUnreadable)
    batch.directories.append(
      FileTree.Batch.Directory(
        number: task.number,
        details: details,
        listing: batch.bytes.count..<batch.bytes.count,
        summary: ListingSummary()
      )
    )
    batch.issues.append(
      Issue(directory: DirectoryID(task.number), name: nil, call: "openat", code: reason)
    )
    counters.add(entries: 1, directories: 1, allocatedSize: details.allocatedSize, issues: 1)
  }

  internal mutating func report(_ task: DirectoryTask, _ call: String, _ code: Int32) {
    let isRoot = task.parent.parent == nil
    guard code != ENOENT || isRoot else { return }
    if isRoot {
      let path = task.parent.name(at: task.nameOffset)
      job.rootFailed(.system(call: call, path: path, code: code))
    }
    batch.issues.append(
      Issue(
        directory: DirectoryID(max(task.parent.number, 0)),
        name: task.parent.name(at: task.nameOffset),
        call: call,
        code: code
      )
    )
    counters.add(entries: 0, directories: 0, allocatedSize: 0, issues: 1)
  }

  internal mutating func exclude(_ task: DirectoryTask, _ reason: Exclusion.Reason) {
    batch.exclusions.append(
      Exclusion(
        directory: DirectoryID(max(task.parent.number, 0)),
        name: task.parent.name(at: task.nameOffset),
        kind: .directory,
        reason: reason
      )
    )
  }
}
