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
    let earlier = job.rescan.trees[Int(old.tree)]
    let row = earlier.row(of: old.directory)
    // On the way to a mount point names are not what the directory alone says they are.
    guard row.isTrusted, place.map({ job.plan[$0].children.isEmpty }) ?? true,
      mayReuse(row, old, task)
    else { return false }
    rescan.check.prepare(row.listing, earlier.recheck(of: row, job.rescan.level))
    guard rescan.check.isSound,
      let found = examine(
        task,
        at,
        needsDescriptor: rescan.check.count > 0 || !row.children.isEmpty
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
      && isUnchanged(row, directory, old)
      && takeListing(row.listing, of: directory, old)
    guard isTaken else {
      if found.file >= 0 { close(found.file) }
      return false
    }
    filter.pass(task)
    descend(directory, into: row.children, old)
    return true
  }

  /// Whether what is left out of a directory is told by its old exclusions.
  private func mayReuse(
    _ row: EarlierTree.Row,
    _ old: OldDirectory,
    _ task: DirectoryTask
  ) -> Bool {
    guard filter.readsControlFiles else { return true }
    let earlier = job.rescan.trees[Int(old.tree)]
    let names =
      row.children.map { earlier.name(at: $0) }
      + earlier.exclusions(of: old.directory).map { $0.name[...] }
    return filter.hasNothingToRead(task, names: names, row.listing)
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

  private mutating func isUnchanged(
    _ row: EarlierTree.Row,
    _ directory: Directory,
    _ old: OldDirectory
  ) -> Bool {
    guard let fileSystem = knownFileSystem(of: directory) else { return false }
    return row.isUnchanged(directory.status, on: fileSystem, ofTree: old.tree)
  }

  /// Returns what the earlier scans know of the file system of a directory.
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
    guard !job.rescan.isEmpty, let fileSystem = knownFileSystem(of: directory) else { return nil }
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
    for exclusion in job.rescan.trees[Int(old.tree)].exclusions(of: old.directory) {
      var exclusion = exclusion
      exclusion.directory = DirectoryID(directory.task.number)
      batch.exclusions.append(exclusion)
    }
    rescan.calls.directoriesReused += 1
    rescan.calls.entriesRechecked += rescan.check.count
    rescan.unverified[Int(old.tree)] += rescan.check.unverified
    deliver(directory, [], listingFrom: start, rescan.check.summary, issues: 0)
    return true
  }

  /// Goes on with the subdirectories of an unchanged directory.
  private mutating func descend(
    _ directory: Directory,
    into children: Range<Int>,
    _ old: OldDirectory
  ) {
    guard let first = children.first, !job.isCancelled else {
      if directory.file >= 0 { close(directory.file) }
      return
    }
    let earlier = job.rescan.trees[Int(old.tree)]
    var names = SubdirectoryNames(first: job.takeNumbers(children.count))
    names.old = .run(OldDirectory(tree: old.tree, directory: DirectoryID(first)))
    for child in children { names.append(earlier.name(at: child)) }
    batch.announce(
      parent: directory.task.number,
      first: names.first,
      names: names.bytes,
      starts: names.starts
    )
    addTasks(names, below: directory)
  }
}
