import Foundation
import PlatCommands
import PlatStore
import PlatTestSupport
import PlatTree
import Testing

struct SnapshotReferenceTests {
  /// 2026-11-30T12:00:00Z.
  private static let now: Int64 = 1_796_040_000

  /// When the snapshots began that the tests choose from: 1, 2, 3 and 5; the clock was wrong at 4.
  private static let starts = [
    "2026-11-01T23:59:59Z", "2026-11-20T04:00:00Z", "2026-11-29T13:00:00Z", "1970-01-02T00:00:00Z",
    "2026-11-30T04:00:07Z",
  ]

  /// Keeps snapshots of an empty directory that began at some times, and calls `body` with the store.
  private func withSnapshots<Result>(
    _ starts: [String],
    at path: [UInt8]? = nil,
    root: String = "/srv",
    _ body: (SnapshotStore) throws -> Result
  ) throws -> Result {
    let folder = try makeTemporaryDirectory()
    defer { removeTree(folder) }
    let path = path ?? Array("\(folder)/x.plat".utf8)
    let store = try SnapshotStore(path, for: .writing)
    for start in starts {
      var batch = FileTree.Batch()
      batch.directories.append(
        FileTree.Batch.Directory(
          number: 0,
          details: DirectoryDetails(),
          listing: 0..<0,
          summary: ListingSummary()
        )
      )
      var builder = FileTree.Builder(rootPath: Array(root.utf8))
      builder.insert(batch)
      let seconds = try Date(start, strategy: .iso8601).timeIntervalSince1970
      let time = Int64(seconds) * 1_000_000_000 + 700_000_000
      try store.write(
        builder.makeTree { FileSystem(device: $0) },
        ScanDescription(startedAt: time, finishedAt: time)
      )
    }
    return try body(store)
  }

  @Test(
    arguments: [
      ("1", 1), ("5", 5), ("latest", 5), ("latest~0", 5), ("latest~1", 4), ("latest~4", 1),
      ("2026-11-30", 5), ("2026-11-30T04:00", 5), ("2026-11-30T04:00:07Z", 5),
      ("2026-11-30T04:00:06", 3), ("2026-11-30T05:00:07+01:00", 5), ("2026-11-29", 3),
      ("2026-11-28", 2), ("2026-11-01", 1), ("2026-10-31", 4), ("9999-12-31", 5),
      ("0s", 5), ("7h", 5), ("8h", 3), ("23h", 3), ("1d", 2), ("1w", 2), ("28d", 1), ("1y", 4),
    ] as [(String, Int)]
  )
  func `A reference names the newest snapshot that had begun by then`(
    word: String,
    id: Int
  ) throws {
    try withSnapshots(Self.starts) { store in
      let reference = try #require(SnapshotReference(Argument(word.utf8)))
      let found = try reference.resolve(among: store.snapshots(), of: store.path, now: Self.now)
      #expect(found.id == id)
    }
  }

  @Test(
    arguments: [
      ("4", "no snapshot 4"), ("latest~3", "holds 3 snapshots, none 3 before the latest"),
      (
        "2026-10-31",
        "no snapshot of 2026-10-31T23:59:59Z or before; the oldest is of 2026-11-01T23:59:59Z"
      ),
      (
        "30d",
        "no snapshot of 2026-10-31T12:00:00Z or before; the oldest is of 2026-11-01T23:59:59Z"
      ),
    ]
  )
  func `A snapshot that is not there is missing`(word: String, problem: String) throws {
    try withSnapshots(Array(Self.starts.prefix(3))) { store in
      let reference = try #require(SnapshotReference(Argument(word.utf8)))
      let snapshots = try store.snapshots()
      let failure = #expect(throws: CommandFailure.self) {
        try reference.resolve(among: snapshots, of: Array("/x.plat".utf8), now: Self.now)
      }
      #expect(failure?.description == "/x.plat: \(problem)")
      #expect(failure?.status == .missing)
    }
  }

  @Test(arguments: [
    "0", "-1", "+1", "1.0", "latest~", "latest~-1", "latest~x", "newest", "LATEST", "2026-02-30",
    "30m", "99999999999999999999", "now",
  ])
  func `What names no snapshot is a usage error`(word: String) async throws {
    try await withSandbox([]) { box in
      for command in [["query", "top"], ["render", "-o", "x.svg"]] {
        let outcome = await box.run(command + ["--snapshot", word, box.tree])
        #expect(outcome.status == 2)
        #expect(
          outcome.errors.hasPrefix(
            "plat: option '--snapshot' takes a number, 'latest', 'latest~1', a date such as "
              + "2026-11-30 or an age such as 30d, not '\(word)'\n"
          )
        )
      }
    }
  }

  @Test func `A picture of an earlier snapshot shows what was there`() async throws {
    try await withSandbox([.file("then", size: 50_000)]) { box in
      _ = await box.run(["scan", box.tree])
      try FileManager.default.moveItem(atPath: box.tree + "/then", toPath: box.tree + "/now")
      _ = await box.run(["scan", box.tree])
      for (word, name) in [("1", "then"), ("latest~1", "then"), ("2", "now"), ("0s", "now")] {
        let outcome = await box.run(
          ["render", box.tree, "--snapshot", word, "-o", "-", "--format=svg"]
        )
        #expect(outcome.text.contains(">\(name)<"))
        #expect(outcome.status == 0)
      }
      let missing = await box.run(["render", box.tree, "--snapshot=1y", "-o", "-", "--format=svg"])
      #expect(missing.status == 3)
      #expect(missing.errors.contains(": no snapshot of 20"))
      let both = await box.run(["render", box.tree, "--snapshot=1", "--scan", "-o", "x.svg"])
      #expect(both.status == 2)
    }
  }
}
