import CPlatSystem
import Glibc
import PlatTree
import Synchronization

/// One scan: what its workers share, and the thread that waits for them.
internal final class ScanJob: Sendable {
  /// What every worker begins with.
  internal let filter: EntryFilter
  internal let plan: MountPlan
  /// What can be taken from earlier scans.
  internal let rescan: RescanPlan
  internal let fileSystems: FileSystemDescriptions
  internal let queue: WorkQueue
  internal let userID = geteuid()

  private let roots: ScanRoots
  private let table: MountTable
  private let crossesFileSystems: Bool
  private let initialPacing: ThreadPacing
  private let builder: Locked<FileTree.Builder?>
  private let running: Locked<Int>
  private let cancelled = Atomic(false)
  private let nextNumber: Atomic<Int>
  private let freeDescriptors: Atomic<Int>
  private let partsWanted = Atomic(0)
  private let pathIsWanted = Atomic(false)
  private let path = Locked<[UInt8]>([])
  private let rootFailure = Locked<ScanError?>(nil)
  private let work: Locked<(calls: ScanCalls, unverified: [UnverifiedFiles])>

  /// How long a cancelled scan waits for its threads before it leaves them behind.
  private static let graceMilliseconds = 80
  /// How often progress is told.
  internal static let progressMilliseconds = 100

  internal init(
    _ paths: [[UInt8]],
    options: DirectoryScanner.Options,
    rescan: RescanPlan = RescanPlan([], level: .full)
  ) throws(ScanError) {
    self.rescan = rescan
    filter = try EntryFilter(options, userID: userID)
    table = MountTable()
    crossesFileSystems = options.crossesFileSystems
    roots = try ScanRoots(paths, table: table, crossesFileSystems: crossesFileSystems)
    plan = MountPlan(
      roots: roots.directories.map(\.path),
      table: table,
      crossesFileSystems: crossesFileSystems
    )
    fileSystems = FileSystemDescriptions(table, roots)
    work = Locked((ScanCalls(), rescan.trees.map { _ in UnverifiedFiles() }))
    let limits = DescriptorLimits(wantedThreads: options.threadCount)
    initialPacing = ThreadPacing(wanted: options.threadCount, limit: limits.threads)
    freeDescriptors = Atomic(limits.kept)
    queue = WorkQueue(workers: initialPacing.threads)
    running = Locked(0)
    // Numbers from 0: the top, then the roots if the top is a group of them.
    nextNumber = Atomic(roots.needsGroup ? 1 + roots.directories.count : 1)
    let top = roots.needsGroup ? [] : roots.directories[0].path
    builder = Locked(FileTree.Builder(rootPath: top, reusing: rescan.trees.map(\.tree)))
  }

  // MARK: - For workers

  internal var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

  /// Takes numbers for directories, in a row.
  internal func takeNumbers(_ count: Int) -> Int {
    nextNumber.add(count, ordering: .relaxed).oldValue
  }

  internal func insert(_ batch: FileTree.Batch) {
    builder.withLock { $0?.insert(batch) }
  }

  /// Whether the tree has one root, and no group of several.
  internal var hasOneRoot: Bool { !roots.needsGroup }

  /// How often workers were asked to hand over what they have, so that it can be seen.
  internal var timesPartsWereWanted: Int { partsWanted.load(ordering: .relaxed) }

  /// Notes that a root cannot be read after all; a scan of this root alone fails.
  internal func rootFailed(_ error: ScanError) { rootFailure.withLock { $0 = error } }

  /// Asks to keep a descriptor open; told by ``descriptorClosed()`` when it is closed.
  internal func takeDescriptor() -> Bool {
    guard freeDescriptors.subtract(1, ordering: .relaxed).newValue >= 0 else {
      freeDescriptors.add(1, ordering: .relaxed)
      return false
    }
    return true
  }

  internal func descriptorClosed() { freeDescriptors.add(1, ordering: .relaxed) }

  /// The place of a directory in the mount plan.
  internal func place(of task: DirectoryTask) -> Int? {
    let parent = task.parent
    guard parent.parent != nil else {
      return plan.rootPlaces[roots.needsGroup ? task.number - 1 : 0]
    }
    guard parent.place >= 0 else { return nil }
    return plan[parent.place].children[parent.name(at: task.nameOffset)]
  }

  /// Returns why a directory or file on a mount that the plan does not know is left out.
  internal func exclusionOfNewMount(_ mountID: UInt64) -> Exclusion.Reason? {
    guard crossesFileSystems else { return .otherFileSystem }
    let type = MountTable().mounts.first { $0.id == mountID }?.type ?? ""
    return kernelFileSystems.contains(type) ? .kernelFileSystem : nil
  }

  /// Whether somebody wants to know which directory is being read.
  internal var wantsPath: Bool { pathIsWanted.load(ordering: .relaxed) }

  internal func setPath(_ path: [UInt8]) {
    pathIsWanted.store(false, ordering: .relaxed)
    self.path.withLock { $0 = path }
  }

  /// Takes note of what a worker did, when it has nothing more to do.
  internal func workerFinished(_ calls: ScanCalls, unverified: [UnverifiedFiles]) {
    work.withLock { work in
      work.calls += calls
      for index in unverified.indices { work.unverified[index] += unverified[index] }
    }
  }

  // MARK: - For the caller

  /// Ends the scan soon; any thread may call this, any number of times.
  internal func cancel() {
    // Under the lock, so that it cannot fall between the look at the flag and the wait for a change.
    running.withLock { _ in cancelled.store(true, ordering: .relaxed) }
    queue.close()
    running.notifyAll()
  }

  /// Scans, and returns when all threads have ended.
  ///
  /// - Parameters:
  ///   - progressMilliseconds: How often progress is told.
  ///   - partialTrees: Called from this thread, for whoever wants to see what was found so far.
  ///   - onProgress: Called from this thread.
  /// - Returns: The tree, and when it was read.
  /// - Throws: ``ScanError/cancelled(stuckIn:)`` after ``cancel()``.
  internal func run(
    progressMilliseconds: Int = progressMilliseconds,
    partialTrees: PartialTrees? = nil,
    _ onProgress: (ScanProgress) -> Void
  ) throws(ScanError) -> ScanResult {
    let startedAt = currentTime()
    let clock = ContinuousClock()
    let start = clock.now
    addRoots()
    var pacing = initialPacing
    let counters = (0..<pacing.limit).map { _ in ScanCounters() }
    startWorkers(counters[..<pacing.threads])
    var progress = ScanProgress()
    var partialPacing = PartialTreePacing()
    while !waitForWorkers(milliseconds: progressMilliseconds), !isCancelled {
      progress = sample(counters, elapsed: clock.now - start)
      adjust(&pacing, counters, elapsed: progress.elapsed)
      onProgress(progress)
      if let partialTrees, partialTrees.areWanted() {
        if partialPacing.isDue(at: progress.elapsed) {
          makePartialTree().map(partialTrees.deliver)
          partialPacing.made(from: progress.elapsed, to: clock.now - start)
        }
        partsWanted.add(1, ordering: .relaxed)
      }
    }
    if isCancelled {
      let isEnded = waitForWorkers(milliseconds: Self.graceMilliseconds, evenIfCancelled: true)
      throw .cancelled(stuckIn: isEnded ? [] : [lastPath])
    }
    guard let builder = builder.withLock({ $0.take() }), builder.hasTop else {
      throw rootFailure.withLock { $0 } ?? .cancelled()
    }
    let tree = builder.makeTree(describing: fileSystems.describe)
    var result = ScanResult(
      tree: tree,
      roots: roots.paths,
      startedAt: startedAt,
      finishedAt: currentTime(),
      elapsed: clock.now - start
    )
    if !rescan.isEmpty { result.level = rescan.level }
    let work = work.withLock { $0 }
    result.calls = work.calls
    for (tree, part) in zip(rescan.trees, work.unverified) where part != UnverifiedFiles() {
      var part = part
      tree.date(&part)
      result.unverifiedByRoot[tree.rootPath] = part
    }
    return result
  }

  /// Returns the tree of what was handed over so far, unless the scan ends meanwhile.
  private func makePartialTree() -> FileTree? {
    // A copy, so that workers wait only for that.
    builder.withLock { $0?.detached() }?.makePartialTree {
      isCancelled || running.withLock { $0 == 0 }
    }
  }

  /// A directory that was read lately.
  private var lastPath: [UInt8] {
    let path = path.withLock { $0 }
    return path.isEmpty ? roots.paths[0] : path
  }

  private func sample(_ counters: [ScanCounters], elapsed: Duration) -> ScanProgress {
    var progress = ScanProgress()
    for counter in counters { counter.add(to: &progress) }
    progress.elapsed = elapsed
    progress.path = path.withLock { $0 }
    pathIsWanted.store(true, ordering: .relaxed)
    return progress
  }

  /// Whether all workers have ended; waits some time for it, and no longer than to a cancellation.
  private func waitForWorkers(milliseconds: Int, evenIfCancelled: Bool = false) -> Bool {
    running.wait(milliseconds: milliseconds) { count -> Bool? in
      count == 0 ? true : isCancelled && !evenIfCancelled ? false : nil
    } ?? false
  }

  /// Delivers the top of a group, and makes the roots tasks.
  private func addRoots() {
    var names: [UInt8] = []
    var tasks: [(offset: Int, number: Int, old: OldDirectory?)] = []
    for (index, root) in roots.directories.enumerated() {
      let old = rescan.root(atPath: root.path)
      tasks.append((names.count, roots.needsGroup ? 1 + index : 0, old))
      names.append(contentsOf: root.given)
      names.append(0)
    }
    let above = OpenDirectory(
      parent: nil,
      nameOffset: 0,
      number: roots.needsGroup ? 0 : -1,
      names: names,
      identity: OpenDirectory.Identity(device: 0, inode: 0, mountID: 0),
      owner: userID,
      place: -1,
      descriptor: AT_FDCWD,
      users: tasks.count + 1
    )
    if roots.needsGroup { insert(groupBatch()) }
    queue.add(
      tasks.map {
        DirectoryTask(parent: above, nameOffset: $0.offset, number: $0.number, old: $0.old)
      }
    )
  }

  /// The top of a group: its subdirectories are the roots, and its entries the files among them.
  private func groupBatch() -> FileTree.Batch {
    var batch = FileTree.Batch()
    batch.announce(parent: 0, first: 1, names: roots.directories.map { $0.path[...] })
    var encoder = ListingEncoder()
    var names: [UInt8] = []
    for file in roots.files {
      names.append(contentsOf: file.path)
      encoder.append(
        ListingEntry(file.status),
        name: names.count - file.path.count..<names.count
      )
    }
    let summary = encoder.encode(names: names.span, into: &batch.bytes)
    var details = DirectoryDetails()
    details.flags = .isGroup
    // Hard links are told by the file system of the directory that lists them.
    details.device = roots.device
    details.modificationTime = .min
    batch.directories = [
      FileTree.Batch.Directory(
        number: 0,
        details: details,
        listing: 0..<batch.bytes.count,
        summary: summary
      )
    ]
    batch.issues = roots.failures.map {
      Issue(directory: DirectoryID(0), name: $0.path, call: "statx", code: $0.code)
    }
    return batch
  }

  // MARK: - Threads

  /// Starts the first workers, and works on this thread if there is no other to be had.
  private func startWorkers(_ counters: ArraySlice<ScanCounters>) {
    running.withLock { $0 = counters.count }
    for (index, counter) in counters.enumerated() {
      if startWorker(counter) { continue }
      // The others do the work of those that could not start; if there are none, this thread does.
      queue.changeWorkers(by: max(index, 1) - counters.count)
      running.withLock { $0 -= counters.count - index }
      if index == 0 { work(counter) }
      return
    }
  }

  /// Starts one more worker, and returns whether there was a thread to be had.
  private func addWorker(_ counters: ScanCounters) -> Bool {
    queue.changeWorkers(by: 1)
    running.withLock { $0 += 1 }
    if startWorker(counters) { return true }
    queue.changeWorkers(by: -1)
    running.withLock { $0 -= 1 }
    return false
  }

  /// Adds workers, if more would wait for the disk at the same time.
  private func adjust(_ pacing: inout ThreadPacing, _ counters: [ScanCounters], elapsed: Duration) {
    guard pacing.canGrow else { return }
    let before = pacing.threads
    let threads = counters[..<before].lazy.map(\.threadID)
    pacing.update(.ofProcess(waiting: threads), wall: elapsed / .seconds(1))
    for index in before..<pacing.threads {
      guard addWorker(counters[index]) else { break }
    }
  }

  private func startWorker(_ counters: ScanCounters) -> Bool {
    startThread { [self] in
      // Where no other thread can close a file, the kernel need not count its users in each call.
      // More workers share their descriptors: one opens subdirectories of what another has opened.
      if initialPacing.limit == 1 { plat_separate_descriptors() }
      work(counters)
      workerEnded()
    }
  }

  /// Reads directories; the worker is gone, with all it held open, when this returns.
  @inline(never)
  private func work(_ counters: ScanCounters) {
    counters.started()
    var worker = ScanWorker(job: self, counters: counters)
    worker.run()
  }

  private func workerEnded() {
    running.withLock { $0 -= 1 }
    running.notifyAll()
  }
}
