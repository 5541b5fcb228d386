import Foundation
import Testing

/// Runs of the real program, from a shell.
struct ProcessTests {
  @Test(arguments: [
    ("plat --version", "plat 0.1.0\n", "", 0),
    ("plat --version >&-", "", "plat: standard output: cannot write (Bad file descriptor)\n", 4),
    (
      "plat help >/dev/full", "",
      "plat: standard output: cannot write (No space left on device)\n", 4
    ),
    ("exec 3> >(exec <&-; sleep 0.2); sleep 0.1; plat help >&3", "", "", 141),
    ("plat nonsense 2>&-", "", "", 2),
    ("plat nonsense 2>/dev/full", "", "", 2),
    ("plat $'\\xff\\n'", "", "plat: unknown command $'\\377\\n'\nTry 'plat --help'.\n", 2),
    ("plat '' ", "", "plat: unknown command ''\nTry 'plat --help'.\n", 2),
    ("plat help >&- 2>&- <&-", "", "", 4),
  ])
  func `The streams and the status are as documented`(
    script: String,
    output: String,
    errors: String,
    status: Int
  ) throws {
    let result = try run(script)
    #expect(result.output == output)
    #expect(result.errors == errors)
    #expect(result.status == status)
  }

  /// Runs a script with bash, with the program in its path.
  private func run(_ script: String) throws -> (output: String, errors: String, status: Int) {
    let build = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = ["-c", script]
    process.environment = ["PATH": "\(build.path):/usr/bin:/bin"]
    let output = Pipe()
    let errors = Pipe()
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    let errorText = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (
      String(decoding: text, as: UTF8.self), String(decoding: errorText, as: UTF8.self),
      Int(process.terminationStatus)
    )
  }
}
