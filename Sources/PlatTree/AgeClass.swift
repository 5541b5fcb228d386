/// How long ago something was modified, in classes that get longer with the age.
public enum AgeClass: Int, CaseIterable, Sendable {
  /// Up to a day, or in the future.
  case day
  /// Up to 7 days.
  case week
  /// Up to 30 days.
  case month
  /// Up to 91 days.
  case quarter
  /// Up to 365 days.
  case year
  /// Up to 730 days.
  case twoYears
  /// Up to 1461 days.
  case fourYears
  /// Older than all others.
  case older
}

extension AgeClass {
  /// The upper end of the class in days; `nil` for the last, which has none.
  public var days: Int64? {
    switch self {
    case .day: 1
    case .week: 7
    case .month: 30
    case .quarter: 91
    case .year: 365
    case .twoYears: 730
    case .fourYears: 1461
    case .older: nil
    }
  }

  /// The class as a legend names it.
  public var title: String {
    switch self {
    case .day: "1 day"
    case .week: "1 week"
    case .month: "1 month"
    case .quarter: "3 months"
    case .year: "1 year"
    case .twoYears: "2 years"
    case .fourYears: "4 years"
    case .older: "older"
    }
  }

  /// Classifies a time.
  ///
  /// - Parameters:
  ///   - time: When something was modified, in seconds since 1970.
  ///   - now: The time that ages are counted from, in seconds since 1970.
  public init(modificationTime time: Int64, now: Int64) {
    let (age, overflow) = now.subtractingReportingOverflow(time)
    let isFuture = time > now
    self =
      Self.allCases.first { candidate in
        guard let days = candidate.days else { return true }
        return isFuture || (!overflow && age <= days * 86_400)
      } ?? .older
  }
}
