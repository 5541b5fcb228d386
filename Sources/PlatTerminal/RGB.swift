import Glibc

/// An opaque colour of the sRGB space, with 8 bits a channel.
internal struct RGB: Hashable, Sendable {
  internal var red: UInt8
  internal var green: UInt8
  internal var blue: UInt8

  internal init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
    (self.red, self.green, self.blue) = (red, green, blue)
  }

  /// Creates a colour from a number such as `0x6bbbb2`, in the order red, green, blue.
  internal init(_ hex: UInt32) {
    self.init(
      UInt8(truncatingIfNeeded: hex >> 16),
      UInt8(truncatingIfNeeded: hex >> 8),
      UInt8(truncatingIfNeeded: hex)
    )
  }

  internal static let white = RGB(0xffffff)
  internal static let black = RGB(0x000000)

  /// Returns this colour with a share of another over it, mixed as screens do, gamma-encoded.
  internal func mixed(with other: RGB, _ share: Double) -> RGB {
    func mix(_ one: UInt8, _ two: UInt8) -> UInt8 {
      UInt8((Double(one) + (Double(two) - Double(one)) * share).rounded())
    }
    return RGB(mix(red, other.red), mix(green, other.green), mix(blue, other.blue))
  }
}

// MARK: Contrast

extension RGB {
  /// The light of each value of a channel, by the transfer function of IEC 61966-2-1.
  private static let light: [Double] = (0..<256).map { value in
    let channel = Double(value) / 255
    return channel <= 0.04045 ? channel / 12.92 : pow((channel + 0.055) / 1.055, 2.4)
  }

  /// The relative luminance of WCAG 2.1, from 0 (black) to 1 (white).
  internal var luminance: Double {
    0.2126 * Self.light[Int(red)] + 0.7152 * Self.light[Int(green)]
      + 0.0722 * Self.light[Int(blue)]
  }

  /// Returns the contrast ratio of WCAG 2.1, from 1 (the same luminance) to 21.
  internal func contrast(with other: RGB) -> Double {
    let (one, two) = (luminance + 0.05, other.luminance + 0.05)
    return max(one, two) / min(one, two)
  }

  /// Returns the colour in which text is read best on this one.
  ///
  /// One of black and white always has a contrast of 4.58 or more; the softer pair is preferred
  /// where it reaches 4.5.
  internal var label: RGB {
    let soft = Self.better(RGB(0x0a1018), RGB(0xfcfcfc), on: self)
    return soft.contrast(with: self) >= 4.5 ? soft : Self.better(.black, .white, on: self)
  }

  private static func better(_ dark: RGB, _ light: RGB, on fill: RGB) -> RGB {
    dark.contrast(with: fill) >= light.contrast(with: fill) ? dark : light
  }
}

// MARK: The 256 colours of xterm

extension RGB {
  private static let cubeLevels: [Int] = [0, 95, 135, 175, 215, 255]

  /// Creates a colour of the 6 × 6 × 6 cube or of the grey ramp of xterm.
  ///
  /// - Parameter index: From 16 to 255; those below are whatever the user's theme says.
  internal init(paletteIndex index: UInt8) {
    let number = Int(index) - 16
    guard number < 216 else {
      let grey = UInt8(8 + 10 * (number - 216))
      self.init(grey, grey, grey)
      return
    }
    func level(_ position: Int) -> UInt8 { UInt8(Self.cubeLevels[max(position, 0) % 6]) }
    self.init(level(number / 36), level(number / 6), level(number))
  }

  /// The colour of the cube and the grey ramp of xterm that is nearest to this one, from 16 to 255.
  internal var paletteIndex: UInt8 {
    func nearest(_ channel: UInt8) -> Int {
      var best = 0
      for (position, level) in Self.cubeLevels.enumerated()
      where abs(level - Int(channel)) < abs(Self.cubeLevels[best] - Int(channel)) {
        best = position
      }
      return best
    }
    var best = UInt8(16 + 36 * nearest(red) + 6 * nearest(green) + nearest(blue))
    var bestDistance = distance(to: RGB(paletteIndex: best))
    for index in UInt8(232)...255 {
      let distance = distance(to: RGB(paletteIndex: index))
      if distance < bestDistance { (best, bestDistance) = (index, distance) }
    }
    return best
  }

  private func distance(to other: RGB) -> Int {
    func square(_ one: UInt8, _ two: UInt8) -> Int {
      (Int(one) - Int(two)) * (Int(one) - Int(two))
    }
    // The eye tells greens apart best.
    return 2 * square(red, other.red) + 4 * square(green, other.green)
      + 3 * square(blue, other.blue)
  }
}
