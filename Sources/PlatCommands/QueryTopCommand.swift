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
    CommandExample("plat query top ~ --type video --older 1y", "where old films are"),
    CommandExample("plat query top /usr --snapshot 30d", "what was largest a month ago"),
  ]

  package static let discussion = """
    Answers from the newest snapshot that holds DIR, without a look at the disk. A directory counts \
    with everything below it.

    With filters a directory counts with what they let through in and below it, and only that is \
    shown; a directory by itself is one entry, as large as its own blocks. --depth limits the \
    directories that are listed, and not what they count.

    \(QueryRequest.explanation)
    """

  package static let options: [CommandOption<Self>] =
    [.flag("files", help: "List files instead of directories.") { $0.listsFiles = true }]
    + QueryRequest.optionTable.map { $0.lifted(to: \.request) }

  package var common = CommonOptions()
  package var listsFiles = false
  package var request = QueryRequest()

  private static let defaultCount = 20

  package init() { request.options.count = Self.defaultCount }

  package mutating func accept(operand: Argument) throws(UsageError) {
    try request.accept(operand)
  }

  package func run(in context: CommandContext) async throws -> ExitStatus {
    let subject = try request.subject(in: context)
    let needsWalk = !request.filter.choosesAll || (listsFiles && request.filter.depth != nil)
    let rows = needsWalk ? try matchingRows(of: subject) : try storedRows(of: subject)
    try QueryAnswer("top", about: subject).write(request.options, in: context) { take in
      for row in rows where !take(row) { return }
    }
    return .success
  }

  /// The largest of everything, which the tables know.
  private func storedRows(of subject: QuerySubject) throws(CommandFailure) -> [QueryRow] {
    let count = request.options.count ?? Self.defaultCount
    let rows = try usingStore { () throws(StoreError) in
      listsFiles
        ? try subject.store
          .largestFiles(count, below: subject.directory, by: subject.measure)
          .map { QueryRow($0) }
        : try subject.store
          .largestDirectories(
            count,
            below: subject.directory,
            depth: request.filter.depth,
            by: subject.measure
          )
          .map { QueryRow($0) }
    }
    return arranged(rows, subject.measure)
  }

  /// The largest of what the filters let through.
  private func matchingRows(of subject: QuerySubject) throws(CommandFailure) -> [QueryRow] {
    var options = request.options
    (options.sortKey, options.isReversed) = (nil, false)
    var selection = RowSelection(options, key: .size, measure: subject.measure)
    if listsFiles {
      try usingStore { () throws(StoreError) in
        try subject.store.forEachEntry(
          below: subject.directory,
          depth: request.filter.depth,
          meeting: subject.criteria,
          by: subject.measure
        ) {
          let size = $0.totals.size(subject.measure)
          if $0.kind == .file, !$0.isCountedElsewhere, subject.criteria.matches($0, size: size) {
            selection.insert($0)
          }
          return true
        }
      }
    } else {
      var sums = DirectorySums(subject, depth: request.filter.depth) { selection.insert($0) }
      try usingStore { () throws(StoreError) in
        try subject.store.forEachEntry(below: subject.directory) {
          sums.add($0)
          return true
        }
      }
      sums.finish()
    }
    return arranged(selection.sorted(), subject.measure)
  }

  /// Puts the largest rows into the order that is asked for; equal ones stay as they came.
  private func arranged(_ rows: [QueryRow], _ measure: SizeMeasure) -> [QueryRow] {
    let key = request.options.sortKey ?? .size
    if key == .size { return request.options.isReversed ? rows.reversed() : rows }
    var selection = RowSelection(request.options, key: key, measure: measure)
    for row in rows { selection.insert(row) }
    return selection.sorted()
  }
}

/// Adds up what the filters let through in and below each directory of a walk.
private struct DirectorySums {
  private struct Part {
    var row: QueryRow
    var totals = Totals()
  }

  private let subject: QuerySubject
  private let deepest: Int
  private let take: (QueryRow) -> Void
  /// The directories that the walk is in, without the one that it began at.
  private var open: [Part] = []

  init(_ subject: QuerySubject, depth: Int?, take: @escaping (QueryRow) -> Void) {
    self.subject = subject
    deepest = depth ?? .max
    self.take = take
  }

  /// Takes the next entry of the walk.
  mutating func add(_ entry: WalkedEntry) {
    close(downTo: entry.depth - 1)
    if entry.kind == .directory { open.append(Part(row: QueryRow(entry))) }
    guard !open.isEmpty, subject.criteria.matches(entry, size: entry.ownSize(subject.measure))
    else { return }
    var totals = entry.totals
    if entry.kind == .directory {
      totals = Totals()
      totals.directories = 1
    }
    let counts = !entry.isCountedElsewhere
    totals.allocatedSize = counts ? entry.ownSize(.allocated) : 0
    totals.apparentSize = counts ? entry.ownSize(.apparent) : 0
    open[open.count - 1].totals += totals
  }

  /// Takes note that the walk is over.
  mutating func finish() { close(downTo: 0) }

  private mutating func close(downTo depth: Int) {
    while open.count > depth, let last = open.popLast() {
      if !open.isEmpty { open[open.count - 1].totals += last.totals }
      guard last.totals.entries > 0, open.count < deepest else { continue }
      var row = last.row
      row.allocatedSize = last.totals.allocatedSize
      row.apparentSize = last.totals.apparentSize
      row.entries = last.totals.entries
      row.files = last.totals.files
      take(row)
    }
  }
}
