import Glibc

/// The surface of a tile that looks like a cushion: parabolic ridges, one for each directory that
/// the tile is in, added up.
///
/// The height is *z* = *x1 x* + *x2 x²* + *y1 y* + *y2 y²*, so that the slopes, which decide the
/// light, are linear along a row of pixels. They do not depend on the scale of a picture. From
/// J. J. van Wijk and H. van de Wetering, *Cushion Treemaps: Visualization of Hierarchical
/// Information* (1999); the constants are tuned for deep trees.
internal struct CushionSurface: Hashable, Sendable {
  private var x1 = 0.0
  private var x2 = 0.0
  private var y1 = 0.0
  private var y2 = 0.0

  /// The height of a ridge at the top, and by what it is multiplied for each ridge above it.
  private static let height = 0.46
  private static let decline = 0.87

  /// The light that comes from everywhere.
  internal static let ambient = 0.30
  /// Where the other light comes from: from above, and a bit from the top left; of length 1.
  internal static let light: (x: Double, y: Double, z: Double) = {
    let length = (105.0).squareRoot()
    return (-1 / length, -2 / length, 10 / length)
  }()

  /// Creates a plane.
  internal init() {}

  /// Adds a ridge across and one down.
  ///
  /// - Parameters:
  ///   - rect: Where the ridges start and end; nothing happens if it is empty.
  ///   - rank: The number of the ridge on this surface, from 1.
  internal mutating func addRidges(over rect: PixelRect, rank: Int) {
    guard !rect.isEmpty else { return }
    let height = 4 * Self.height * pow(Self.decline, Double(rank))
    let (width, depth) = (Double(rect.width), Double(rect.height))
    x1 += height * Double(rect.left + rect.right) / width
    x2 -= height / width
    y1 += height * Double(rect.top + rect.bottom) / depth
    y2 -= height / depth
  }
}

// MARK: Light

extension CushionSurface {
  /// Returns how steep the surface is from left to right, in the middle of a column of pixels.
  internal func slopeAcross(_ x: Int) -> Double { x1 + 2 * x2 * (Double(x) + 0.5) }

  /// Returns how steep the surface is from top to bottom, in the middle of a row of pixels.
  internal func slopeDown(_ y: Int) -> Double { y1 + 2 * y2 * (Double(y) + 0.5) }

  /// By how much the slope from left to right grows from one pixel to the next.
  internal var stepAcross: Double { 2 * x2 }

  /// Returns the light on a pixel, from the ambient light to 1.
  internal func light(x: Int, y: Int) -> Double {
    let (across, down) = (slopeAcross(x), slopeDown(y))
    let light = Self.light
    let length = (across * across + down * down + 1).squareRoot()
    let cosine = (light.z - across * light.x - down * light.y) / length
    return Self.ambient + (1 - Self.ambient) * max(cosine, 0)
  }
}
