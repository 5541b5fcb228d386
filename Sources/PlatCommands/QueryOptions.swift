/// The options that every `plat query` has about its answer.
package struct QueryOptions: Hashable, Sendable {
  /// What rows are sorted by.
  package enum SortKey: String, CaseIterable, Sendable {
    /// The larger first.
    case size
    /// Bytewise; paths are in the order of a walk, a directory before what it holds.
    case name
    /// The most entries first.
    case count
    /// The latest first.
    case time
  }

  /// The snapshot to answer from; `nil` is the newest.
  package var snapshot: SnapshotReference?
  /// The most rows; `nil` for all.
  package var count: Int?
  /// What rows are sorted by; `nil` for the order that suits the query.
  package var sortKey: SortKey?
  /// Whether the order is turned round.
  package var isReversed = false
  /// Whether rows are paths ended by NUL.
  package var endsWithNUL = false
  /// Whether rows are comma-separated values.
  package var csv = false

  /// Creates the defaults.
  package init() {}

  /// The table of the options of queries whose rows are no entries, and have no paths.
  package static let tableOptions = CommandOption<Self>.group(
    "Options of every query",
    [
      .value(
        "snapshot",
        .snapshot,
        help: "Answer from SNAPSHOT: a number, latest, latest~N (N before it), a date or an age."
      ) { $0.snapshot = $1 },
      .value("count", short: "n", .count(0...Int.max), help: "Show at most COUNT rows.") {
        $0.count = $1
      },
      .value("sort", .choice, placeholder: "KEY", help: "Sort by size, name, count or time.") {
        $0.sortKey = $1
      },
      .flag("reverse", help: "Turn the order round.") { $0.isReversed = true },
      .flag("csv", help: "Write comma-separated values (RFC 4180).") { $0.csv = true },
    ]
  )

  /// The table of all these options.
  package static let options =
    tableOptions
    + CommandOption<Self>.group(
      "Options of every query",
      [
        .flag("null", short: "0", help: "Write bare paths, each ended by NUL.") {
          $0.endsWithNUL = true
        }
      ]
    )
}
