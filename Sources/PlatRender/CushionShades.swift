import Glibc

/// The colours of a cushion from no light to full light.
///
/// Light is multiplied where it adds up, in linear light, and not in the encoded values of pixels.
/// The levels are so many that no value of the strongest channel is skipped, and the others change with
/// it: that they would change in between is not seen, and would be written to files.
internal struct CushionShades: Sendable {
  /// The level of full light.
  internal static let brightest = 1_023

  /// The pixel of each level.
  internal let pixels: [UInt32]

  /// By which power light is taken, for depth, and by what it is multiplied to make up for that.
  private static let exponent = 1.35
  private static let gain = 1.2

  /// Creates the shades of a colour.
  internal init(_ color: Color) {
    let linear = LinearColor(color)
    var last = Color(hex: 0)
    pixels = (0...Self.brightest).map { level in
      let share = Self.gain * pow(Double(level) / Double(Self.brightest), Self.exponent)
      let color = LinearColor(
        red: linear.red * share,
        green: linear.green * share,
        blue: linear.blue * share
      ).encoded
      if color.strongest != last.strongest { last = color }
      return last.hex
    }
  }

  /// Returns the level of an amount of light from 0 to 1.
  internal static func level(of light: Double) -> Int {
    min(max(Int(light * Double(brightest)), 0), brightest)
  }

  /// The levels that a surface can have: it is never without light.
  internal static let all = level(of: CushionSurface.ambient)...brightest

  /// Returns the levels on which a label can be read, or `nil` if there are none.
  ///
  /// Luminance grows with the level, so that they are all above or all below a limit.
  internal func levels(legible label: Color) -> ClosedRange<Int>? {
    func isLegible(_ level: Int) -> Bool {
      Color(hex: pixels[level]).contrast(with: label) >= TileStyle.leastContrast
    }
    let isDark = label.relativeLuminance < 0.18
    var (readable, unreadable) = (Self.all.upperBound, Self.all.lowerBound)
    if !isDark { swap(&readable, &unreadable) }
    guard isLegible(readable) else { return nil }
    if isLegible(unreadable) { return Self.all }
    while abs(readable - unreadable) > 1 {
      let middle = (readable + unreadable) / 2
      if isLegible(middle) { readable = middle } else { unreadable = middle }
    }
    return isDark ? readable...Self.all.upperBound : Self.all.lowerBound...readable
  }
}

extension Color {
  /// The value of the channel with the most light.
  fileprivate var strongest: UInt8 { max(red, green, blue) }
}
