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
    (
      "ulimit -n 10; plat --version", "",
      "plat: only 10 files may be open at once (16 are needed: ulimit -n)\n", 4
    ),
    ("ulimit -S -n 10; plat --version", "plat 0.1.0\n", "", 0),
  ])
  func `The streams and the status are as documented`(
    script: String,
    output: String,
    errors: String,
    status: Int32
  ) throws {
    let outcome = try Program.shell(script)
    #expect(outcome.text == output)
    #expect(outcome.errors == errors)
    #expect(outcome.status == status)
  }

  @Test func `No file takes the place of a stream that is closed`() async {
    await #expect(processExitsWith: .success) {
      for descriptor in CInt(0)...2 { close(descriptor) }
      Program.occupyStandardDescriptors()
      let file = open("/dev/null", O_RDONLY)
      exit(file > 2 && write(1, "x", 1) == -1 ? EXIT_SUCCESS : EXIT_FAILURE)
    }
  }
}
