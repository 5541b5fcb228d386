import Glibc
internal import PlatTree

/// The range of an axis, and the values that have a mark, with their text.
internal struct PlotAxis: Sendable {
  /// A value with a mark.
  internal struct Mark: Hashable, Sendable {
    internal var value: Double
    internal var text: String
  }

  internal var range: ClosedRange<Double>
  internal var marks: [Mark]

  /// Returns where a value is, from 0 at the start of the axis to 1 at its end.
  internal func place(of value: Double) -> Double {
    (value - range.lowerBound) / (range.upperBound - range.lowerBound)
  }
}

// MARK: Sizes

extension PlotAxis {
  /// Creates an axis of sizes with steps of 1, 2 or 5 and zeros of one unit.
  ///
  /// - Parameters:
  ///   - values: The least and the largest value to show.
  ///   - format: How sizes are written.
  ///   - most: The most steps.
  internal init(sizes values: ClosedRange<Double>, _ format: SizeFormat, most: Int) {
    let (unit, name) = Self.unit(of: values.upperBound, format)
    let low = values.lowerBound / unit
    // Equal values have room above them all the same.
    let isRange = values.upperBound > values.lowerBound
    let high = isRange ? values.upperBound / unit : low + max(low / 10, 1)
    let step = Self.roundStep(above: (high - low) / Double(max(most, 1)), whole: unit == 1)
    let (first, last) = ((low / step).rounded(.down), (high / step).rounded(.up))
    let decimals = max(0, Int(-log10(step).rounded(.down)))
    range = first * step * unit...last * step * unit
    marks = (0...Int(last - first)).map { index in
      let value = (first + Double(index)) * step
      return Mark(
        value: value * unit,
        text: value == 0 ? "0" : Self.text(of: value, decimals) + name
      )
    }
  }

  /// The largest unit that a size has at least one of.
  private static func unit(of size: Double, _ format: SizeFormat) -> (size: Double, name: String) {
    let base: Double
    let names: [String]
    switch format {
    case .iec: (base, names) = (1024, [" B", " KiB", " MiB", " GiB", " TiB", " PiB", " EiB"])
    case .si: (base, names) = (1000, [" B", " kB", " MB", " GB", " TB", " PB", " EB"])
    case .bytes: return (1, "")
    }
    var (unit, power) = (1.0, 0)
    while power + 1 < names.count, size >= unit * base { (unit, power) = (unit * base, power + 1) }
    return (unit, names[power])
  }

  private static func roundStep(above least: Double, whole: Bool) -> Double {
    let least = max(least, whole ? 1 : 1e-9)
    let power = pow(10, log10(least).rounded(.down))
    // A little less is no reason for the next step.
    return [1, 2, 5, 10].map { $0 * power }.first { $0 >= least * 0.999 } ?? 10 * power
  }

  private static func text(of value: Double, _ decimals: Int) -> String {
    let scale = pow(10, Double(decimals))
    let number = UInt64(clamping: (value * scale).rounded())
    guard decimals > 0 else { return NumberFormat.grouped(number) }
    let digits = String(number % UInt64(scale))
    let zeros = String(repeating: "0", count: decimals - digits.count)
    return NumberFormat.grouped(number / UInt64(scale)) + "." + zeros + digits
  }
}

// MARK: Times

extension PlotAxis {
  /// The steps between the marks of a time axis.
  private enum Step {
    case seconds(Int64)
    case months(Int64)

    static let all: [Step] =
      [1, 5, 15, 60, 300, 900, 1800].map { .seconds($0) }
      + [1, 3, 6, 12].map { .seconds($0 * 3600) }
      + [1, 2, 7, 14].map { .seconds($0 * 86_400) }
      + [1, 3, 6, 12, 24, 60, 120, 600, 1200].map { .months($0) }

    /// About how long the step is, in seconds.
    var length: Double {
      switch self {
      case .seconds(let seconds): Double(seconds)
      case .months(let months): Double(months) * 30.44 * 86_400
      }
    }
  }

  /// Creates an axis of times with marks at round times and dates of UTC.
  ///
  /// - Parameters:
  ///   - times: The first and the last time, in seconds since 1970.
  ///   - most: The most marks.
  internal init(times: ClosedRange<Double>, most: Int) {
    range = times
    let span = times.upperBound - times.lowerBound
    let step =
      Step.all.first { $0.length * Double(max(most, 1)) >= span } ?? Step.months(1200)
    marks = []
    switch step {
    case .seconds(let length): addMarks(every: length)
    case .months(let count): addMarks(everyMonths: count)
    }
  }

  private mutating func addMarks(every length: Int64) {
    // Weeks start on Mondays: 1970-01-05 was one.
    let origin: Int64 = length % (7 * 86_400) == 0 ? 4 * 86_400 : 0
    let first = ((range.lowerBound - Double(origin)) / Double(length)).rounded(.up)
    var second = Int64(first) * length + origin
    while Double(second) <= range.upperBound {
      let text = CivilDate.timestamp(secondsSince1970: second)
      let date = CivilDate(daysSince1970: day(of: second))
      let clock = text.dropFirst(text.utf8.count - 9).prefix(length < 60 ? 8 : 5)
      let isMidnight = second == day(of: second) * 86_400
      marks.append(
        Mark(
          value: Double(second),
          text: length >= 86_400 || isMidnight ? Self.text(of: date) : String(clock)
        )
      )
      second += length
    }
  }

  private mutating func addMarks(everyMonths count: Int64) {
    let start = CivilDate(daysSince1970: day(of: Int64(range.lowerBound)))
    var month = start.year * 12 + Int64(start.month) - 1
    month -= month % count
    while true {
      let date = CivilDate(year: month / 12, month: Int(month % 12) + 1, day: 1)
      let second = Double(date.daysSince1970 * 86_400)
      if second > range.upperBound { return }
      if second >= range.lowerBound {
        let name = Self.monthNames[date.month - 1]
        let text = count % 12 == 0 ? String(date.year) : "\(name) \(date.year)"
        marks.append(Mark(value: second, text: text))
      }
      month += count
    }
  }

  private func day(of second: Int64) -> Int64 {
    let (day, rest) = second.quotientAndRemainder(dividingBy: 86_400)
    return rest < 0 ? day - 1 : day
  }

  /// A day as a mark has it: `30 Nov`.
  internal static func text(of date: CivilDate) -> String {
    "\(date.day) \(monthNames[date.month - 1])"
  }

  private static let monthNames = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
}
