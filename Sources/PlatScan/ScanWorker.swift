import CPlatSystem
import Glibc
import PlatTree
import Synchronization

/// Reads directories on a thread of its own, until a job has no more.
///
/// A worker takes the directory it found last, so that few are open at once, and gives the oldest
/// half of what it has to workers that have none.
///
/// What is called once a directory is `mutating` even if it only reads: to other methods the optimizer
/// may pass a copy of the worker, which has a thousand bytes.
internal struct ScanWorker: ~Copyable {
  internal let job: ScanJob
  internal let counters: ScanCounters
  private var tasks: [DirectoryTask] = []
  internal var reader = DirectoryReader()
  internal var packer = ListingPacker()
  /// Packs what an earlier scan knows again.
  internal var encoder = ListingEncoder()
  internal var batch = FileTree.Batch()
  internal var descriptors = DescriptorCache()
  internal var subdirectories = SubdirectoryList()
  internal var filter: EntryFilter
  private let statusMemory = RawMemory(capacity: MemoryLayout<PlatStatus>.size)
  private var timesPartsWereWanted = 0
  internal var rescan: RescanState
  /// Whether the file system that was described last reads a block of a directory whole.
  internal var readsBlocksWhole = false
  /// Whether a file of the directory in hand is mounted over another.
  internal var hasMountedFile = false

  /// A batch is handed over when it has this many bytes of listings or directories.
  private static let batchBytes = 1 << 16
  private static let batchDirectories = 512

  /// Where the kernel puts the status of one entry after the other.
  internal var status: UnsafeMutablePointer<PlatStatus> {
    statusMemory.start.assumingMemoryBound(to: PlatStatus.self)
  }

  internal init(job: ScanJob, counters: ScanCounters) {
    self.job = job
    self.counters = counters
    filter = job.filter
    rescan = RescanState(job.rescan)
  }

  /// Reads directories until there are none, or the job is cancelled.
  internal mutating func run() {
    while !job.isCancelled {
      guard let task = tasks.popLast() ?? nextTask() else { break }
      read(task)
      if job.queue.isShort, tasks.count > 1 {
        let half = tasks.count / 2
        job.queue.add(tasks[..<half])
        tasks.removeFirst(half)
      }
      let isWanted = timesPartsWereWanted != job.timesPartsWereWanted
      if isWanted || batch.bytes.count >= Self.batchBytes
        || batch.directoryCount >= Self.batchDirectories
      {
        handOver()
      }
    }
    // What a cancelled scan leaves over closes its descriptors now, and not after this has ended.
    tasks = []
    descriptors.clear()
    handOver()
    job.workerFinished(rescan.calls, unverified: rescan.unverified)
  }

  /// Takes a directory that another worker has given away.
  private mutating func nextTask() -> DirectoryTask? {
    // Who may have to wait long holds nothing back that somebody wants to see.
    if timesPartsWereWanted > 0, job.queue.isEmpty { handOver() }
    return job.queue.next()
  }

  private mutating func handOver() {
    timesPartsWereWanted = job.timesPartsWereWanted
    guard !batch.isEmpty else { return }
    job.insert(batch)
    let hasListings = !batch.bytes.isEmpty
    batch.removeAll(keepingBytes: 0)
    guard hasListings else { return }
    // Twice as much as will be filled as a rule: what is not touched takes no memory. What will be is
    // asked for at once, where each page would be by itself.
    batch.bytes = [UInt8](unsafeUninitializedCapacity: 2 * Self.batchBytes) { buffer, _ in
      buffer.baseAddress.map { plat_populate($0, Self.batchBytes) }
    }
  }

  // MARK: - One directory

  /// Opens a directory, decides whether it is to be read, and reads it.
  private mutating func read(_ task: DirectoryTask) {
    let parent = task.parent
    defer { if parent.release() { job.descriptorClosed() } }
    let place = job.place(of: task)
    if let reason = place.flatMap({ job.plan[$0].exclusion }) {
      exclude(task, reason)
      return
    }
    if let old = task.old, let lookup = parent.lookup,
      reuse(old, for: task, at: lookup.base.openDescriptor, place: place)
    {
      return
    }
    let at = parent.openDescriptor != -1 ? parent.openDescriptor : openAgain(parent)
    guard at != -1 else {
      report(task, "openat", errno)
      return
    }
    if let old = task.old, parent.lookup == nil, reuse(old, for: task, at: at, place: place) {
      return
    }
    let isRoot = parent.parent == nil
    guard let file = openRetrying(at, task, follow: isRoot) else { return }
    guard plat_status(file, "", 0, status) == 0 else {
      let reason = errno
      plat_close_directory(file)
      report(task, "statx", reason)
      return
    }
    let isOneBlock = status.pointee.isOneBlock
    let status = DirectoryStatus(status)
    let isPlanned = isRoot || place.map { job.plan[$0].isMountPoint } ?? false
    if !isPlanned, let reason = exclusionOfNewMount(status, in: parent) {
      plat_close_directory(file)
      exclude(task, reason)
      return
    }
    describeFileSystem(status, file)
    let failure = reader.read(file, isOneBlock: isOneBlock && readsBlocksWhole) {
      job.isCancelled
    }
    // It was removed after it was opened, and so it has vanished; a root is there all the same.
    if failure == ENOENT, !isRoot {
      plat_close_directory(file)
      return
    }
    var directory = Directory(task: task, file: file, status: status, place: place)
    directory.old = oldDirectory(of: directory)
    list(directory, failure: failure == ENOENT ? 0 : failure)
    descend(directory)
  }

  // MARK: - What a directory holds

  /// An open directory that is being read.
  internal struct Directory {
    var task: DirectoryTask
    var file: Int32
    var status: DirectoryStatus
    /// Its place in the mount plan.
    var place: Int?
    /// What it was in an earlier scan.
    var old: OldDirectory?
  }

  /// Goes on with the subdirectories of a directory that was read.
  private mutating func descend(_ directory: Directory) {
    guard !subdirectories.isEmpty, !job.isCancelled else {
      plat_close_directory(directory.file)
      reader.shrink()
      return
    }
    var names = takeSubdirectoryNames(of: directory)
    reader.shrink()
    if let old = directory.old { names.old = job.rescan.match(names, below: old) }
    addTasks(names, below: directory)
  }

  /// Makes the subdirectories of a directory tasks, and keeps its descriptor for them.
  private mutating func addTasks(_ names: SubdirectoryNames, below directory: Directory) {
    let node = keep(directory, names: names.bytes, users: names.starts.count)
    for index in names.starts.indices.reversed() {
      addTask(
        DirectoryTask(
          parent: node,
          nameOffset: names.starts[index],
          number: names.first + index,
          old: names.old[index]
        )
      )
    }
  }

  /// Makes a directory a task.
  internal mutating func addTask(_ task: DirectoryTask) { tasks.append(task) }

  /// Keeps a directory, and its descriptor if there may be more, for its subdirectories.
  ///
  /// - Parameters:
  ///   - directory: The directory.
  ///   - names: What the names of its subdirectories are in, each ended by NUL.
  ///   - users: The number of its subdirectories.
  /// - Returns: What the subdirectories are opened below.
  private mutating func keep(
    _ directory: Directory,
    names: [UInt8],
    users: Int
  ) -> OpenDirectory {
    let keepsDescriptor = job.takeDescriptor()
    if !keepsDescriptor { plat_close_directory(directory.file) }
    return makeOpen(
      directory,
      names: names,
      descriptor: keepsDescriptor ? directory.file : -1,
      users: users
    )
  }

  /// Makes a directory what its subdirectories are opened below.
  ///
  /// - Parameters:
  ///   - directory: The directory.
  ///   - names: What the names of its subdirectories are in, each ended by NUL.
  ///   - descriptor: Its descriptor, or -1 for one that is to be opened when it is needed.
  ///   - users: The number of its users.
  /// - Returns: What the subdirectories are opened below.
  internal func makeOpen(
    _ directory: Directory,
    names: [UInt8],
    descriptor: Int32,
    users: Int
  ) -> OpenDirectory {
    OpenDirectory(
      parent: directory.task.parent,
      nameOffset: directory.task.nameOffset,
      number: directory.task.number,
      names: names,
      identity: OpenDirectory.Identity(
        device: directory.status.details.device,
        inode: directory.status.details.inode,
        mountID: directory.status.mountID
      ),
      owner: directory.status.details.owner,
      place: directory.place ?? -1,
      ignoreScope: filter.scope,
      descriptor: descriptor,
      users: users
    )
  }

  /// The names of the subdirectories of a directory, each ended by NUL.
  internal struct SubdirectoryNames {
    var bytes: [UInt8] = []
    var starts: [Int] = []
    /// The number of the first; the others count on.
    var first: Int
    /// What they were in an earlier scan.
    var old = OldDirectories.none

    /// The name at a position, without its NUL.
    func name(at index: Int) -> ArraySlice<UInt8> {
      let end = index + 1 < starts.count ? starts[index + 1] : bytes.count
      return bytes[starts[index]..<end - 1]
    }
  }

  /// Sorts and numbers the subdirectories, and announces them to the tree's builder.
  private mutating func takeSubdirectoryNames(of directory: Directory) -> SubdirectoryNames {
    let (bytes, starts) = subdirectories.take(from: reader.bytes)
    let names = SubdirectoryNames(
      bytes: bytes,
      starts: starts,
      first: job.takeNumbers(starts.count)
    )
    batch.announce(
      parent: directory.task.number,
      first: names.first,
      names: names.bytes,
      starts: names.starts
    )
    return names
  }

  // MARK: - Paths

  internal func path(of directory: Directory) -> [UInt8] {
    var path: [UInt8] = []
    for name in directory.task.components { path.appendComponent(name[...]) }
    return path
  }
}
