import Foundation
import PlatTestSupport
import PlatTree
import Testing

@testable import PlatScan

/// Random changes and no waiting: a rescan has to find what a full scan finds.
///
/// `PLAT_RESCAN_ROUNDS` sets how many rounds each run has, and `PLAT_RESCAN_SEED` the seed, as
/// `Scripts/check-rescans` does.
@Suite(.timeLimit(.minutes(60)))
struct RescanPropertyTests {
  /// Where and how a run scans.
  struct Case: Sendable, CustomTestStringConvertible {
    var isInMemory: Bool
    var name: String
    var options: DirectoryScanner.Options

    var testDescription: String { "\(isInMemory ? "in memory" : "on disk"), \(name)" }

    static let all: [Case] = [false, true].filter { !$0 || hasMemoryFileSystem }.flatMap { place in
      let plain = DirectoryScanner.Options()
      var patterns = plain
      patterns.exclusions = ["*.tmp", "a/b", "y.o/"].map { Array($0.utf8) }
      patterns.ignorePatterns = Array("x.o\n/d/*\n!/d/a\n".utf8)
      var files = patterns
      files.honorsGitignore = true
      files.skipsCaches = true
      return [("plain", plain), ("patterns", patterns), ("control files", files)].map {
        Case(isInMemory: place, name: $0.0, options: $0.1)
      }
    }
  }

  private static func setting(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
  }

  private static let rounds = setting("PLAT_RESCAN_ROUNDS") ?? 100

  @Test(arguments: Case.all)
  func `A verified rescan finds what a full scan finds`(_ place: Case) throws {
    let seed = Self.setting("PLAT_RESCAN_SEED").map(UInt64.init) ?? UInt64.random(in: 0..<1 << 32)
    let root = try place.isInMemory ? makeDirectoryInMemory() : makeTemporaryDirectory()
    defer { removeTree(root) }
    var mutator = Mutator(root, seed: seed)
    mutator.populate(directories: 60)
    var last = try scanNow([root], options: place.options)
    var counts = ScanCalls()
    for round in 0..<Self.rounds {
      let changes = mutator.step(atMost: 6)
      let full = try scanNow([root], options: place.options).tree
      var baseline = DirectoryScanner.Baseline(last, options: place.options)
      if round % 2 == 0 { baseline.tree = baseline.tree.storedCopy() }
      let rescan = try scanNow([root], options: place.options, reusing: [baseline])
      if rescan.tree != full {
        // Blocks may have been allocated meanwhile, which no call of ours did.
        let again = try scanNow([root], options: place.options).tree
        try #require(
          rescan.tree == again || full != again,
          "PLAT_RESCAN_SEED=\(seed), \(place.testDescription), round \(round): \(changes)"
        )
      }
      try #require(rescan.tree.brokenInvariants() == [], "PLAT_RESCAN_SEED=\(seed)")
      counts += rescan.calls
      last = rescan
    }
    // Or nothing was tested. Below patterns of git everything is read, and they may be anywhere.
    #expect(counts.directoriesReused > 0 || place.options.honorsGitignore)
    #expect(counts.directoriesRead > 0)
  }

  @Test(.enabled(if: hasMemoryFileSystem))
  func `Without an age that directory times must have, a rescan in memory is wrong`() throws {
    let root = try makeDirectoryInMemory()
    defer { removeTree(root) }
    var options = DirectoryScanner.Options()
    options.threadCount = 1
    var mutator = Mutator(
      root,
      seed: 1,
      kinds: [.create, .unlink, .addHardLink, .replaceAtomically],
      maximum: 12
    )
    mutator.populate(directories: 1)
    func rescan(_ last: ScanResult, racyMargin: Int64?) throws -> FileTree {
      let baseline = DirectoryScanner.Baseline(last, options: options, racyMargin: racyMargin)
      return try scanNow([root], options: options, reusing: [baseline]).tree
    }
    // A machine may be so slow that the clock ticks before most of the changes that follow a scan.
    var (rounds, hidden) = (0, 0)
    while rounds < Self.rounds || (hidden == 0 && rounds < 200_000) {
      rounds += 1
      // Made ready before, so that all happens between two ticks of the clock now and then.
      let job = try ScanJob([Array(root.utf8)], options: options)
      _ = mutator.step(atMost: 2)
      let last = try job.run { _ in }
      _ = mutator.step(atMost: 2)
      let full = try scanNow([root], options: options).tree
      #expect(try rescan(last, racyMargin: 3_000_000_000) == full)
      guard full.hidesNewNames(since: last.tree) else { continue }
      hidden += 1
      #expect(try rescan(last, racyMargin: nil) != full)
    }
    #expect(hidden > 0, "no change between two ticks of the clock in \(rounds) rounds")
  }
}

extension FileTree {
  /// Whether directories have the times that they had in an earlier tree, and all that they held is
  /// there, and more.
  fileprivate func hidesNewNames(since earlier: FileTree) -> Bool {
    guard directoryCount == earlier.directoryCount else { return false }
    let names = directories.map { self.names(in: $0) }
    let earlierNames = earlier.directories.map { earlier.names(in: $0) }
    return names != earlierNames
      && zip(names, earlierNames).allSatisfy { $0.isSuperset(of: $1) }
      && zip(directories, earlier.directories).allSatisfy {
        details(of: $0) == earlier.details(of: $1)
      }
  }

  /// What the names in a directory lead to.
  private func names(in directory: DirectoryID) -> Set<[UInt64]> {
    var names: Set<[UInt64]> = []
    var cursor = listing(of: directory).makeCursor()
    while cursor.advance() { names.insert([cursor.entry.inode] + cursor.name.map(UInt64.init)) }
    return names
  }
}
