import Glibc

/// An opaque colour of the sRGB space, with 8 bits a channel.
public struct Color: Hashable, Sendable {
  /// The red channel, gamma-encoded.
  public var red: UInt8
  /// The green channel, gamma-encoded.
  public var green: UInt8
  /// The blue channel, gamma-encoded.
  public var blue: UInt8

  /// Creates a colour from its channels.
  @inlinable
  public init(red: UInt8, green: UInt8, blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// Creates a colour from a number such as `0x6bbbb2`, in the order red, green, blue.
  @inlinable
  public init(hex: UInt32) {
    self.init(
      red: UInt8(truncatingIfNeeded: hex >> 16),
      green: UInt8(truncatingIfNeeded: hex >> 8),
      blue: UInt8(truncatingIfNeeded: hex)
    )
  }

  /// The colour as a number such as `0x6bbbb2`, in the order red, green, blue.
  @inlinable
  public var hex: UInt32 { UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue) }
}

extension Color: CustomStringConvertible {
  /// The colour as CSS writes it, `#6bbbb2`.
  public var description: String {
    let digits = String(hex, radix: 16)
    return "#" + String(repeating: "0", count: 6 - digits.count) + digits
  }
}

// MARK: Contrast

extension Color {
  /// The relative luminance of WCAG 2.1, from 0 (black) to 1 (white).
  public var relativeLuminance: Double {
    let linear = LinearColor(self)
    return 0.2126 * linear.red + 0.7152 * linear.green + 0.0722 * linear.blue
  }

  /// Returns the contrast ratio of WCAG 2.1, from 1 (the same luminance) to 21.
  public func contrast(with other: Color) -> Double {
    let one = relativeLuminance + 0.05
    let two = other.relativeLuminance + 0.05
    return max(one, two) / min(one, two)
  }
}

// MARK: Mixing

extension Color {
  /// Returns this colour with a share of another over it, mixed as screens do, gamma-encoded.
  internal func mixed(with other: Color, share: Double) -> Color {
    func mix(_ one: UInt8, _ two: UInt8) -> UInt8 {
      UInt8((Double(one) + (Double(two) - Double(one)) * share).rounded())
    }
    return Color(
      red: mix(red, other.red),
      green: mix(green, other.green),
      blue: mix(blue, other.blue)
    )
  }

  /// Returns this colour with every channel raised by the same amount, up to white.
  internal func raised(by amount: UInt8) -> Color {
    func raise(_ channel: UInt8) -> UInt8 { channel > 255 - amount ? 255 : channel + amount }
    return Color(red: raise(red), green: raise(green), blue: raise(blue))
  }
}

/// A colour in linear light, each channel 0 to 1 inside the sRGB gamut.
internal struct LinearColor: Sendable {
  internal var red: Double
  internal var green: Double
  internal var blue: Double

  internal init(red: Double, green: Double, blue: Double) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// Decodes a colour by the transfer function of IEC 61966-2-1.
  internal init(_ color: Color) {
    func decode(_ channel: UInt8) -> Double {
      let value = Double(channel) / 255
      return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
    self.init(red: decode(color.red), green: decode(color.green), blue: decode(color.blue))
  }

  /// Whether the colour can be shown in sRGB, up to what rounding to 8 bits hides.
  internal var isInGamut: Bool {
    let range = -0.0005...1.0005
    return range.contains(red) && range.contains(green) && range.contains(blue)
  }

  /// The colour with 8 bits a channel; what is out of gamut is clipped.
  internal var encoded: Color {
    func encode(_ channel: Double) -> UInt8 {
      let value = min(max(channel, 0), 1)
      let encoded = value <= 0.0031308 ? value * 12.92 : 1.055 * pow(value, 1 / 2.4) - 0.055
      return UInt8((encoded * 255).rounded())
    }
    return Color(red: encode(red), green: encode(green), blue: encode(blue))
  }
}
