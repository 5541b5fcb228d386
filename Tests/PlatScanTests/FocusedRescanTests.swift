import Glibc
import PlatTestSupport
import PlatTree
import Testing

@testable import PlatScan

/// Fast scans that look at one directory closely: if only that has changed, they find what a full scan
/// finds.
@Suite(.timeLimit(.minutes(30)))
struct FocusedRescanTests {
  /// A scan that was just made, as the base of one in a hundred days: files are cold by then, and the
  /// age that directory times must have counts from now.
  private func baseline(_ result: ScanResult) -> DirectoryScanner.Baseline {
    let days: Int64 = 100 * 24 * 3600 * 1_000_000_000
    var baseline = DirectoryScanner.Baseline(result, racyMargin: days + 40_000_000)
    baseline.startedAt += days
    return baseline
  }

  @Test(arguments: 0..<3)
  func `What changes in the focus is found, also through hard links`(seed: UInt64) throws {
    let root = try makeTemporaryDirectory()
    defer { removeTree(root) }
    for name in ["in", "out"] { try check(mkdir("\(root)/\(name)", 0o755), "mkdir") }
    var outside = Mutator("\(root)/out", seed: 50 + seed)
    outside.populate(directories: 30)
    // Names on both sides of one inode; which of them is charged depends on their order alone.
    for number in 0..<12 {
      let (first, second) = number % 2 == 0 ? ("out", "in") : ("in", "out")
      let path = "\(root)/\(first)/shared \(number)"
      close(open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0o644))
      try check(link(path, "\(root)/\(second)/also \(number)"), "link")
    }
    var inside = Mutator("\(root)/in", seed: seed)
    inside.populate(directories: 20)
    var last = try scanNow([root])
    var (unchecked, missed) = (0, 0)
    for round in 0..<30 {
      let changes = inside.step(atMost: 6)
      let full = try scanNow([root]).tree
      var baseline = baseline(last)
      baseline.number = round
      if round % 2 == 0 { baseline.tree = baseline.tree.storedCopy() }
      if try scanNow([root], reusing: [baseline], level: .fast).tree != full { missed += 1 }
      baseline.focus = baseline.tree.directory(atPath: Array("\(root)/in".utf8))
      let rescan = try scanNow([root], reusing: [baseline], level: .fast)
      if rescan.tree != full {
        // Blocks may have been allocated meanwhile, which no call of ours did.
        let again = try scanNow([root]).tree
        try #require(rescan.tree == again || full != again, "round \(round): \(changes)")
      }
      unchecked += rescan.unverified.files
      last = rescan
    }
    // Or nothing was tested.
    #expect(unchecked > 0)
    #expect(missed > 0)
  }
}
