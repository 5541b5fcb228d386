import Foundation
import Glibc
import PlatCommands
import PlatTestSupport

/// What a command line wrote, and how it ended.
struct Outcome: Sendable {
  var output: [UInt8]
  var errors: String
  var status: Int32

  /// The output as text.
  var text: String { String(decoding: output, as: UTF8.self) }

  /// The output with `s` for every string of the JSON that is a value, and `0` for every number.
  var jsonShape: String {
    text.replacing(#/([:\[,])"(?:[^"\\]|\\.)*"(?=[,\]}])/#) { "\($0.1)s" }
      .replacing(#/[0-9]+(\.[0-9]+)?/#) { _ in "0" }
  }

  /// Reads the output as JSON, with the names of members as Swift writes them.
  func json<Answer: Decodable>(_ type: Answer.Type = Answer.self) throws -> Answer {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try decoder.decode(type, from: Data(output))
  }
}

/// A place for one test: a tree to scan, and a home of its own for the snapshots.
///
/// Nothing that runs in it can write to the real home.
struct Sandbox: Sendable {
  /// The absolute path of the directory that holds everything.
  let directory: String

  /// The tree to scan.
  var tree: String { directory + "/tree" }

  /// The folder that snapshots go to.
  var roots: String { directory + "/state/plat/roots" }

  /// The environment of what runs in the sandbox.
  private var environment: [String: String] {
    [
      "HOME": directory + "/home", "XDG_STATE_HOME": directory + "/state", "TMPDIR": directory,
      "LC_ALL": "C.UTF-8",
    ]
  }

  /// Runs a command line in this process.
  func run(
    _ words: [String],
    terminal: Terminal = Terminal(isTerminal: false)
  ) async -> Outcome {
    let context = CommandContext.capturing(environment: environment, terminal: terminal)
    let status = await Program.run(words.map { Argument($0.utf8) }, in: context)
    return Outcome(
      output: context.output.captured,
      errors: context.errors.capturedText,
      status: status.rawValue
    )
  }

  /// Runs a command line in this process, and reads its answer.
  func json<Answer: Decodable>(
    _ words: [String],
    as type: Answer.Type = Answer.self
  ) async throws -> Answer {
    try await run(words + ["--json"]).json()
  }

  /// Runs a script of bash in the directory, with the real program in its path.
  func shell(_ script: String) throws -> Outcome {
    try Program.shell(script, in: directory, environment: environment)
  }

  /// The names in the folder that snapshots go to.
  var databases: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: roots).sorted()) ?? []
  }
}

/// Makes a sandbox, and removes it when `body` returns.
///
/// - Parameters:
///   - items: What the tree to scan holds.
///   - body: Receives the sandbox.
/// - Returns: What `body` returns.
/// - Throws: What `body` throws, or a ``FixtureError`` if an item cannot be made.
func withSandbox<Result>(
  _ items: [TreeItem],
  _ body: (Sandbox) async throws -> Result
) async throws -> Result {
  let contents: [TreeItem] = [.directory("tree", items), .directory("home", [])]
  return try await withTemporaryTree(contents) { try await body(Sandbox(directory: $0)) }
}

/// A user who may read and write nothing of ours.
enum OtherUser {
  /// The words that run a program as that user; none are needed where the tests are not run by root.
  static let prefix = geteuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups " : ""

  /// Whether that user can run the real program, which may lie in a directory of root.
  ///
  /// What setpriv starts itself is found as root, so env has to come between.
  static let canRun = (try? Program.shell(prefix + "env plat --version").status) == 0
}

extension Program {
  /// Runs a script of bash, with the real program, which lies beside the tests, in its path.
  ///
  /// Paths go into `arguments`, for `"$1"` and so on: a path may hold what the shell takes for its own.
  static func shell(
    _ script: String,
    _ arguments: [String] = [],
    in directory: String? = nil,
    environment: [String: String] = [:]
  ) throws -> Outcome {
    let build = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    let scratch = try makeTemporaryDirectory()
    defer { removeTree(scratch) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    // Files rather than pipes: neither stream can fill up while the other is read.
    process.arguments = ["-c", script, "bash"] + arguments
    process.currentDirectoryURL = directory.map { URL(fileURLWithPath: $0, isDirectory: true) }
    process.environment = ["PATH": "\(build.path):/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"]
      .merging(environment) { _, new in new }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try emptyFile(scratch + "/output")
    process.standardError = try emptyFile(scratch + "/errors")
    try process.run()
    process.waitUntilExit()
    return Outcome(
      output: Array(try contents(scratch + "/output")),
      errors: String(decoding: try contents(scratch + "/errors"), as: UTF8.self),
      status: process.terminationStatus
    )
  }

  private static func emptyFile(_ path: String) throws -> FileHandle {
    try Data().write(to: URL(fileURLWithPath: path))
    return try FileHandle(forWritingTo: URL(fileURLWithPath: path))
  }

  private static func contents(_ path: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: path))
  }
}
