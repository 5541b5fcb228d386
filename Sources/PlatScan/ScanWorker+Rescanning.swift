import CPlatSystem
import Glibc
import PlatTree

extension ScanWorker {
  /// Takes what a directory holds from an earlier scan, if it is unchanged since.
  ///
  /// - Parameters:
  ///   - old: The directory of the earlier scan that had this one's place.
  ///   - task: The directory.
  ///   - at: A descriptor of the directory that holds it, or that it is looked up from.
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
    prepareCheck(earlier, row, old.directory)
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
    rescan.path.cut(to: 0)
    guard isPlannedHere(directory), isUnchanged(row, directory, old),
      rescan.check.run(
        in: directory.file,
        below: &rescan.path,
        on: found.status,
        isCancelled: { job.isCancelled }
      )
    else {
      if found.file >= 0 { plat_close_directory(found.file) }
      return false
    }
    filter.pass(task)
    let first = row.children.isEmpty ? 0 : job.takeNumbers(row.children.count)
    take(earlier, row, old, task.number, details(of: directory), firstSubdirectory: first)
    if job.wantsPath { job.setPath(path(of: directory)) }
    descend(directory, old, firstSubdirectory: first)
    return true
  }

  /// Finds out which entries of a directory are to be looked at: mostly without its listing.
  internal mutating func prepareCheck(
    _ earlier: EarlierTree,
    _ row: EarlierTree.Row,
    _ directory: DirectoryID
  ) {
    let recheck = earlier.recheck(of: row, job.rescan.level)
    if case .due(let rule) = recheck, !rule.isTurn, let files = earlier.knownFiles(of: directory),
      rule.leavesAll(files)
    {
      rescan.check.leaveAll(files)
    } else {
      rescan.check.prepare(earlier.listing(of: directory), recheck)
    }
  }

  /// Whether what is left out of a directory is told by its old exclusions.
  private mutating func mayReuse(
    _ row: EarlierTree.Row,
    _ old: OldDirectory,
    _ task: DirectoryTask
  ) -> Bool {
    guard filter.readsControlFiles else { return true }
    let earlier = job.rescan.trees[Int(old.tree)]
    let names =
      row.children.map { earlier.name(at: $0) }
      + earlier.exclusions(of: old.directory).map { $0.name[...] }
    return filter.hasNothingToRead(task, names: names, earlier.listing(of: old.directory))
  }

  /// Looks at a directory, by name or after opening it as a place to start from.
  ///
  /// - Returns: Its status, and a descriptor or -1; `nil` if it cannot be had.
  private mutating func examine(
    _ task: DirectoryTask,
    _ at: Int32,
    needsDescriptor: Bool
  ) -> (file: Int32, status: DirectoryStatus)? {
    let isRoot = task.parent.parent == nil
    let options = isRoot ? Int32(PLAT_FOLLOW) : 0
    let status = status
    if !needsDescriptor {
      let answer = withLookupPath(of: task) { plat_status(at, $0, options, status) } ?? -1
      guard answer == 0, status.pointee.isDirectory else { return nil }
      let found = DirectoryStatus(status)
      if rescan.fileSystem?.device == found.details.device
        || job.fileSystems.isDescribed(found.details.device)
      {
        return (-1, found)
      }
      // A file system that nobody has described has to be asked.
    }
    let file = withLookupPath(of: task) { plat_open_place(at, $0, options) } ?? -1
    guard file >= 0 else { return nil }
    guard plat_status(file, "", 0, status) == 0 else {
      plat_close_directory(file)
      return nil
    }
    return (file, DirectoryStatus(status))
  }

  /// Calls `body` with the path of a directory from where it is looked up: mostly its name.
  private mutating func withLookupPath<Result>(
    of task: DirectoryTask,
    _ body: (UnsafePointer<CChar>) -> Result
  ) -> Result? {
    guard let lookup = task.parent.lookup else {
      return task.parent.withName(at: task.nameOffset, body)
    }
    let name = task.parent.names[task.nameOffset...].prefix { $0 != 0 }
    rescan.path.cut(to: 0)
    rescan.path.append(lookup.path, lookup.path.indices)
    rescan.path.append(task.parent.names, name.indices)
    return body(rescan.path.start)
  }

  /// Whether a directory is on the mount that it was expected on.
  private mutating func isPlannedHere(_ directory: Directory) -> Bool {
    directory.task.parent.parent == nil
      || directory.place.map { job.plan[$0].isMountPoint } ?? false
      || directory.status.mountID == directory.task.parent.identity.mountID
  }

  private mutating func isUnchanged(
    _ row: EarlierTree.Row,
    _ directory: Directory,
    _ old: OldDirectory
  ) -> Bool {
    guard let fileSystem = knownFileSystem(of: directory) else { return false }
    return row.isUnchanged(directory.status.details, on: fileSystem, ofTree: old.tree)
  }

  /// Returns what the earlier scans know of the file system of a directory.
  private mutating func knownFileSystem(of directory: Directory) -> RescanPlan.KnownFileSystem? {
    let device = directory.status.details.device
    if let known = rescan.fileSystem, known.device == device { return known }
    if !job.fileSystems.isDescribed(device) {
      // The file system answers to a descriptor that is open for reading.
      guard directory.file >= 0 else { return nil }
      let file = openDirectory(at: directory.file, ".", ownsDirectory: job.userID == 0)
      guard file >= 0 else { return nil }
      defer { plat_close_directory(file) }
      job.fileSystems.describe(directory.status, file)
    }
    let known = job.rescan.know(job.fileSystems.describe(device))
    rescan.fileSystem = known
    return known
  }

  /// Describes the file system of a directory that is open for reading.
  internal mutating func describeFileSystem(_ status: DirectoryStatus, _ file: Int32) {
    guard status.details.device != rescan.describedDevice else { return }
    rescan.describedDevice = status.details.device
    job.fileSystems.describe(status, file)
    readsBlocksWhole = job.fileSystems.describe(status.details.device).readsBlocksWhole
  }

  /// Finds a directory that has to be read in an earlier scan, for the sake of what is below it.
  internal mutating func oldDirectory(of directory: Directory) -> OldDirectory? {
    guard !job.rescan.isEmpty, let fileSystem = knownFileSystem(of: directory) else { return nil }
    let status = directory.status.details
    if let old = directory.task.old, job.rescan.isSame(old, status, on: fileSystem) { return old }
    // Patterns may say something else in another place.
    return filter.isOff ? job.rescan.find(status, on: fileSystem) : nil
  }

  // MARK: - What an unchanged directory holds

  /// Hands an unchanged directory over: as one of the earlier tree, if nothing about it has changed, or
  /// with a listing that was brought up to date.
  ///
  /// - Parameters:
  ///   - earlier: The earlier tree.
  ///   - row: What it knows of the directory.
  ///   - old: The directory there.
  ///   - number: The number of the directory.
  ///   - details: What is known of the directory by now.
  ///   - first: The number of its first subdirectory.
  internal mutating func take(
    _ earlier: EarlierTree,
    _ row: EarlierTree.Row,
    _ old: OldDirectory,
    _ number: Int,
    _ details: DirectoryDetails,
    firstSubdirectory first: Int
  ) {
    for exclusion in earlier.exclusions(of: old.directory) {
      var exclusion = exclusion
      exclusion.directory = DirectoryID(number)
      batch.exclusions.append(exclusion)
    }
    rescan.calls.directoriesReused += 1
    rescan.calls.entriesRechecked += rescan.check.count
    rescan.unverified[Int(old.tree)] += rescan.check.unverified
    if !rescan.check.hasChanges, row.isAlike(details) {
      batch.reuse(
        old.directory,
        ofTree: Int(old.tree),
        as: number,
        firstSubdirectory: first,
        device: details.device
      )
      count(details, rescan.check.entries, rescan.check.allocatedSize, issues: 0)
      return
    }
    let start = batch.bytes.count
    let listing = earlier.listing(of: old.directory)
    let summary: ListingSummary
    if rescan.check.hasChanges {
      summary = rescan.check.encode(listing, with: &encoder, into: &batch.bytes)
    } else {
      summary = listing.summary
      batch.bytes.append(contentsOf: listing.bytes)
    }
    deliver(number, details, listingFrom: start, summary, issues: 0)
    guard !row.children.isEmpty else { return }
    batch.announce(
      parent: number,
      first: first,
      names: row.children.map { earlier.name(at: $0) }
    )
  }
}
