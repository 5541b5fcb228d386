/// A time as a person writes it: how long ago, or when by the calendar.
///
/// The calendar is that of UTC unless the text has an offset, because UTC is what every output shows:
/// a date that was read there can be typed here, on any machine.
public enum TimeReference: Hashable, Sendable {
  /// This many seconds before now.
  case ago(seconds: Int64)
  /// From the first second to the last of what the text names, in seconds since 1970: a date is a
  /// whole day, and `04:00` a whole minute.
  case during(ClosedRange<Int64>)

  /// Returns the seconds since 1970 that are meant, which for an age is one.
  ///
  /// What is *newer* than a time was after the last of them, what is *older* before the first, and
  /// what was there *at* the time had begun by the last.
  ///
  /// - Parameter now: The time that an age counts back from, in seconds since 1970.
  /// - Returns: The first and the last second.
  public func seconds(now: Int64) -> ClosedRange<Int64> {
    switch self {
    case .ago(let seconds):
      let (moment, overflow) = now.subtractingReportingOverflow(seconds)
      return overflow ? Int64.min...Int64.min : moment...moment
    case .during(let seconds): return seconds
    }
  }
}

extension TimeReference {
  /// Reads an age or a date.
  ///
  /// An age is a whole number with a unit, and perhaps a space between them: `90s`, `5min`, `12h`,
  /// `30d`, `2w`, `6mo` of 30 days, `1y` of 365. A lone `m` is refused, for it could be either.
  ///
  /// A date is as ISO 8601 has it: `2026-11-30`, or with a time `2026-11-30T04:00`, `…T04:00:00`, with
  /// `Z` or an offset as `+01:00` at the end, or neither for UTC. A space may stand for the `T`, and a
  /// fraction of the second is dropped.
  ///
  /// - Returns: The time, or `nil` if `text` is neither.
  public init?(_ text: some StringProtocol) {
    var scanner = DigitScanner(Array(text.utf8))
    if let seconds = scanner.age() {
      self = .ago(seconds: seconds)
      return
    }
    scanner = DigitScanner(Array(text.utf8))
    guard let seconds = scanner.interval(), scanner.isAtEnd else { return nil }
    self = .during(seconds)
  }
}

/// Takes numbers of a known length, and the marks between them, from a text.
private struct DigitScanner {
  private var rest: ArraySlice<UInt8>

  init(_ text: [UInt8]) { rest = text[...] }

  var isAtEnd: Bool { rest.isEmpty }

  /// Takes a mark if it comes next.
  mutating func take(_ mark: Unicode.Scalar) -> Bool {
    guard let next = rest.first, next == UInt8(ascii: mark) else { return false }
    rest.removeFirst()
    return true
  }

  /// Takes so many digits, whose number is in a range.
  mutating func number(_ count: Int, in range: ClosedRange<Int64>) -> Int64? {
    let digits = rest.prefix(count)
    guard digits.count == count, digits.allSatisfy(isDigit),
      let number = Int64(String(decoding: digits, as: UTF8.self)), range.contains(number)
    else { return nil }
    rest = rest.dropFirst(count)
    return number
  }

  private func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}

extension DigitScanner {
  /// Takes all as an age, in seconds.
  fileprivate mutating func age() -> Int64? {
    let count = rest.prefix { isDigit($0) }.count
    guard count > 0, let number = number(count, in: 0...(.max)) else { return nil }
    _ = take(" ")
    let unit: Int64
    switch String(decoding: rest, as: UTF8.self) {
    case "s": unit = 1
    case "min": unit = 60
    case "h": unit = 3600
    case "d": unit = 86_400
    case "w": unit = 7 * 86_400
    case "mo": unit = 30 * 86_400
    case "y": unit = 365 * 86_400
    default: return nil
    }
    let (seconds, overflow) = number.multipliedReportingOverflow(by: unit)
    return overflow ? nil : seconds
  }

  /// Takes a date, with a time if there is one.
  fileprivate mutating func interval() -> ClosedRange<Int64>? {
    guard let year = number(4, in: 0...9999), take("-"),
      let month = number(2, in: 1...12), take("-"), let day = number(2, in: 1...31)
    else { return nil }
    let date = CivilDate(year: year, month: Int(month), day: Int(day))
    // The 31st of a shorter month is a day of the next.
    guard CivilDate(daysSince1970: date.daysSince1970) == date else { return nil }
    let midnight = date.daysSince1970 * 86_400
    if isAtEnd { return midnight...midnight + 86_399 }

    guard take("T") || take(" "), let hour = number(2, in: 0...23), take(":"),
      let minute = number(2, in: 0...59)
    else { return nil }
    var first = midnight + hour * 3600 + minute * 60
    var length: Int64 = 60
    if take(":") {
      guard let second = number(2, in: 0...59) else { return nil }
      first += second
      length = 1
      if take(".") {
        let fraction = rest.prefix { isDigit($0) }.count
        guard fraction > 0 else { return nil }
        rest = rest.dropFirst(fraction)
      }
    }
    guard let offset = offset() else { return nil }
    return first - offset...first - offset + length - 1
  }

  /// Takes what says the zone, as the seconds that its clocks are ahead of UTC.
  private mutating func offset() -> Int64? {
    if isAtEnd || take("Z") { return 0 }
    let isAhead = take("+")
    guard isAhead || take("-"), let hours = number(2, in: 0...23), take(":"),
      let minutes = number(2, in: 0...59)
    else { return nil }
    return (isAhead ? 1 : -1) * (hours * 3600 + minutes * 60)
  }
}
