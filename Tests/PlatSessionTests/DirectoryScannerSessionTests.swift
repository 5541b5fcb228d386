import Foundation
import PlatScan
import PlatSession
import PlatTree
import Testing

@Suite(.timeLimit(.minutes(30)))
struct DirectoryScannerSessionTests {
  @Test func `A session shows what the scanner finds`() async throws {
    let root = try makeTree(directories: 3)
    defer { try? FileManager.default.removeItem(atPath: root) }
    let session = await ScanSession()
    await session.open(ScanTarget(root))
    for await progress in await session.progress { #expect(progress.issues == 0) }
    let result = try await session.result()
    #expect(result.tree.totals(of: result.tree.root).entries == 1 + 3 + 3)
    #expect(await session.tree == result.tree)
  }

  @Test func `A missing root is a failure that names it`() async {
    let session = await ScanSession()
    await session.open(ScanTarget("/no/such/root"))
    let error = ScanError.system(call: "statx", path: Array("/no/such/root".utf8), code: ENOENT)
    await #expect(throws: error) { try await session.result() }
    #expect(await session.phase == .failed(error, nil))
  }

  // In a process of its own, in which nothing else has threads and descriptors.
  @Test func `Cancelling in the middle leaves no thread and no descriptor`() async {
    await #expect(processExitsWith: .success) {
      let root = try makeTree(directories: 1_000)
      defer { try? FileManager.default.removeItem(atPath: root) }
      let session = await ScanSession()
      // The first scan also starts most of the threads that stay, those of the Swift runtime.
      await session.open(ScanTarget(root))
      let whole = try await session.result()
      let descriptors = count("/proc/self/fd")
      let threads = count("/proc/self/task")
      try #require(descriptors > 0 && threads > 0)

      // A scan that is over before it can be cancelled tells nothing: so scan until some are not.
      var cancelled = 0
      while cancelled < 20 {
        await session.refresh()
        while count("/proc/self/fd") == descriptors, await session.phase.progress != nil {}
        await session.cancel()
        // A thread that a busy machine does not let run is left behind, and needs a moment more.
        try #require(becomesTrue { count("/proc/self/fd") == descriptors })
        let phase = await session.phase
        try #require(phase.progress == nil)
        if phase.shown?.isStale == true { cancelled += 1 }
      }
      let tree = await session.tree
      try #require(tree == whole.tree)
      // A thread that has told the scan of its end still has to leave the kernel. A few more may be those
      // of the Swift runtime, which need not all have been wanted before.
      try #require(becomesTrue { count("/proc/self/task") < threads + 8 })
    }
  }
}

/// Makes directories with a file each, and returns the path of the one above them.
private func makeTree(directories: Int) throws -> String {
  let manager = FileManager.default
  let root = manager.temporaryDirectory.appending(path: "plat-\(UUID().uuidString)")
  for number in 0..<directories {
    let directory = root.appending(path: "\(number)")
    try manager.createDirectory(at: directory, withIntermediateDirectories: true)
    try Data([1]).write(to: directory.appending(path: "file"))
  }
  return root.path
}

/// Waits until a condition is met, far longer than anything takes, and returns whether it is.
private func becomesTrue(_ condition: () -> Bool) -> Bool {
  let deadline = ContinuousClock.now + .seconds(120)
  while ContinuousClock.now < deadline { if condition() { return true } }
  return condition()
}

/// The number of entries of a directory of the kernel.
private func count(_ path: String) -> Int {
  (try? FileManager.default.contentsOfDirectory(atPath: path).count) ?? -1
}
