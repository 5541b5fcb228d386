import Foundation
import Glibc
import PlatCommands
import PlatTestSupport
import Testing

struct DiffCommandTests {
  /// What a test reads of `plat/diff/1`.
  private struct Answer: Decodable {
    struct End: Decodable {
      var id: Int?
      var level: String
    }

    struct Sizes: Decodable {
      var allocatedSize: UInt64
      var files: Int
    }

    struct Directory: Decodable {
      var path: String
      var before: Sizes
      var after: Sizes
      var allocatedChange: Int64
      var filesChange: Int
    }

    struct Change: Decodable {
      var path: String
      var change: String
      var kind: String
      var allocatedSize: UInt64
      var allocatedChange: Int64
      var apparentChange: Int64
      var filesChange: Int
      var formerPath: String?
      var formerKind: String?
      var unreadable: Bool?
    }

    var from: End
    var to: End
    var directory: Directory
    var changeCount: Int
    var changes: [Change]
  }

  private static let items: [TreeItem] = [
    .directory(
      "lib",
      [.file("big", size: 300_000), .directory("deep", [.file("f", size: 5_000)])]
    ),
    .directory("logs", [.file("a.log", size: 40_000), .file("b.log", size: 1_000)]),
    .file("plain", size: 70_000),
  ]

  /// Calls `body` in a sandbox with two snapshots, between which every kind of change was made.
  private func withTwoSnapshots(_ body: (Sandbox) async throws -> Void) async throws {
    try await withSandbox(Self.items) { box in
      _ = await box.run(["scan", box.tree])
      try change(box.tree)
      _ = await box.run(["scan", box.tree])
      try await body(box)
    }
  }

  private func change(_ tree: String) throws {
    let files = FileManager.default
    try files.moveItem(atPath: tree + "/lib/deep", toPath: tree + "/deep")
    try files.removeItem(atPath: tree + "/lib/big")
    try Data(count: 200_000).write(to: URL(filePath: tree + "/logs/a.log"))
    try Data(count: 90_000).write(to: URL(filePath: tree + "/logs/c.log"))
    try files.removeItem(atPath: tree + "/plain")
    try files.createSymbolicLink(atPath: tree + "/plain", withDestinationPath: "deep")
  }

  @Test func `The text says what happened, the largest growth first, and how much`() async throws {
    try await withTwoSnapshots { box in
      let outcome = await box.run(["diff", box.tree, "--bytes", "--apparent", "--ascii"])
      #expect(outcome.status == 0)
      #expect(outcome.errors == "")
      let lines = outcome.text.replacing(#/20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ/#) { _ in "TIME" }
      #expect(
        lines == """
          \(box.tree): snapshot 1 of TIME -> snapshot 2 of TIME
          416000 -> 296004, -119996, -1 file

           CHANGE    SIZE  FILES  WHAT      NAME
          +250000  291000     +1  grown     logs/
          +160000  200000         grown     logs/a.log
           +90000   90000     +1  added     logs/c.log
                0    5000         moved     deep/ <- lib/deep/
           -69996       4     -1  replaced  plain  (a link, was a file)
          -300000  300000     -1  removed   lib/big
          -305000       0     -2  shrunk    lib/

          """
      )
    }
  }

  @Test func `The members of the JSON and their order are as documented`() async throws {
    try await withTwoSnapshots { box in
      let totals = """
        {"apparent_size":0,"allocated_size":0,"files":0,"directories":0,"symbolic_links":0,"others":0}
        """
      let end = """
        {"id":0,"started_at":s,"level":s,"complete":true,"unverified_files":0}
        """
      let start = """
        {"path":s,"change":s,"kind":s,"apparent_size":0,"allocated_size":0,"files":0,\
        "apparent_change":0,"allocated_change":0,"files_change":0
        """
      let outcome = await box.run(["diff", box.tree, "--json"])
      #expect(
        outcome.jsonShape.replacing("-0", with: "0") == """
          {"schema":s,"from":\(end),"to":\(end),"directory":{"path":s,"before":\(totals),\
          "after":\(totals),"apparent_change":0,"allocated_change":0,"files_change":0},\
          "change_count":0,"changes":[
          \(start)},
          \(start)},
          \(start)},
          \(start),"former_path":s},
          \(start),"former_kind":s},
          \(start)},
          \(start)}]}

          """
      )
      #expect(outcome.text.hasPrefix(#"{"schema":"plat/diff/1","#))
    }
  }

  @Test func `The numbers are the differences of what du says`() async throws {
    try await withSandbox(Self.items) { box in
      let before = try #require(try diskUsage([box.tree + "/logs"]))
      _ = await box.run(["scan", box.tree])
      try change(box.tree)
      let after = try #require(try diskUsage([box.tree + "/logs"]))
      _ = await box.run(["scan", box.tree])
      let answer: Answer = try await box.json(["diff", box.tree])
      let logs = try #require(answer.changes.first { $0.path == box.tree + "/logs" })
      #expect(logs.allocatedSize == after)
      #expect(logs.allocatedChange == Int64(after) - Int64(before))
      #expect(try answer.directory.after.allocatedSize == diskUsage([box.tree]))
      #expect(answer.directory.path == box.tree)
      #expect(answer.directory.filesChange == -1)

      let inside: Answer = try await box.json(["diff", box.tree + "/logs"])
      #expect(inside.directory.before.allocatedSize == before)
      #expect(inside.changes.map(\.change) == ["grown", "added"])
    }
  }

  @Test(
    arguments: [
      (["--sort", "name"], "deep lib lib/big logs logs/a.log logs/c.log plain"),
      (["--sort=name", "--reverse", "-n2"], "plain logs/c.log"),
      (["--sort", "growth", "-n", "1"], "logs"), (["-n0"], ""),
      (["--sort", "size", "-n", "3"], "lib/big logs logs/a.log"),
      (["--depth", "1", "--sort=name"], "deep lib logs plain"),
      (["--from=2", "--to=1", "--sort=growth", "-n1"], "lib"),
      (["--from=latest", "--to=latest"], ""), (["--from=latest~1", "-n1"], "logs"),
    ] as [([String], String)]
  )
  func `Changes are sorted, cut, and those of the snapshots that are named`(
    options: [String],
    paths: String
  ) async throws {
    try await withTwoSnapshots { box in
      let words = ["diff", box.tree, "--apparent"] + options
      let outcome = await box.run(words + ["-0", "-q"])
      #expect(outcome.text == paths.split(separator: " ").map { $0 + "\0" }.joined())
      #expect(outcome.status == 0)
      let answer: Answer = try await box.json(words)
      let names = answer.changes.map { $0.path.dropFirst(box.tree.count + 1) }
      #expect(names.joined(separator: " ") == paths)
      #expect(answer.changeCount >= answer.changes.count)
    }
  }

  @Test func `CSV has a header, exact numbers and quoted paths`() async throws {
    try await withSandbox([.file("a\"b", size: 3)]) { box in
      _ = await box.run(["scan", box.tree])
      try FileManager.default.moveItem(atPath: box.tree + "/a\"b", toPath: box.tree + "/c,d")
      _ = await box.run(["scan", box.tree])
      let lines = await box.run(["diff", "--csv", box.tree]).text.components(separatedBy: "\r\n")
      #expect(
        lines[0] == "path,former_path,change,kind,allocated_size,apparent_size,files,"
          + "allocated_change,apparent_change,files_change"
      )
      let size = try #require(try diskUsage([box.tree + "/c,d"]))
      let paths = "\"\(box.tree)/c,d\",\"\(box.tree)/a\"\"b\""
      #expect(lines.dropFirst() == ["\(paths),moved,file,\(size),3,1,0,0,0", ""])
    }
  }

  @Test func `--exit-code tells by the status whether anything is different`() async throws {
    try await withTwoSnapshots { box in
      #expect(await box.run(["diff", box.tree, "--exit-code"]).status == 6)
      #expect(await box.run(["diff", box.tree, "--exit-code", "--json", "-n0"]).status == 6)
      let same = await box.run(["diff", box.tree, "--exit-code", "--from=2"])
      #expect(same.status == 0)
      #expect(same.text.hasSuffix(", nothing is different\n"))
    }
  }

  @Test func `A person is told how many changes are not shown`() async throws {
    try await withTwoSnapshots { box in
      let outcome = await box.run(["diff", box.tree, "-n", "2"])
      #expect(outcome.errors == "plat: 5 more changes (-n COUNT shows more)\n")
      #expect(await box.run(["diff", box.tree, "-n2", "-q"]).errors == "")
    }
  }

  @Test func `A table fits the terminal, and names cannot do anything there`() async throws {
    try await withSandbox([.directory("d", [])]) { box in
      _ = await box.run(["scan", box.tree])
      let name = FileName(
        Array("\u{1b}[31m\n\u{202e}".utf8) + [0xff] + Array(repeating: 0x78, count: 200)
      )
      let path = Array((box.tree + "/d/").utf8) + name.bytes
      let descriptor = creat(path.map(CChar.init(bitPattern:)) + [0], 0o600)
      #expect(descriptor >= 0)
      close(descriptor)
      _ = await box.run(["scan", box.tree])
      let terminal = Terminal(isTerminal: true, columns: 70)
      let outcome = await box.run(["diff", box.tree, "--color=never"], terminal: terminal)
      let table = outcome.text.split(separator: "\n").dropFirst(2)
      #expect(table.count == 2)
      #expect(table.allSatisfy { $0.count <= 70 })
      #expect(!outcome.text.unicodeScalars.contains { $0.value < 32 && $0 != "\n" })
      #expect(!outcome.text.contains("\u{202e}"))
      let data = await box.run(["diff", box.tree, "--json"])
      #expect(data.text.contains("\"path_base64\""))
    }
  }

  // MARK: The disk now

  @Test func `--to now compares with the disk and stores nothing`() async throws {
    try await withSandbox(Self.items) { box in
      _ = await box.run(["scan", box.tree])
      try change(box.tree)
      let database = URL(filePath: "\(box.roots)/\(try #require(box.databases.first))")
      let bytes = try Data(contentsOf: database)
      let now: Answer = try await box.json(["diff", box.tree, "--to", "now"])
      #expect(now.from.id == 1)
      #expect(now.to.id == nil)
      #expect(now.to.level == "verified")
      let part: Answer = try await box.json(["diff", box.tree + "/lib", "--to", "now"])
      #expect(part.to.level == "verified")
      let list: SnapshotsAnswer = try await box.json(["snapshots", "list", box.tree])
      #expect(list.snapshots.map(\.id) == [1])
      #expect(try Data(contentsOf: database) == bytes)

      _ = await box.run(["scan", box.tree])
      let stored: Answer = try await box.json(["diff", box.tree])
      #expect(now.changes.map(\.path) == stored.changes.map(\.path))
      #expect(now.changes.map(\.change) == stored.changes.map(\.change))
      #expect(now.changes.map(\.allocatedChange) == stored.changes.map(\.allocatedChange))
      #expect(now.directory.after.allocatedSize == stored.directory.after.allocatedSize)

      let same = await box.run(["diff", box.tree, "--to=now", "--exit-code", "-q"])
      #expect(same.status == 0)
      #expect(same.text == "")
      let text = await box.run(["diff", box.tree + "/logs", "--from=1", "--to=now", "--ascii"]).text
      #expect(text.contains(" -> now, 20"))
      #expect(text.contains("  grown  a.log\n"))
    }
  }

  @Test func `--to now leaves out what the snapshot left out`() async throws {
    try await withSandbox(Self.items) { box in
      try Data("b.log\n".utf8).write(to: URL(filePath: box.directory + "/patterns"))
      let options = ["--exclude=lib", "--exclude-from=\(box.directory)/patterns", "--gitignore"]
      _ = await box.run(["scan", box.tree, "-x", "--exclude-caches"] + options)
      for directory in [box.tree, box.tree + "/logs"] {
        let outcome = await box.run(["diff", directory, "--to=now", "--exit-code"])
        #expect(outcome.status == 0)
        #expect(outcome.text.contains("nothing is different"))
      }
    }
  }

  @Test func `Snapshots that leave out other things are told of`() async throws {
    try await withSandbox(Self.items) { box in
      _ = await box.run(["scan", box.tree])
      _ = await box.run(["scan", box.tree, "--exclude=lib"])
      let outcome = await box.run(["diff", box.tree])
      #expect(outcome.errors.hasPrefix("plat: the snapshots were made with other options"))
    }
  }

  @Test(.enabled(if: OtherUser.canRun))
  func `--to now works with a database that cannot be written, and says what it cannot read`()
    async throws
  {
    try await withSandbox(Self.items) { box in
      let script = """
        chmod -R go+rX .; plat scan -q tree; chmod 755 state state/plat state/plat/roots
        chmod 444 state/plat/roots/*; chmod 755 .; chmod 700 tree/logs
        find state -ls | sort > before
        \(OtherUser.prefix) env HOME=/nonexistent XDG_STATE_HOME="$PWD/state" \
          plat diff tree --to now --ascii
        echo $?; find state -ls | sort | diff before - >&2
        """
      let outcome = try box.shell(script)
      if geteuid() == 0 {
        #expect(outcome.text.contains("shrunk  logs/  (not all was read)\n"))
        #expect(outcome.text.hasSuffix("\n1\n"))
        #expect(outcome.errors == "plat: \(box.tree)/logs: openat (Permission denied)\n")
      } else {
        #expect(outcome.text.hasSuffix("\n0\n"))
      }
    }
  }

  /// Whether a file system can be mounted that nobody else sees.
  private static let canMount =
    (try? Program.shell("unshare -m mount -t tmpfs tmpfs /mnt").status) == 0

  @Test(.enabled(if: canMount))
  func `--to now and history work where the disk with the snapshots is full`() async throws {
    try await withSandbox(Self.items) { box in
      let script = """
        mkdir state; mount -t tmpfs -o size=1m tmpfs state; plat scan -q tree
        dd if=/dev/zero of=state/fill bs=4k 2>/dev/null; rm -rf tree/logs
        plat diff tree --to now --ascii -q && plat history tree | head -n 1
        """
      try script.write(toFile: box.directory + "/script", atomically: true, encoding: .utf8)
      let outcome = try box.shell("unshare -m bash script")
      #expect(outcome.text.contains("  removed  logs/\n"))
      #expect(outcome.text.hasSuffix("FILES\n"))
      #expect(outcome.errors == "")
    }
  }

  @Test(
    arguments: [
      ([], 3, "DATABASE: no snapshot before 1\n"),
      (["--from=latest~1"], 3, "DATABASE: holds 1 snapshot, none 1 before the latest\n"),
      (["--to=7"], 3, "DATABASE: no snapshot 7\n"),
      (["--from=1y"], 3, "DATABASE: no snapshot of "),
      (["--from=now"], 2, "option '--from' takes a number, "),
      (["--to=never"], 2, "option '--to' takes a number, "),
      (["--sort=age"], 2, "option '--sort' "),
      (["--depth=0"], 2, "option '--depth' takes a count of 1 or more"),
      (["other"], 2, "only one DIR can be compared"),
    ] as [([String], Int32, String)]
  )
  func `What cannot be compared is an error that says why`(
    options: [String],
    status: Int32,
    message: String
  ) async throws {
    try await withSandbox(Self.items) { box in
      _ = await box.run(["scan", box.tree])
      let outcome = await box.run(["diff", box.tree] + options)
      let database = "\(box.roots)/\(try #require(box.databases.first))"
      #expect(outcome.status == status)
      #expect(outcome.text == "")
      #expect(
        outcome.errors.hasPrefix("plat: " + message.replacing("DATABASE", with: database)),
        "\(outcome.errors)"
      )
    }
  }
}
