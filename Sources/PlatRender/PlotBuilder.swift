internal import PlatTree

/// Decides what a chart is made of, and where it stands.
///
/// The measures are pixels of a picture at scale 1.
internal struct PlotBuilder: ~Copyable {
  private let plot: HistoryPlot
  private let scale: Double
  private let colors: PlotColors
  private var labels: LabelMaker
  private var scene: PlotScene
  private let points: [Trend.Point]
  private var sizes: PlotAxis
  private var times: PlotAxis
  /// Whether the axis of sizes starts at 0.
  private let startsAtZero: Bool
  private let showsFileSystem: Bool
  /// The rectangle of the values, in pixels.
  private var left = 0.0
  private var right = 0.0
  private var top = 0.0
  private var bottom = 0.0

  /// Sizes that differ by less than this part of the largest are shown without the rest.
  private static let leastChange = 0.3
  /// The part of the time that is added at the end, for the trend to go on.
  private static let outlook = 0.08

  internal init(_ plot: HistoryPlot, size: PixelSize, scale: Double) throws(RenderError) {
    self.plot = plot
    self.scale = scale
    var options = RenderOptions()
    options.theme = plot.options.theme
    options.fontFamily = plot.options.fontFamily
    labels = try LabelMaker(options, scale: scale)
    colors = PlotColors(plot.options.theme)
    scene = PlotScene(size: size)
    points = plot.segments.flatMap { $0 }

    let values = points.map(\.value)
    let (least, most) = (values.min() ?? 0, values.max() ?? 0)
    // The line of the file system would press everything else to the ground.
    let whole = plot.fileSystemSize.map(Double.init)
    showsFileSystem = whole.map { most > 0 && $0 <= most * 1.6 } ?? false
    let high = showsFileSystem ? max(most, whole ?? 0) : most
    startsAtZero = most - least >= Self.leastChange * most || showsFileSystem || points.count < 2
    let margin = startsAtZero ? 0 : (most - least) * 0.15
    let rows = max(2, Int(Double(size.height) / scale / 75))
    sizes = PlotAxis(
      sizes: (startsAtZero ? 0 : max(0, least - margin))...max(high + margin, 1),
      plot.options.sizes,
      most: rows
    )

    let first = points.map(\.time).min() ?? 0
    let last = points.map(\.time).max() ?? 0
    // A single snapshot stands in the middle of a day.
    let span = last > first ? last - first : 86_400
    let start = last > first ? first : first - span / 2
    let end = last > first ? last + span * (plot.trend == nil ? 0 : Self.outlook) : first + span / 2
    let columns = max(2, Int(Double(size.width) / scale / 80))
    times = PlotAxis(times: start...end, most: columns)
    place(size)
  }

  /// Divides the picture.
  private mutating func place(_ size: PixelSize) {
    let font = labels.font(12)
    var widest = 0.0
    for mark in sizes.marks { widest = max(widest, labels.width(of: mark.text, font)) }
    left = (widest + 32 * scale).rounded()
    right = (Double(size.width) - 24 * scale).rounded()
    top = (76 * scale).rounded()
    bottom = (Double(size.height) - 44 * scale).rounded()
    // A picture that has no room for words is all chart.
    if right - left < 80 * scale || bottom - top < 40 * scale {
      (left, right, top, bottom) = (0, Double(size.width), 0, Double(size.height))
    }
  }

  /// Returns the chart.
  internal mutating func build() -> PlotScene {
    let (width, height) = (Double(scene.size.width), Double(scene.size.height))
    let corners = [(0, 0), (width, 0), (width, height), (0, height)]
    scene.shapes.append(
      .area(corners.map { PlotPoint(x: $0.0, y: $0.1) }, colors.background, opacity: 1)
    )
    addGrid()
    addArea()
    if showsFileSystem { addFileSystem() }
    addTrend()
    addSizes()
    addTitle()
    return scene
  }

  private func x(_ time: Double) -> Double { left + times.place(of: time) * (right - left) }
  private func y(_ size: Double) -> Double { bottom - sizes.place(of: size) * (bottom - top) }
  private func point(_ point: Trend.Point) -> PlotPoint {
    PlotPoint(x: x(point.time), y: y(point.value))
  }

  private var whole: PixelRect {
    PixelRect(left: 0, top: 0, right: scene.size.width, bottom: scene.size.height)
  }

  /// A thin line on whole pixels.
  private func hairline(_ points: [(Double, Double)], _ color: Color) -> PlotShape {
    let offset = scale.rounded(.up) / 2
    return .line(
      points.map { PlotPoint(x: $0.0.rounded(.down) + offset, y: $0.1.rounded(.down) + offset) },
      color,
      width: max(1, scale.rounded(.down)),
      isDashed: false
    )
  }
}

// MARK: Axes and title

extension PlotBuilder {
  private mutating func addGrid() {
    let font = labels.font(12)
    for mark in sizes.marks {
      let height = y(mark.value)
      let isGround = mark.value == 0
      scene.shapes.append(
        hairline([(left, height), (right, height)], isGround ? colors.axis : colors.grid)
      )
      guard left > 0 else { continue }
      scene.labels.append(
        labels.text(
          mark.text,
          font,
          colors.secondaryText,
          end: left - 10 * scale,
          baseline: height + 4 * scale,
          box: whole
        )
      )
    }
    var free = left - 20 * scale
    for mark in times.marks where left > 0 {
      let across = x(mark.value)
      scene.shapes.append(
        hairline([(across, bottom), (across, bottom + 5 * scale)], colors.axis)
      )
      let width = labels.width(of: mark.text, font)
      let start = min(across - width / 2, Double(scene.size.width) - width - 4 * scale)
      guard start > free else { continue }
      free = start + width + 12 * scale
      scene.labels.append(
        labels.text(
          mark.text,
          font,
          colors.secondaryText,
          x: start,
          baseline: bottom + 22 * scale,
          box: whole
        )
      )
    }
  }

  private mutating func addTitle() {
    let font = labels.font(17, isBold: true)
    let room = Double(scene.size.width) - 44 * scale
    let format = plot.options.sizes
    let facts = summary(format)
    scene.title = "\(plot.title) over time"
    scene.summary = "The size of \(plot.title) over time: \(facts.joined(separator: ", "))."
    guard left > 0 else { return }
    if let title = labels.fit(plot.title, font, into: room) {
      scene.labels.append(
        labels.text(title, font, colors.text, x: 22 * scale, baseline: 31 * scale, box: whole)
      )
    }
    let line = facts.joined(separator: labels.separator)
    if let fitted = labels.fit(line, labels.font(13), into: room) {
      scene.labels.append(
        labels.text(
          fitted,
          labels.font(13),
          colors.secondaryText,
          x: 22 * scale,
          baseline: 52 * scale,
          box: whole
        )
      )
    }
  }

  /// What there is to say: the last size, what it was, and the rate.
  private func summary(_ format: SizeFormat) -> [String] {
    guard let first = points.first, let last = points.last else { return ["no snapshots"] }
    var facts = [format.string(UInt64(clamping: last.value))]
    guard last.time > first.time else { return facts }
    let start = CivilDate.timestamp(secondsSince1970: Int64(clamping: first.time)).prefix(10)
    facts.append(
      "\(format.string(change: Int64(clamping: last.value - first.value))) since \(start)"
    )
    if let trend = plot.trend {
      facts.append("trend \(format.string(change: Int64(clamping: trend.slope * 86_400))) a day")
    }
    return facts
  }
}

// MARK: Values

extension PlotBuilder {
  private mutating func addArea() {
    guard startsAtZero else { return }
    for segment in plot.segments where segment.count > 1 {
      var outline = segment.map { point($0) }
      outline.append(PlotPoint(x: outline[outline.count - 1].x, y: bottom))
      outline.append(PlotPoint(x: outline[0].x, y: bottom))
      scene.shapes.append(.area(outline, colors.line, opacity: colors.areaOpacity))
    }
  }

  private mutating func addSizes() {
    for segment in plot.segments where segment.count > 1 {
      scene.shapes.append(
        .line(segment.map { point($0) }, colors.line, width: 2.25 * scale, isDashed: false)
      )
    }
    // So many points that they touch say nothing that the line does not.
    let isSparse = Double(points.count) * 9 * scale < right - left
    for segment in plot.segments where isSparse || segment.count == 1 {
      for value in segment {
        scene.shapes.append(
          .dot(point(value), radius: 3.25 * scale, colors.line, ring: colors.background)
        )
      }
    }
    addLastSize()
  }

  /// The last size, above its point, or below if one of the lines is there.
  private mutating func addLastSize() {
    guard let last = points.last, left > 0 else { return }
    let font = labels.font(13, isBold: true)
    let text = plot.options.sizes.string(UInt64(clamping: last.value))
    let place = point(last)
    let width = labels.width(of: text, font)
    let comesFromAbove = points.dropLast().last.map { $0.value > last.value } ?? false
    let trendHeight = plot.trend.map { place.y - y($0.value(at: last.time)) } ?? 0
    let isAbove =
      place.y - 24 * scale > top && !comesFromAbove
      && !(2 * scale...32 * scale).contains(trendHeight)
    let end = min(place.x + width / 2, Double(scene.size.width) - 6 * scale)
    scene.labels.append(
      labels.text(
        text,
        font,
        colors.text,
        end: end,
        baseline: place.y + (isAbove ? -11 : 21) * scale,
        box: whole
      )
    )
  }

  private mutating func addTrend() {
    guard let trend = plot.trend else { return }
    // Only what is inside of the axes.
    var ends = [times.range.lowerBound, times.range.upperBound]
    if trend.slope != 0 {
      let crossings = [sizes.range.lowerBound, sizes.range.upperBound]
        .map { ($0 - trend.intercept) / trend.slope }.sorted()
      ends = [max(ends[0], crossings[0]), min(ends[1], crossings[1])]
    }
    guard ends[0] < ends[1] else { return }
    let line = ends.map { point(Trend.Point(time: $0, value: trend.value(at: $0))) }
    scene.shapes.append(.line(line, colors.trend, width: 1.5 * scale, isDashed: true))
  }

  private mutating func addFileSystem() {
    guard let size = plot.fileSystemSize else { return }
    let height = y(Double(size))
    scene.shapes.append(
      .line(
        [PlotPoint(x: left, y: height), PlotPoint(x: right, y: height)],
        colors.limit,
        width: 1.5 * scale,
        isDashed: true
      )
    )
    guard left > 0 else { return }
    scene.labels.append(
      labels.text(
        "file system \(plot.options.sizes.string(size))",
        labels.font(12),
        colors.limit,
        x: left + 8 * scale,
        baseline: height - 7 * scale,
        box: whole
      )
    )
  }
}

/// The colours of a chart.
internal struct PlotColors: Sendable {
  internal let background: Color
  internal let text: Color
  internal let secondaryText: Color
  internal let axis: Color
  internal let grid: Color
  internal let line: Color
  internal let trend: Color
  internal let limit: Color
  internal let areaOpacity: Double

  internal init(_ theme: Theme) {
    background = theme.background
    text = theme.text
    secondaryText = theme.secondaryText
    let isDark = theme == .dark
    axis = background.mixed(with: text, share: 0.45)
    grid = background.mixed(with: text, share: 0.12)
    line = isDark ? OKLCH(0.74, 0.13, 250).color : OKLCH(0.52, 0.15, 255).color
    trend = isDark ? OKLCH(0.82, 0.13, 78).color : OKLCH(0.58, 0.13, 60).color
    limit = isDark ? OKLCH(0.73, 0.15, 25).color : OKLCH(0.55, 0.19, 27).color
    areaOpacity = isDark ? 0.22 : 0.16
  }
}
