/// Ways to write a span of time.
public enum DurationFormat {
  /// Writes how long something took.
  ///
  /// The second unit is left out when there is none of it: `3 d`.
  ///
  /// - Parameter seconds: The time in seconds. A negative one, and one that is no number, count as 0.
  /// - Returns: `12 ms`, `1.02 s`, `12.3 s`, `2 min 3 s`, `1 h 5 min`, `3 d 4 h`.
  public static func elapsed(seconds: Double) -> String {
    // Far more than any run, and far less than overflows below.
    let seconds = seconds > 0 ? min(seconds, 1e15) : 0
    if seconds < 0.9995 { return "\(Int64((seconds * 1000).rounded())) ms" }
    if seconds < 9.995 { return decimal(Int64((seconds * 100).rounded()), places: 2) + " s" }
    if seconds < 59.95 { return decimal(Int64((seconds * 10).rounded()), places: 1) + " s" }
    let whole = Int64(seconds.rounded())
    if whole < 3600 { return pair(whole / 60, "min", whole % 60, "s") }
    if whole < 86_400 { return pair(whole / 3600, "h", whole % 3600 / 60, "min") }
    return pair(whole / 86_400, "d", whole % 86_400 / 3600, "h")
  }

  /// Writes how long ago something was, in one unit.
  ///
  /// Days are shown below 60 of them, and months below two years. A time to come is `future`.
  ///
  /// - Parameters:
  ///   - time: When it was, in seconds since 1970: any number, as there are such times on disks.
  ///   - now: The time now. Up to a minute before `time` the age is `now`, for clocks differ.
  /// - Returns: `now`, `5 min`, `5 h`, `12 d`, `17 mo`, `3 y`, or `future`.
  public static func age(of time: Int64, at now: Int64) -> String {
    let (difference, overflow) = now.subtractingReportingOverflow(time)
    return switch overflow ? (time < 0 ? .max : .min) : difference {
    case ..<(-60): "future"
    case ..<60: "now"
    case let seconds where seconds < 3600: "\(seconds / 60) min"
    case let seconds where seconds < 86_400: "\(seconds / 3600) h"
    case let seconds where seconds < 60 * 86_400: "\(seconds / 86_400) d"
    case let seconds where seconds < 730 * 86_400: "\(seconds / (86_400 * 30)) mo"
    case let seconds: "\(seconds / (86_400 * 365)) y"
    }
  }

  private static func decimal(_ number: Int64, places: Int) -> String {
    let digits = String(number)
    return digits.dropLast(places) + "." + digits.suffix(places)
  }

  private static func pair(_ large: Int64, _ unit: String, _ small: Int64, _ rest: String) -> String
  {
    small == 0 ? "\(large) \(unit)" : "\(large) \(unit) \(small) \(rest)"
  }
}
