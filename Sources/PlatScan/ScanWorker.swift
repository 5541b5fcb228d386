import CPlatSystem
import Glibc
import PlatTree
import Synchronization

/// Reads directories on a thread of its own, until a job has no more.
///
/// A worker takes the directory it found last, so that few are open at once, and gives the oldest
/// half of what it has to workers that have none.
internal struct ScanWorker: ~Copyable {
  private let job: ScanJob
  internal let counters: ScanCounters
  private var tasks: [DirectoryTask] = []
  private var reader = DirectoryReader()
  private var encoder = ListingEncoder()
  private var batch = FileTree.Batch()
  private var descriptors = DescriptorCache()
  private var subdirectories: [Range<Int>] = []
  private var subdirectoryOrder = NameOrder()
  private var filter: EntryFilter

  /// A batch is handed over when it has this many bytes of listings or directories.
  private static let batchBytes = 1 << 18
  private static let batchDirectories = 2048
  /// Entries between two looks at whether the scan was cancelled.
  private static let cancellationStride = 256

  internal init(job: ScanJob, counters: ScanCounters) {
    self.job = job
    self.counters = counters
    filter = job.filter
  }

  /// Reads directories until there are none, or the job is cancelled.
  internal mutating func run() {
    while !job.isCancelled {
      guard let task = tasks.popLast() ?? job.queue.next() else { break }
      read(task)
      if job.queue.isShort, tasks.count > 1 {
        let half = tasks.count / 2
        job.queue.add(tasks[..<half])
        tasks.removeFirst(half)
      }
      if batch.bytes.count >= Self.batchBytes || batch.directories.count >= Self.batchDirectories {
        handOver()
      }
    }
    // What a cancelled scan leaves over closes its descriptors now, and not after this has ended.
    tasks = []
    descriptors.clear()
    handOver()
  }

  private mutating func handOver() {
    guard !batch.isEmpty else { return }
    job.insert(batch)
    batch.removeAll(keepingBytes: 4 * Self.batchBytes)
  }

  // MARK: - One directory

  /// Opens a directory, decides whether it is to be read, and reads it.
  private mutating func read(_ task: DirectoryTask) {
    let parent = task.parent
    defer { if parent.release() { job.descriptorClosed() } }
    let place = placeBelow(parent, task)
    if let reason = place.flatMap({ job.plan[$0].exclusion }) {
      exclude(task, reason)
      return
    }
    let at = parent.openDescriptor != -1 ? parent.openDescriptor : openAgain(parent)
    guard at != -1 else {
      report(task, "openat", errno)
      return
    }
    let isRoot = parent.parent == nil
    guard let file = openRetrying(at, task, follow: isRoot) else { return }
    var status = PlatStatus()
    guard plat_status(file, "", 0, &status) == 0 else {
      let reason = errno
      close(file)
      report(task, "statx", reason)
      return
    }
    let isPlanned = isRoot || place.map { job.plan[$0].isMountPoint } ?? false
    if !isPlanned, let reason = exclusionOfNewMount(status, in: parent) {
      close(file)
      exclude(task, reason)
      return
    }
    let failure = reader.read(file) { job.isCancelled }
    // It was removed after it was opened, and so it has vanished; a root is there all the same.
    if failure == ENOENT, !isRoot {
      close(file)
      return
    }
    let directory = Directory(task: task, file: file, status: status, place: place)
    list(directory, failure: failure == ENOENT ? 0 : failure)
    descend(directory)
  }

  /// Returns why a directory is left out if it is on a mount that came since the plan was made.
  private func exclusionOfNewMount(
    _ status: PlatStatus,
    in parent: OpenDirectory
  ) -> Exclusion.Reason? {
    guard status.mount_id != parent.identity.mountID else { return nil }
    if let reason = job.exclusionOfNewMount(status) { return reason }
    // A directory that is mounted inside itself would have no end.
    let isLoop = parent.isAtOrBelow(device: status.device, inode: status.inode)
    return isLoop ? .countedElsewhere : nil
  }

  private func placeBelow(_ parent: OpenDirectory, _ task: DirectoryTask) -> Int? {
    guard parent.parent != nil else { return job.rootPlace(ofTask: task) }
    guard parent.place >= 0 else { return nil }
    return job.plan[parent.place].children[parent.name(at: task.nameOffset)]
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
  private mutating func openAgain(_ directory: OpenDirectory) -> Int32 {
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
  private mutating func openRetrying(_ at: Int32, _ task: DirectoryTask, follow: Bool) -> Int32? {
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
    if isRoot, answer != 0 || !status.isDirectory {
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
    if answer != 0 {
      status = PlatStatus()
      status.device = parent.identity.device
    }
    var details = DirectoryDetails(status)
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

  private mutating func report(_ task: DirectoryTask, _ call: String, _ code: Int32) {
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

  private mutating func exclude(_ task: DirectoryTask, _ reason: Exclusion.Reason) {
    batch.exclusions.append(
      Exclusion(
        directory: DirectoryID(max(task.parent.number, 0)),
        name: task.parent.name(at: task.nameOffset),
        kind: .directory,
        reason: reason
      )
    )
  }

  // MARK: - What a directory holds

  /// An open directory that is being read.
  private struct Directory {
    var task: DirectoryTask
    var file: Int32
    var status: PlatStatus
    /// Its place in the mount plan.
    var place: Int?
  }

  /// Examines the entries of a directory: packs the listing, and sets the subdirectories.
  ///
  /// - Parameters:
  ///   - directory: The directory, whose records were read.
  ///   - failure: The error number that ended the reading, or 0.
  private mutating func list(_ directory: Directory, failure: Int32) {
    var details = DirectoryDetails(directory.status)
    if let place = directory.place, job.plan[place].isMountPoint {
      details.flags.insert(.isMountPoint)
    }
    let number = directory.task.number
    subdirectories.removeAll(keepingCapacity: true)
    var issues = 0
    if failure != 0 {
      details.flags.insert(.isPartial)
      issues += 1
      batch.issues.append(
        Issue(directory: DirectoryID(number), name: nil, call: "getdents64", code: failure)
      )
    }
    if reader.mostRecords > 0 { encoder.reserveCapacity(reader.mostRecords) }
    examineEntries(of: directory, issues: &issues)
    let start = batch.bytes.count
    let summary = reader.withBytes { encoder.encode(names: $0.span, into: &batch.bytes) }
    batch.directories.append(
      FileTree.Batch.Directory(
        number: number,
        details: details,
        listing: start..<batch.bytes.count,
        summary: summary
      )
    )
    counters.add(
      entries: summary.entries + 1,
      directories: 1,
      allocatedSize: summary.allocatedSize &+ details.allocatedSize,
      issues: issues
    )
    if job.wantsPath { job.setPath(path(of: directory)) }
  }

  private mutating func examineEntries(of directory: Directory, issues: inout Int) {
    let isFiltered = prepareFilter(for: directory, issues: &issues)
    let places = directory.place.map { job.plan[$0].children } ?? [:]
    // Many patterns can make one entry take as long as many others.
    let stride = isFiltered ? 1 : Self.cancellationStride
    var untilCheck = stride
    while var record = reader.next() {
      untilCheck -= 1
      if untilCheck == 0 {
        if job.isCancelled { return }
        untilCheck = stride
      }
      if isFiltered, let reason = filter.reason(for: &record, in: directory.file) {
        // What a cache holds is one exclusion, made already.
        if reason != .cache {
          exclude(record, EntryKind(directoryType: record.type), in: directory, reason)
        }
        continue
      }
      if record.type == UInt8(DT_DIR) {
        subdirectories.append(record.nameRange)
      } else {
        examine(record, in: directory, isFiltered, places, &issues)
      }
    }
  }

  /// Gets ready for leaving entries out of a directory.
  ///
  /// - Returns: Whether any can be.
  private mutating func prepareFilter(for directory: Directory, issues: inout Int) -> Bool {
    guard !filter.isOff else { return false }
    let number = DirectoryID(directory.task.number)
    let failures = filter.enter(directory.task, directory.file, &reader)
    issues += failures.count
    for failure in failures {
      let name = failure.name.withUTF8Buffer { Array($0) }
      let reason = failure.reason
      batch.issues.append(
        Issue(directory: number, name: name, call: reason.call, code: reason.code)
      )
    }
    if filter.isCache {
      batch.exclusions.append(
        Exclusion(directory: number, name: [], kind: .directory, reason: .cache)
      )
    }
    return filter.appliesToEntries
  }

  /// Reads the status of an entry that is not listed as a directory.
  @inline(__always)
  private mutating func examine(
    _ record: DirectoryReader.Record,
    in directory: Directory,
    _ isFiltered: Bool,
    _ places: [[UInt8]: Int],
    _ issues: inout Int
  ) {
    var status = PlatStatus()
    guard plat_status(directory.file, record.name, 0, &status) == 0 else {
      let reason = errno
      guard reason != ENOENT else { return }
      var entry = ListingEntry()
      entry.kind = EntryKind(directoryType: record.type)
      entry.isUnreadable = true
      encoder.append(entry, name: record.nameRange)
      issues += 1
      batch.issues.append(
        Issue(
          directory: DirectoryID(directory.task.number),
          name: bytes(record),
          call: "statx",
          code: reason
        )
      )
      return
    }
    guard !status.isDirectory else {
      // Only now it is known that patterns of directories may match.
      var record = record
      record.type = UInt8(DT_DIR)
      if isFiltered, let reason = filter.reason(for: &record, in: directory.file) {
        exclude(record, .directory, in: directory, reason)
      } else {
        subdirectories.append(record.nameRange)
      }
      return
    }
    if status.is_mount_root != 0, let reason = exclusion(ofMountedFile: record, status, places) {
      exclude(record, ListingEntry(status).kind, in: directory, reason)
      return
    }
    encoder.append(ListingEntry(status), name: record.nameRange)
  }

  /// Returns why a file that something is mounted on is left out.
  private func exclusion(
    ofMountedFile record: DirectoryReader.Record,
    _ status: PlatStatus,
    _ places: [[UInt8]: Int]
  ) -> Exclusion.Reason? {
    if let place = places[bytes(record)] { return job.plan[place].exclusion }
    return job.exclusionOfNewMount(status)
  }

  private mutating func exclude(
    _ record: DirectoryReader.Record,
    _ kind: EntryKind,
    in directory: Directory,
    _ reason: Exclusion.Reason
  ) {
    batch.exclusions.append(
      Exclusion(
        directory: DirectoryID(directory.task.number),
        name: bytes(record),
        kind: kind,
        reason: reason
      )
    )
  }

  private func bytes(_ record: DirectoryReader.Record) -> [UInt8] {
    reader.withBytes { Array($0[record.nameRange]) }
  }

  /// Makes the subdirectories of a directory tasks, and keeps its descriptor for them.
  private mutating func descend(_ directory: Directory) {
    guard !subdirectories.isEmpty, !job.isCancelled else {
      close(directory.file)
      reader.shrink()
      return
    }
    let names = takeSubdirectoryNames(of: directory)
    reader.shrink()
    let task = directory.task
    let keepsDescriptor = job.takeDescriptor()
    let node = OpenDirectory(
      parent: task.parent,
      nameOffset: task.nameOffset,
      number: task.number,
      names: names.bytes,
      identity: OpenDirectory.Identity(
        device: directory.status.device,
        inode: directory.status.inode,
        mountID: directory.status.mount_id
      ),
      owner: directory.status.owner,
      place: directory.place ?? -1,
      ignoreScope: filter.scope,
      descriptor: keepsDescriptor ? directory.file : -1,
      users: names.starts.count
    )
    if !keepsDescriptor { close(directory.file) }
    for (index, start) in names.starts.enumerated().reversed() {
      tasks.append(DirectoryTask(parent: node, nameOffset: start, number: names.first + index))
    }
  }

  /// The names of the subdirectories of a directory, each ended by NUL.
  private struct SubdirectoryNames {
    var bytes: [UInt8] = []
    var starts: [Int] = []
    /// The number of the first; the others count on.
    var first: Int
  }

  /// Sorts and numbers the subdirectories, and announces them to the tree's builder.
  private mutating func takeSubdirectoryNames(of directory: Directory) -> SubdirectoryNames {
    let ranges = subdirectories
    reader.withBytes { bytes in
      subdirectoryOrder.sort(ranges.count, names: bytes.span) { ranges[$0] }
    }
    let order = subdirectoryOrder.positions
    var names = SubdirectoryNames(first: job.takeNumbers(order.count))
    names.starts.reserveCapacity(order.count)
    names.bytes.reserveCapacity(ranges.reduce(0) { $0 + $1.count + 1 })
    reader.withBytes { bytes in
      for position in order {
        names.starts.append(names.bytes.count)
        // With its NUL, which follows the name in the record.
        let range = ranges[position].lowerBound..<ranges[position].upperBound + 1
        names.bytes.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[range]))
      }
    }
    batch.announce(
      parent: directory.task.number,
      first: names.first,
      names: names.bytes,
      starts: names.starts
    )
    return names
  }

  // MARK: - Paths

  private func path(of directory: Directory) -> [UInt8] {
    var path: [UInt8] = []
    for name in directory.task.components { path.appendComponent(name[...]) }
    return path
  }
}
