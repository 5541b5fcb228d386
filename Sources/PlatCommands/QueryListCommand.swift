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
    everything below DIR is listed, with paths relative to DIR.

    \(SnapshotReference.explanation)
    """

  package static let options: [CommandOption<Self>] =
    [
      .flag("recursive", short: "r", help: "List everything below DIR.") { $0.isRecursive = true }
    ] + QueryOptions.options.map { $0.lifted(to: \.query) }

  package var common = CommonOptions()
  package var directory: [UInt8]?
  package var isRecursive = false
  package var query = QueryOptions()

  package init() {}

  package mutating func accept(operand: Argument) throws(UsageError) {
    guard directory == nil else { throw UsageError("only one DIR can be listed") }
    directory = try operand.directoryPath()
  }

  package func run(in context: CommandContext) async throws -> ExitStatus {
    let (store, path) = try context.openSnapshots(of: directory)
    let snapshot = try (query.snapshot ?? .latest(minus: 0)).find(in: store)
    let answer = try usingStore { () throws(StoreError) in
      let directory = try store.directory(atPath: path, in: snapshot.id)
      var answer = QueryAnswer(
        verb: "list",
        snapshot: snapshot,
        directory: directory,
        rows: isRecursive
          ? rows(below: directory, of: try store.load(snapshot.id))
          : try store.entries(of: directory).map { QueryRow($0, in: directory.path) },
        measure: common.apparent ? .apparent : .allocated
      )
      answer.arrange(query)
      return answer
    }
    try answer.write(query, in: context)
    return .success
  }

  /// Everything below a directory.
  private func rows(below directory: StoredDirectory, of tree: FileTree) -> [QueryRow] {
    guard let top = tree.directory(atPath: directory.path) else { return [] }
    var rows: [QueryRow] = []
    for id in tree.directories(below: top) {
      let path = tree.path(of: id)
      if id != top { rows.append(QueryRow(id, of: tree, path: path)) }
      var cursor = tree.listing(of: id).makeCursor()
      while cursor.advance() { rows.append(QueryRow(cursor, of: tree, in: id, path: path)) }
    }
    return rows
  }
}

extension QueryRow {
  /// Creates the row of an entry of a directory.
  fileprivate init(_ entry: StoredEntry, in directory: [UInt8]) {
    var path = directory
    path.appendComponent(entry.name[...])
    self.init(
      path: path,
      name: entry.name,
      kind: entry.kind,
      allocatedSize: entry.allocatedSize,
      apparentSize: entry.apparentSize,
      modificationTime: entry.modificationTime,
      entries: entry.entries,
      files: entry.files,
      isCountedElsewhere: entry.isCountedElsewhere,
      isUnreadable: entry.isUnreadable
    )
  }

  /// Creates the row of a directory of a tree.
  fileprivate init(_ directory: DirectoryID, of tree: FileTree, path: [UInt8]) {
    let totals = tree.totals(of: directory)
    let details = tree.details(of: directory)
    self.init(
      path: path,
      name: Array(tree.name(of: directory)),
      kind: .directory,
      allocatedSize: totals.allocatedSize,
      apparentSize: totals.apparentSize,
      modificationTime: details.modificationTime.secondsFromNanoseconds,
      entries: totals.entries,
      files: totals.files,
      isUnreadable: details.flags.contains(.isUnreadable)
    )
  }

  /// Creates the row of another entry of a tree.
  fileprivate init(
    _ cursor: ListingCursor,
    of tree: FileTree,
    in directory: DirectoryID,
    path: [UInt8]
  ) {
    var path = path
    path.appendComponent(cursor.name[...])
    self.init(
      path: path,
      name: cursor.name,
      kind: cursor.entry.kind,
      allocatedSize: cursor.entry.allocatedSize,
      apparentSize: cursor.entry.apparentSize,
      modificationTime: cursor.entry.modificationTime,
      entries: 1,
      files: cursor.entry.kind == .file ? 1 : 0,
      isCountedElsewhere: tree.isCountedElsewhere(EntryID(directory, ordinal: cursor.ordinal)),
      isUnreadable: cursor.entry.isUnreadable
    )
  }
}
