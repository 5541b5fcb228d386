import CPlatSystem
import Glibc
import PlatTree

extension ScanWorker {
  /// Takes what a directory holds from an earlier scan, if it is unchanged since.
  ///
  /// - Parameters:
  ///   - old: The directory of the earlier scan that had this one's place.
  ///   - task: The directory.
  ///   - at: A descriptor of the directory that holds it.
  ///   - place: Its place in the mount plan.
  /// - Returns: Whether that was done; if not, nothing was, and the directory is to be read.
  internal mutating func reuse(
    _ old: OldDirectory,
    for task: DirectoryTask,
    at: Int32,
    place: Int?
  ) -> Bool {
    let plan = job.rescan
    // On the way to a mount point names are not what the directory alone says they are.
    guard plan.isTrusted(old), place.map({ job.plan[$0].children.isEmpty }) ?? true,
      mayReuse(old, task)
    else { return false }
    let tree = plan.tree(of: old)
    let listing = tree.listing(of: old.directory)
    let recheck = plan.recheck(of: old)
    rescan.check.prepare(listing, recheck)
    guard rescan.check.isSound else { return false }
    let subdirectories = tree.subdirectories(of: old.directory)
    guard
      let found = examine(
        task,
        at,
        needsDescriptor: rescan.check.count > 0 || !subdirectories.isEmpty
      )
    else { return false }
    let directory = Directory(
      task: task,
      file: found.file,
      status: found.status,
      place: place,
      old: old
    )
    let isTaken =
      isPlannedHere(directory)
      && isUnchanged(old, directory)
      && takeListing(listing, of: directory, old)
    guard isTaken else {
      if found.file >= 0 { close(found.file) }
      return false
    }
    filter.pass(task)
    descend(directory, into: subdirectories, old)
    return true
  }

  /// Whether what is left out of a directory is told by its old exclusions.
  private func mayReuse(_ old: OldDirectory, _ task: DirectoryTask) -> Bool {
    guard !filter.isOff else { return true }
    guard !filter.readsControlFiles else {
      let tree = job.rescan.tree(of: old)
      let names =
        tree.subdirectories(of: old.directory).map { tree.name(of: $0) }
        + job.rescan.exclusions(of: old).map { $0.name[...] }
      return filter.hasNothingToRead(task, names: names, tree.listing(of: old.directory))
    }
    return true
  }

  /// Looks at a directory, by name or after opening it as a place to start from.
  ///
  /// - Returns: Its status, and a descriptor or -1; `nil` if it cannot be had.
  private func examine(
    _ task: DirectoryTask,
    _ at: Int32,
    needsDescriptor: Bool
  ) -> (file: Int32, status: PlatStatus)? {
    let isRoot = task.parent.parent == nil
    let options = isRoot ? Int32(PLAT_FOLLOW) : 0
    var status = PlatStatus()
    guard needsDescriptor else {
      let answer =
        task.parent.withName(at: task.nameOffset) { plat_status(at, $0, options, &status) } ?? -1
      return answer == 0 && status.isDirectory ? (-1, status) : nil
    }
    let file =
      task.parent.withName(at: task.nameOffset) { plat_open_place(at, $0, options) } ?? -1
    guard file >= 0 else { return nil }
    guard plat_status(file, "", 0, &status) == 0 else {
      close(file)
      return nil
    }
    return (file, status)
  }

  /// Whether a directory is on the mount that it was expected on.
  private func isPlannedHere(_ directory: Directory) -> Bool {
    directory.task.parent.parent == nil
      || directory.place.map { job.plan[$0].isMountPoint } ?? false
      || directory.status.mount_id == directory.task.parent.identity.mountID
  }

  private mutating func isUnchanged(_ old: OldDirectory, _ directory: Directory) -> Bool {
    guard let fileSystem = knownFileSystem(of: directory) else { return false }
    return job.rescan.isUnchanged(old, directory.status, on: fileSystem)
  }

  /// Returns what the baselines know of the file system of a directory.
  private mutating func knownFileSystem(of directory: Directory) -> RescanPlan.KnownFileSystem? {
    let device = directory.status.device
    if let known = rescan.fileSystem, known.device == device { return known }
    if !job.fileSystems.isDescribed(device) {
      // The file system answers to a descriptor that is open for reading.
      guard directory.file >= 0 else { return nil }
      let file = openDirectory(at: directory.file, ".", ownsDirectory: job.userID == 0)
      guard file >= 0 else { return nil }
      defer { close(file) }
      job.fileSystems.describe(directory.status, file)
    }
    let known = job.rescan.know(job.fileSystems.describe(device))
    rescan.fileSystem = known
    return known
  }

  /// Describes the file system of a directory that is open for reading.
  internal mutating func describeFileSystem(_ status: PlatStatus, _ file: Int32) {
    guard status.device != rescan.describedDevice else { return }
    rescan.describedDevice = status.device
    job.fileSystems.describe(status, file)
  }

  /// Finds a directory that has to be read in an earlier scan, for the sake of what is below it.
  internal mutating func oldDirectory(of directory: Directory) -> OldDirectory? {
    guard job.rescan.count > 0, let fileSystem = knownFileSystem(of: directory) else { return nil }
    let status = directory.status
    if let old = directory.task.old, job.rescan.isSame(old, status, on: fileSystem) { return old }
    // Patterns may say something else in another place.
    return filter.isOff ? job.rescan.find(status, on: fileSystem) : nil
  }

  // MARK: - What an unchanged directory holds

  /// Brings the old listing up to date, and hands the directory over.
  ///
  /// - Returns: Whether the directory turned out to be as it was when it was found unchanged.
  private mutating func takeListing(
    _ listing: Listing,
    of directory: Directory,
    _ old: OldDirectory
  ) -> Bool {
    guard rescan.check.run(in: directory.file, isCancelled: { job.isCancelled }) else {
      return false
    }
    let start = batch.bytes.count
    if rescan.check.hasChanges {
      rescan.check.encode(listing, with: &encoder, into: &batch.bytes)
    } else {
      batch.bytes.append(contentsOf: listing.bytes)
    }
    for exclusion in job.rescan.exclusions(of: old) {
      var exclusion = exclusion
      exclusion.directory = DirectoryID(directory.task.number)
      batch.exclusions.append(exclusion)
    }
    rescan.calls.directoriesReused += 1
    rescan.calls.entriesRechecked += rescan.check.count
    rescan.unverified[Int(old.baseline)] += rescan.check.unverified
    deliver(directory, [], listingFrom: start, rescan.check.summary, issues: 0)
    return true
  }

  /// Goes on with the subdirectories of an unchanged directory.
  private mutating func descend(
    _ directory: Directory,
    into children: DirectoryRange,
    _ old: OldDirectory
  ) {
    guard let first = children.first, !job.isCancelled else {
      if directory.file >= 0 { close(directory.file) }
      return
    }
    let tree = job.rescan.tree(of: old)
    var names = SubdirectoryNames(first: job.takeNumbers(children.count))
    names.old = .run(OldDirectory(baseline: old.baseline, directory: first))
    for child in children { names.append(tree.name(of: child)) }
    batch.announce(
      parent: directory.task.number,
      first: names.first,
      names: names.bytes,
      starts: names.starts
    )
    addTasks(names, below: directory)
  }
}
