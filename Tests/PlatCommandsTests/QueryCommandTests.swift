import Foundation
import PlatCommands
import PlatTestSupport
import Testing

struct QueryCommandTests {
  static let items = ScanCommandTests.items

  @Test func `A query tells what the scan told, and does not look at the disk`() async throws {
    try await withSandbox(Self.items) { box in
      let scan: ScanAnswer = try await box.json(["scan", box.tree])
      let sizes = try ["lib", "empty", "plain"].map { try diskUsage(["\(box.tree)/\($0)"]) }
      try FileManager.default.moveItem(atPath: box.tree, toPath: box.directory + "/moved")

      let outcome = await box.run(["query", "list", box.tree, "--json"])
      let list = try outcome.json(QueryAnswer.self)
      #expect(outcome.status == 0)
      #expect(list.snapshot.id == scan.snapshot?.id)
      #expect(list.directory.path == box.tree)
      #expect(list.directory.allocatedSize == scan.allocatedSize)
      #expect(list.directory.apparentSize == scan.apparentSize)
      #expect(list.directory.files == scan.files)
      #expect(list.directory.directories == scan.directories)
      #expect(list.directory.symbolicLinks == scan.symbolicLinks)
      #expect(list.directory.others == scan.others)
      #expect(
        list.rows.map(\.name).sorted()
          == ["empty", "hole", "lib", "link", "pipe", "plain", "second", "socket"]
      )
      for (name, size) in zip(["lib", "empty", "plain"], sizes) {
        #expect(list.rows.first { $0.name == name }?.allocatedSize == size)
      }
      #expect(list.rows.filter { $0.countedElsewhere == true }.map(\.name) == ["second"])

      let top: QueryAnswer = try await box.json(["query", "top", box.tree])
      #expect(top.rows.map(\.path) == scan.top.map(\.path))
      #expect(top.rows.map(\.allocatedSize) == scan.top.map(\.allocatedSize))
      #expect(top.directory.allocatedSize == scan.allocatedSize)
    }
  }

  @Test func `The members of the JSON and their order are as documented`() async throws {
    try await withSandbox([.file("a", size: 1)]) { box in
      _ = await box.run(["scan", box.tree])
      for verb in ["list", "top"] {
        let words = ["query", verb, box.tree, "--json"] + (verb == "top" ? ["--files"] : [])
        let expected = """
          {"schema":s,"snapshot":{"id":0,"started_at":s,"level":s,"complete":true,\
          "unverified_files":0},"directory":{"path":s,"apparent_size":0,"allocated_size":0,\
          "files":0,"directories":0,"symbolic_links":0,"others":0,"issue_count":0},"rows":[
          {"path":s,"name":s,"kind":s,"apparent_size":0,"allocated_size":0,"files":0,\
          "modified_at":s,"share":0}]}

          """
        let outcome = await box.run(words)
        #expect(outcome.jsonShape == expected)
        #expect(outcome.text.hasPrefix(#"{"schema":"plat/query/\#(verb)/1","#))
      }
    }
  }

  @Test func `--recursive lists what find lists`() async throws {
    try await withSandbox(Self.items) { box in
      _ = await box.run(["scan", box.tree])
      for directory in ["", "/lib", "/empty"].map({ box.tree + $0 }) {
        let listed = await box.run(["query", "list", "-q", "-r", "-0", directory]).output
        let found = try run(["find", directory, "-mindepth", "1", "-printf", "%P\\0"]).output
        #expect(Set(listed.split(separator: 0)) == Set(found.split(separator: 0)))
        #expect(listed.count == found.count)
      }
    }
  }

  @Test func `A directory inside a root is answered from the snapshot of the root`() async throws {
    try await withSandbox(Self.items) { box in
      _ = await box.run(["scan", box.tree])
      let lib: QueryAnswer = try await box.json(["query", "list", box.tree + "/lib"])
      #expect(lib.directory.path == box.tree + "/lib")
      #expect(try lib.directory.allocatedSize == diskUsage([box.tree + "/lib"]))
      #expect(lib.rows.map(\.name) == ["big", "deep"])
      let deep: QueryAnswer = try await box.json(["query", "top", "--files", box.tree + "/lib"])
      #expect(deep.rows.map(\.name) == ["big", "small"])
    }
  }

  @Test(arguments: [
    ("tree", "lib"), ("./tree/", "lib"), ("tree/lib/..", "lib"), ("tree//lib/./deep", "small"),
  ])
  func `A relative path is one of the working directory`(
    path: String,
    first: String
  ) async throws {
    try await withSandbox(Self.items) { box in
      let outcome = try box.shell("plat scan -q tree; plat query list -q -0 -n1 \(path)")
      #expect(outcome.text == first + "\0")
      #expect(outcome.status == 0)
    }
  }

  @Test(
    arguments: [
      (["--sort", "name"], "big deep"), (["--sort", "name", "--reverse"], "deep big"),
      (["--sort", "size"], "big deep"), (["--sort=size", "--reverse", "-n1"], "deep"),
      (["--sort", "count"], "deep big"), (["--sort", "time"], "deep big"),
      (["-n", "1"], "big"), (["-n0"], ""), (["--sort", "time", "--reverse"], "big deep"),
    ] as [([String], String)]
  )
  func `Rows are sorted and cut`(options: [String], names: String) async throws {
    try await withSandbox(Self.items) { box in
      _ = try run(["touch", "-d", "2001-02-03", box.tree + "/lib/big"])
      _ = await box.run(["scan", box.tree])
      let words = ["query", "list", box.tree + "/lib"] + options
      let answer: QueryAnswer = try await box.json(words)
      #expect(answer.rows.map(\.name).joined(separator: " ") == names)
    }
  }

  @Test func `CSV has a header and quotes every path`() async throws {
    try await withSandbox([.file("a\"b,c", size: 3), .symbolicLink("l", to: "x")]) { box in
      _ = try run(["touch", "-h", "-d", "2001-02-03T04:05:06Z", box.tree + "/a\"b,c"])
      _ = await box.run(["scan", box.tree])
      let words = ["query", "list", "--csv", "-q", "--sort=name", box.tree]
      let lines = await box.run(words).text.components(separatedBy: "\r\n")
      let size = try #require(try diskUsage([box.tree + "/a\"b,c"]))
      #expect(lines.count == 4)
      #expect(
        lines[0] == "path,kind,allocated_size,apparent_size,entries,modified_at,counted_elsewhere"
      )
      #expect(lines[1] == "\"\(box.tree)/a\"\"b,c\",file,\(size),3,1,2001-02-03T04:05:06Z,false")
      #expect(lines[2].hasPrefix("\"\(box.tree)/l\",link,0,1,1,"))
      #expect(lines[3] == "")
    }
  }

  @Test func `A person is told the age, and sees the entries as a table`() async throws {
    try await withSandbox(Self.items) { box in
      _ = await box.run(["scan", box.tree])
      let outcome = await box.run(["query", "list", box.tree, "--sort=name", "--ascii"])
      #expect(outcome.errors.hasPrefix("plat: snapshot 1 of 20"))
      let lines = outcome.text.split(separator: "\n")
      #expect(lines[0].split(separator: " ") == ["SIZE", "SHARE", "ITEMS", "MODIFIED", "NAME"])
      #expect(lines[1].hasSuffix("  empty/"))
      #expect(lines[7].hasSuffix("  second  (a hard link, counted elsewhere)"))
      #expect(!outcome.output.contains { $0 > 127 })
      let quiet = await box.run(["query", "list", box.tree, "-q"])
      #expect(quiet.errors == "")
    }
  }

  @Test func `Earlier snapshots answer by number and by how far back they are`() async throws {
    try await withSandbox([.file("old", size: 1)]) { box in
      _ = await box.run(["scan", box.tree])
      try FileManager.default.removeItem(atPath: box.tree + "/old")
      try Data(count: 5_000).write(to: URL(filePath: box.tree + "/new"))
      _ = await box.run(["scan", box.tree])
      for (snapshot, name) in [
        ("1", "old"), ("2", "new"), ("latest", "new"), ("latest~0", "new"), ("latest~1", "old"),
      ] {
        let words = ["query", "list", box.tree, "--snapshot", snapshot]
        let answer: QueryAnswer = try await box.json(words)
        #expect(answer.rows.map(\.name) == [name], "\(snapshot)")
      }
      let list = await box.run(["snapshots", "list", box.tree, "--json"])
      let answer = try list.json(SnapshotsAnswer.self)
      #expect(answer.root == box.tree)
      #expect(answer.snapshots.map(\.id) == [1, 2])
      #expect(try answer.snapshots.last?.allocatedSize == diskUsage([box.tree]))
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: box.roots).contains {
          answer.database == "\(box.roots)/\($0)"
        }
      )
      let table = await box.run(["snapshots", "list", box.tree]).text.split(separator: "\n")
      #expect(table.count == 3)
      #expect(table[0].hasPrefix("ID  STARTED "))
      #expect(table[2].hasPrefix(" 2  20"))
    }
  }

  @Test func `A symbolic link is asked for as what it leads to`() async throws {
    try await withSandbox([.file("f", size: 10)]) { box in
      let link = box.directory + "/link"
      try #require(symlink("tree/.", link) == 0)
      let file = "--database=\(box.directory)/file"
      for words in [["scan", "-q", link], ["scan", "-q", link, file]] {
        #expect(await box.run(words).status == 0)
      }
      func expectAnswers() async throws {
        for words in [["query", "list", link], ["query", "list", link, file]] {
          let list: QueryAnswer = try await box.json(words)
          #expect(list.directory.path == box.tree)
          #expect(list.directory.files == 1)
        }
      }
      try await expectAnswers()
      let path = await box.run(["snapshots", "path", link])
      #expect(path.text == "\(box.roots)/\(try #require(box.databases.first))\n")
      // The snapshot of what holds the link has it as an entry.
      #expect(await box.run(["scan", "-q", box.directory]).status == 0)
      try await expectAnswers()
    }
  }

  @Test func `A file is said to have no snapshot`() async throws {
    try await withSandbox([.file("f", size: 10)]) { box in
      let outcome = await box.run(["query", "top", box.tree + "/f"])
      #expect(outcome.status == 3)
      let reason = "no directory, so there is no snapshot of it"
      #expect(outcome.errors == "plat: \(box.tree)/f: \(reason)\n")
    }
  }

  @Test(
    arguments: [
      ("/no such one's", "'/no such one'\\''s'"),
      ("/no\nsuch", "$'/no\\nsuch'"),
      ("/caf\u{e9}-1.2", "/caf\u{e9}-1.2"),
    ]
  )
  func `The command that makes a snapshot can be copied`(path: String, word: String) async throws {
    try await withSandbox([]) { box in
      let outcome = await box.run(["query", "top", path])
      #expect(outcome.errors.hasSuffix("Scan it first: plat scan \(word)\n"))
    }
  }

  @Test(
    arguments: [
      (["query", "list", "/nonexistent"], "plat: /nonexistent: no snapshot\n"),
      (["query", "top", "/nonexistent"], "plat: /nonexistent: no snapshot\n"),
      (["snapshots", "list", "/nonexistent"], "plat: /nonexistent: no snapshot\n"),
    ] as [([String], String)]
  )
  func `Without a snapshot the person is told how to make one`(
    words: [String],
    message: String
  ) async throws {
    try await withSandbox([]) { box in
      let outcome = await box.run(words)
      #expect(outcome.status == 3)
      #expect(outcome.text == "")
      #expect(outcome.errors == message + "Scan it first: plat scan /nonexistent\n")
    }
  }

  @Test(
    arguments: [
      (["--snapshot", "9"], "plat: DATABASE: no snapshot 9\n"),
      (["--snapshot", "latest~1"], "plat: DATABASE: holds 1 snapshot, none 1 before the latest\n"),
    ] as [([String], String)]
  )
  func `A snapshot that is not there is missing`(
    options: [String],
    message: String
  ) async throws {
    try await withSandbox([]) { box in
      _ = await box.run(["scan", box.tree])
      let outcome = await box.run(["query", "list", box.tree] + options)
      let database = "\(box.roots)/\(try #require(box.databases.first))"
      #expect(outcome.errors == message.replacing("DATABASE", with: database))
      #expect(outcome.status == 3)
    }
  }

  @Test(
    arguments: [
      (["find", "[a"], "EXPRESSION takes a pattern that is whole, not '[a'"),
      (["find", ""], "EXPRESSION is empty"),
      (
        ["find", "lib/deep"],
        "no name contains the slash of 'lib/deep'; for a directory, say ./ before it"
      ),
      (["find", "a", "b", "c"], "only one EXPRESSION and one DIR can be looked for"),
      (["find", "/a", "./b"], "only one EXPRESSION and one DIR can be looked for"),
      (["list", "/a", "/b"], "only one DIR can be asked for"),
      (["types", "-0"], "unknown option '-0'"),
      (
        ["top", "--name=[a"],
        "option '--name' takes a pattern such as '*.iso' that is whole, not '[a'"
      ),
      (
        ["ages", "--owner=no such user"],
        "option '--owner' takes the name of a user of this machine, or a number, not 'no such user'"
      ),
      (["owners", "--newer=soon"], "option '--newer' takes an age such as 30d, 12h, 2w or 1y,"),
    ] as [([String], String)]
  )
  func `What makes no sense is a usage error`(words: [String], message: String) async throws {
    let context = CommandContext.capturing()
    let status = await Program.run(["query"] + words.map { Argument($0.utf8) }, in: context)
    #expect(status == .usage)
    #expect(context.errors.capturedText.hasPrefix("plat: \(message)"))
    #expect(context.output.captured.isEmpty)
  }

  @Test func `Many rows stay aligned, and have one heading`() async throws {
    try await withSandbox(Self.items) { box in
      let made = try box.shell("cd tree/lib; seq -f 'n%04g' 1200 | xargs touch")
      #expect(made.status == 0)
      _ = await box.run(["scan", box.tree])
      let outcome = await box.run(["query", "find", "-q", "n*", box.tree + "/lib"])
      let lines = outcome.text.split(separator: "\n")
      #expect(lines.count == 1201)
      #expect(lines.filter { $0.contains("SIZE") }.count == 1)
      #expect(lines.last?.hasSuffix("  n1200") == true)
      #expect(Set(lines.dropFirst().map(\.count)).count == 1)
    }
  }
}
