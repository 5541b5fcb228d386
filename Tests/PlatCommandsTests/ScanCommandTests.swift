import Glibc
import PlatCommands
import PlatTestSupport
import Testing

struct ScanCommandTests {
  /// A tree with an entry of every kind.
  static let items: [TreeItem] = [
    .directory(
      "lib",
      [.file("big", size: 300_000), .directory("deep", [.file("small", size: 5_000)])]
    ),
    .directory("empty", []),
    .file("plain", size: 70_000),
    .hardLink("second", to: "tree/plain"),
    .sparseFile("hole", size: 10_000_000),
    .symbolicLink("link", to: "lib"),
    .fifo("pipe"),
    .socket("socket"),
  ]

  @Test func `A scan counts what du and find count`() async throws {
    try await withSandbox(Self.items) { box in
      let outcome = await box.run(["scan", box.tree, "--json"])
      let answer = try outcome.json(ScanAnswer.self)
      #expect(outcome.status == 0)
      #expect(outcome.errors == "")
      #expect(answer.roots == [box.tree])
      #expect(try answer.allocatedSize == diskUsage([box.tree]))
      #expect(try answer.entries == entryCount(box.tree))
      for (type, count) in [
        ("f", answer.files), ("d", answer.directories), ("l", answer.symbolicLinks),
        ("p", answer.others - 1),
      ] {
        let found = try run(["find", box.tree, "-type", type, "-printf", "x"]).output.count
        #expect(count == found, "find -type \(type)")
      }
      var walk = LstatWalk()
      walk.add(box.tree)
      #expect(answer.apparentSize == walk.apparentSize)
      #expect(answer.hardLinkedNames == 1)
      #expect(answer.issueCount == 0)
      for top in answer.top { #expect(try top.allocatedSize == diskUsage([top.path])) }
      #expect(answer.top.map(\.path).first == box.tree + "/lib")
    }
  }

  @Test func `The members of the JSON and their order are as documented`() async throws {
    try await withSandbox([.directory("sub", [.file("a", size: 1)])]) { box in
      let outcome = await box.run(["scan", box.tree, "/nonexistent", "--json"])
      #expect(
        outcome.jsonShape == """
          {"schema":s,"roots":[s],"level":s,"complete":true,"started_at":s,"seconds":0,\
          "unverified":null,"apparent_size":0,"allocated_size":0,"files":0,"directories":0,"symbolic_links":0,\
          "others":0,"entries":0,"hard_linked_names":0,"excluded":0,"issue_count":0,"issues":[
          {"path":s,"call":s,"errno":0,"reason":s}],\
          "snapshot":{"id":0,"database":s,"unverified_files":0},"file_systems":[],"top":[
          {"path":s,"kind":s,"allocated_size":0,"apparent_size":0,"files":0,"share":0},
          {"path":s,"kind":s,"allocated_size":0,"apparent_size":0,"files":0,"share":0}]}

          """
      )
    }
  }

  @Test(.enabled("files of 8 EiB need /dev/shm") { access("/dev/shm", W_OK) == 0 })
  func `A sum that is too large for a number says so`() async throws {
    let directory = try makeTemporaryDirectory(in: "/dev/shm")
    defer { removeTree(directory) }
    for index in 0..<3 {
      let file = open("\(directory)/\(index)", O_CREAT | O_WRONLY, 0o644)
      try #require(file >= 0 && ftruncate(file, .max - 4_095) == 0)
      close(file)
      let words = ["scan", "--no-save", "-a", "--bytes", directory]
      let text = try await withSandbox([]) { await $0.run(words).text }
      #expect(text.contains("\nthe sizes add up to more than that") == (index == 2))
    }
  }

  @Test func `A person is shown a tree of the largest directories and a summary`() async throws {
    try await withSandbox(Self.items) { box in
      let outcome = await box.run(["scan", box.tree, "-n", "2", "--bytes"])
      let lines = outcome.text.split(separator: "\n").map(String.init)
      let whole = try #require(try diskUsage([box.tree]))
      let deep = try #require(try diskUsage([box.tree + "/lib/deep"]))
      #expect(outcome.status == 0)
      #expect(lines.count == 7)
      #expect(lines[0].contains("\(whole) "))
      #expect(lines[0].hasSuffix("100%  \(box.tree)"))
      #expect(lines[1].hasSuffix("└─ lib"))
      #expect(lines[2].contains("\(deep) "))
      #expect(lines[2].hasSuffix("   └─ deep"))
      let counts = "5 files, 4 directories, 1 symbolic link, 2 others"
      #expect(lines[3] == "\(whole) on disk: \(counts)")
      #expect(lines[4].wholeMatch(of: /scanned in .*s, [0-9,]+ entries a second/) != nil)
      #expect(lines[5] == "1 more name of hard-linked files, whose space is counted once")
      #expect(lines[6] == "snapshot 1 in \(box.roots)/\(try #require(box.databases.first))")
    }
  }

  @Test(
    arguments: [
      (["-d", "0"], []), (["-n", "0"], []), (["--depth=1"], ["/lib", "/empty"]),
      (["-n1"], ["/lib"]), ([], ["/lib", "/lib/deep", "/empty"]),
      (["-d1", "-n1", "--apparent"], ["/lib"]),
    ] as [([String], [String])]
  )
  func `Depth and count choose the directories shown`(
    options: [String],
    shown: [String]
  ) async throws {
    try await withSandbox(Self.items) { box in
      let answer: ScanAnswer = try await box.json(["scan", box.tree] + options)
      // Block sizes are the file system's own, so that those below lib may come in any order.
      #expect(Set(answer.top.map(\.path)) == Set(shown.map { box.tree + $0 }))
    }
  }

  @Test(
    arguments: [
      ("-q tree", 0, ""), ("-q tree/plain", 0, ""), ("-q", 0, ""),
      ("-q --fail-over=1G tree", 0, ""),
      ("-q tree missing", 1, "plat: missing: statx (No such file or directory)\n"),
      (
        "--thread=1", 2,
        "plat: unknown option '--thread'; did you mean '--threads'?\nTry 'plat scan --help'.\n"
      ),
      ("missing absent", 3, "plat: missing: No such file or directory\n"),
      (
        "''", 2, "plat: DIR is empty; the working directory is '.'\nTry 'plat scan --help'.\n"
      ),
      ("tree >/dev/full", 4, "plat: standard output: cannot write (No space left on device)\n"),
      (
        "--database=tree/plain tree", 4,
        "plat: tree/plain: not a file of snapshots (move it away, or name another with --database)\n"
      ),
      ("-q --fail-over=1000 tree", 6, ""),
    ] as [(String, Int32, String)]
  )
  func `The status and the message say what happened`(
    words: String,
    status: Int32,
    errors: String
  ) async throws {
    try await withSandbox(Self.items) { box in
      let outcome = try box.shell("plat scan \(words)")
      #expect(outcome.status == status)
      #expect(outcome.errors == errors)
      #expect(outcome.text == "")
    }
  }

  @Test func `Several roots make one total, and each has a snapshot`() async throws {
    try await withSandbox(Self.items) { box in
      let roots = ["/lib", "/empty", "/lib/deep", "/lib"].map { box.tree + $0 }
      let outcome = await box.run(["scan"] + roots + [box.tree + "/missing", "--json"])
      let answer = try outcome.json(ScanAnswer.self)
      #expect(outcome.status == 1)
      #expect(
        outcome.errors == "plat: \(box.tree)/missing: statx (No such file or directory)\n"
      )
      #expect(try answer.allocatedSize == diskUsage(roots))
      #expect(answer.directories == 3)
      #expect(answer.issues.map(\.errno) == [ENOENT])
      #expect(box.databases.count >= 2)
      let list: QueryAnswer = try await box.json(["query", "list", box.tree + "/empty"])
      #expect(list.rows.isEmpty)
    }
  }

  @Test func `A file is a root, and has no snapshot`() async throws {
    try await withSandbox(Self.items) { box in
      let answer: ScanAnswer = try await box.json(["scan", box.tree + "/plain"])
      #expect(answer.files == 1)
      #expect(answer.directories == 0)
      #expect(answer.apparentSize == 70_000)
      #expect(try answer.allocatedSize == diskUsage([box.tree + "/plain"]))
      #expect(answer.snapshot == nil)
      #expect(box.databases.isEmpty)
    }
  }

  @Test func `A root that is a symbolic link is followed`() async throws {
    try await withSandbox(Self.items) { box in
      let answer: ScanAnswer = try await box.json(["scan", box.tree + "/link"])
      #expect(try answer.allocatedSize == diskUsage([box.tree + "/lib"]))
    }
  }

  @Test(
    arguments: [
      ("small", 1), ("/lib/deep", 1), ("lib/*", 2), ("*", 8), ("b?g", 1), ("nothing", 0),
      ("deep/small", 0),
    ] as [(String, Int)]
  )
  func `What matches a pattern is left out and counted`(
    pattern: String,
    count: Int
  ) async throws {
    try await withSandbox(Self.items) { box in
      let whole: ScanAnswer = try await box.json(["scan", box.tree])
      let rest: ScanAnswer = try await box.json(["scan", box.tree, "--exclude", pattern])
      #expect(rest.excluded == count)
      #expect((rest.allocatedSize < whole.allocatedSize) == (count > 0))
      #expect(rest.issueCount == 0)
    }
  }

  @Test func `--no-save keeps nothing`() async throws {
    try await withSandbox(Self.items) { box in
      let answer: ScanAnswer = try await box.json(["scan", "--no-save", box.tree])
      #expect(answer.snapshot == nil)
      #expect(box.databases.isEmpty)
    }
  }

  @Test(.enabled(if: OtherUser.canRun))
  func `What a user may not read is told, and the rest is counted`() async throws {
    let locked = (1...12).map { TreeItem.mode(0, .directory("locked\($0)", [])) }
    try await withSandbox(locked + [.file("open", size: 9_000)]) { box in
      let line = "chmod 755 .; \(OtherUser.prefix)plat scan --no-save tree"
      let text = try box.shell(line)
      #expect(text.status == 1)
      #expect(text.text.contains("\n12 entries not read\n"))
      let lines = text.errors.split(separator: "\n")
      #expect(lines.count == 11)
      #expect(lines[0] == "plat: \(box.tree)/locked1: openat (Permission denied)")
      #expect(lines[10] == "plat: and 2 more (--verbose lists all)")
      #expect(try box.shell(line + " -v").errors.split(separator: "\n").count == 12)

      let json = try box.shell(line + " --json")
      let answer = try json.json(ScanAnswer.self)
      #expect(json.status == 1)
      #expect(answer.issueCount == 12)
      #expect(answer.issues.count == 12)
      #expect(Set(answer.issues.map(\.reason)) == ["Permission denied"])
      #expect(answer.files == 1)
      #expect(try answer.allocatedSize == diskUsage([box.tree]))
    }
  }

  @Test func `That a file among the roots has no snapshot is told`() async throws {
    try await withSandbox(Self.items) { box in
      let outcome = try box.shell("echo text >file; plat scan -q tree file")
      #expect(outcome.status == 0)
      let path = "\(box.directory)/file"
      #expect(outcome.errors == "plat: \(path): is no directory, and no snapshot of it is kept\n")
      #expect(box.databases.filter { $0.hasSuffix(".plat") }.count == 1)
    }
  }
}
