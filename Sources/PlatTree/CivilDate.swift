/// A day of the Gregorian calendar, carried on to all years before and after.
///
/// The two conversions are `civil_from_days` and `days_from_civil` of Howard Hinnant,
/// *chrono-Compatible Low-Level Date Algorithms* (2013),
/// <https://howardhinnant.github.io/date_algorithms.html>.
public struct CivilDate: Hashable, Sendable {
  /// The year; year 0 is before year 1.
  public var year: Int64
  /// The month, from 1 to 12.
  public var month: Int
  /// The day of the month, from 1.
  public var day: Int

  /// Creates a date from its parts, which are taken as they are.
  public init(year: Int64, month: Int, day: Int) {
    self.year = year
    self.month = month
    self.day = day
  }

  /// Creates the date of a day.
  ///
  /// - Parameter daysSince1970: The days since 1 January 1970, negative before it. Any count that
  ///   64 bits of seconds can reach.
  public init(daysSince1970: Int64) {
    // Years start in March here, so that a leap day is the last of its year.
    let shifted = daysSince1970 + 719_468
    let era = Self.flooredQuotient(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = Int(dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    month = Int(monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9)
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// The days since 1 January 1970, negative before it.
  ///
  /// A day past the end of its month is counted into the next one.
  ///
  /// - Precondition: `month` is from 1 to 12, and `year` is within 10^15 of 0.
  public var daysSince1970: Int64 {
    precondition((1...12).contains(month), "a month is from 1 to 12")
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = Self.flooredQuotient(shiftedYear, 400)
    let yearOfEra = shiftedYear - era * 400
    let monthFromMarch = Int64(month > 2 ? month - 3 : month + 9)
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + Int64(day) - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  private static func flooredQuotient(_ dividend: Int64, _ divisor: Int64) -> Int64 {
    let (quotient, remainder) = dividend.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}

extension CivilDate {
  /// Writes a time as RFC 3339 has it, in UTC.
  ///
  /// A year before 0 or after 9999 has a sign, as ISO 8601 has it for years of other than four digits:
  /// `+12026-11-30T04:00:00Z`.
  ///
  /// - Parameter secondsSince1970: The time, without leap seconds, as file systems keep it.
  /// - Returns: `2026-11-30T04:00:00Z`.
  public static func timestamp(secondsSince1970: Int64) -> String {
    let date = CivilDate(daysSince1970: flooredQuotient(secondsSince1970, 86_400))
    let remainder = secondsSince1970 % 86_400
    let second = remainder < 0 ? remainder + 86_400 : remainder
    var text = date.text
    for (mark, part) in [("T", second / 3600), (":", second / 60 % 60), (":", second % 60)]
      as [(Unicode.Scalar, Int64)]
    {
      text.append(UInt8(ascii: mark))
      append(part.magnitude, digits: 2, to: &text)
    }
    text.append(UInt8(ascii: "Z"))
    return String(decoding: text, as: UTF8.self)
  }

  /// Writes the date of a time as ISO 8601 has it, in UTC.
  ///
  /// - Parameter secondsSince1970: The time, as ``timestamp(secondsSince1970:)`` takes it.
  /// - Returns: `2026-11-30`; a year of other than four digits has a sign.
  public static func date(secondsSince1970: Int64) -> String {
    let date = CivilDate(daysSince1970: flooredQuotient(secondsSince1970, 86_400))
    return String(decoding: date.text, as: UTF8.self)
  }

  /// The date as ISO 8601 writes it, with room for a time.
  fileprivate var text: [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(20)
    if year < 0 { text.append(UInt8(ascii: "-")) }
    if year > 9999 { text.append(UInt8(ascii: "+")) }
    Self.append(year.magnitude, digits: 4, to: &text)
    text.append(UInt8(ascii: "-"))
    Self.append(UInt64(month.magnitude), digits: 2, to: &text)
    text.append(UInt8(ascii: "-"))
    Self.append(UInt64(day.magnitude), digits: 2, to: &text)
    return text
  }

  /// Appends a number with leading zeros.
  private static func append(_ number: UInt64, digits: Int, to text: inout [UInt8]) {
    if digits > 1 || number > 9 { append(number / 10, digits: digits - 1, to: &text) }
    text.append(UInt8(ascii: "0") + UInt8(number % 10))
  }
}

extension CivilDate: CustomStringConvertible {
  /// The date as ISO 8601 writes it: `2026-11-30`.
  public var description: String { String(decoding: text, as: UTF8.self) }
}
