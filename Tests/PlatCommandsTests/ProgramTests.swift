import Foundation
import PlatCommands
import Testing

struct ProgramTests {
  @Test(
    arguments: [
      (["paint", "north"], "painted north\n"), (["--si", "paint", "north"], "painted north\n"),
      (["--database", "x", "paint", "north", "-q"], "painted north\n"),
      (["test", "list"], "list\n"),
      (["test"], "list\n"), (["test", "-l"], "long list\n"),
      (["-q", "test", "list", "-l"], "long list\n"),
      (["gate", "--json", "open"], "open, json true\n"), (["gate", "open"], "open, json false\n"),
      (["--version"], "plat 0.1.0\n"), (["-V", "nonsense"], "plat 0.1.0\n"),
      (["paint", "-V"], "plat 0.1.0\n"),
    ] as [([Argument], String)]
  )
  func `A command line reaches its command`(words: [Argument], output: String) async {
    #expect(await runSample(words) == (output, "", .success))
  }

  @Test(
    arguments: [
      (["piant"], "unknown command 'piant'; did you mean 'paint'?", "plat"),
      (["frobnicate"], "unknown command 'frobnicate'", "plat"),
      (["."], "unknown command '.'; to scan a directory, say 'plat scan' first", "plat"),
      (["/srv"], "unknown command '/srv'; to scan a directory, say 'plat scan' first", "plat"),
      (["--jsno", "paint"], "unknown option '--jsno'; did you mean '--json'?", "plat"),
      (["gate"], "'plat gate' needs a verb: open", "plat gate"),
      (["gate", "opne"], "unknown 'plat gate' verb 'opne'; did you mean 'open'?", "plat gate"),
      (["test", "lits"], "unknown 'plat test' verb 'lits'; did you mean 'list'?", "plat test"),
      (["test", "-z"], "unknown option '-z'", "plat test list"),
      (["test", "fail", "usage"], "that is not how", "plat test fail"),
      (["help", "gat"], "unknown command 'gat'; did you mean 'gate'?", "plat help"),
      (["help", "paint", "x"], "unexpected operand 'x'", "plat help"),
    ] as [([Argument], String, String)]
  )
  func `A usage error has two lines and status 2`(
    words: [Argument],
    message: String,
    path: String
  ) async {
    let errors = "plat: \(message)\nTry '\(path) --help'.\n"
    #expect(await runSample(words) == ("", errors, .usage))
  }

  @Test(
    arguments: [
      ("missing", "plat: /srv: cannot read (No such file)\nGo.\n", .missing),
      ("cancelled", "", .interrupted),
      ("other", "plat: a surprise\n", .unwritable),
      ("x", "", .difference),
    ] as [(String, String, ExitStatus)]
  )
  func `An error has a message and a status`(
    how: String,
    errors: String,
    status: ExitStatus
  ) async {
    #expect(await runSample(["test", "fail", Argument(how.utf8)]) == ("", errors, status))
  }

  @Test func `The statuses are the documented numbers`() {
    let statuses: [ExitStatus] = [
      .success, .incomplete, .usage, .missing, .unwritable, .difference, .hungUp, .interrupted,
      .pipeClosed, .terminated,
    ]
    #expect(statuses.map(\.rawValue) == [0, 1, 2, 3, 4, 6, 129, 130, 141, 143])
  }

  @Test func `plat alone shows its commands`() async {
    let expected = """
      plat paints walls.

      Examples:
        plat paint .  paint what is here

      Usage:
        plat COMMAND [OPTION...] [OPERAND...]

      Commands:
        paint  Paint a wall.
        test   Try things.
        gate   Work the gate.
        help   Show what a command does, with examples.

      'plat help COMMAND' tells more, 'plat --help' shows the common options.

      """
    #expect(await runSample([]) == (expected, "", .success))
  }

  @Test func `The help of a group shows its verbs`() async {
    let help = await runSample(["help", "test"])
    #expect(help.output.hasPrefix("Try things.\n\nUsage:\n  plat test [VERB] [OPTION...]"))
    #expect(help.output.contains("Verbs:\n  fail  End badly.\n  list  List the tests.\n"))
    #expect(help.output.hasSuffix("'plat help test VERB' tells more.\n"))
    #expect(await runSample(["test", "--help"]) == help)
    #expect(help.status == .success)
  }

  @Test func `The help of a command has examples first`() async {
    let help = await runSample(["help", "paint"])
    let expected = """
      Paint a wall.

      Examples:
        plat paint north  paint one wall
        plat paint --coats=2 --finish=matt north south
                          paint two walls twice

      Usage:
        plat paint [OPTION...] [WALL...]

      Paint covers what was there before. A wall that is wet is left alone, and is
      painted when it is dry.

      Walls are painted in the order given.

      Options:
        -x, --rough                    Do not sand the wall first.
        -n, --coats=COUNT              Paint COUNT coats.
            --finish=gloss|matt|satin  Choose a finish.
            --larger=SIZE              Skip walls of up to SIZE.
            --list=FILE                Read walls from FILE.
            --colour=NAME              Use the colour NAME.

      Labels:
        -l, --label=TEXT  Write TEXT on the wall.

      Options of every command:
        -h, --help           Show this help.

      """
    #expect(help.output.hasPrefix(expected))
    #expect(await runSample(["paint", "-x", "--help"]) == help)
  }

  @Test(arguments: [1, 40, 57, 80, 100, 500])
  func `Help fits the terminal, from 40 to 100 columns`(columns: Int) async {
    for words: [Argument] in [["--help"], ["help", "paint"], ["help", "gate"], []] {
      let terminal = Terminal(isTerminal: true, columns: columns)
      let help = await runSample(words, terminal: terminal).output
      let longest = help.split(separator: "\n").filter { !$0.contains("plat ") }.map(\.count).max()
      #expect((20...min(max(columns, 40), 100)).contains(longest ?? 0))
    }
  }

  @Test func `Help is data on request`() async throws {
    let result = await runSample(["help", "gate", "open", "--json"])
    let parsed = try JSONSerialization.jsonObject(with: Data(result.output.utf8))
    let help = try #require(parsed as? [String: Any])
    #expect(help["schema"] as? String == "plat/help/1")
    #expect(help["name"] as? String == "plat gate open")
    let options = try #require(help["options"] as? [[String: Any]])
    #expect(options.count == 13)
    #expect(options[0]["name"] as? String == "--help")
  }
}
