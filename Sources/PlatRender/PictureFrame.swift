import PlatLayout

/// Where the parts of a picture are: title line, map and legend.
internal struct PictureFrame: Sendable {
  internal let size: PixelSize
  internal let scale: Double
  /// The rectangle of the treemap, in pixels.
  internal let map: Rect
  internal let hasTitle: Bool
  internal let hasLegend: Bool

  /// A picture smaller than this, at scale 1, is nothing but the map.
  private static let leastWidth = 240.0
  private static let leastHeight = 160.0

  /// Divides a picture.
  ///
  /// - Throws: ``RenderError`` for a size or a scale that no picture can have.
  internal init(_ options: RenderOptions) throws(RenderError) {
    guard options.scale >= 0.25, options.scale <= 16 else { throw .impossibleScale(options.scale) }
    let scale = options.scale
    func scaled(_ side: Int) -> Int {
      // Clamped, for a product that no Int holds is impossible as well.
      Int(min(max((Double(side) * scale).rounded(), -1e9), 1e9))
    }
    size = try PixelSize(width: scaled(options.width), height: scaled(options.height))
    self.scale = scale

    let width = Double(size.width) / scale
    let height = Double(size.height) / scale
    let isLarge = width >= Self.leastWidth && height >= Self.leastHeight
    hasTitle = isLarge
    hasLegend = isLarge && options.showsLegend
    let margin = isLarge ? 12.0 : 0
    map = Rect(
      x0: (margin * scale).rounded(),
      y0: ((hasTitle ? 48 : margin) * scale).rounded(),
      x1: Double(size.width) - (margin * scale).rounded(),
      y1: Double(size.height) - ((hasLegend ? 44 : margin) * scale).rounded()
    )
  }
}
