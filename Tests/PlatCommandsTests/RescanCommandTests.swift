import Foundation
import Glibc
import PlatStore
import PlatTestSupport
import PlatTree
import Testing

struct RescanCommandTests {
  private static let items: [TreeItem] = [
    .directory("lib", [.file("big", size: 300_000), .file("small", size: 5)]),
    // More than a fast scan looks at or leaves together.
    .directory("other", (0..<80).map { .file("\($0)", size: 10) }),
    .hardLink("link", to: "tree/lib/big"),
  ]

  @Test func `A second scan builds upon the first and finds what changed`() async throws {
    try await withSandbox(Self.items) { box in
      let first: ScanAnswer = try await box.json(["scan", box.tree])
      try check(truncate(box.tree + "/lib/small", 1_000_000), "truncate")
      try check(unlink(box.tree + "/other/7"), "unlink")
      let second: ScanAnswer = try await box.json(["scan", box.tree])
      let third: ScanAnswer = try await box.json(["scan", box.tree, "--level", "full"])
      #expect([first, second, third].map(\.level) == ["full", "verified", "full"])
      #expect(second.files == first.files - 1)
      #expect(try second.allocatedSize == diskUsage([box.tree]))
      #expect(second.unverified == nil)
      #expect(second.entries == third.entries)
      #expect(second.snapshot?.id == 2)
      #expect(second.snapshot?.unverifiedFiles == 0)
    }
  }

  @Test func `A rescan of an unchanged tree writes less than 64 KiB`() async throws {
    let items = (0..<100).map { folder in
      TreeItem.directory("\(folder)", (0..<50).map { .sparseFile("\($0)", size: $0) })
    }
    try await withSandbox(items) { box in
      let first: ScanAnswer = try await box.json(["scan", box.tree])
      let path = try #require(first.snapshot?.database)
      let before = try Data(contentsOf: URL(fileURLWithPath: path))
      let second: ScanAnswer = try await box.json(["scan", box.tree])
      #expect(second.level == "verified")
      let after = try Data(contentsOf: URL(fileURLWithPath: path))
      let page = 4096
      let written = stride(from: 0, to: after.count, by: page).count { start in
        let range = start..<min(start + page, after.count)
        return range.upperBound > before.count || before[range] != after[range]
      }
      #expect(before.count > 100_000)
      #expect(written * page < 65_536)
    }
  }

  @Test func `A snapshot of an unchanged tree is arranged in pictures as the one before`()
    async throws
  {
    try await withSandbox(Self.items) { box in
      let first: ScanAnswer = try await box.json(["scan", box.tree])
      let path = try #require(first.snapshot?.database)
      let store = try SnapshotStore(Array(path.utf8), for: .reading)
      func memory(_ snapshot: Int) throws -> LayoutMemory? {
        try store.layoutMemory(width: 1600, height: 1000, options: "nested", upTo: snapshot)
      }
      let before = try #require(try memory(1))
      _ = await box.run(["scan", box.tree])
      #expect(try memory(2) == before, "nothing is written")
      _ = await box.run(["snapshots", "delete", "1", box.tree])
      #expect(try memory(2)?.data == before.data)
      try Data(repeating: 1, count: 300_000).write(to: URL(fileURLWithPath: box.tree + "/more"))
      _ = await box.run(["scan", box.tree])
      #expect(try memory(3)?.snapshot == 3)
      #expect(try #require(try memory(2)).data.count < before.data.count)
    }
  }

  @Test func `Why everything is read is told to who wants to know`() async throws {
    try await withSandbox(Self.items) { box in
      func reason(_ words: [String]) async -> String {
        await box.run(["scan", box.tree, "-v", "--no-save"] + words).errors
      }
      #expect(await reason([]) == "")
      _ = await box.run(["scan", box.tree])
      #expect(await reason([]) == "")
      #expect(
        await reason(["--exclude", "x"])
          == "plat: \(box.tree): everything is read: no snapshot with these options, of this "
          + "machine and user\n"
      )
      let quiet: ScanAnswer = try await box.json(["scan", box.tree, "--no-save", "--exclude", "x"])
      #expect(quiet.level == "full")
    }
  }

  @Test func `A scan that is not kept builds upon the snapshot there is`() async throws {
    try await withSandbox(Self.items) { box in
      _ = await box.run(["scan", box.tree])
      let answer: ScanAnswer = try await box.json(["scan", box.tree, "--no-save"])
      #expect(answer.level == "verified")
      #expect(answer.snapshot == nil)
    }
  }

  @Test func `A root that is reached through a link builds upon its snapshot`() async throws {
    try await withSandbox(Self.items) { box in
      _ = await box.run(["scan", box.tree])
      let link = box.directory + "/way"
      try check(symlink(box.tree, link), "symlink")
      #expect(try await box.json(["scan", link], as: ScanAnswer.self).level == "verified")
    }
  }

  @Test func `Several roots build upon their snapshots`() async throws {
    try await withSandbox(Self.items) { box in
      let roots = [box.tree + "/lib", box.tree + "/other"]
      for root in roots { _ = await box.run(["scan", root]) }
      let answer: ScanAnswer = try await box.json(["scan", "--level", "fast"] + roots)
      #expect(answer.level == "fast")
      #expect(answer.files == 82)
    }
  }

  @Test func `A damaged store is no reason not to scan`() async throws {
    try await withSandbox(Self.items) { box in
      let database = box.directory + "/other.db"
      try Data("no database".utf8).write(to: URL(fileURLWithPath: database))
      let words = ["scan", box.tree, "--no-save", "-v", "--database", database]
      let outcome = await box.run(words)
      #expect(outcome.status == 0)
      #expect(outcome.errors.contains("everything is read: the snapshots cannot be read"))
    }
  }

  @Test func `A fast scan says what it did not look at, and keeps that`() async throws {
    try await withSandbox(Self.items) { box in
      let first: ScanAnswer = try await box.json(["scan", box.tree])
      let database = try #require(first.snapshot?.database)
      try addColdSnapshot(to: database)
      let words = ["scan", box.tree, "--level", "fast"]
      let answer: ScanAnswer = try await box.json(words)
      let unverified = try #require(answer.unverified)
      #expect(answer.level == "fast")
      #expect(unverified.files > 20)
      #expect(unverified.files + unverified.sampledFiles == answer.files)
      #expect(unverified.allocatedSize > 0)
      #expect(unverified.oldestScans == 1)
      #expect(unverified.oldestObservedAt != nil)
      #expect(answer.snapshot?.unverifiedFiles == unverified.files)

      let stored = try SnapshotStore(Array(database.utf8), for: .reading).snapshot().scan
      #expect(stored.level == "fast")
      #expect(stored.unverifiedFiles == unverified.files)
      #expect(stored.unverifiedSize == unverified.allocatedSize)
      #expect(stored.oldestUnverified == 1)
      #expect(stored.sampledFiles == unverified.sampledFiles)
      #expect(stored.sampledGrowth == unverified.sampledGrowth)

      try addColdSnapshot(to: database)
      let text = await box.run(words).text
      #expect(text.contains("\nrescanned, fast in "))
      let line = #/\nnot looked at: [0-9]+ files, [0-9.]+ KiB, last seen at most 1 scan ago; of a /#
      #expect(text.contains(line))
      #expect(text.contains(#/ sample of [0-9]+ such files? [0-9]+ had changed \(\+?[0-9]/#))
    }
  }

  /// Adds a snapshot that is like the newest, and made so much later that its files are cold.
  private func addColdSnapshot(to database: String) throws {
    let store = try SnapshotStore(Array(database.utf8), for: .writing)
    let newest = try store.snapshot()
    var scan = ScanDescription(
      startedAt: newest.scan.startedAt + 100 * 24 * 3600 * 1_000_000_000,
      finishedAt: newest.scan.finishedAt + 100 * 24 * 3600 * 1_000_000_000,
      level: "full",
      options: newest.scan.options,
      host: newest.scan.host
    )
    scan.isComplete = true
    try store.write(store.load(newest.id), scan)
  }

  @Test func `Drawing with --scan builds upon the snapshot there is`() async throws {
    try await withSandbox(Self.items) { box in
      _ = await box.run(["scan", box.tree])
      let picture = box.directory + "/map.svg"
      #expect(await box.run(["render", box.tree, "--scan", "-o", picture]).status == 0)
      let list = await box.run(["snapshots", "list", box.tree, "--json"]).text
      #expect(list.contains(#""level":"verified""#))
    }
  }

  @Test func `A level that there is not is a usage error`() async throws {
    try await withSandbox([]) { box in
      let outcome = await box.run(["scan", box.tree, "--level", "deep"])
      #expect(outcome.status == 2)
      #expect(
        outcome.errors.contains("option '--level' takes full, verified or fast, not 'deep'")
      )
    }
  }
}
