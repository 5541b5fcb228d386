import PlatTree

/// `plat completions`: writes what lets a shell complete the command lines of this program.
package struct CompletionsCommand: Command {
  /// A shell that completes.
  package enum Shell: String, CaseIterable, Sendable {
    case bash, zsh, fish
  }

  package static let name = "completions"
  package static let abstract = "Write the completions of commands and options for a shell."
  package static let operands = "bash|zsh|fish"

  package static let examples = [
    CommandExample("source <(plat completions bash)", "in this bash only"),
    CommandExample(
      "plat completions bash >~/.local/share/bash-completion/completions/plat",
      "for each bash"
    ),
    CommandExample("plat completions zsh >~/.zfunc/_plat", "in a folder that is in fpath"),
    CommandExample(
      "plat completions fish >~/.config/fish/completions/plat.fish",
      "for each fish"
    ),
  ]

  package var common = CommonOptions()
  package var shell: Shell?

  package init() {}

  package mutating func accept(operand: Argument) throws(UsageError) {
    guard shell == nil else { throw UsageError("unexpected operand \(operand.quoted)") }
    shell = operand.text.flatMap { Shell(rawValue: $0) }
    guard shell == nil else { return }
    throw UsageError(unknown: "shell", operand, among: Shell.allCases.map(\.rawValue))
  }

  package func validate() throws(UsageError) {
    guard shell == nil else { return }
    throw UsageError("a shell is needed: bash, zsh or fish")
  }

  package func run(in context: CommandContext) async throws -> ExitStatus {
    let completions = ShellCompletions(context.commands)
    switch shell {
    case .bash: context.output.write(completions.bash)
    case .zsh: context.output.write(completions.zsh)
    case .fish: context.output.write(completions.fish)
    case nil: return .usage
    }
    return .success
  }
}
