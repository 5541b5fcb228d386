import Foundation
import Glibc
import PlatCommands
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
    // Had the signal killed it, there would be no status.
    ("exec 3> >(true); wait $!; exec env --default-signal=PIPE plat help >&3", "", "", 141),
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

  @Test func `No file takes the place of a stream that is closed`() async {
    await #expect(processExitsWith: .success) {
      for descriptor in CInt(0)...2 { close(descriptor) }
      Program.occupyStandardDescriptors()
      let file = open("/dev/null", O_RDONLY)
      exit(file > 2 && write(1, "x", 1) == -1 ? EXIT_SUCCESS : EXIT_FAILURE)
    }
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
