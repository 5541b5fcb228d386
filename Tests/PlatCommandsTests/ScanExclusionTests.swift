import PlatCommands
import PlatTestSupport
import PlatTree
import Testing

struct ScanExclusionTests {
  /// A file of each source that something can be left out by.
  private static let script = """
    mkdir -p src/build cache && cd src
    touch a.o b.c build/x && echo '*.o' >.gitignore && cd ..
    echo 'Signature: 8a477f597d28d172789f06886806bc55' >cache/CACHEDIR.TAG
    touch cache/x cache/y
    printf '/src/build/' >first && printf '\\357\\273\\277first\\n' >second
    """

  /// Runs a command line in a directory made by `script`, and returns what it wrote and its status.
  private func plat(
    _ words: String...
  ) async throws -> (output: String, errors: String, status: ExitStatus) {
    try await withTemporaryTree([]) { root in
      let script = "cd \"$1\" && \(Self.script)"
      let setUp = try run(["sh", "-c", script, "sh", root], showsErrors: true)
      #expect(setUp.status == 0)
      let context = CommandContext.capturing()
      let words = ["scan"] + words.map { $0.replacing("ROOT", with: root) } + [root]
      let status = await Program.run(words.map { Argument($0.utf8) }, in: context)
      let texts = [context.output, context.errors].map { $0.capturedText }
      return (
        texts[0].replacing(root, with: "ROOT"), texts[1].replacing(root, with: "ROOT"), status
      )
    }
  }

  @Test func `The report says how much was left out, and why`() async throws {
    let (output, errors, status) = try await plat(
      "--no-save",
      "--gitignore",
      "--exclude-caches",
      "--exclude-from=ROOT/first"
    )
    #expect(output.contains("\nleft out: 1 by pattern, 1 by .gitignore, 1 by CACHEDIR.TAG\n"))
    #expect(errors == "")
    #expect(status == .success)
  }

  @Test func `Files of patterns are read one after the other`() async throws {
    let files = ["--exclude-from=ROOT/first", "--exclude-from=ROOT/second"]
    let (output, _, _) = try await plat("--no-save", files[0], files[1])
    #expect(output.contains("\nleft out: 2 by pattern\n"))
  }

  @Test(arguments: [
    ("ROOT/none", "No such file or directory"), ("ROOT/src", "Is a directory"),
    ("/dev/zero", "File too large"),
  ])
  func `A file of patterns that cannot be read is a usage error`(
    path: String,
    reason: String
  ) async throws {
    let (output, errors, status) = try await plat("--no-save", "--exclude-from", path)
    #expect(output == "")
    #expect(errors == "plat: \(path): \(reason)\nTry 'plat scan --help'.\n")
    #expect(status == .usage)
  }

  @Test func `A snapshot says what was left out`() async throws {
    let database = try makeTemporaryDirectory()
    defer { removeTree(database) }
    let (_, _, status) = try await plat(
      "--database=\(database)/x.plat",
      "--exclude=*.c",
      "--exclude-from=ROOT/second",
      "--gitignore",
      "--exclude-caches"
    )
    #expect(status == .success)
    let query = """
      import sqlite3, sys
      [row] = sqlite3.connect(sys.argv[1]).execute("SELECT options FROM snapshot")
      print(row[0])
      """
    let options = try run(["python3", "-c", query, "\(database)/x.plat"], showsErrors: true).text
    #expect(options.contains("exclude-from \(Base64.encode(Array("first\n".utf8)))\n"))
    #expect(options.contains("\ngitignore\nexclude-caches\n"))
  }
}
