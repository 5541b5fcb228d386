import PlatStore
import PlatTree

/// `plat query find`: entries by name and by other properties.
package struct QueryFindCommand: Command {
  package static let name = "query find"
  package static let abstract = "Find entries below a directory by name, size, age, type or owner."
  package static let operands = "[EXPRESSION] [DIR]"

  package static let examples = [
    CommandExample("plat query find '*.iso' /srv", "by a pattern for names"),
    CommandExample("plat query find cache", "whose names contain a text"),
    CommandExample("plat query find --larger 1G --older 1y ~", "large and old"),
    CommandExample("plat query find --sort size -n 10 --type video /srv", "the largest films"),
    CommandExample("plat query find -0 '*.tmp' . | xargs -0 ls -ld", "for another program"),
  ]

  package static let discussion = """
    Answers from the newest snapshot that holds DIR, without a look at the disk. EXPRESSION is a \
    pattern for whole names if it has a *, ? or [, a pattern for paths if it has a slash as well, and \
    otherwise text that names contain. What is . or .. or starts with /, ./ or ../ is DIR and no \
    EXPRESSION.

    Entries are in order of their paths, which are relative to DIR, and come as they are found, unless \
    --sort asks for another order.

    \(QueryRequest.explanation)
    """

  package static let options: [CommandOption<Self>] =
    QueryRequest.optionTable.map { $0.lifted(to: \.request) }

  package var common = CommonOptions()
  package var request = QueryRequest()
  private var hasExpression = false

  package init() {}

  package mutating func accept(operand: Argument) throws(UsageError) {
    let isDirectory = hasExpression || Self.isDirectory(operand)
    if isDirectory, request.directory == nil {
      request.directory = try operand.directoryPath()
    } else if !hasExpression, !Self.isDirectory(operand) {
      try require(operand)
      hasExpression = true
    } else {
      throw UsageError("only one EXPRESSION and one DIR can be looked for")
    }
  }

  /// Adds the filter that an expression stands for.
  private mutating func require(_ expression: Argument) throws(UsageError) {
    let bytes = expression.bytes
    guard !bytes.isEmpty else { throw UsageError("EXPRESSION is empty") }
    guard bytes.contains(where: { Self.wildcards.contains($0) }) else {
      guard !bytes.contains(UInt8(ascii: "/")) else {
        throw UsageError(
          "no name contains the slash of \(expression.quoted); for a directory, say ./ before it"
        )
      }
      request.filter.requireName(NamePattern(part: bytes))
      return
    }
    if bytes.contains(UInt8(ascii: "/")), let path = EntryCriteria.Path(bytes) {
      request.filter.requirePath(path)
    } else if let name = NamePattern(glob: bytes) {
      request.filter.requireName(name)
    } else {
      throw UsageError("EXPRESSION takes a pattern that is whole, not \(expression.quoted)")
    }
  }

  private static let wildcards: [UInt8] = Array("*?[".utf8)

  private static func isDirectory(_ operand: Argument) -> Bool {
    let bytes = operand.bytes
    guard !bytes.contains(where: { wildcards.contains($0) }) else { return false }
    return operand == "." || operand == ".." || bytes.first == UInt8(ascii: "/")
      || bytes.starts(with: "./".utf8) || bytes.starts(with: "../".utf8)
  }

  package func run(in context: CommandContext) async throws -> ExitStatus {
    let subject = try request.subject(in: context)
    try QueryAnswer("find", about: subject).write(request.options, in: context) { take in
      try subject.rows(depth: request.filter.depth, request.options, sortedBy: .name, take)
    }
    return .success
  }
}
