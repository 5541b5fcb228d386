import Foundation
import Glibc
import PlatScan
import PlatTestSupport
import PlatTree
import Testing

@testable import PlatSession

@Suite(.timeLimit(.minutes(30)))
struct ScanScopeTests {
  private static let items: [TreeItem] = [
    .directory("in", [.directory("deep", [.file("a", size: 9)]), .file("b", size: 9)]),
    .directory("out", [.directory("in", [.file("c", size: 9)]), .file("d", size: 9)]),
  ]

  /// Scans a tree whose last scan is so long ago that a fast scan leaves its files unchecked.
  private func rescan(
    _ root: String,
    _ scope: ScanScope,
    after last: ScanResult
  ) async throws
    -> ScanResult
  {
    var last = last
    last.startedAt += 100 * 24 * 3600 * 1_000_000_000
    let request = ScanRequest(
      target: ScanTarget(root),
      scope: scope,
      previous: last,
      partialTrees: PartialTrees(areWanted: { false }) { _ in },
      onProgress: { _ in }
    )
    return try await request.scan()
  }

  @Test func `A directory is looked at closely, and the rest as in a fast scan`() async throws {
    try await withTemporaryTree(Self.items) { root in
      let first = try await DirectoryScanner().scan(root)
      for path in ["in/deep/a", "in/b", "out/in/c", "out/d"] {
        try #require(truncate("\(root)/\(path)", 40_000) == 0)
      }
      let full = try await DirectoryScanner().scan(root)
      let rescan = try await rescan(root, .directory(Array("\(root)/in".utf8)), after: first)
      #expect(rescan.level == .fast)
      func size(_ result: ScanResult, _ path: String) throws -> UInt64? {
        let (tree, names) = (result.tree, path.split(separator: "/").map { Array($0.utf8) })
        let entry = tree.nearestEntry(to: EntryPath(names))
        try #require(tree.entryPath(of: entry) == EntryPath(names))
        var cursor = tree.listing(of: entry.directory).makeCursor()
        while cursor.advance() { if cursor.ordinal == entry.ordinal { return cursor.entry.size } }
        return nil
      }
      #expect(try size(rescan, "in/deep/a") == size(full, "in/deep/a"))
      #expect(try size(rescan, "in/b") == size(full, "in/b"))
      // One of sixteen is looked at in any case.
      let missed = try ["out/in/c", "out/d"].count { try size(rescan, $0) == size(first, $0) }
      #expect(rescan.unverified.files == missed)
    }
  }

  @Test(arguments: ["", "/nowhere", "/in/../in"])
  func `The top, and what is not known, is everything`(path: String) async throws {
    try await withTemporaryTree(Self.items) { root in
      let first = try await DirectoryScanner().scan(root)
      let rescan = try await rescan(root, .directory(Array((root + path).utf8)), after: first)
      #expect(rescan.level == .verified)
      #expect(rescan.tree == first.tree)
    }
  }

  @Test func `A file elsewhere that was given another name here is counted once`() async throws {
    try await withTemporaryTree([
      .directory("in", []), .directory("out", (0..<40).map { .file("\($0)", size: 9_000) }),
    ]) { root in
      let first = try await DirectoryScanner().scan(root)
      for number in 0..<40 {
        try #require(link("\(root)/out/\(number)", "\(root)/in/\(number)") == 0)
      }
      let rescan = try await rescan(root, .directory(Array("\(root)/in".utf8)), after: first)
      let full = try await DirectoryScanner().scan(root)
      #expect(rescan.tree == full.tree)
      #expect(rescan.unverified.files == 0)
    }
  }

  @Test func `Two scopes together are everything, unless they are the same`() {
    let (one, two) = (ScanScope.directory([1]), ScanScope.directory([2]))
    #expect(one.joined(with: one) == one)
    #expect(one.joined(with: two) == .everything)
    #expect(one.joined(with: .everything) == .everything)
  }
}
