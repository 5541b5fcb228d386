import Glibc
package import PlatStore
package import PlatTree

/// A snapshot as a person names it.
package enum SnapshotReference: Hashable, Sendable {
  /// By its number.
  case number(Int)
  /// By how many are newer.
  case latest(minus: Int)
  /// The newest that had begun by a time: by the end of that day, or so long ago.
  case time(TimeReference)

  /// What help says about the words for a snapshot.
  package static let explanation = """
    A SNAPSHOT is a number, latest, or latest~N, the one N before it. A date such as 2026-11-30, or \
    2026-11-30T04:00, stands for the newest snapshot that had begun by the end of it; times are UTC, as \
    they are shown, unless they end in an offset such as +01:00. An age such as 30d stands for the \
    newest that is at least so old; units are min, h, d, w, mo and y.
    """

  /// Reads `7`, `latest`, `latest~2`, a date or an age.
  package init?(_ word: Argument) {
    guard let text = word.text else { return nil }
    if let number = Int(text), number > 0, text.utf8.first != UInt8(ascii: "+") {
      self = .number(number)
    } else if text == "latest" {
      self = .latest(minus: 0)
    } else if text.hasPrefix("latest~"), let back = Int(text.dropFirst(7)), back >= 0 {
      self = .latest(minus: back)
    } else if let time = TimeReference(text) {
      self = .time(time)
    } else {
      return nil
    }
  }

  /// Finds the snapshot.
  ///
  /// - Parameters:
  ///   - snapshots: The snapshots of a database, in order of their numbers.
  ///   - path: The path of the database, for messages.
  ///   - now: The time that ages count back from, in seconds since 1970.
  /// - Returns: The snapshot.
  /// - Throws: ``CommandFailure`` with ``ExitStatus/missing`` if there is none.
  package func resolve(
    among snapshots: [SnapshotInfo],
    of path: [UInt8],
    now: Int64
  ) throws(CommandFailure) -> SnapshotInfo {
    let problem: String
    switch self {
    case .number(let number):
      if let found = snapshots.first(where: { $0.id == number }) { return found }
      problem = "no snapshot \(number)"
    case .latest(let back):
      if back < snapshots.count { return snapshots[snapshots.count - 1 - back] }
      let count = NumberFormat.counted(snapshots.count, "snapshot")
      problem = "holds \(count), none \(back) before the latest"
    case .time(let reference):
      let limit = reference.seconds(now: now).upperBound
      // A clock that was wrong once has numbers out of the order of times.
      let found = snapshots.filter { $0.startedSecond <= limit }.max {
        ($0.scan.startedAt, $0.id) < ($1.scan.startedAt, $1.id)
      }
      if let found { return found }
      let oldest = snapshots.map(\.startedSecond).min().map { "; the oldest is of \(shown($0))" }
      problem = "no snapshot of \(shown(limit)) or before\(oldest ?? "")"
    }
    throw CommandFailure(.missing, "\(NameDisplay.terminalText(path)): \(problem)")
  }

  /// Finds the snapshot in a database.
  ///
  /// - Throws: ``CommandFailure`` if there is none, or the database cannot be read.
  internal func find(in store: SnapshotStore) throws(CommandFailure) -> SnapshotInfo {
    let snapshots = try usingStore { () throws(StoreError) in
      // Of no snapshots at all, and of one that is damaged, the store says more than how few there are.
      if case .number(let number) = self { return [try store.snapshot(number)] }
      _ = try store.snapshot()
      return try store.allSnapshots().intact
    }
    return try resolve(among: snapshots, of: store.path, now: currentSecond())
  }

  private func shown(_ second: Int64) -> String { CivilDate.timestamp(secondsSince1970: second) }
}

/// The time, in seconds since 1970; by a clock that is far wrong, the nearest one whose nanoseconds can
/// be counted.
internal func currentSecond() -> Int64 { min(max(0, Int64(time(nil))), Int64.max / 1_000_000_000) }

extension SnapshotInfo {
  /// When the scan began, in seconds since 1970.
  internal var startedSecond: Int64 { scan.startedAt.secondsFromNanoseconds }
}

extension OptionValue where Value == SnapshotReference {
  /// A snapshot by its number, its place or its time.
  package static var snapshot: Self {
    Self(
      "SNAPSHOT",
      "a number, 'latest', 'latest~1', a date such as 2026-11-30 or an age such as 30d"
    ) {
      SnapshotReference($0)
    }
  }
}

extension OptionValue where Value == TimeReference {
  /// An age or a date.
  package static var time: Self {
    Self("TIME", "an age such as 30d, 12h, 2w or 1y, or a date such as 2026-11-30") { word in
      word.text.flatMap { TimeReference($0) }
    }
  }
}
