import CPlatSystem
import Synchronization

/// What one worker has seen so far; only that worker adds, and any thread may look.
internal final class ScanCounters: Sendable {
  private let entries = Atomic(0)
  private let directories = Atomic(0)
  private let allocatedSize = Atomic<UInt64>(0)
  private let issues = Atomic(0)
  private let thread = Atomic<Int32>(0)

  /// The ID of the worker's thread; 0 before it has started.
  internal var threadID: Int32 { thread.load(ordering: .relaxed) }

  /// Takes note that the calling thread is the worker's.
  internal func started() { thread.store(plat_thread_id(), ordering: .relaxed) }

  /// Adds what a directory holds; once a directory, so that entries cost nothing.
  internal func add(entries: Int, directories: Int, allocatedSize: UInt64, issues: Int) {
    increase(self.entries, by: entries)
    increase(self.directories, by: directories)
    increase(self.issues, by: issues)
    let size = self.allocatedSize.load(ordering: .relaxed)
    self.allocatedSize.store(size &+ allocatedSize, ordering: .relaxed)
  }

  // One writer needs no locked instruction.
  private func increase(_ counter: borrowing Atomic<Int>, by amount: Int) {
    guard amount > 0 else { return }
    counter.store(counter.load(ordering: .relaxed) + amount, ordering: .relaxed)
  }

  /// Adds the counts to a progress.
  internal func add(to progress: inout ScanProgress) {
    progress.entries += entries.load(ordering: .relaxed)
    progress.directories += directories.load(ordering: .relaxed)
    progress.allocatedSize &+= allocatedSize.load(ordering: .relaxed)
    progress.issues += issues.load(ordering: .relaxed)
  }
}
