/// A command line that means nothing: exit status 2.
package struct UsageError: Error, Hashable, Sendable {
  /// What is wrong, and what would be right.
  package let description: String
  /// The command or group whose help says more; empty for the command that throws the error.
  internal var helpName: String

  /// Creates an error.
  ///
  /// - Parameter description: What a person reads after `plat: `, in lower case and without a period.
  package init(_ description: String) {
    self.init(description, helpName: "")
  }

  internal init(_ description: String, helpName: String) {
    self.description = description
    self.helpName = helpName
  }

  /// Creates an error about a word that is not known.
  ///
  /// - Parameters:
  ///   - kind: What the word should have been: `option`, `command`.
  ///   - word: The word.
  ///   - known: The words that would have been right, of which the nearest is offered.
  internal init(unknown kind: String, _ word: Argument, among known: [String]) {
    let suggestion = word.text.flatMap { Suggestion.nearest(to: $0, among: known) }
    let hint = suggestion.map { "; did you mean '\($0)'?" } ?? ""
    self.init("unknown \(kind) \(word.quoted)\(hint)")
  }
}

extension UsageError: CustomStringConvertible {}
