import Foundation
import PlatCommands
import PlatStore
import PlatTestSupport
import Testing

/// `plat snapshots` and its verbs.
struct SnapshotsCommandTests {
  /// A sandbox whose tree has three snapshots: two of early 2020, a day apart, and one of now.
  private func withSnapshots(_ body: (Sandbox, SnapshotStore) async throws -> Void) async throws {
    try await withSandbox(ScanCommandTests.items) { box in
      #expect(
        await box.run(["scan", "-q", box.tree, "--database=\(box.directory)/first"]).status == 0
      )
      let first = try SnapshotStore(Array("\(box.directory)/first".utf8), for: .reading)
      let tree = try first.load()
      let path = await box.run(["snapshots", "path", "-0", box.tree]).output.dropLast()
      try StoreLocation(environment: { name in
        name == "XDG_STATE_HOME" ? Array("\(box.directory)/state".utf8) : nil
      }).makeFolder()
      let store = try SnapshotStore(Array(path), for: .writing)
      for day in 0..<2 as Range<Int64> {
        // 2020-01-06 was a Monday.
        let start = (1_578_304_800 + day * 86_400) * 1_000_000_000
        try store.write(tree, ScanDescription(startedAt: start, finishedAt: start + 2_000_000_000))
      }
      #expect(await box.run(["scan", "-q", box.tree]).status == 0)
      try await body(box, store)
    }
  }

  /// The lines of a table, each after a newline, with one space between columns.
  private func table(_ outcome: Outcome) -> String {
    "\n" + outcome.text.replacing(#/ {2,}/#, with: " ")
  }

  @Test func `Show says what is known of a snapshot`() async throws {
    try await withSnapshots { box, _ in
      let shown = await box.run(["snapshots", "show", "1", box.tree])
      #expect(shown.status == 0)
      #expect(shown.errors == "")
      for words in [
        "snapshot 1", "started 2020-01-06T10:00:00Z, ", "level full",
        "entries 5 files, 4 directories",
      ] {
        #expect(table(shown).contains("\n\(words)"), "\(shown.text)")
      }
      #expect(!shown.text.contains("free then"))
      // A scan of our own knows how much was free.
      let newest = await box.run(["snapshots", "show", "latest", box.tree])
      #expect(table(newest).contains("\nsnapshot 3\n"))
      #expect(table(newest).contains("\nfree then "))
    }
  }

  @Test func `JSON of a snapshot names everything`() async throws {
    try await withSnapshots { box, _ in
      let shown = await box.run(["snapshots", "show", "--json", "latest", box.tree])
      #expect(
        shown.jsonShape == """
          {"schema":s,"root":s,"database":s,"id":0,"started_at":s,"level":s,"complete":true,\
          "unverified_files":0,"finished_at":s,"apparent_size":0,"allocated_size":0,"files":0,\
          "directories":0,"symbolic_links":0,"others":0,"issue_count":0,"unverified_size":0,\
          "oldest_unverified":null,"sampled_files":null,"sampled_changes":null,\
          "sampled_growth":null,"total_space":0,"free_space":0,"pinned":false,"label":null}

          """
      )
    }
  }

  @Test(arguments: [
    ("latest", 3), ("latest~2", 1), ("2020-01-06", 1), ("365d", 2),
  ])
  func `A snapshot is named by number, place, date or age`(word: String, id: Int) async throws {
    try await withSnapshots { box, _ in
      let shown = await box.run(["snapshots", "show", word, box.tree])
      #expect(table(shown).hasPrefix("\nsnapshot \(id)\n"), "\(shown.text)\(shown.errors)")
    }
  }

  @Test(arguments: [
    (["show"], "SNAPSHOT is missing"),
    (["delete", "0"], "'0' is no snapshot: a number, latest, latest~1, a date or an age"),
    (["pin", "1", "a", "b"], "unexpected operand 'b'"),
    (["prune", "a", "b"], "only one DIR can be asked for"),
  ])
  func `A bad command line says what would be right`(words: [String], message: String) async throws
  {
    try await withSandbox([]) { box in
      let outcome = await box.run(["snapshots"] + words)
      #expect(outcome.status == 2)
      #expect(outcome.errors.hasPrefix("plat: \(message)\n"))
    }
  }

  @Test func `A pin keeps a snapshot from being pruned, until it is taken away`() async throws {
    try await withSnapshots { box, _ in
      let pinned = await box.run(["snapshots", "pin", "1", box.tree])
      #expect(pinned.text == "snapshot 1 is pinned\n")
      #expect(await box.run(["snapshots", "list", box.tree]).text.contains("pinned"))
      let dry = await box.run(["snapshots", "prune", "--dry-run", box.tree])
      #expect(dry.text == "would remove 0 snapshots and keep 3\n")
      let unpinned = await box.run(["snapshots", "unpin", "1", box.tree])
      #expect(unpinned.text == "snapshot 1 is no longer pinned\n")
    }
  }

  @Test func `Prune removes what the policy does not keep, and says what it freed`() async throws {
    try await withSnapshots { box, store in
      // 14 days are kept, and this makes more of them in one week and month of 2020.
      let tree = try store.load(1)
      for number in 0..<40 as Range<Int64> {
        let start = (1_578_304_800 + number * 3_600) * 1_000_000_000
        try store.write(tree, ScanDescription(startedAt: start, finishedAt: start))
      }
      let dry: PruneAnswer = try await box.json(["snapshots", "prune", "--dry-run", box.tree])
      #expect(dry.dryRun && dry.freedSize == nil && !dry.removed.isEmpty)
      let pruned: PruneAnswer = try await box.json(["snapshots", "prune", box.tree])
      #expect(pruned.removed == dry.removed && pruned.kept == dry.kept)
      // The last of each of two days, the newest by number, and the scan of now.
      #expect(pruned.kept.contains(3) && pruned.kept.contains(43))
      #expect(pruned.kept.count == 4)
      #expect(try store.snapshots().map(\.id) == pruned.kept)
      let again = await box.run(["snapshots", "prune", box.tree])
      #expect(again.text == "removed 0 snapshots and kept 4; freed 0 B\n")
      #expect(await box.run(["snapshots", "check", box.tree]).status == 0)
    }
  }

  @Test func `Delete removes one snapshot, and the last one, too`() async throws {
    try await withSnapshots { box, _ in
      let removed = await box.run(["snapshots", "delete", "latest~1", box.tree])
      #expect(removed.status == 0)
      #expect(removed.text.hasPrefix("removed snapshot 2; freed "))
      let missing = await box.run(["snapshots", "delete", "2", box.tree])
      #expect(missing.status == 3)
      #expect(missing.errors.hasSuffix(": no snapshot 2\n"))
      for id in ["1", "3"] {
        #expect(await box.run(["snapshots", "delete", id, box.tree]).status == 0)
      }
      #expect(await box.run(["snapshots", "show", "latest", box.tree]).status == 3)
      #expect(await box.run(["scan", "-q", box.tree]).status == 0)
      let list: SnapshotsAnswer = try await box.json(["snapshots", "list", box.tree])
      #expect(list.snapshots.map(\.id) == [4], "numbers are not used twice")
    }
  }

  @Test func `Check finds nothing wrong, or names what is`() async throws {
    try await withSnapshots { box, _ in
      let sound = await box.run(["snapshots", "check", box.tree])
      #expect(sound.status == 0)
      #expect(sound.text.hasPrefix("3 snapshots and "))
      #expect(sound.text.hasSuffix(" checked: nothing is wrong\n"))
      let outcome = try box.shell(
        """
        db=$(plat snapshots path tree)
        sqlite3 "$db" 'UPDATE snapshot SET files = 99 WHERE id = 2'
        plat snapshots check tree; echo $?
        plat snapshots list -q tree | awk '{ print $1 }'; echo ${PIPESTATUS[0]}
        plat snapshots show 2 tree; echo $?
        plat query list -q0 -n1 tree | tr '\\0' '\\n'
        plat snapshots delete 2 tree >/dev/null; plat snapshots check -q tree; echo $?
        """
      )
      #expect(
        outcome.text == """
          2 snapshots intact, 1 damaged (2)
          4
          ID
          1
          3
          4
          4
          lib
          0

          """
      )
      let words = ": the checksum of its description does not fit\n"
      #expect(outcome.errors.components(separatedBy: words).count == 4, "\(outcome.errors)")
    }
  }

  @Test func `JSON of a check has the problems`() async throws {
    try await withSnapshots { box, _ in
      _ = try box.shell(
        "sqlite3 \"$(plat snapshots path tree)\" 'UPDATE snapshot SET files = 99 WHERE id = 2'"
      )
      let outcome = await box.run(["snapshots", "check", "--json", box.tree])
      #expect(outcome.status == 4)
      #expect(
        outcome.jsonShape == """
          {"schema":s,"database":s,"intact":[0,0],"damaged":[0],"listings":0,"problems":[
          {"snapshot":0,"what":s}]}

          """
      )
    }
  }

  @Test func `The path is that of the database, or of the one to come`() async throws {
    try await withSnapshots { box, store in
      let path = String(decoding: store.path, as: UTF8.self)
      #expect(await box.run(["snapshots", "path", box.tree]).text == path + "\n")
      #expect(await box.run(["snapshots", "path", box.tree + "/lib/x"]).text == path + "\n")
      let other = await box.run(["snapshots", "path", box.directory, "--json"])
      #expect(other.status == 0)
      #expect(other.text.contains("\"exists\":false"))
    }
  }

  private struct PruneAnswer: Decodable {
    var dryRun: Bool
    var removed: [Int]
    var kept: [Int]
    var freedSize: UInt64?
  }
}
