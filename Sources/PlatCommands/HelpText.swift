import PlatTree

/// The help of commands and of the program, made from their tables.
internal struct HelpText {
  /// The columns to write in.
  private let width: Int
  private var lines: [String] = []

  private init(width: Int) {
    // Long lines are hard to read, and below 40 there is no room to align.
    self.width = min(max(width, 40), 100)
  }

  /// Returns the help of a command.
  internal static func of<C: Command>(_ command: C.Type, width: Int) -> String {
    var help = HelpText(width: width)
    help.paragraph(C.abstract)
    help.examples(C.examples)
    help.section("Usage:")
    let operands = C.operands.isEmpty ? "" : " \(C.operands)"
    help.lines.append("  plat \(C.name) [OPTION...]\(operands)")
    for paragraph in C.discussion.split(separator: "\n\n") {
      help.lines.append("")
      help.paragraph(String(paragraph))
    }
    help.options(C.summaries)
    return help.text
  }

  /// Returns the short help of the program: what it does and its commands.
  internal static func overview(of list: CommandList, width: Int) -> String {
    var help = HelpText(width: width)
    help.introduce("", in: list)
    help.section("'plat help COMMAND' tells more, 'plat --help' shows the common options.")
    return help.text
  }

  /// Returns the help of a group of commands, or of the program if the name is empty.
  internal static func of(group name: String, in list: CommandList, width: Int) -> String {
    var help = HelpText(width: width)
    help.introduce(name, in: list)
    help.options(CommonOptions.options.map(\.summary))
    help.section("'plat help \(name.isEmpty ? "COMMAND" : "\(name) VERB")' tells more.")
    return help.text
  }

  private var text: String { lines.joined(separator: "\n") + "\n" }

  private mutating func introduce(_ name: String, in list: CommandList) {
    let group = list.group(named: name)
    paragraph(group?.abstract ?? list.abstract)
    examples(group == nil ? list.examples : list.verbs(of: name).flatMap { $0.examples })
    section("Usage:")
    let word = group == nil ? "COMMAND" : group?.defaultVerb == nil ? "VERB" : "[VERB]"
    let path = name.isEmpty ? "plat" : "plat \(name)"
    lines.append("  \(path) \(word) [OPTION...] [OPERAND...]")
    section(group == nil ? "Commands:" : "Verbs:")
    pairs(
      list.words(after: name).map { word in
        let full = name.isEmpty ? word : "\(name) \(word)"
        return (
          word, list.group(named: full)?.abstract ?? list.command(named: full)?.abstract ?? ""
        )
      }
    )
  }

  private mutating func section(_ heading: String) {
    lines.append("")
    lines.append(heading)
  }

  private mutating func paragraph(_ text: String) {
    lines += wrapped(text, to: width)
  }

  private mutating func examples(_ examples: [CommandExample]) {
    guard !examples.isEmpty else { return }
    section("Examples:")
    pairs(examples.map { ($0.line, $0.purpose) })
  }

  private mutating func options(_ options: [OptionSummary]) {
    var headings: [String] = []
    for option in options where !headings.contains(option.heading) {
      headings.append(option.heading)
    }
    for heading in headings {
      section("\(heading):")
      pairs(options.filter { $0.heading == heading }.map { ($0.usage, $0.help) })
    }
  }

  /// Appends terms with their explanations in a column beside them, or below those that are long.
  private mutating func pairs(_ pairs: [(term: String, text: String)]) {
    let longest = width / 2 - 2
    let column = pairs.map { ColumnWidth.of($0.term) }.filter { $0 <= longest }.max() ?? 0
    let indentation = column + 4
    for (term, text) in pairs {
      var explanation = wrapped(text, to: width - indentation)[...]
      let padding = indentation - 2 - ColumnWidth.of(term)
      if padding < 2 {
        lines.append("  \(term)")
      } else if let first = explanation.popFirst() {
        lines.append("  \(term)\(String(repeating: " ", count: padding))\(first)")
      }
      lines += explanation.map { String(repeating: " ", count: indentation) + $0 }
    }
  }

  private func wrapped(_ text: String, to width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(whereSeparator: \.isWhitespace) {
      if !line.isEmpty, ColumnWidth.of(line) + 1 + ColumnWidth.of(word) > width {
        lines.append(line)
        line = ""
      }
      line += line.isEmpty ? String(word) : " \(word)"
    }
    return line.isEmpty ? lines : lines + [line]
  }
}

extension OptionSummary {
  /// The option as help shows it: `-x, --one-file-system`, `    --threads=COUNT`.
  fileprivate var usage: String {
    let letter = short.map { "-\($0), " } ?? "    "
    return letter + "--\(name)" + (placeholder.map { "=\($0)" } ?? "")
  }
}

extension CommandList {
  /// Returns the help of a command, a group, or the program, by name.
  internal func help(for name: String, width: Int) -> String {
    guard let command = command(named: name) else {
      return HelpText.of(group: name, in: self, width: width)
    }
    return HelpText.of(command, width: width)
  }
}
