public import PlatTree

/// Draws the size of a directory over time as a chart.
///
/// The chart starts at 0, as a filled area, unless the size hardly changes: then it shows the range
/// of the sizes only, as a line. The same values give the same bytes, with the same fonts.
///
/// ```swift
/// let plot = HistoryPlot(title: "/srv", segments: [points], trend: Trend(points))
/// let file = try plot.svg()
/// ```
public struct HistoryPlot: Sendable {
  /// Choices for a chart.
  public struct Options: Hashable, Sendable {
    /// The width in pixels at scale 1.
    public var width = 1200
    /// The height in pixels at scale 1.
    public var height = 600
    /// The factor by which everything is drawn larger, text included; from 0.25 to 16.
    public var scale = 1.0
    /// The colours.
    public var theme = Theme.dark
    /// How sizes are written.
    public var sizes = SizeFormat.iec
    /// The family of all text: a name that fontconfig knows, or `@cairo:` for the ASCII font that is
    /// built into Cairo and the same everywhere.
    public var fontFamily = "sans"

    /// Creates the default options.
    public init() {}
  }

  /// What the chart shows, as a short text.
  public var title: String
  /// The sizes in bytes over time in seconds since 1970, in order of time; a new segment begins where
  /// the directory was not there.
  public var segments: [[Trend.Point]]
  /// The line to draw through the sizes, if there is one.
  public var trend: Trend?
  /// The bytes of the whole file system, which are drawn as a line if the sizes come near.
  public var fileSystemSize: UInt64?
  /// The choices for the chart.
  public var options: Options

  /// Creates a chart.
  public init(
    title: String,
    segments: [[Trend.Point]],
    trend: Trend? = nil,
    fileSystemSize: UInt64? = nil,
    options: Options = Options()
  ) {
    self.title = title
    self.segments = segments
    self.trend = trend
    self.fileSystemSize = fileSystemSize
    self.options = options
  }

  /// Returns the chart as a PNG file.
  ///
  /// - Throws: ``RenderError``; before anything is allocated, if the size or scale is impossible.
  public func png() throws(RenderError) -> [UInt8] {
    let size = try size
    var builder = try PlotBuilder(self, size: size, scale: options.scale)
    let scene = builder.build()
    let canvas = try Canvas(size: size, fontFamily: options.fontFamily)
    for shape in scene.shapes { canvas.draw(shape) }
    for label in scene.labels { canvas.draw(label) }
    try canvas.check()
    return try canvas.withPixels { (pixels) throws(RenderError) in
      try PNGEncoder().encode(pixels.span, size: size, rowLength: canvas.rowLength)
    }
  }

  /// Returns the chart as an SVG document, which needs nothing from elsewhere and runs nothing.
  ///
  /// - Throws: ``RenderError``; before anything is allocated, if the size or scale is impossible.
  public func svg() throws(RenderError) -> [UInt8] {
    // A vector picture has its scale as an attribute; its coordinates are those of scale 1.
    _ = try size
    let plain = try PixelSize(width: options.width, height: options.height)
    var builder = try PlotBuilder(self, size: plain, scale: 1)
    var writer = PlotSVGWriter(builder.build(), fontFamily: options.fontFamily)
    return writer.document(scale: options.scale)
  }

  private var size: PixelSize {
    get throws(RenderError) {
      guard options.scale >= 0.25, options.scale <= 16 else {
        throw .impossibleScale(options.scale)
      }
      // Clamped, for a product that no Int holds is impossible as well.
      let sides = [options.width, options.height].map {
        Int(min(max((Double($0) * options.scale).rounded(), -1e9), 1e9))
      }
      return try PixelSize(width: sides[0], height: sides[1])
    }
  }
}
