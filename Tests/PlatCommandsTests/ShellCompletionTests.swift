import PlatCommands
import PlatTestSupport
import Testing

struct ShellCompletionTests {
  /// Whether a program is on this machine.
  static func has(_ program: String) -> Bool {
    (try? run(["sh", "-c", "command -v \(program)"]).status) == 0
  }

  /// What bash offers for the last word of a line.
  private func offers(_ line: String) throws -> [String] {
    let script = """
      source <(plat completions bash) || exit
      compopt() { :; }
      COMP_WORDS=(\(line)); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
      _plat; printf '%s\\n' "${COMPREPLY[@]}"
      """
    let outcome = try Program.shell(script)
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    return outcome.text.split(separator: "\n").map(String.init)
  }

  @Test(
    arguments: [
      ("plat sc", ["scan"]), ("plat query t", ["top", "types"]), ("plat completions f", ["fish"]),
      ("plat query top --rev", ["--reverse"]),
      ("plat scan --exclude-", ["--exclude-from", "--exclude-caches"]),
      ("plat query find x --sort n", ["name"]), ("plat query find --sort = c", ["count"]),
      ("plat -q query ow", ["owners"]), ("plat snapshots pr", ["prune"]), ("plat scan ''", []),
      ("plat query types --type vid", ["video"]), ("plat query find --larger 1", []),
    ] as [(String, [String])]
  )
  func `Bash offers what can follow`(line: String, words: [String]) throws {
    #expect(try offers(line) == words)
  }

  @Test func `Bash offers every option of every command`() throws {
    for command in CommandList.standard.commands {
      let options = try offers("plat \(command.name) -")
      for option in command.summaries {
        #expect(options.contains("--\(option.name)"), "\(command.name)")
        if let short = option.short { #expect(options.contains("-\(short)"), "\(command.name)") }
      }
    }
  }

  @Test(.enabled(if: has("zsh")))
  func `Zsh can read its script`() async throws {
    try await withSandbox([]) { box in
      let outcome = try box.shell("plat completions zsh >_plat && zsh -n _plat")
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
  }

  @Test(.enabled(if: has("fish")))
  func `Fish offers what can follow`() throws {
    let outcome = try Program.shell(
      "fish --no-config -c 'plat completions fish | source; complete -C \"plat query t\"'"
    )
    #expect(
      outcome.text.split(separator: "\n").map { $0.prefix { $0 != "\t" } } == ["top", "types"]
    )
    #expect(outcome.errors.isEmpty)
  }

  @Test(
    arguments: [
      ([], "a shell is needed: bash, zsh or fish"),
      (["basj"], "unknown shell 'basj'; did you mean 'bash'?"),
      (["bash", "zsh"], "unexpected operand 'zsh'"),
    ] as [([Argument], String)]
  )
  func `A shell that is unknown is a usage error`(words: [Argument], message: String) async {
    let context = CommandContext.capturing()
    #expect(await Program.run(["completions"] + words, in: context) == .usage)
    #expect(context.errors.capturedText.hasPrefix("plat: \(message)\n"))
  }

  @Test(.enabled(if: has("groff")))
  func `The manual page has every option, and troff has nothing to say`() async throws {
    let outcome = try await withSandbox([]) { box in
      try box.shell(
        """
        plat help --man >page; groff -Kutf8 -man -ww -z page
        groff -Kutf8 -man -Tascii -P-bcou -rLL=300n page
        """
      )
    }
    #expect(outcome.errors == "")
    for command in CommandList.standard.commands {
      #expect(outcome.text.contains("plat \(command.name) [OPTION...]"))
      for option in command.summaries { #expect(outcome.text.contains("--\(option.name)")) }
    }
  }
}
