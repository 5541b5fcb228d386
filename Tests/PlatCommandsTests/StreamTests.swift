import Foundation
import PlatCommands
import PlatTestSupport
import Testing

/// What is written where, by the real program.
struct StreamTests {
  @Test(arguments: [
    "scan tree", "scan --json tree", "query list tree", "query list -0 tree",
    "query list --csv tree", "snapshots list tree", "render -o - --format=svg tree",
    "render -o - --format=png tree", "scan --help", "help --json scan",
  ])
  func `A stream that takes nothing is an error, and a reader that has gone is none`(
    line: String
  ) async throws {
    try await withSandbox([.directory("d", []), .file("f", size: 5)]) { box in
      let outcome = try box.shell(
        """
        plat scan -q tree
        plat \(line) -q >&- ; echo $?
        plat \(line) -q >/dev/full ; echo $?
        exec 3> >(true); wait $!
        env --default-signal=PIPE plat \(line) -q >&3; echo $?
        """
      )
      // A quiet scan has nothing to write.
      let isSilent = line == "scan tree"
      #expect(outcome.text == (isSilent ? "0\n0\n0\n" : "4\n4\n141\n"))
      let errors = """
        plat: standard output: cannot write (Bad file descriptor)
        plat: standard output: cannot write (No space left on device)

        """
      #expect(outcome.errors == (isSilent ? "" : errors))
    }
  }

  @Test func `A long list ends quietly when its reader has had enough`() async throws {
    let files = (0..<2_000).map {
      TreeItem.file(FileName("\($0)" + String(repeating: "x", count: 200)), size: 0)
    }
    try await withSandbox(files) { box in
      let outcome = try box.shell(
        """
        set -o pipefail
        plat scan -q tree
        for format in --json --csv -0 ''; do
          plat query list -q $format tree | head -c 10 >/dev/null; echo $?
        done
        """
      )
      #expect(outcome.text == "141\n141\n141\n141\n")
      #expect(outcome.errors == "")
    }
  }

  @Test func `Streams that are no terminal get no escape codes and no progress`() async throws {
    try await withSandbox([.file(FileName("\u{1B}[31m\n"), size: 5)]) { box in
      // With -0 and --csv names are exact, and the reader's to deal with.
      let outcome = try box.shell(
        """
        for line in 'scan tree' 'scan --json tree' 'query list tree' 'query list --json tree' \
          'query top --files tree' 'snapshots list tree' 'scan --help' $'scan \\e[31m' $'\\e[31m'
        do
          TERM=xterm-256color plat $line
        done
        """
      )
      #expect(outcome.text.split(separator: "\n").count > 40)
      #expect(!outcome.output.contains { $0 < 32 && $0 != 10 })
      #expect(!outcome.errors.utf8.contains { $0 < 32 && $0 != 10 })
      #expect(outcome.errors.contains(#"plat: $'\033[31m': No such file or directory"#))
    }
  }

  @Test func `Arguments that are not UTF-8 reach the file system as they are`() async throws {
    let items: [TreeItem] = [
      .directory(FileName([0xFF]), [.file(FileName([0xFE, 0x0A]), size: 9)])
    ]
    try await withSandbox(items) { box in
      let outcome = try box.shell(
        """
        plat scan -q $'tree/\\xff' --exclude $'\\xfd' || exit
        plat query list -q -0 $'tree/\\xff' | od -An -tx1
        plat query list -q $'tree/\\xff' | grep -o "\\$'.*"
        plat query list --json $'tree/\\xff' --database $'state/plat/roots'
        plat render -o $'\\xff.svg' $'tree/\\xff' && ls -b *.svg
        plat scan $'tree/\\xfe'
        """
      )
      let lines = outcome.text.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines[0] == " fe 0a 00")
      #expect(lines[1] == #"$'\376\n'"#)
      #expect(outcome.text.contains(##""name":"\##u{FFFD}\n","name_base64":"/go=""##))
      #expect(outcome.text.hasSuffix("\n\\377.svg\n"))
      #expect(outcome.errors == "plat: $'tree/\\376': No such file or directory\n")
      #expect(outcome.status == 3)
    }
  }
}
