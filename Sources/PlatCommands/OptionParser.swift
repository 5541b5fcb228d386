/// Takes options and operands from a command line, as POSIX and GNU have it.
///
/// Options may follow operands. `--name=value` and `--name value`, `-n5` and `-n 5` are the same; `-xq`
/// is `-x -q`. The word after an option with a value is its value, whatever it looks like. `--` ends the
/// options, and `-` is an operand.
///
/// The beginning of a long name does not stand for it, as GNU's getopt would have it: a script that
/// says `--th` would break on the day a second option starts with `th`. The message offers the name.
internal struct OptionParser<Root> {
  private let options: [CommandOption<Root>]
  private let words: [Argument]
  /// The position of the word to read next.
  internal private(set) var position = 0
  private var optionsEnded = false

  internal init(options: [CommandOption<Root>], words: [Argument]) {
    self.options = options
    self.words = words
  }

  /// Applies options until an operand comes.
  ///
  /// - Parameters:
  ///   - root: What the options change.
  ///   - isDone: Tells, after each option, whether to leave the rest unread.
  /// - Returns: The operand, or `nil` at the end.
  /// - Throws: ``UsageError`` if an option is unknown, or its value is missing or wrong.
  internal mutating func next(
    applyingTo root: inout Root,
    until isDone: (Root) -> Bool
  ) throws(UsageError) -> Argument? {
    while !isDone(root), position < words.count {
      let word = words[position]
      position += 1
      if optionsEnded || word.bytes.count < 2 || word.bytes[0] != UInt8(ascii: "-") { return word }
      if word == "--" {
        optionsEnded = true
      } else if word.bytes[1] == UInt8(ascii: "-") {
        try applyLong(word, to: &root)
      } else {
        try applyShort(word, to: &root)
      }
    }
    return nil
  }

  private mutating func applyLong(_ word: Argument, to root: inout Root) throws(UsageError) {
    let parts = word.bytes.split(
      separator: UInt8(ascii: "="),
      maxSplits: 1,
      omittingEmptySubsequences: false
    )
    let name = Argument(parts[0])
    guard
      let option = options.first(where: { "--\($0.summary.name)".utf8.elementsEqual(name.bytes) })
    else {
      throw UsageError(unknown: "option", name, among: options.map { "--\($0.summary.name)" })
    }
    let value = parts.count > 1 ? Argument(parts[1]) : nil
    if option.summary.placeholder == nil, let value {
      throw UsageError("option \(name.quoted) takes no value, not \(value.quoted)")
    }
    try apply(option, value, to: &root)
  }

  private mutating func applyShort(_ word: Argument, to root: inout Root) throws(UsageError) {
    var letters = word.bytes.dropFirst()
    while let letter = letters.popFirst() {
      guard
        let option = options.first(where: { $0.summary.short?.asciiValue == letter })
      else {
        // A letter that is not ASCII is several bytes, none of which makes sense alone.
        let character = Argument([letter] + letters).text?.first
        let shown = character.map { Argument("-\($0)".utf8) } ?? Argument([0x2D, letter])
        throw UsageError("unknown option \(shown.quoted)")
      }
      if option.summary.placeholder != nil {
        try apply(option, letters.isEmpty ? nil : Argument(letters), to: &root)
        return
      }
      try apply(option, nil, to: &root)
    }
  }

  /// Applies an option, with the next word as its value if it needs one and has none.
  private mutating func apply(
    _ option: CommandOption<Root>,
    _ value: Argument?,
    to root: inout Root
  ) throws(UsageError) {
    var value = value
    if let placeholder = option.summary.placeholder, value == nil {
      guard position < words.count else {
        throw UsageError("option '--\(option.summary.name)' needs a value: \(placeholder)")
      }
      value = words[position]
      position += 1
    }
    try option.apply(&root, value)
  }
}
