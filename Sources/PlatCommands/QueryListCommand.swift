import PlatStore
import PlatTree

/// `plat query list`: the entries of one directory of a snapshot.
package struct QueryListCommand: Command {
  package static let name = "query list"
  package static let abstract = "List the entries of a directory, the largest first."
  package static let operands = "[DIR]"

  package static let examples = [
    CommandExample("plat query list /usr/share", "what is in a directory, by size"),
    CommandExample("plat query list --recursive -0 | xargs -0 ls -ld", "everything below, by path"),
  ]

  package static let discussion = """
    Answers from the newest snapshot that holds DIR, without a look at the disk. With --recursive \
    everything below DIR is listed in order of the paths, which are relative to DIR, and with --depth \
    so many levels of it.

    \(QueryRequest.explanation)
    """

  package static let options: [CommandOption<Self>] =
    [
      .flag("recursive", short: "r", help: "List everything below DIR.") { $0.isRecursive = true }
    ] + QueryRequest.optionTable.map { $0.lifted(to: \.request) }

  package var common = CommonOptions()
  package var isRecursive = false
  package var request = QueryRequest()

  package init() {}

  package mutating func accept(operand: Argument) throws(UsageError) {
    try request.accept(operand)
  }

  package func run(in context: CommandContext) async throws -> ExitStatus {
    let subject = try request.subject(in: context)
    let depth = request.filter.depth ?? (isRecursive ? nil : 1)
    try QueryAnswer("list", about: subject).write(request.options, in: context) { take in
      try subject.rows(
        depth: depth,
        request.options,
        sortedBy: depth == 1 ? .size : .name,
        take
      )
    }
    return .success
  }
}
