import Foundation
import PlatTestSupport
import PlatTree
import Testing

@testable import PlatRender

struct HistoryPlotTests {
  /// 2026-11-01T00:00:00Z.
  private static let start = 1_793_491_200.0

  /// A size for each of some days.
  private static func days(_ sizes: [Double]) -> [Trend.Point] {
    sizes.enumerated().map { Trend.Point(time: start + Double($0) * 86_400, value: $1) }
  }

  /// Sizes of three weeks with a gap and an odd day.
  private static var sample: HistoryPlot {
    let gigabyte: Double = 1_073_741_824
    func size(_ day: Int) -> Double { (3 + Double(day) / 5 + (day == 14 ? 3 : 0)) * gigabyte }
    let first = days((0..<8).map(size))
    let second = days((0..<20).map(size))
    let segments = [first, Array(second.dropFirst(10))]
    var plot = HistoryPlot(
      title: "/srv/data",
      segments: segments,
      trend: Trend(segments.flatMap { $0 }),
      fileSystemSize: UInt64(10 * gigabyte)
    )
    plot.options.fontFamily = "@cairo:"
    plot.options.width = 640
    plot.options.height = 360
    return plot
  }

  @Test(arguments: Theme.allCases)
  func `The SVG of a history is as recorded`(theme: Theme) throws {
    var plot = Self.sample
    plot.options.theme = theme
    let document = try plot.svg()
    let golden = try Golden.bytes("history-\(theme).svg", recording: document)
    #expect(String(decoding: document, as: UTF8.self) == String(decoding: golden, as: UTF8.self))
  }

  @Test func `A picture has the size that was asked for, and the same bytes each time`() throws {
    var plot = Self.sample
    plot.options.scale = 1.5
    let file = try plot.png()
    let picture = try DecodedPicture(png: file)
    #expect((picture.width, picture.height) == (960, 540))
    #expect(picture.pixels[0] == Theme.dark.background.hex)
    #expect(Set(picture.pixels).count > 10)
    #expect(try plot.png() == file)
    #expect(try plot.svg() == plot.svg())
    let root = String(decoding: try plot.svg().prefix(120), as: UTF8.self)
    #expect(root.contains(#"width="960" height="540" viewBox="0 0 640 360""#))
  }

  @Test(.enabled(if: Tool.isInstalled("xmllint")), arguments: Theme.allCases)
  func `A document is valid XML whatever the title is`(theme: Theme) throws {
    for title in [
      "/a&b<script>\"']]>", "\u{1b}[31m\u{0}\u{202e}", "", String(repeating: "x/", count: 900),
    ] {
      var plot = Self.sample
      plot.title = NameDisplay.label(Array(title.utf8))
      plot.options.theme = theme
      let document = try plot.svg()
      try Tool.check(document, with: "xmllint", ["--noout"])
      #expect(!String(decoding: document, as: UTF8.self).contains("<script"))
    }
  }

  @Test func `Any values can be drawn`() throws {
    let cases: [[[Trend.Point]]] = [
      [], [[]], [Self.days([5])], [Self.days([0])], [Self.days([0, 0, 0])], [Self.days([7, 7])],
      [Self.days([0, 1.8e19])], [Self.days([1.8e19, 1.8e19])],
      [Self.days([1, 2]), [], Self.days([3])],
      [[Trend.Point(time: 0, value: 1), Trend.Point(time: 0, value: 2)]],
      [[Trend.Point(time: -9.2e9, value: 1), Trend.Point(time: 9.2e9, value: 2)]],
      [[Trend.Point(time: 1.7e9, value: 1), Trend.Point(time: 1.7e9 + 0.001, value: 2)]],
      [Self.days((0..<3000).map { Double($0 % 7) })],
    ]
    for segments in cases {
      for format in [SizeFormat.iec, .si, .bytes] {
        for (width, height) in [(1, 1), (60, 40), (900, 300)] {
          let points = segments.flatMap { $0 }
          var plot = HistoryPlot(title: "x", segments: segments, trend: Trend(points))
          plot.fileSystemSize = .max
          plot.options.sizes = format
          plot.options.fontFamily = "@cairo:"
          (plot.options.width, plot.options.height) = (width, height)
          let document = String(decoding: try plot.svg(), as: UTF8.self)
          #expect(!document.contains("nan") && !document.contains("inf"))
          #expect(try DecodedPicture(png: plot.png()).width == width)
        }
      }
    }
  }

  @Test(arguments: [(0, 10, 1.0), (10, -1, 1), (40_000, 10, 1), (10, 10, 0), (10, 10, .nan)])
  func `An impossible size or scale is an error`(width: Int, height: Int, scale: Double) {
    var plot = Self.sample
    (plot.options.width, plot.options.height, plot.options.scale) = (width, height, scale)
    #expect(throws: RenderError.self) { try plot.png() }
    #expect(throws: RenderError.self) { try plot.svg() }
  }

  // MARK: Axes

  @Test(
    arguments: [
      (0, 56.3, .iec, 8, "0, 10 B, 20 B, 30 B, 40 B, 50 B, 60 B"),
      (0, 6.2 * 1_048_576, .iec, 4, "0, 2 MiB, 4 MiB, 6 MiB, 8 MiB"),
      (0, 2e6, .si, 5, "0, 0.5 MB, 1.0 MB, 1.5 MB, 2.0 MB"),
      (1.0e9, 1.0003e9, .si, 4, "1.0000 GB, 1.0001 GB, 1.0002 GB, 1.0003 GB"),
      (0, 3000, .bytes, 4, "0, 1,000, 2,000, 3,000"), (0, 1, .iec, 5, "0, 1 B"),
    ] as [(Double, Double, SizeFormat, Int, String)]
  )
  func `Sizes have marks at round numbers of one unit`(
    low: Double,
    high: Double,
    format: SizeFormat,
    most: Int,
    texts: String
  ) {
    let axis = PlotAxis(sizes: low...high, format, most: most)
    #expect(axis.marks.map(\.text).joined(separator: ", ") == texts)
    #expect(axis.range.lowerBound <= low && axis.range.upperBound >= high)
  }

  @Test(
    arguments: [
      ("2026-11-01T00:00:00Z", "2026-11-05T12:00:00Z", "1 Nov, 2 Nov, 3 Nov, 4 Nov, 5 Nov"),
      ("2026-11-03T09:00:00Z", "2026-12-09T00:00:00Z", "9 Nov, 16 Nov, 23 Nov, 30 Nov, 7 Dec"),
      ("2026-11-01T22:00:00Z", "2026-11-02T01:30:00Z", "22:00, 23:00, 2 Nov, 01:00"),
      (
        "2026-11-01T22:00:00Z", "2026-11-01T22:00:04Z",
        "22:00:00, 22:00:01, 22:00:02, 22:00:03, 22:00:04"
      ),
      (
        "2026-01-15T00:00:00Z", "2026-06-02T00:00:00Z",
        "Feb 2026, Mar 2026, Apr 2026, May 2026, Jun 2026"
      ),
      ("1960-03-01T00:00:00Z", "1965-06-02T00:00:00Z", "1961, 1962, 1963, 1964, 1965"),
    ]
  )
  func `Times have marks at round dates`(first: String, last: String, texts: String) throws {
    let bounds = try [first, last].map {
      try Date($0, strategy: .iso8601).timeIntervalSince1970
    }
    let axis = PlotAxis(times: bounds[0]...bounds[1], most: 6)
    #expect(axis.marks.map(\.text).joined(separator: ", ") == texts)
  }

  @Test func `Marks are within the axis, in order, and not too many`() {
    var generator = PlatTestSupport.SplitMix64(seed: 4)
    for _ in 0..<500 {
      let span = Double.random(in: 0...24, using: &generator)
      let start = Double.random(in: -1e10...1e10, using: &generator)
      let axis = PlotAxis(times: start...start + pow(10, span * 10.5 / 24), most: 12)
      #expect(axis.marks.count <= 14)
      #expect(axis.marks.map(\.value) == axis.marks.map(\.value).sorted())
      #expect(axis.marks.allSatisfy { axis.range.contains($0.value) })
    }
  }
}
