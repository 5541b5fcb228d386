/// A way to write sizes in bytes.
public enum SizeFormat: Hashable, Sendable {
  /// Powers of 1024: `6.3 GiB`.
  case iec
  /// Powers of 1000: `6.8 GB`.
  case si
  /// Exact bytes, digits only: `6764573491`.
  case bytes
}

extension SizeFormat {
  /// Returns a size to read, rounded to the nearest of the digits shown.
  ///
  /// There is one decimal below 100 and none from there on: `0 B`, `1023 B`, `4.0 KiB`, `99.9 MiB`,
  /// `822 MiB`, `1023 GiB`. No result is longer than 8 characters but exact bytes.
  public func string(_ size: UInt64) -> String {
    scaled(size).map { "\($0.digits) \($0.unit)" } ?? String(size)
  }

  /// Returns by how much a size has changed, with its sign: `+1.2 GiB`, `-4.0 KiB`, `0 B`.
  public func string(change: Int64) -> String {
    let sign = change > 0 ? "+" : change < 0 ? "-" : ""
    return sign + string(change.magnitude)
  }

  /// Returns a size in few characters, for a narrow column: `512B`, `4.0K`, `822M`, `1023G`.
  ///
  /// Exact bytes have no shorter form.
  public func compactString(_ size: UInt64) -> String {
    scaled(size).map { $0.digits + $0.unit.prefix(1).uppercased() } ?? String(size)
  }

  /// Returns the digits and the unit of a size, or `nil` if this format has no units.
  private func scaled(_ size: UInt64) -> (digits: String, unit: String)? {
    let base: UInt64
    let units: [String]
    switch self {
    case .iec: (base, units) = (1024, ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"])
    case .si: (base, units) = (1000, ["kB", "MB", "GB", "TB", "PB", "EB"])
    case .bytes: return nil
    }
    guard size >= base else { return (String(size), "B") }
    var factor = base
    var unit = 0
    // 1023.6 KiB would be written 1024 KiB: it is 1.0 MiB.
    while unit + 1 < units.count, Self.rounded(size, to: factor) >= base {
      factor *= base
      unit += 1
    }
    return (Self.digits(size, in: factor), units[unit])
  }

  /// Returns `size` in a unit of `factor` bytes, with one decimal below 100.
  private static func digits(_ size: UInt64, in factor: UInt64) -> String {
    let (whole, rest) = size.quotientAndRemainder(dividingBy: factor)
    // `rest` is below 2^60, so that ten of it and half a unit fit.
    let tenths = min(whole, 100) * 10 + (rest * 10 + factor / 2) / factor
    return tenths < 1000 ? "\(tenths / 10).\(tenths % 10)" : String(rounded(size, to: factor))
  }

  private static func rounded(_ size: UInt64, to factor: UInt64) -> UInt64 {
    let (whole, rest) = size.quotientAndRemainder(dividingBy: factor)
    return whole + (rest >= factor - rest ? 1 : 0)
  }

  /// Reads a size as people write it.
  ///
  /// A number alone is bytes. `K M G T P E`, alone or as `KiB`, are powers of 1024, and `KB MB GB TB PB
  /// EB` are powers of 1000. Case does not matter, a space may stand before the unit, and the number
  /// may have a decimal fraction of up to 9 digits if it has a unit larger than a byte. A part of a
  /// byte is dropped.
  ///
  /// - Returns: The bytes, or `nil` if `text` is no size or is 2^64 bytes or more.
  public static func parse(_ text: some StringProtocol) -> UInt64? {
    let number = text.utf8.prefix { (0x30...0x39).contains($0) || $0 == 0x2E }
    var suffix = text.utf8.dropFirst(number.count)
    if suffix.first == 0x20 { suffix = suffix.dropFirst() }
    let digits = number.split(separator: 0x2E, omittingEmptySubsequences: false)
    guard let first = digits.first, let whole = UInt64(String(decoding: first, as: UTF8.self)),
      let factor = factor(String(decoding: suffix, as: UTF8.self).lowercased()),
      case (let bytes, let overflow) = whole.multipliedReportingOverflow(by: factor), !overflow
    else { return nil }
    if digits.count == 1 { return suffix.isEmpty && first.count < text.utf8.count ? nil : bytes }

    guard digits.count == 2, factor > 1, (1...9).contains(digits[1].count),
      let fraction = UInt64(String(decoding: digits[1], as: UTF8.self))
    else { return nil }
    let scale = (0..<digits[1].count).reduce(UInt64(1)) { power, _ in power * 10 }
    let (high, low) = fraction.multipliedFullWidth(by: factor)
    let part = scale.dividingFullWidth((high, low)).quotient
    let (sum, sumOverflow) = bytes.addingReportingOverflow(part)
    return sumOverflow ? nil : sum
  }

  private static func factor(_ suffix: String) -> UInt64? {
    if suffix.isEmpty || suffix == "b" { return 1 }
    guard let letter = suffix.first,
      let power = ["k", "m", "g", "t", "p", "e"].firstIndex(of: letter)
    else { return nil }
    let base: UInt64
    switch suffix.dropFirst() {
    case "", "ib": base = 1024
    case "b": base = 1000
    default: return nil
    }
    return (0...power).reduce(1) { factor, _ in factor * base }
  }
}
