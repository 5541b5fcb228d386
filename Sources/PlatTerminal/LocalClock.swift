import Glibc
import PlatTree

/// Writes times as the clock on the wall shows them.
internal struct LocalClock: Sendable {
  /// Returns how many seconds local time is ahead of UTC at a time in seconds since 1970.
  internal var offset: @Sendable (Int64) -> Int64

  /// The clock of the place where the program runs.
  internal static let local = LocalClock { time in
    var time = time_t(time)
    var parts = tm()
    guard localtime_r(&time, &parts) != nil else { return 0 }
    return Int64(parts.tm_gmtoff)
  }

  /// The clock of Greenwich, for tests.
  internal static let utc = LocalClock { _ in 0 }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Returns a time as `30 Nov 2026 04:50`.
  internal func long(_ time: Int64) -> String { text(time, withYear: true) }

  /// Returns a time as `30 Nov 04:50`.
  internal func short(_ time: Int64) -> String { text(time, withYear: false) }

  private func text(_ time: Int64, withYear: Bool) -> String {
    // Far beyond any real date, and far from overflowing.
    let local = min(max(time, -1 << 55), 1 << 55) + offset(time)
    let seconds = ((local % 86_400) + 86_400) % 86_400
    let date = CivilDate(daysSince1970: (local - seconds) / 86_400)
    let month = Self.months[(date.month - 1) % 12]
    let year = withYear ? " \(date.year)" : ""
    return
      "\(two(Int64(date.day))) \(month)\(year) \(two(seconds / 3600)):\(two(seconds / 60 % 60))"
  }

  private func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
