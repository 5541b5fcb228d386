import PlatStore
import PlatTree

/// `plat query top`: the largest directories or files of a snapshot.
package struct QueryTopCommand: Command {
  package static let name = "query top"
  package static let abstract = "List the largest directories, or files, below a directory."
  package static let operands = "[DIR]"

  package static let examples = [
    CommandExample("plat query top /usr -n 20", "the 20 largest directories"),
    CommandExample("plat query top --files", "the largest files below the working directory"),
    CommandExample("plat query top /usr --snapshot 30d", "what was largest a month ago"),
  ]

  package static let discussion = """
    Answers from the newest snapshot that holds DIR, without a look at the disk. A directory counts \
    with everything below it.

    \(SnapshotReference.explanation)
    """

  package static let options: [CommandOption<Self>] =
    [.flag("files", help: "List files instead of directories.") { $0.listsFiles = true }]
    + QueryOptions.options.map { $0.lifted(to: \.query) }

  package var common = CommonOptions()
  package var directory: [UInt8]?
  package var listsFiles = false
  package var query = QueryOptions()

  private static let defaultCount = 20

  package init() { query.count = Self.defaultCount }

  package mutating func accept(operand: Argument) throws(UsageError) {
    guard directory == nil else { throw UsageError("only one DIR can be asked for") }
    directory = try operand.directoryPath()
  }

  package func run(in context: CommandContext) async throws -> ExitStatus {
    let (store, path) = try context.openSnapshots(of: directory)
    let measure: SizeMeasure = common.apparent ? .apparent : .allocated
    let snapshot = try (query.snapshot ?? .latest(minus: 0)).find(in: store)
    let answer = try usingStore { () throws(StoreError) in
      let directory = try store.directory(atPath: path, in: snapshot.id)
      let count = query.count ?? Self.defaultCount
      let rows =
        listsFiles
        ? try store.largestFiles(count, below: directory, by: measure).map { QueryRow($0) }
        : try store.largestDirectories(count, below: directory, by: measure).map { QueryRow($0) }
      var answer = QueryAnswer(
        verb: "top",
        snapshot: snapshot,
        directory: directory,
        rows: rows,
        measure: measure
      )
      // Rows come the largest first; ties keep their order.
      if query.sortKey != .size || query.isReversed { answer.arrange(query) }
      return answer
    }
    try answer.write(query, in: context)
    return .success
  }
}

extension QueryRow {
  /// Creates the row of a directory.
  fileprivate init(_ directory: StoredDirectory) {
    self.init(
      path: directory.path,
      name: Array(directory.path.split(separator: UInt8(ascii: "/")).last ?? []),
      kind: .directory,
      allocatedSize: directory.totals.allocatedSize,
      apparentSize: directory.totals.apparentSize,
      modificationTime: directory.details.modificationTime.secondsFromNanoseconds,
      entries: directory.totals.entries,
      files: directory.totals.files,
      isUnreadable: directory.details.flags.contains(.isUnreadable)
    )
  }

  /// Creates the row of a file.
  fileprivate init(_ file: StoredFile) {
    self.init(
      path: file.path,
      name: Array(file.path.split(separator: UInt8(ascii: "/")).last ?? []),
      kind: .file,
      allocatedSize: file.entry.allocatedSize,
      apparentSize: file.entry.apparentSize,
      modificationTime: file.entry.modificationTime,
      entries: 1,
      files: 1
    )
  }
}
