internal import PlatTree

/// Which snapshots are kept when old ones are removed.
///
/// A snapshot that is pinned is kept, and so is the newest. Days and weeks are those of UTC; a week
/// begins on Monday. Days without a snapshot do not count: 14 daily ones are the last of each of the
/// latest 14 days that have any, so that what is seldom scanned keeps its history.
public struct RetentionPolicy: Hashable, Sendable {
  /// All snapshots are kept for this many seconds.
  public var secondsOfAll: Int64 = 86_400
  /// How many days the last snapshot is kept of.
  public var days = 14
  /// How many weeks the last snapshot is kept of.
  public var weeks = 8
  /// How many months the last snapshot is kept of.
  public var months = 12

  /// Creates the usual policy: all of the last day, 14 daily, 8 weekly, 12 monthly.
  public init() {}

  /// Returns the numbers of the snapshots to keep.
  ///
  /// - Parameters:
  ///   - snapshots: All snapshots, in any order.
  ///   - now: The time in nanoseconds since 1970.
  /// - Returns: The numbers of those to keep.
  public func kept(of snapshots: [SnapshotInfo], now: Int64) -> Set<Int> {
    let latestFirst = snapshots.sorted {
      ($0.scan.startedAt, $0.id) > ($1.scan.startedAt, $1.id)
    }
    var kept = Set(snapshots.filter(\.isPinned).map(\.id))
    if let newest = snapshots.map(\.id).max() { kept.insert(newest) }
    var (seenDays, seenWeeks, seenMonths) = (Set<Int64>(), Set<Int64>(), Set<Int64>())
    for snapshot in latestFirst {
      let age = now.subtractingReportingOverflow(snapshot.scan.startedAt)
      if !age.overflow, age.partialValue / 1_000_000_000 < secondsOfAll { kept.insert(snapshot.id) }
      let day = snapshot.scan.startedAt.flooredQuotient(86_400_000_000_000)
      let date = CivilDate(daysSince1970: day)
      // 1 January 1970 was a Thursday.
      let week = (day + 3).flooredQuotient(7)
      if seenDays.count < days, seenDays.insert(day).inserted { kept.insert(snapshot.id) }
      if seenWeeks.count < weeks, seenWeeks.insert(week).inserted { kept.insert(snapshot.id) }
      let month = date.year * 12 + Int64(date.month)
      if seenMonths.count < months, seenMonths.insert(month).inserted { kept.insert(snapshot.id) }
    }
    return kept
  }
}

extension Int64 {
  /// Returns the quotient, rounded down.
  fileprivate func flooredQuotient(_ divisor: Int64) -> Int64 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
