import Foundation
import PlatCommands
import PlatTestSupport
import Testing

struct RenderCommandTests {
  static let items = ScanCommandTests.items

  @Test func `A picture is PNG, SVG or HTML by the name of its file, and the same each time`()
    async throws
  {
    try await withSandbox(Self.items) { box in
      for (name, start, option) in [
        ("a.png", "\u{89}PNG", "--size=320x200"), ("a.svg", "<svg ", "--size=320x200"),
        ("a.html", "<!DOCTYPE html>", "--theme=light"), ("a.pdf", "%PDF-", "--size=320x200"),
      ] {
        let path = "\(box.directory)/\(name)"
        let format = name.drop { $0 != "." }.dropFirst()
        let outcome = await box.run(["render", box.tree, "-o", path, option])
        #expect(outcome.status == 0)
        #expect(outcome.text == "")
        let bytes = try Data(contentsOf: URL(filePath: path))
        let text = String(bytes.prefix(start.unicodeScalars.count).map { Character(.init($0)) })
        #expect(text == start)
        _ = await box.run(["render", box.tree, "-o", path, option])
        #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
        let output = await box.run(
          ["render", box.tree, "-o", "-", option, "--format", String(format)]
        )
        #expect(Data(output.output) == bytes)
      }
      // The first picture scanned, and the others came from its snapshot.
      let list: SnapshotsAnswer = try await box.json(["snapshots", "list", box.tree])
      #expect(list.snapshots.count == 1)
    }
  }

  @Test func `Pictures of later snapshots look like the first, unless --fresh is said`()
    async throws
  {
    let items = (1...40).map { TreeItem.file("file-\($0)", size: $0 * 8_192) }
    try await withSandbox(items) { box in
      func picture(_ options: [String]) async throws -> String {
        let path = box.directory + "/a.svg"
        let words = ["render", box.tree, "-o", path, "--apparent", "--no-labels"] + options
        #expect(await box.run(words).status == 0)
        return try String(contentsOfFile: path, encoding: .utf8)
      }
      _ = await box.run(["scan", box.tree])
      let first = try await picture([])
      #expect(try await picture(["--fresh"]) == first)

      // The second largest becomes the largest, and would change places with it.
      let large = try FileHandle(forWritingTo: URL(filePath: box.tree + "/file-39"))
      try large.truncate(atOffset: 42 * 8_192)
      try large.close()
      _ = await box.run(["scan", box.tree])
      let second = try await picture([])
      let fresh = try await picture(["--fresh"])
      #expect(second != fresh)
      // Each snapshot looks the same for ever.
      #expect(try await picture(["--snapshot=1"]) == first)
      _ = await box.run(["scan", box.tree])
      #expect(try await picture([]) == second)
      #expect(try await picture(["--snapshot=2"]) == second)
    }
  }

  @Test func `--scan takes a new snapshot first`() async throws {
    try await withSandbox(Self.items) { box in
      let path = box.directory + "/a.svg"
      _ = await box.run(["scan", box.tree])
      try Data(count: 50).write(to: URL(filePath: box.tree + "/added-later"))
      _ = await box.run(["render", box.tree, "-o", path])
      #expect(try !String(contentsOfFile: path, encoding: .utf8).contains("added-later"))
      _ = await box.run(["render", box.tree, "-o", path, "--scan", "--apparent"])
      let list: SnapshotsAnswer = try await box.json(["snapshots", "list", box.tree])
      #expect(list.snapshots.count == 2)
    }
  }

  @Test(arguments: [
    "--size=0x0", "--size=-5x10", "--size=40000x100", "--size=32767x32767", "--size=10",
    "--size=1x1x1", "--size=99999999999999999999x1", "--scale=0", "--scale=nan", "--scale=-1",
    "--depth=0", "--theme=neon", "--format=gif",
  ])
  func `What cannot be drawn is a usage error and leaves no file`(option: String) async throws {
    try await withSandbox(Self.items) { box in
      for name in ["a.svg", "a.png"] {
        let outcome = await box.run(["render", box.tree, "-o", "\(box.directory)/\(name)", option])
        #expect(outcome.status == 2)
        #expect(outcome.errors.hasPrefix("plat: "))
        #expect(outcome.text == "")
      }
      let names = try FileManager.default.contentsOfDirectory(atPath: box.directory)
      #expect(names.allSatisfy { ["tree", "home", "state"].contains($0) })
    }
  }

  @Test(arguments: [
    "--size=320x200", "--scale=2", "--style=flat", "--theme=print",
    "--no-headers", "--no-legend", "--no-labels",
    "--area=change",
  ])
  func `What only a picture has is a usage error for a page`(option: String) async throws {
    try await withSandbox(Self.items) { box in
      let path = box.directory + "/a.html"
      let outcome = await box.run(["render", box.tree, "-o", path, option])
      #expect(outcome.status == 2)
      let name = option.split(separator: "=")[0]
      #expect(outcome.errors.hasPrefix("plat: option '\(name)"))
      #expect(!FileManager.default.fileExists(atPath: path))
    }
  }

  @Test(
    arguments: [
      ("render tree -o /dev/full --format=svg", 4, "/dev/full: cannot write"),
      ("render tree -o /dev/full --format=png", 4, "/dev/full: cannot write"),
      ("render tree -o - --format=svg >/dev/full", 4, "standard output: cannot write"),
      ("render tree -o missing/a.svg", 4, "missing/a.svg: cannot "),
      ("render tree -o tree", 2, "the name of 'tree' does not end in .png, .svg, .pdf or .html"),
      ("render tree", 2, "option '-o' is needed"),
      ("render missing -o a.svg", 3, "missing: No such file or directory"),
      ("render tree -o a.svg --path=nothing", 3, "nothing: no such directory in "),
    ] as [(String, Int32, String)]
  )
  func `A picture that cannot be written is an error`(
    line: String,
    status: Int32,
    message: String
  ) async throws {
    try await withSandbox(Self.items) { box in
      let outcome = try box.shell("plat \(line)")
      #expect(outcome.status == status)
      #expect(outcome.errors.hasPrefix("plat: \(message)"))
      #expect(!FileManager.default.fileExists(atPath: box.directory + "/a.svg"))
    }
  }

  @Test func `An error leaves the old picture`() async throws {
    let files = (0..<400).map { TreeItem.file("a-file-with-number-\($0)", size: 5_000) }
    try await withSandbox(files) { box in
      // The limit leaves room for what SQLite shares among the readers of a database.
      let outcome = try box.shell(
        """
        plat render tree -o a.svg --size=200x100 && cp a.svg old.svg
        ulimit -f 40
        plat render tree -o a.svg --size=3000x3000; echo $?
        cmp a.svg old.svg && ls -A
        """
      )
      #expect(outcome.text == "4\na.svg\nhome\nold.svg\nstate\ntree\n")
      #expect(outcome.errors == "plat: a.svg: cannot write (File too large)\n")
    }
  }

  @Test func `A picture of a file has its path as the title`() async throws {
    try await withSandbox([.file("f", size: 5_000)]) { box in
      for name in ["a.svg", "a.html"] {
        let path = box.directory + "/" + name
        #expect(await box.run(["render", box.tree + "/f", "-o", path]).status == 0)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.contains("\(box.tree)/f"), "\(name)")
        #expect(!text.contains("0 directories"), "\(name)")
      }
    }
  }

  @Test func `Names that are markup stay text`() async throws {
    let names = [
      "<script>pwn()<", "\"onload=\"pwn()\"", "'onclick='pwn()'", "&amp;", "]]>", "<!--", "-->",
      "&#x3c;b&#x3e;", "<?xml pwn?>", "&bogus;", "\u{1B}]0;pwned\u{07}", "a\u{08}b", "\u{202E}gnp",
    ]
    let files = names.map { TreeItem.file(FileName($0), size: 200_000) }
    let bytes = TreeItem.file(FileName([0x66, 0xFF, 0x0A, 0xC0, 0xAF]), size: 200_000)
    try await withSandbox(files + [bytes, .directory("<g onload=pwn()>", files)]) { box in
      let path = box.directory + "/a.svg"
      let outcome = await box.run(["render", box.tree, "-o", path])
      #expect(outcome.status == 0)
      #expect(try run(["xmllint", "--noout", path], showsErrors: true).status == 0)
      let harm = """
        //*[local-name() = 'script'] | //comment() | //processing-instruction()
        | //@*[starts-with(local-name(), 'on')]
        """
      let found = try run(["xmllint", "--xpath", "count(\(harm))", path])
      #expect(found.text == "0\n")
      let text = try String(contentsOfFile: path, encoding: .utf8)
      #expect(!text.unicodeScalars.contains { $0.value < 32 && $0 != "\n" || $0.value == 0x202E })
      #expect(text.contains("script"))
    }
  }

  @Test func `By growth a picture tells what is new, larger and removed`() async throws {
    let items: [TreeItem] = [
      .file("grows", size: 100_000), .file("same", size: 400_000), .file("goes", size: 90_000),
      .directory("old", [.file("inside", size: 50_000)]),
    ]
    try await withSandbox(items) { box in
      _ = await box.run(["scan", box.tree])
      let single = await box.run(["render", box.tree, "-o", "-", "--format=svg", "--since=latest"])
      #expect(single.status == 0)
      #expect(String(decoding: single.output, as: UTF8.self).contains("unchanged 100%"))
      let none = await box.run(
        ["render", box.tree, "-o", "-", "--format=svg", "--color-by=growth"]
      )
      #expect(none.status == 3)
      #expect(none.errors.hasSuffix("no earlier snapshot to compare with\n"))

      try FileManager.default.removeItem(atPath: box.tree + "/goes")
      try Data(count: 300_000).write(to: URL(filePath: box.tree + "/grows"))
      try Data(count: 200_000).write(to: URL(filePath: box.tree + "/new-one"))
      _ = await box.run(["scan", box.tree])
      for words in [["--color-by=growth"], ["--since=1"], ["--since=latest~1", "--apparent"]] {
        let outcome = await box.run(["render", box.tree, "-o", "-", "--format=svg"] + words)
        #expect(outcome.status == 0)
        let text = String(decoding: outcome.output, as: UTF8.self)
        for title in ["unchanged ", "grown &gt;50% ", "new ", "removed ", ": goes", " since 2"] {
          #expect(text.contains(title), "\(title)")
        }
        #expect(!text.contains(">shrunk"))
      }
      let changes = await box.run(
        ["render", box.tree, "-o", "-", "--format=svg", "--since=1", "--area=change", "--apparent"]
      )
      #expect(changes.status == 0)
      let text = String(decoding: changes.output, as: UTF8.self)
      for title in ["391 KiB of changes", "2 files changed or new", ">+195 KiB<", ": goes"] {
        #expect(text.contains(title), "\(title)")
      }
      #expect(!text.contains("same"))
    }
  }

  @Test func `Areas of changes need an earlier snapshot`() async throws {
    try await withSandbox(Self.items) { box in
      for words in [[], ["--color-by=age"]] {
        let path = box.directory + "/a.png"
        let outcome = await box.run(["render", box.tree, "-o", path, "--area=change"] + words)
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("'--area change' is for '--color-by growth' and '--since'"))
        #expect(!FileManager.default.fileExists(atPath: path))
      }
    }
  }

  @Test func `--since is for growth alone`() async throws {
    try await withSandbox(Self.items) { box in
      let outcome = await box.run(
        ["render", box.tree, "-o", "-", "--format=svg", "--since=1", "--color-by=age"]
      )
      #expect(outcome.status == 2)
      #expect(outcome.errors.contains("'--since' is for '--color-by growth'"))
    }
  }

  @Test func `A part is drawn from the snapshot of the whole`() async throws {
    try await withSandbox(Self.items) { box in
      _ = await box.run(["scan", box.tree])
      var pictures: Set<[UInt8]> = []
      for words in [
        ["--path", "lib"], ["--path", box.tree + "/lib"], ["--path", "./lib/."],
      ] {
        let outcome = await box.run(
          ["render", box.tree, "-o", "-", "--format=svg", "--no-legend"] + words
        )
        #expect(outcome.status == 0)
        pictures.insert(outcome.output)
      }
      #expect(pictures.count == 1)
      #expect(pictures.allSatisfy { !String(decoding: $0, as: UTF8.self).contains(">plain<") })
    }
  }

  @Test func `A scan whose snapshot cannot be kept gives a picture and an error`() async throws {
    try await withSandbox(ScanCommandTests.items) { box in
      let outcome = try box.shell(
        "echo text >db; plat render --scan --database=db tree -o a.svg; echo $?; head -c 5 a.svg"
      )
      #expect(outcome.text == "4\n<?xml" || outcome.text == "4\n<svg ")
      #expect(outcome.errors.hasPrefix("plat: db: not a file of snapshots"))
      #expect(outcome.errors.split(separator: "\n").count == 1)
    }
  }
}
