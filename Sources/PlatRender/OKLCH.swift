import Glibc

/// A colour of the OKLab space in polar form, where equal steps look about equally large.
///
/// The space and its matrices are by Björn Ottosson, *A perceptual color space for image
/// processing* (2020), <https://bottosson.github.io/posts/oklab/>.
internal struct OKLCH: Hashable, Sendable {
  /// The lightness, from 0 (black) to 1 (white).
  internal var lightness: Double
  /// The chroma: 0 is grey, about 0.32 the most that sRGB has.
  internal var chroma: Double
  /// The hue, in degrees.
  internal var hue: Double

  internal init(_ lightness: Double, _ chroma: Double, _ hue: Double) {
    self.lightness = lightness
    self.chroma = chroma
    self.hue = hue
  }

  /// The nearest colour that a screen can show: of the same lightness and hue, and as much of the
  /// chroma as sRGB has there.
  internal var color: Color {
    let lightness = min(max(lightness, 0), 1)
    let angle = hue * .pi / 180
    func linear(_ chroma: Double) -> LinearColor {
      OKLab(lightness, chroma * cos(angle), chroma * sin(angle)).linear
    }
    let whole = linear(chroma)
    if whole.isInGamut { return whole.encoded }

    // Grey is always in gamut, so halving the interval closes in on the edge of the gamut.
    var inside = 0.0
    var outside = chroma
    for _ in 0..<16 {
      let middle = (inside + outside) / 2
      if linear(middle).isInGamut { inside = middle } else { outside = middle }
    }
    return linear(inside).encoded
  }
}

/// A colour of the OKLab space in Cartesian form.
internal struct OKLab: Hashable, Sendable {
  /// The lightness, from 0 (black) to 1 (white).
  internal var lightness: Double
  /// Green (negative) to red (positive).
  internal var a: Double
  /// Blue (negative) to yellow (positive).
  internal var b: Double

  internal init(_ lightness: Double, _ a: Double, _ b: Double) {
    self.lightness = lightness
    self.a = a
    self.b = b
  }

  /// Converts a colour in linear light.
  internal init(_ color: LinearColor) {
    let (red, green, blue) = (color.red, color.green, color.blue)
    let l = cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
    let m = cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
    let s = cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
    self.init(
      0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
      1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
      0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s
    )
  }

  /// The colour in linear light; it may be out of the sRGB gamut.
  internal var linear: LinearColor {
    let l = lightness + 0.3963377774 * a + 0.2158037573 * b
    let m = lightness - 0.1055613458 * a - 0.0638541728 * b
    let s = lightness - 0.0894841775 * a - 1.2914855480 * b
    let (l3, m3, s3) = (l * l * l, m * m * m, s * s * s)
    return LinearColor(
      red: 4.0767416621 * l3 - 3.3077115913 * m3 + 0.2309699292 * s3,
      green: -1.2684380046 * l3 + 2.6097574011 * m3 - 0.3413193965 * s3,
      blue: -0.0041960863 * l3 - 0.7034186147 * m3 + 1.7076147010 * s3
    )
  }

  /// Returns how different two colours look: about 0.02 is just noticeable side by side.
  internal func distance(to other: OKLab) -> Double {
    let (l, a, b) = (lightness - other.lightness, a - other.a, b - other.b)
    return (l * l + a * a + b * b).squareRoot()
  }
}
