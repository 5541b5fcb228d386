import PlatTestSupport
import PlatTree
import Synchronization
import Testing

@testable import PlatScan

@Suite(.timeLimit(.minutes(30)))
struct PartialTreeTests {
  private static let items: [TreeItem] = (0..<20).map { outer in
    .directory("\(outer)", (0..<20).map { .directory("\($0)", [.file("f", size: 1)]) })
  }

  @Test func `Partial trees grow to the complete one`() async throws {
    try await withTemporaryTree(Self.items) { root in
      let seen = Mutex<[FileTree]>([])
      let trees = PartialTrees {
        true
      } deliver: { tree in
        seen.withLock { $0.append(tree) }
      }
      // A scan that is over before the first is due makes none: so scan until one does.
      while seen.withLock({ $0.isEmpty }) {
        let job = try ScanJob([Array(root.utf8)], options: DirectoryScanner.Options())
        let result = try job.run(progressMilliseconds: 1, partialTrees: trees) { _ in }
        let whole = result.tree.totals(of: result.tree.root)
        #expect(whole.entries == 821)
        for tree in seen.withLock({ $0 }) {
          #expect(tree.brokenInvariants() == [])
          let part = tree.totals(of: tree.root)
          #expect(part.entries <= whole.entries)
          #expect(part.allocatedSize <= whole.allocatedSize)
        }
      }
    }
  }

  @Test func `Partial trees that nobody wants are not made`() async throws {
    try await withTemporaryTree(Self.items) { root in
      let asked = Atomic(0)
      let trees = PartialTrees {
        asked.add(1, ordering: .relaxed)
        return false
      } deliver: { _ in
        Testing.Issue.record("a tree that nobody wants")
      }
      while asked.load(ordering: .relaxed) == 0 {
        let job = try ScanJob([Array(root.utf8)], options: DirectoryScanner.Options())
        _ = try job.run(progressMilliseconds: 1, partialTrees: trees) { _ in }
        #expect(job.timesPartsWereWanted == 0)
      }
    }
  }

  @Test func `Trees are due four times a second, and take a twentieth of the time`() {
    var pacing = PartialTreePacing()
    #expect(pacing.isDue(at: .zero))
    pacing.made(from: .zero, to: .milliseconds(1))
    #expect(!pacing.isDue(at: .milliseconds(249)))
    #expect(pacing.isDue(at: .milliseconds(250)))
    pacing.made(from: .seconds(1), to: .seconds(2))
    #expect(!pacing.isDue(at: .milliseconds(21_999)))
    #expect(pacing.isDue(at: .seconds(22)))
  }
}
