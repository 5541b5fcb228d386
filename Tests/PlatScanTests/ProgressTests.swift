import Glibc
import PlatTestSupport
import PlatTree
import Testing

@testable import PlatScan

@Suite(.timeLimit(.minutes(30)))
struct ProgressTests {
  @Test func `Progress is told while a scan runs, and not afterwards`() async throws {
    let items: [TreeItem] = (0..<20).map { outer in
      .directory("\(outer)", (0..<20).map { .directory("\($0)", [.file("f", size: 1)]) })
    }
    try await withTemporaryTree(items) { root in
      var seen: [ScanProgress] = []
      // A scan that is over before the first progress is due tells none: so scan until one does.
      while seen.count < 3 {
        let job = try ScanJob([Array(root.utf8)], options: DirectoryScanner.Options())
        seen = []
        let result = try job.run(progressMilliseconds: 1) { seen.append($0) }
        let totals = result.tree.totals(of: result.tree.root)
        #expect(totals.entries == 821)
        for (progress, next) in zip(seen, seen.dropFirst()) {
          #expect(progress.entries <= next.entries)
          #expect(progress.directories <= next.directories)
          #expect(progress.elapsed < next.elapsed)
        }
        for progress in seen {
          #expect(progress.entries <= totals.entries)
          #expect(progress.directories <= totals.directories)
          #expect(progress.issues == 0)
          #expect(progress.path.isEmpty || progress.path.starts(with: root.utf8))
        }
      }
    }
  }

  @Test func `Counts of workers add up`() {
    let counters = [ScanCounters(), ScanCounters()]
    counters[0].add(entries: 3, directories: 1, allocatedSize: .max, issues: 0)
    counters[0].add(entries: 2, directories: 1, allocatedSize: 10, issues: 1)
    counters[1].add(entries: 1, directories: 0, allocatedSize: 7, issues: 2)
    var progress = ScanProgress()
    for counter in counters { counter.add(to: &progress) }
    #expect(progress.entries == 6)
    #expect(progress.directories == 2)
    #expect(progress.issues == 3)
  }
}
