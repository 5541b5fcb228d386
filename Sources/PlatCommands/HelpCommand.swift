import PlatTree

/// `plat help`: shows the help of the program, a group, or a command.
package struct HelpCommand: Command {
  package static let name = "help"
  package static let abstract = "Show what a command does, with examples."
  package static let operands = "[COMMAND [VERB]]"
  package static let examples = [
    CommandExample("plat help", "show all commands"),
    CommandExample("plat help help", "show the help of one"),
    CommandExample("plat help --man >plat.1", "write the manual page"),
  ]
  package static let options: [CommandOption<Self>] = [
    .flag("man", help: "Write the manual page of the program, for man(7).") { $0.isManual = true }
  ]

  package var common = CommonOptions()
  private var isManual = false
  private var words: [Argument] = []

  package init() {}

  package mutating func accept(operand: Argument) throws(UsageError) {
    words.append(operand)
  }

  package func validate() throws(UsageError) {
    guard isManual, let word = words.first else { return }
    throw UsageError("option '--man' is for all commands, not for \(word.quoted)")
  }

  package func run(in context: CommandContext) async throws -> ExitStatus {
    if isManual {
      context.output.write(ManualPage.text(of: context.commands))
      return .success
    }
    var name = ""
    for word in words {
      if !name.isEmpty, context.commands.group(named: name) == nil {
        throw UsageError("unexpected operand \(word.quoted)")
      }
      name = try context.commands.name(name, extendedBy: word)
    }
    if context.options.json {
      context.printJSON { json in context.commands.write(name, to: json) }
      return .success
    }
    context.output.write(context.commands.help(for: name, width: context.width))
    return .success
  }
}

extension CommandList {
  /// Writes what help says about a command, a group, or the program.
  fileprivate func write(_ name: String, to json: JSONWriter) {
    let type = command(named: name)
    json.object {
      json.member("schema", "plat/help/1")
      json.member("name", name.isEmpty ? "plat" : "plat \(name)")
      json.member("abstract", type?.abstract ?? group(named: name)?.abstract ?? abstract)
      json.member("operands", type?.operands)
      json.array("commands") {
        for word in type == nil ? words(after: name) : [] { json.element(word) }
      }
      json.array("options") {
        for option in type?.summaries ?? CommonOptions.options.map(\.summary) {
          json.object {
            json.member("name", "--\(option.name)")
            json.member("short", option.short.map { "-\($0)" })
            json.member("value", option.placeholder)
            json.member("help", option.help)
          }
        }
      }
    }
  }
}
