import Synchronization

/// A directory to be read.
internal struct DirectoryTask: Sendable {
  /// The directory that holds it.
  internal var parent: OpenDirectory
  /// Where its name starts in the names of `parent`.
  internal var nameOffset: Int
  /// Its number in the tree's builder.
  internal var number: Int
  /// The directory of an earlier scan that had its place.
  internal var old: OldDirectory?

  /// The name of the directory.
  internal var name: [UInt8] { parent.name(at: nameOffset) }

  /// The root of the scan as it was given, and the names below it.
  internal var components: [[UInt8]] { parent.relativePath(below: nil) + [name] }

  /// Appends the path from the root of the scan, with a slash after each name, to no bytes.
  ///
  /// A directory in a deep chain has thousands of names in its path, so none is made an array.
  internal func appendRelativePath(to path: inout [UInt8]) {
    var directory = parent
    var offset = nameOffset
    while let above = directory.parent {
      path.append(UInt8(ascii: "/"))
      directory.names.withUnsafeBufferPointer { names in
        path.append(contentsOf: names[offset...].prefix { $0 != 0 }.reversed())
      }
      offset = directory.nameOffset
      directory = above
    }
    path.reverse()
  }
}

/// Directories that workers give away to those who have none.
internal final class WorkQueue: Sendable {
  private struct State: Sendable {
    var tasks: [DirectoryTask] = []
    var waiting = 0
    var isClosed = false
    var workers: Int
  }

  private let state: Locked<State>
  private let count = Atomic(0)
  private let enough: Atomic<Int>

  /// Creates a queue; it closes when all workers wait.
  ///
  /// - Parameter workers: The number of workers at first.
  internal init(workers: Int) {
    state = Locked(State(workers: workers))
    enough = Atomic(Self.enough(for: workers))
  }

  /// How many directories there should be for workers that have none.
  private static func enough(for workers: Int) -> Int { workers > 1 ? 2 * workers : 0 }

  /// Whether the queue is so short that a worker should give away a part of what it has.
  internal var isShort: Bool {
    count.load(ordering: .relaxed) < enough.load(ordering: .relaxed)
  }

  /// Whether nothing was given away that is not taken yet.
  internal var isEmpty: Bool { count.load(ordering: .relaxed) == 0 }

  /// Takes note that there will be more workers, or that some could not be started.
  internal func changeWorkers(by difference: Int) {
    state.withLock { state in
      state.workers += difference
      enough.store(Self.enough(for: state.workers), ordering: .relaxed)
      if state.waiting == state.workers { state.isClosed = true }
    }
    state.notifyAll()
  }

  /// Adds directories; a queue that is closed takes none.
  internal func add(_ tasks: some Collection<DirectoryTask>) {
    let hasWaiting = state.withLock { state in
      guard !state.isClosed else { return false }
      state.tasks.append(contentsOf: tasks)
      count.store(state.tasks.count, ordering: .relaxed)
      return state.waiting > 0
    }
    if hasWaiting { state.notifyAll() }
  }

  /// Takes a directory, and waits for one if there is none.
  ///
  /// - Returns: `nil` when there will be no more.
  internal func next() -> DirectoryTask? {
    var isWaiting = false
    let task = state.wait { state -> Taken? in
      if !state.isClosed, let task = state.tasks.popLast() {
        if isWaiting { state.waiting -= 1 }
        count.store(state.tasks.count, ordering: .relaxed)
        return .task(task)
      }
      if !isWaiting {
        isWaiting = true
        state.waiting += 1
      }
      // When all wait, nobody is left who could add something.
      if state.waiting == state.workers { state.isClosed = true }
      return state.isClosed ? .closed : nil
    }
    switch task {
    case .task(let task): return task
    case .closed:
      state.notifyAll()
      return nil
    }
  }

  private enum Taken {
    case task(DirectoryTask)
    case closed
  }

  /// Ends the waiting of all workers, and lets go of the directories that are left.
  internal func close() {
    // They close their descriptors after the lock is given back.
    let left = state.withLock { state in
      defer { state.tasks = [] }
      state.isClosed = true
      return state.tasks
    }
    state.notifyAll()
    withExtendedLifetime(left) {}
  }
}
