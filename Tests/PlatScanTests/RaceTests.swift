import Glibc
import PlatTestSupport
import PlatTree
import Synchronization
import Testing

@testable import PlatScan

@Suite(.timeLimit(.minutes(30)))
struct RaceTests {
  @Test func `A tree that changes all the time is scanned to the end`() async throws {
    let kept = (0..<12).map { TreeItem.directory("\($0)", [.file("kept", size: 10)]) }
    try await withTemporaryTree(kept) { root in
      let isOver = Atomic(false)
      let changes = Atomic(0)
      let changers = Atomic(2)
      for seed in 0..<2 {
        try #require(
          startThread {
            var generator = SplitMix64(seed: UInt64(seed))
            while !isOver.load(ordering: .relaxed) {
              change(root, using: &generator)
              changes.add(1, ordering: .relaxed)
            }
            changers.subtract(1, ordering: .releasing)
          }
        )
      }
      for round in 0..<16 {
        let before = changes.load(ordering: .relaxed)
        let tree = try await scan(root) { $0.threadCount = 1 + round % 4 }.tree
        // What vanishes or becomes something else is no issue.
        expectSound(tree)
        let names = tree.subdirectories(of: tree.root).map { Array(tree.name(of: $0)) }
        for number in 0..<12 { #expect(names.contains(Array("\(number)".utf8))) }
        #expect(tree.totals(of: tree.root).files >= 12)
        while changes.load(ordering: .relaxed) == before { sched_yield() }
      }
      isOver.store(true, ordering: .relaxed)
      while changers.load(ordering: .acquiring) > 0 { sched_yield() }
    }
  }

  @Test func `A root that vanishes is an error, or an issue among several`() async throws {
    try await withTemporaryTree([.directory("other", [])]) { root in
      let path = "\(root)/r"
      for replacement in [nil, "file"] {
        for roots in [[path], [path, "\(root)/other"]] {
          try #require(mkdir(path, 0o755) == 0)
          let job = try ScanJob(roots.map { Array($0.utf8) }, options: DirectoryScanner.Options())
          try #require(rmdir(path) == 0)
          if replacement != nil { close(open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0o644)) }
          let code = replacement == nil ? ENOENT : ENOTDIR
          if roots.count == 1 {
            #expect(
              throws: ScanError.system(call: "openat", path: Array(path.utf8), code: code)
            ) { try job.run { _ in } }
          } else {
            let tree = try job.run { _ in }.tree
            #expect(tree.issues.map(\.code) == [code])
            #expect(tree.issues.map { tree.path(of: $0) } == [Array(path.utf8)])
            #expect(tree.directoryCount == 2)
            #expect(tree.brokenInvariants() == [])
          }
          unlink(path)
        }
      }
    }
  }
}

/// Makes, removes, renames or replaces something in one of the directories of a tree.
private func change(_ root: String, using generator: inout SplitMix64) {
  func pick(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &generator) }
  let path = "\(root)/\(pick(12))/\(pick(5))"
  switch pick(6) {
  case 0:
    mkdir(path, 0o755)
    mkdir(path + "/a", 0o755)
    mkdir(path + "/a/b", 0o755)
    close(open(path + "/a/f", O_CREAT | O_WRONLY | O_CLOEXEC, 0o644))
  case 1:
    unlink(path + "/a/f")
    for inner in ["/a/b", "/a", ""] { rmdir(path + inner) }
  case 2: close(open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0o644))
  case 3: symlink("../\(pick(12))", path)
  case 4: unlink(path)
  default: rename(path, "\(root)/\(pick(12))/\(pick(5))")
  }
}
