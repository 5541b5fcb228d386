/// The commands of the program, by name.
package struct CommandList: Sendable {
  /// A word that stands before the names of several commands: `query` of `query top`.
  package struct Group: Hashable, Sendable {
    package let name: String
    /// What the commands do together: a sentence.
    package let abstract: String
    /// The verb that is meant if there is none.
    package let defaultVerb: String?

    /// Creates a group.
    package init(_ name: String, _ abstract: String, defaultVerb: String? = nil) {
      self.name = name
      self.abstract = abstract
      self.defaultVerb = defaultVerb
    }
  }

  /// What a command line asks for.
  internal enum Resolution {
    /// To run a command with these words.
    case command(any Command.Type, [Argument])
    /// For help on a group, or on the program if the name is empty.
    case help(String)
    /// For nothing: there is no word at all.
    case overview
    case version
  }

  /// What the program does: a sentence.
  package let abstract: String
  /// Command lines worth copying.
  package let examples: [CommandExample]
  /// The commands, in the order of the help.
  package let commands: [any Command.Type]
  /// The groups of commands.
  package let groups: [Group]

  /// Creates a list.
  package init(
    abstract: String,
    examples: [CommandExample] = [],
    commands: [any Command.Type],
    groups: [Group] = []
  ) {
    self.abstract = abstract
    self.examples = examples
    self.commands = commands
    self.groups = groups
  }
}

extension CommandList {
  /// Returns the command with a name: `scan`, `query top`.
  package func command(named name: String) -> (any Command.Type)? {
    commands.first { $0.name == name }
  }

  /// Returns the group with a name.
  package func group(named name: String) -> Group? {
    groups.first { $0.name == name }
  }

  /// Returns the commands of a group.
  internal func verbs(of name: String) -> [any Command.Type] {
    commands.filter { $0.name.hasPrefix(name + " ") }
  }

  /// The words that can follow a group's name, or `plat` if `name` is empty.
  internal func words(after name: String) -> [String] {
    var words: [String] = []
    for command in commands where name.isEmpty || command.name.hasPrefix(name + " ") {
      let rest = command.name.dropFirst(name.isEmpty ? 0 : name.count + 1)
      let word = String(rest.prefix { $0 != " " })
      if !words.contains(word) { words.append(word) }
    }
    return words
  }

  /// Finds what a command line asks for.
  ///
  /// Common options may stand before the command and its verb.
  ///
  /// - Throws: ``UsageError`` if a word is no command, or a verb is missing.
  internal func resolve(_ words: [Argument]) throws(UsageError) -> Resolution {
    var words = words
    var name = ""
    while true {
      let fallback = group(named: name)?.defaultVerb.flatMap { command(named: "\(name) \($0)") }
      var common = CommonOptions()
      let position: Int?
      do throws(UsageError) {
        position = try Self.firstOperand(of: words, &common)
      } catch {
        // The option may be one of the command that is meant.
        if let fallback { return .command(fallback, words) }
        throw error
      }
      if common.request == .help { return .help(name) }
      if common.request == .version { return .version }
      guard let position else {
        if let fallback { return .command(fallback, words) }
        if name.isEmpty { return .overview }
        let verbs = self.words(after: name).joined(separator: ", ")
        throw UsageError("'plat \(name)' needs a verb: \(verbs)", helpName: name)
      }
      // A path after a group is no verb: it is an operand of the verb that is meant.
      if let fallback, Self.isPath(words[position]) { return .command(fallback, words) }
      let word = words.remove(at: position)
      name = try self.name(name, extendedBy: word)
      if let command = command(named: name) { return .command(command, words) }
    }
  }

  /// Returns the name of a command or a group that a word completes.
  internal func name(_ name: String, extendedBy word: Argument) throws(UsageError) -> String {
    let known = words(after: name)
    if let text = word.text, known.contains(text) { return name.isEmpty ? text : "\(name) \(text)" }
    if name.isEmpty, Self.isPath(word) {
      throw UsageError("unknown command \(word.quoted); to scan a directory, say 'plat scan' first")
    }
    var error = UsageError(
      unknown: name.isEmpty ? "command" : "'plat \(name)' verb",
      word,
      among: known
    )
    error.helpName = name
    throw error
  }

  private static func isPath(_ word: Argument) -> Bool {
    word == "." || word == ".." || word.bytes.contains(UInt8(ascii: "/"))
  }

  private static func firstOperand(
    of words: [Argument],
    _ common: inout CommonOptions
  ) throws(UsageError) -> Int? {
    var parser = OptionParser(options: CommonOptions.options, words: words)
    let operand = try parser.next(applyingTo: &common) { $0.request != nil }
    return operand == nil ? nil : parser.position - 1
  }
}
