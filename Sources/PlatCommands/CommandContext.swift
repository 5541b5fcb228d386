package import PlatTree

/// What a command works with: its streams, its environment, and the options that every command has.
///
/// A test makes one with streams in memory, and reads them afterwards.
package struct CommandContext: Sendable {
  /// Takes results.
  package let output: Output
  /// Takes all that is no result.
  package let errors: Output
  /// The environment variables.
  package let environment: Environment
  /// The commands of this program.
  package let commands: CommandList
  /// The options that every command has, as the command line gave them.
  package internal(set) var options = CommonOptions()

  private let describeOutput: @Sendable () -> Terminal
  private let describeErrors: @Sendable () -> Terminal

  /// Creates the context of this process.
  package static func ofProcess(commands: CommandList) -> CommandContext {
    CommandContext(
      output: Output(
        descriptor: 1,
        name: "standard output",
        buffering: Terminal(descriptor: 1).isTerminal ? .none : .blocks
      ),
      errors: Output(descriptor: 2, name: "standard error", buffering: .none),
      environment: .process,
      commands: commands,
      describeOutput: { Terminal(descriptor: 1) },
      describeErrors: { Terminal(descriptor: 2) }
    )
  }

  /// Creates a context that keeps all output in memory.
  ///
  /// - Parameters:
  ///   - environment: The environment variables.
  ///   - terminal: What both streams claim to be connected to.
  ///   - options: The options that every command has.
  ///   - commands: The commands of the program.
  /// - Returns: The context.
  package static func capturing(
    environment: [String: String] = [:],
    terminal: Terminal = Terminal(isTerminal: false),
    options: CommonOptions = CommonOptions(),
    commands: CommandList = .standard
  ) -> CommandContext {
    var context = CommandContext(
      output: Output(),
      errors: Output(),
      environment: Environment(environment),
      commands: commands,
      describeOutput: { terminal },
      describeErrors: { terminal }
    )
    context.options = options
    return context
  }

  private init(
    output: Output,
    errors: Output,
    environment: Environment,
    commands: CommandList,
    describeOutput: @escaping @Sendable () -> Terminal,
    describeErrors: @escaping @Sendable () -> Terminal
  ) {
    self.output = output
    self.errors = errors
    self.environment = environment
    self.commands = commands
    self.describeOutput = describeOutput
    self.describeErrors = describeErrors
  }
}

extension CommandContext {
  /// The path of the snapshots that `--database`, or else `PLAT_DATABASE`, asks for.
  package var database: [UInt8]? {
    if let database = options.database { return database }
    return environment[bytes: "PLAT_DATABASE"].flatMap { $0.isEmpty ? nil : $0 }
  }
}

// MARK: What can be drawn

extension CommandContext {
  /// What standard output is connected to, asked anew each time, for a window can be resized.
  package var outputTerminal: Terminal { describeOutput() }

  /// What standard error is connected to, asked anew each time.
  package var errorsTerminal: Terminal { describeErrors() }

  /// The columns to write in: the terminal's, else those of `COLUMNS`, else 80.
  package var width: Int {
    if let columns = outputTerminal.columns ?? errorsTerminal.columns { return columns }
    guard let columns = environment["COLUMNS"].flatMap({ Int($0) }), columns > 0 else { return 80 }
    return columns
  }

  /// Whether results have colour.
  package var usesColor: Bool { outputTerminal.usesColor(options.color, environment) }

  /// Whether to draw with ASCII only: on request, and on a terminal that does not show UTF-8.
  package var usesASCII: Bool { options.ascii || !showsUTF8 }

  /// Whether all that is not ASCII would come out wrong, names too.
  private var showsUTF8: Bool { environment.usesUTF8 || !outputTerminal.isTerminal }
}

// MARK: Writing

extension CommandContext {
  /// Writes a line of the result.
  package func print(_ line: String = "") {
    output.write(line + "\n")
  }

  /// Writes a table of the result, fitted to the terminal if there is one.
  package func print(_ table: TextTable) {
    let maximumWidth = outputTerminal.isTerminal ? width : nil
    for line in table.lines(maximumWidth: maximumWidth, styled: usesColor, ascii: usesASCII) {
      print(line)
    }
  }

  /// Writes a JSON document as the result.
  ///
  /// - Throws: What `body` throws.
  package func printJSON<Failure>(
    _ body: (JSONWriter) throws(Failure) -> Void
  ) throws(Failure) {
    let json = JSONWriter { [output] in output.write($0) }
    try body(json)
    json.finish()
  }

  /// Writes a message: `plat: ` and then the line, on standard error.
  package func printError(_ message: String) {
    errors.write("plat: \(message)\n")
  }

  /// Writes one message for each thing that went wrong: all with `--verbose`, and else at most 10.
  ///
  /// - Parameters:
  ///   - issues: What went wrong.
  ///   - message: Returns the message: the path, then what, and the reason in parentheses.
  package func printErrors<Issues: Collection>(
    _ issues: Issues,
    message: (Issues.Element) -> String
  ) {
    let limit = options.verbosity == .verbose ? issues.count : 10
    for issue in issues.prefix(limit) { printError(message(issue)) }
    guard issues.count > limit else { return }
    printError("and \(NumberFormat.grouped(issues.count - limit)) more (--verbose lists all)")
  }

  /// Returns a name or a path as it is shown to a person.
  package func shown(_ name: some Collection<UInt8>) -> String {
    NameDisplay.terminalText(name, asciiOnly: !showsUTF8)
  }

  /// Returns a size in the units that the command line asks for.
  package func shown(size: UInt64) -> String { options.sizes.string(size) }

  /// Returns the change of a size, with its sign, in the units that the command line asks for.
  package func shown(change: Int64) -> String { options.sizes.string(change: change) }
}
