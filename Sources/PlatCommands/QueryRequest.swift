import PlatStore
import PlatTree

/// What every query asks: about which directory, of which snapshot, and for what in it.
package struct QueryRequest: Sendable {
  /// The directory; `nil` is the working directory.
  package var directory: [UInt8]?
  package var options = QueryOptions()
  package var filter = FilterOptions()

  /// Creates a request for everything in the working directory.
  package init() {}

  /// The table of all options.
  package static let optionTable =
    FilterOptions.options.map { $0.lifted(to: \Self.filter) }
    + QueryOptions.options.map { $0.lifted(to: \Self.options) }

  /// The table of the options of queries whose rows have no paths.
  package static let tableOptionTable =
    FilterOptions.options.map { $0.lifted(to: \Self.filter) }
    + QueryOptions.tableOptions.map { $0.lifted(to: \Self.options) }

  /// What help says about snapshots and filters.
  package static let explanation =
    "\(SnapshotReference.explanation)\n\n\(FilterOptions.explanation)"

  /// Takes the directory.
  internal mutating func accept(_ operand: Argument) throws(UsageError) {
    guard directory == nil else { throw UsageError("only one DIR can be asked for") }
    directory = try operand.directoryPath()
  }

  /// Finds what the request is about.
  ///
  /// - Throws: ``CommandFailure`` if there is no such snapshot or directory.
  internal func subject(in context: CommandContext) throws(CommandFailure) -> QuerySubject {
    let (store, path) = try context.openSnapshots(of: directory)
    let snapshot = try (options.snapshot ?? .latest(minus: 0)).find(in: store)
    return QuerySubject(
      store: store,
      snapshot: snapshot,
      directory: try usingStore { () throws(StoreError) in
        try store.directory(atPath: path, in: snapshot.id)
      },
      criteria: filter.criteria(now: snapshot.startedSecond),
      measure: context.options.apparent ? .apparent : .allocated
    )
  }
}

/// What a query is about.
internal struct QuerySubject {
  internal var store: SnapshotStore
  internal var snapshot: SnapshotInfo
  internal var directory: StoredDirectory
  /// What entries have to be.
  internal var criteria: EntryCriteria
  /// Which sizes count.
  internal var measure: SizeMeasure
}

extension QuerySubject {
  /// Gives the entries that meet the criteria as rows, in the order that is asked for.
  ///
  /// The order of the names is that of the tree, so that rows need not be kept; of another one only as
  /// many are as can be in the answer.
  ///
  /// - Parameters:
  ///   - depth: How many levels below the directory to look.
  ///   - options: How rows are sorted and cut.
  ///   - key: The order if the options say none.
  ///   - take: Receives a row, and returns whether to go on.
  /// - Throws: ``CommandFailure`` if the snapshot cannot be read.
  internal func rows(
    depth: Int?,
    _ options: QueryOptions,
    sortedBy key: QueryOptions.SortKey,
    _ take: (QueryRow) -> Bool
  ) throws(CommandFailure) {
    let key = options.sortKey ?? key
    guard options.count != 0 else { return }
    guard key == .name, !options.isReversed else {
      var selection = RowSelection(options, key: key, measure: measure)
      try forEachMatch(depth: depth) { entry in
        selection.insert(entry)
        return true
      }
      for row in selection.sorted() where !take(row) { return }
      return
    }
    var left = options.count ?? .max
    try forEachMatch(depth: depth) { entry in
      left -= 1
      return take(QueryRow(entry)) && left > 0
    }
  }

  /// Calls `body` with the entries that meet the criteria, in order of their paths.
  private func forEachMatch(
    depth: Int?,
    _ body: (WalkedEntry) -> Bool
  ) throws(CommandFailure) {
    try usingStore { () throws(StoreError) in
      try store.forEachEntry(below: directory, depth: depth, meeting: criteria, by: measure) {
        entry in
        guard criteria.matches(entry, size: entry.totals.size(measure)) else { return true }
        return body(entry)
      }
    }
  }
}
