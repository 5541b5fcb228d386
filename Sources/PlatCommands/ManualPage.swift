import PlatTree

/// The manual page of the program, made from the tables of the commands, for man(7).
internal struct ManualPage {
  private let list: CommandList
  private var lines: [String] = []

  /// Returns the page.
  internal static func text(of list: CommandList) -> String {
    var page = ManualPage(list: list)
    page.write()
    return page.lines.joined(separator: "\n") + "\n"
  }

  private init(list: CommandList) { self.list = list }

  private mutating func write() {
    lines.append(".TH PLAT 1 \"\" \"plat \(Program.version)\"")
    section("NAME")
    lines.append("plat \\- \(roff(purpose))")
    section("SYNOPSIS")
    for command in list.commands {
      lines.append(".br")
      lines.append(synopsis(command))
    }
    section("DESCRIPTION")
    paragraphs(list.abstract)
    examples(list.examples)
    section("COMMANDS")
    for command in list.commands { write(command) }
    section("COMMON OPTIONS")
    options(CommonOptions.options.map(\.summary))
    section("EXIT STATUS")
    for (status, meaning) in Self.statuses { item("\(status.rawValue)", meaning) }
    section("ENVIRONMENT")
    for (name, meaning) in Self.variables { item(name, meaning) }
  }

  private mutating func write(_ command: any Command.Type) {
    lines.append(".SS \"plat \(roff(command.name))\"")
    lines.append(synopsis(command))
    paragraphs(command.abstract)
    paragraphs(command.discussion)
    let common = Set(CommonOptions.options.map(\.summary))
    options(command.summaries.filter { !common.contains($0) })
    examples(command.examples)
  }

  private func synopsis(_ command: any Command.Type) -> String {
    let operands = command.operands.isEmpty ? "" : " \(command.operands)"
    return "\\fBplat \(roff(command.name))\\fR [\\fIOPTION\\fR...]\(roff(operands))"
  }

  private mutating func section(_ title: String) { lines.append(".SH \"\(title)\"") }

  private mutating func paragraphs(_ text: String) {
    for paragraph in text.split(separator: "\n\n") {
      lines.append(".PP")
      lines.append(roff(paragraph.split(whereSeparator: \.isWhitespace).joined(separator: " ")))
    }
  }

  private mutating func item(_ term: String, _ text: String) {
    lines += [".TP", "\\fB\(roff(term))\\fR", roff(text)]
  }

  private mutating func options(_ options: [OptionSummary]) {
    for option in options {
      let letter = option.short.map { "-\($0), " } ?? ""
      let value = option.placeholder.map { "=\($0)" } ?? ""
      item("\(letter)--\(option.name)\(value)", option.help)
    }
  }

  private mutating func examples(_ examples: [CommandExample]) {
    for example in examples { item(example.line, example.purpose) }
  }

  /// What the program does, without its name and the full stop.
  private var purpose: String {
    let sentence = list.abstract.split(separator: " ").dropFirst().joined(separator: " ")
    return sentence.last == "." ? String(sentence.dropLast()) : sentence
  }

  /// Returns text that troff prints as it stands.
  private func roff(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "'": result += "\\(aq"
      case "\"": result += "\\(dq"
      case "~": result += "\\(ti"
      case "^": result += "\\(ha"
      default: result.append(character)
      }
    }
    return result.hasPrefix(".") ? "\\&" + result : result
  }

  private static let statuses: [(ExitStatus, String)] = [
    (.success, "Everything was done."),
    (.incomplete, "Everything was done, but some entries could not be read."),
    (.usage, "The command line means nothing."),
    (.missing, "A root is missing or cannot be read, or there is no snapshot to answer from."),
    (.unwritable, "Output or the database could not be written or read."),
    (.difference, "diff --exit-code found a difference, or scan --fail-over was exceeded."),
    (.hungUp, "The terminal went away."),
    (.interrupted, "Interrupted from the keyboard."),
    (.pipeClosed, "Nobody reads the output any more."),
    (.terminated, "Told to end."),
  ]

  private static let variables = [
    ("PLAT_DATABASE", "The file or folder of snapshots, unless --database names another."),
    ("XDG_STATE_HOME", "Where snapshots are kept, in plat/roots below it; else ~/.local/state."),
    ("NO_COLOR", "If it is not empty, there is no colour unless --color asks for it."),
    ("COLUMNS", "The width to write in where there is no terminal to ask."),
  ]
}
