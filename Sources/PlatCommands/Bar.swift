/// Draws a share as a bar, a column at a time and finer where the terminal can.
package enum Bar {
  /// Returns a bar, without padding.
  ///
  /// What is not 0 shows at least the smallest mark.
  ///
  /// - Parameters:
  ///   - part: A number from 0 to `whole`. A larger one counts as `whole`.
  ///   - whole: What fills all columns.
  ///   - columns: The length of a full bar.
  ///   - ascii: Whether to draw with `#` instead of eighths of blocks.
  /// - Returns: `█████▍`, or `#####`.
  package static func text(
    _ part: UInt64,
    of whole: UInt64,
    columns: Int,
    ascii: Bool = false
  ) -> String {
    guard part > 0, whole > 0, columns > 0 else { return "" }
    let stepsPerColumn = ascii ? 1 : 8
    let steps = Double(columns * stepsPerColumn) * min(1, Double(part) / Double(whole))
    let filled = max(1, Int(steps.rounded()))
    if ascii { return String(repeating: "#", count: filled) }
    let eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
    return String(repeating: "█", count: filled / 8) + eighths[filled % 8]
  }
}
