import PlatTree

/// A kind of value that an option takes: how it is read, and how that is said.
///
/// ```swift
/// static let threads = OptionValue.count(1...256)
/// static let age = OptionValue("AGE", "an age such as '30d'") { Age($0) }
/// ```
package struct OptionValue<Value>: Sendable {
  /// The word for the value in help: `COUNT`.
  package let placeholder: String
  /// What the option takes, as the object of "takes": `a count from 1 to 256`.
  package let expectation: String
  /// How a shell can complete the value.
  package let completion: Completion
  private let parse: @Sendable (Argument) -> Value?

  /// Creates a kind of value.
  ///
  /// - Parameters:
  ///   - placeholder: The word for the value in help, in capitals.
  ///   - expectation: What the option takes, with an article.
  ///   - completion: How a shell can complete the value.
  ///   - parse: Returns the value of a word, or `nil` if it has none.
  package init(
    _ placeholder: String,
    _ expectation: String,
    completion: Completion = .none,
    parse: @escaping @Sendable (Argument) -> Value?
  ) {
    self.placeholder = placeholder
    self.expectation = expectation
    self.completion = completion
    self.parse = parse
  }

  /// Reads the value that `option` was given.
  internal func value(of word: Argument, for option: String) throws(UsageError) -> Value {
    guard let value = parse(word) else {
      throw UsageError("option '\(option)' takes \(expectation), not \(word.quoted)")
    }
    return value
  }
}

/// How a shell can complete a word.
package enum Completion: Hashable, Sendable {
  /// Not at all.
  case none
  /// With one of these words.
  case words([String])
  /// With the path of a file.
  case file
  /// With the path of a directory.
  case directory
}

extension OptionValue where Value == Int {
  /// A whole number in a range.
  package static func count(_ range: ClosedRange<Int>) -> Self {
    let expectation =
      range.upperBound == .max
      ? "a count of \(range.lowerBound) or more"
      : "a count from \(range.lowerBound) to \(range.upperBound)"
    return Self("COUNT", expectation) { word in
      guard let number = word.text.flatMap({ Int($0) }), range.contains(number) else { return nil }
      return number
    }
  }
}

extension OptionValue where Value == UInt64 {
  /// A size in bytes, with or without a unit.
  package static var size: Self {
    Self("SIZE", "a size such as 4096, 10M (MiB) or 10MB, below 16 EiB") { word in
      word.text.flatMap { SizeFormat.parse($0) }
    }
  }
}

extension OptionValue where Value == String {
  /// Any text.
  package static func text(_ placeholder: String) -> Self {
    Self(placeholder, "text in UTF-8") { $0.text }
  }
}

extension OptionValue where Value == [UInt8] {
  /// The path of a file or, with `completion`, of a directory.
  package static func path(_ placeholder: String = "FILE", completion: Completion = .file) -> Self {
    Self(placeholder, "a path", completion: completion) { $0.bytes.isEmpty ? nil : $0.bytes }
  }
}

extension OptionValue where Value: CaseIterable & RawRepresentable<String> & Sendable {
  /// One of a few words.
  package static var choice: Self {
    let words = Value.allCases.map(\.rawValue)
    let list =
      words.count < 2
      ? words.joined()
      : words.dropLast().joined(separator: ", ") + " or " + words[words.count - 1]
    return Self(words.joined(separator: "|"), list, completion: .words(words)) { word in
      word.text.flatMap { Value(rawValue: $0) }
    }
  }
}
