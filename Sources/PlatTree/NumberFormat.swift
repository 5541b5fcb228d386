/// Ways to write counts and shares.
public enum NumberFormat {
  /// Returns a whole number with a comma between groups of three digits: `149,646`.
  public static func grouped(_ number: some BinaryInteger) -> String {
    let digits = Array(String(number.magnitude).utf8)
    var text: [UInt8] = number < 0 ? [0x2D] : []
    for (position, digit) in digits.enumerated() {
      if position > 0, (digits.count - position).isMultiple(of: 3) { text.append(0x2C) }
      text.append(digit)
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns by how much a number has changed, with its sign: `+1,204`, `-3`, `0`.
  public static func grouped(change: some BinaryInteger) -> String {
    (change > 0 ? "+" : "") + grouped(change)
  }

  /// Writes a count with the word for what is counted.
  ///
  /// - Parameters:
  ///   - count: The number of things.
  ///   - noun: The word for one of them.
  ///   - plural: The word for several, if it is not `noun` and an s.
  /// - Returns: `1 file`, `149,646 files`.
  public static func counted(
    _ count: some BinaryInteger,
    _ noun: String,
    plural: String? = nil
  ) -> String {
    "\(grouped(count)) \(count == 1 ? noun : plural ?? noun + "s")"
  }

  /// Writes a part as a percentage of a whole, rounded.
  ///
  /// A part that is not 0 is never shown as 0: it is `<1%`, or `<0.1%` with a decimal.
  ///
  /// - Parameters:
  ///   - part: A number from 0 to `whole`. A larger one counts as `whole`.
  ///   - whole: What is 100%. If it is 0, every share is `0%`.
  ///   - withDecimal: Whether to show tenths of a percent.
  /// - Returns: `39%`, or `39.2%` with a decimal.
  public static func share(_ part: UInt64, of whole: UInt64, withDecimal: Bool = false) -> String {
    guard part > 0, whole > 0 else { return withDecimal ? "0.0%" : "0%" }
    let steps: UInt64 = withDecimal ? 1000 : 100
    let (quotient, remainder) = whole.dividingFullWidth(
      min(part, whole).multipliedFullWidth(by: steps)
    )
    let rounded = quotient + (remainder >= whole - remainder ? 1 : 0)
    if rounded == 0 { return withDecimal ? "<0.1%" : "<1%" }
    return withDecimal ? "\(rounded / 10).\(rounded % 10)%" : "\(rounded)%"
  }
}
