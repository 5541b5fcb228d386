import Foundation
import PlatCommands
import Testing

/// The help of the real commands.
struct HelpTests {
  @Test func `Help names every option of a command, and is the same however it is asked for`()
    async throws
  {
    for command in CommandList.standard.commands {
      let words = command.name.split(separator: " ").map { Argument($0.utf8) }
      let help = await help(words + ["--help"])
      #expect(await self.help(["help"] + words) == help)
      #expect(await self.help(words + ["-h"]) == help)
      #expect(help.hasPrefix(command.abstract.prefix(20)))
      #expect(help.contains("\n  plat \(command.name) [OPTION...]"))
      for option in command.summaries {
        let value = option.placeholder.map { "=\($0)" } ?? ""
        let letter = option.short.map { "  -\($0), " } ?? "      "
        #expect(help.contains("\n\(letter)--\(option.name)\(value)"), "\(command.name)")
      }
      for example in command.examples { #expect(help.contains("\n  \(example.line)")) }
    }
  }

  @Test func `Every example is a command line that parses`() async throws {
    let list = CommandList.standard
    for example in list.examples + list.commands.flatMap({ $0.examples }) {
      // Bash takes the line apart; an operand that is a flag of help stops it from doing anything.
      let line = "plat() { printf '%s\\0' \"$@\" --help; exit; }; \(example.line)"
      let words = try Program.shell(line).output.split(separator: 0).map { Argument($0) }
      #expect(await help(words) != "", "\(example.line)")
    }
  }

  @Test(
    arguments: [("plat", ["--help"]), ("plat-scan", ["scan", "--help"])] as [(String, [Argument])]
  )
  func `Help is as recorded`(name: String, words: [Argument]) async throws {
    let file = URL(filePath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Fixtures/help/\(name).txt")
    let help = await help(words)
    if ProcessInfo.processInfo.environment["PLAT_RECORD"] == "1" {
      try Data(help.utf8).write(to: file)
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == help)
  }

  /// What a command line that asks for help writes; nothing if it fails.
  private func help(_ words: [Argument]) async -> String {
    let context = CommandContext.capturing()
    let status = await Program.run(words, in: context)
    return status == .success && context.errors.captured.isEmpty ? context.output.capturedText : ""
  }
}
