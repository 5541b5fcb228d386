import PlatCommands
import PlatTestSupport
import Testing

/// What a scan costs in system calls, which are the same on every machine, where seconds are not.
struct SystemCallTests {
  /// Scripts/bootstrap --tests installs strace; in some containers it may not trace.
  static let canTrace = (try? Program.shell("strace -o /dev/null true").status) == 0

  private static let script =
    #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
    + "/Scripts/count-syscalls"

  @Test(.enabled(if: canTrace, "strace is not installed, or may not trace"), arguments: [1, 2])
  func `A scan makes at most one call in a hundred more than the floor of any`(
    threads: Int
  ) throws {
    let scratch = try makeTemporaryDirectory()
    defer { removeTree(scratch) }
    let outcome = try Program.shell(
      """
      exec "$1" --plat "$(command -v plat)" --entries 20000 --threads \(threads) --limit 1
      """,
      [Self.script],
      environment: ["TMPDIR": scratch]
    )
    #expect(outcome.status == 0, "\(outcome.text)\(outcome.errors)")
  }
}
