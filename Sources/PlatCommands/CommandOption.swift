/// An option of a command: its names, its help and its effect in one place.
///
/// The parser, the help, the manual page and the completions of the shells are all made from these.
///
/// ```swift
/// static let options: [CommandOption<Self>] = [
///   .flag("one-file-system", short: "x", help: "Stay on the file system of DIR.") {
///     $0.staysOnFileSystem = true
///   },
///   .value("threads", short: "j", .count(1...256), help: "Read with COUNT threads.") {
///     $0.threadCount = $1
///   },
/// ]
/// ```
package struct CommandOption<Root>: Sendable {
  /// What help and completions say.
  package let summary: OptionSummary
  /// Takes the word after the option, which is `nil` for a flag.
  internal let apply: @Sendable (inout Root, Argument?) throws(UsageError) -> Void

  /// An option without a value.
  ///
  /// - Parameters:
  ///   - name: The long name, without dashes.
  ///   - short: The letter or digit after a single dash, if there is one.
  ///   - help: What the option does: a sentence.
  ///   - effect: Changes the command.
  /// - Returns: The option.
  package static func flag(
    _ name: String,
    short: Character? = nil,
    help: String,
    effect: @escaping @Sendable (inout Root) -> Void
  ) -> Self {
    Self(summary: OptionSummary(name: name, short: short, help: help)) { root, _ in effect(&root) }
  }

  /// An option with a value.
  ///
  /// - Parameters:
  ///   - name: The long name, without dashes.
  ///   - short: The letter or digit after a single dash, if there is one.
  ///   - kind: How the value is read.
  ///   - placeholder: The word for the value in help, if the one of `kind` says too little.
  ///   - help: What the option does: a sentence that uses the placeholder.
  ///   - effect: Changes the command, each time that the option is given. What it throws ends up as a
  ///     ``UsageError``, with the name of the option if it is none already.
  /// - Returns: The option.
  package static func value<Value>(
    _ name: String,
    short: Character? = nil,
    _ kind: OptionValue<Value>,
    placeholder: String? = nil,
    help: String,
    effect: @escaping @Sendable (inout Root, Value) throws -> Void
  ) -> Self {
    let summary = OptionSummary(
      name: name,
      short: short,
      placeholder: placeholder ?? kind.placeholder,
      completion: kind.completion,
      help: help
    )
    return Self(summary: summary) { (root, word) throws(UsageError) in
      guard let word else { return }
      let value = try kind.value(of: word, for: "--\(name)")
      do {
        try effect(&root, value)
      } catch let error as UsageError {
        throw error
      } catch {
        throw UsageError("option '--\(name)': \(error)")
      }
    }
  }

  /// Returns the option for a command that has its target in a property.
  ///
  /// A group of options that several commands share is a structure with a table of its own:
  ///
  /// ```swift
  /// static let options = [ … ] + FilterOptions.options.map { $0.lifted(to: \.filter) }
  /// ```
  package func lifted<Command>(
    to property: any WritableKeyPath<Command, Root> & Sendable
  ) -> CommandOption<Command> {
    CommandOption<Command>(summary: summary) { [apply] (command, word) throws(UsageError) in
      try apply(&command[keyPath: property], word)
    }
  }

  /// Returns options that stand under a heading of their own in the help.
  package static func group(_ heading: String, _ options: [Self]) -> [Self] {
    options.map { option in
      var summary = option.summary
      summary.heading = heading
      return Self(summary: summary, apply: option.apply)
    }
  }
}

/// What help and completions say about an option.
package struct OptionSummary: Hashable, Sendable {
  /// The long name, without dashes.
  package let name: String
  /// The letter or digit after a single dash.
  package let short: Character?
  /// The word for the value, or `nil` for a flag.
  package let placeholder: String?
  /// How a shell can complete the value.
  package let completion: Completion
  /// What the option does: a sentence.
  package let help: String
  /// The heading of the help that the option stands under.
  package internal(set) var heading = "Options"

  internal init(
    name: String,
    short: Character?,
    placeholder: String? = nil,
    completion: Completion = .none,
    help: String
  ) {
    self.name = name
    self.short = short
    self.placeholder = placeholder
    self.completion = completion
    self.help = help
  }
}
