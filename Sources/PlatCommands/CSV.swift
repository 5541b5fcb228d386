/// Writes fields of comma-separated values, as RFC 4180 has them.
internal enum CSV {
  /// What ends a record.
  internal static let lineEnd: [UInt8] = [13, 10]

  /// Returns a field in quotes, with quotes in it doubled.
  internal static func quoted(_ field: [UInt8]) -> [UInt8] {
    let quote = UInt8(ascii: "\"")
    return [quote] + field.flatMap { $0 == quote ? [quote, quote] : [$0] } + [quote]
  }
}
