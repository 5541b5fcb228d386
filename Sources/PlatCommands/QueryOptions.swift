import PlatStore
import PlatTree

/// The options that every `plat query` has.
package struct QueryOptions: Hashable, Sendable {
  /// What rows are sorted by.
  package enum SortKey: String, CaseIterable, Sendable {
    /// The larger first.
    case size
    /// Bytewise.
    case name
    /// The most entries first.
    case count
    /// The latest first.
    case time
  }

  /// The snapshot to answer from; `nil` is the newest.
  package var snapshot: SnapshotSelector?
  /// The most rows; `nil` for all.
  package var count: Int?
  /// What rows are sorted by.
  package var sortKey = SortKey.size
  /// Whether the order is turned round.
  package var isReversed = false
  /// Whether rows are paths ended by NUL.
  package var endsWithNUL = false
  /// Whether rows are comma-separated values.
  package var csv = false

  /// Creates the defaults.
  package init() {}

  /// The table of these options.
  package static let options = CommandOption<Self>.group(
    "Options of every query",
    [
      .value(
        "snapshot",
        OptionValue("SNAPSHOT", "a number, 'latest' or 'latest~1'") { SnapshotSelector($0) },
        help: "Answer from SNAPSHOT: a number, latest, or latest~N (N before it)."
      ) { $0.snapshot = $1 },
      .value("count", short: "n", .count(0...Int.max), help: "Show at most COUNT rows.") {
        $0.count = $1
      },
      .value("sort", .choice, placeholder: "KEY", help: "Sort by size, name, count or time.") {
        $0.sortKey = $1
      },
      .flag("reverse", help: "Turn the order round.") { $0.isReversed = true },
      .flag("null", short: "0", help: "Write bare paths, each ended by NUL.") {
        $0.endsWithNUL = true
      },
      .flag("csv", help: "Write comma-separated values (RFC 4180).") { $0.csv = true },
    ]
  )
}

/// A snapshot as a person names it.
package enum SnapshotSelector: Hashable, Sendable {
  /// By its number.
  case number(Int)
  /// By how many are newer.
  case latest(minus: Int)

  /// Reads `7`, `latest` or `latest~2`.
  package init?(_ word: Argument) {
    guard let text = word.text else { return nil }
    if let number = Int(text), number > 0 {
      self = .number(number)
    } else if text == "latest" {
      self = .latest(minus: 0)
    } else if text.hasPrefix("latest~"), let back = Int(text.dropFirst(7)), back >= 0 {
      self = .latest(minus: back)
    } else {
      return nil
    }
  }

  /// Returns the snapshot.
  ///
  /// - Throws: ``CommandFailure`` if there is none, or the database cannot be read.
  internal func find(in store: SnapshotStore) throws(CommandFailure) -> SnapshotInfo {
    switch self {
    case .number(let number):
      return try usingStore { () throws(StoreError) in try store.snapshot(number) }
    case .latest(let back):
      let snapshots = try usingStore { () throws(StoreError) in
        // Of no snapshots at all the store says more than how few there are.
        _ = try store.snapshot()
        return try store.snapshots()
      }
      guard back < snapshots.count else {
        let count = NumberFormat.counted(snapshots.count, "snapshot")
        let path = NameDisplay.terminalText(store.path)
        throw CommandFailure(.missing, "\(path): holds \(count), none \(back) before the latest")
      }
      return snapshots[snapshots.count - 1 - back]
    }
  }
}
