import Glibc
import PlatTestSupport
import PlatTree
import Synchronization
import Testing

@testable import PlatScan

@Suite(.timeLimit(.minutes(30)))
struct CancellationTests {
  /// Enough directories that a scan is under way for a while.
  private static let items: [TreeItem] = (0..<30).map { outer in
    .directory(
      "\(outer)",
      (0..<30).map { .directory("\($0)", [.directory("a", []), .directory("b", [.fifo("f")])]) }
    )
  }

  @Test func `A scan that is cancelled at any moment leaves nothing behind`() async throws {
    try await withTemporaryTree(Self.items) { root in
      await #expect(processExitsWith: .success) { [root = root as String] in
        let threads = threadCount()
        let complete = try await scan(root).tree
        try #require(complete.directoryCount == 1 + 30 + 900 + 1800)
        // On a busy machine scans may end before they are cancelled: so scan until some were.
        var cancelled = 0
        var moment = 0
        while moment < 80 || cancelled < 5 {
          let delay = moment % 80
          moment += 1
          let job = try ScanJob([Array(root.utf8)], options: DirectoryScanner.Options())
          let isDone = Atomic(false)
          // A thread of its own cancels, so that nothing waits for the cooperative pool.
          let canceller = startThread {
            spin(microseconds: delay * delay * 4)
            job.cancel()
            isDone.store(true, ordering: .releasing)
          }
          try #require(canceller)
          do {
            try #require(job.run { _ in }.tree == complete)
          } catch ScanError.cancelled(let stuck) {
            cancelled += 1
            if !stuck.isEmpty { waitUntilClosed(root) }
          }
          while !isDone.load(ordering: .acquiring) { sched_yield() }
          try #require(openDescriptors(below: root) == [])
        }
        // A thread that has done its work is on its way out, and needs a moment. Some more may be
        // those of the concurrency library, and not the hundreds that were started here.
        while threadCount() > threads + 8 { sched_yield() }
      }
    }
  }

  @Test func `Cancelling a task cancels its scan`() async throws {
    try await withTemporaryTree(Self.items) { root in
      var cancelled = 0
      var moment = 0
      while moment < 40 || cancelled == 0 {
        moment += 1
        let task = Task { try await scan(root) }
        for _ in 0..<moment % 40 * 3 { await Task.yield() }
        task.cancel()
        switch await task.result {
        case .success: break
        case .failure(let error):
          guard case .cancelled(let stuck) = error as? ScanError else { throw error }
          if !stuck.isEmpty { waitUntilClosed(root) }
          cancelled += 1
        }
        #expect(openDescriptors(below: root) == [])
      }
    }
  }

  @Test func `A task that was cancelled before scans nothing`() async throws {
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await scan("/")
    }
    task.cancel()
    await #expect(throws: ScanError.cancelled()) { try await task.value }
  }
}

/// Waits for threads that a scan has left behind: on a busy machine they may just be late.
private func waitUntilClosed(_ root: String) {
  while !openDescriptors(below: root).isEmpty { sched_yield() }
}

/// Keeps a thread busy for a while.
private func spin(microseconds: Int) {
  let clock = ContinuousClock()
  let end = clock.now.advanced(by: .microseconds(microseconds))
  while clock.now < end {}
}
