/// A chart before it is written: shapes from the back to the front, then labels.
internal struct PlotScene: Sendable {
  internal var size: PixelSize
  internal var title = ""
  /// What the chart shows, for those who do not see it.
  internal var summary = ""
  internal var shapes: [PlotShape] = []
  internal var labels: [Label] = []
}

/// A place in a chart, in pixels.
internal struct PlotPoint: Hashable, Sendable {
  internal var x: Double
  internal var y: Double
}

/// Something that a chart is drawn with.
internal enum PlotShape: Hashable, Sendable {
  /// A filled polygon, with an opacity from 0 to 1.
  case area([PlotPoint], Color, opacity: Double)
  /// Straight lines from point to point, whole or dashed.
  case line([PlotPoint], Color, width: Double, isDashed: Bool)
  /// A filled circle with a ring around it.
  case dot(PlotPoint, radius: Double, Color, ring: Color)
}
