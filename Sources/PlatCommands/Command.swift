/// A command of `plat`, declared: its words, its options and what it does.
///
/// The value holds what the command line asked for; its properties have the defaults.
package protocol Command: Sendable {
  /// The word or words after `plat`: `scan`, `query top`.
  static var name: String { get }
  /// What the command does: a sentence.
  static var abstract: String { get }
  /// The operands as the usage line shows them: `[DIR...]`.
  static var operands: String { get }
  /// Command lines worth copying, which help shows first.
  static var examples: [CommandExample] { get }
  /// What else a person has to know: paragraphs with a blank line between them.
  static var discussion: String { get }
  /// The options of this command, without the common ones.
  static var options: [CommandOption<Self>] { get }

  /// The options that every command has.
  var common: CommonOptions { get set }

  /// Creates the command as it is without options and operands.
  init()

  /// Takes a word that is no option, in the order of the command line.
  mutating func accept(operand: Argument) throws(UsageError)

  /// Checks what only the whole command line can tell, such as an operand that is missing.
  func validate() throws(UsageError)

  /// Does what the command line asked for.
  func run(in context: CommandContext) async throws -> ExitStatus
}

extension Command {
  package static var operands: String { "" }
  package static var examples: [CommandExample] { [] }
  package static var discussion: String { "" }
  package static var options: [CommandOption<Self>] { [] }

  package mutating func accept(operand: Argument) throws(UsageError) {
    throw UsageError("unexpected operand \(operand.quoted)")
  }

  package func validate() throws(UsageError) {}
}

/// A command line worth copying.
package struct CommandExample: Hashable, Sendable {
  /// The command line.
  package let line: String
  /// What it does, in a few words.
  package let purpose: String

  /// Creates an example.
  package init(_ line: String, _ purpose: String) {
    self.line = line
    self.purpose = purpose
  }
}

extension Command {
  /// All options, the common ones last.
  package static var allOptions: [CommandOption<Self>] {
    options + CommonOptions.options.map { $0.lifted(to: \.common) }
  }

  /// What help and completions say about the options, the common ones last.
  package static var summaries: [OptionSummary] { allOptions.map(\.summary) }

  /// Reads a command line.
  ///
  /// - Parameter words: What follows the name of the command.
  /// - Throws: ``UsageError`` with the first thing that is wrong. Nothing is checked after `--help` or
  ///   `--version`, which are to work whatever else was typed.
  package init(parsing words: [Argument]) throws(UsageError) {
    self.init()
    var parser = OptionParser(options: Self.allOptions, words: words)
    while let operand = try parser.next(applyingTo: &self, until: { $0.common.request != nil }) {
      try accept(operand: operand)
    }
    if common.request == nil { try validate() }
  }
}
