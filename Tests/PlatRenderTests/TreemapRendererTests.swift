import Foundation
import PlatLayout
import PlatTree
import Testing

@testable import PlatRender

struct TreemapRendererTests {
  /// Options for a small picture with the font that is the same everywhere.
  static var small: RenderOptions {
    var options = RenderOptions()
    options.width = 480
    options.height = 320
    options.fontFamily = "@cairo:"
    options.date = "2026-11-30 04:00"
    return options
  }

  // MARK: Golden pictures

  @Test(arguments: Theme.allCases)
  func `The SVG of a small tree is as recorded`(theme: Theme) throws {
    var options = Self.small
    options.theme = theme
    let document = try TreemapRenderer(options: options).svg(of: smallTree)
    let golden = try Golden.bytes("small-\(theme).svg", recording: document)
    #expect(String(decoding: document, as: UTF8.self) == String(decoding: golden, as: UTF8.self))
  }

  @Test(arguments: Theme.allCases)
  func `The PNG of a small tree is as recorded`(theme: Theme) throws {
    var options = Self.small
    options.theme = theme
    let file = try TreemapRenderer(options: options).png(of: smallTree)
    let golden = try DecodedPicture(png: Golden.bytes("small-\(theme).png", recording: file))
    let picture = try DecodedPicture(png: file)
    #expect((picture.width, picture.height) == (golden.width, golden.height))
    let different = zip(picture.pixels, golden.pixels).filter { one, two in
      [16, 8, 0].contains { abs(Int(one >> $0 & 255) - Int(two >> $0 & 255)) > 8 }
    }
    #expect(different.count <= picture.pixels.count / 500)
  }

  @Test(arguments: RenderOptions.Style.allCases, RenderOptions.ColorKey.allCases)
  func `The same tree gives the same bytes`(
    style: RenderOptions.Style,
    key: RenderOptions.ColorKey
  ) async throws {
    var options = Self.small
    options.style = style
    options.colorKey = key
    let renderer = TreemapRenderer(options: options)
    let (png, svg) = (try renderer.png(of: smallTree), try renderer.svg(of: smallTree))
    let again = try await withThrowingTaskGroup { group in
      for _ in 0..<4 {
        group.addTask { [try renderer.png(of: smallTree), try renderer.svg(of: smallTree)] }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    let isEqual = again == Array(repeating: [png, svg], count: 4)
    #expect(isEqual)
  }

  // MARK: Sizes

  @Test(arguments: [(0, 0), (40_000, 100), (-1, 50), (100, Int.max), (32_767, 32_767)])
  func `An impossible size is refused, as PNG and as SVG`(width: Int, height: Int) {
    var options = RenderOptions()
    options.width = width
    options.height = height
    let renderer = TreemapRenderer(options: options)
    let wanted = "a side has 1 to 32767 pixels"
    let png = #expect(throws: RenderError.self) { try renderer.png(of: smallTree) }
    let svg = #expect(throws: RenderError.self) { try renderer.svg(of: smallTree) }
    #expect(png?.description.contains(wanted) == true)
    #expect(svg?.description.contains(wanted) == true)
  }

  @Test(arguments: [0, -1, 17, 0.1, .nan, .infinity])
  func `An impossible scale is refused`(scale: Double) {
    var options = RenderOptions()
    options.scale = scale
    #expect(throws: RenderError.self) { try TreemapRenderer(options: options).png(of: smallTree) }
  }

  @Test(arguments: [(1, 1), (2, 1_000), (1_000, 2), (32_767, 2), (30, 20), (200, 150), (240, 160)])
  func `A tiny picture is drawn`(width: Int, height: Int) throws {
    var options = RenderOptions()
    options.width = width
    options.height = height
    let renderer = TreemapRenderer(options: options)
    let picture = try DecodedPicture(png: renderer.png(of: smallTree))
    #expect((picture.width, picture.height) == (width, height))
    #expect(try renderer.svg(of: smallTree).starts(with: "<svg".utf8))
  }

  @Test(arguments: [1.5, 2, 3])
  func `A scaled picture is the same picture, larger`(scale: Double) throws {
    var options = Self.small
    let plain = try builder(options).build()
    options.scale = scale
    let scaled = try builder(options).build()
    #expect(scaled.size.width == Int(480 * scale) && scaled.size.height == Int(320 * scale))
    #expect(scaled.labels.map(\.text) == plain.labels.map(\.text))
    for (one, two) in zip(plain.tiles, scaled.tiles) {
      #expect(abs(Double(one.rect.left) * scale - Double(two.rect.left)) <= scale + 1)
    }
    let svg = try TreemapRenderer(options: options).svg(of: smallTree)
    let size =
      "width=\"\(Int(480 * scale))\" height=\"\(Int(320 * scale))\" viewBox=\"0 0 480 320\""
    #expect(String(decoding: svg, as: UTF8.self).contains(size))
  }

  // MARK: Odd trees

  @Test(
    arguments: [
      [], [.directory("empty", [])], [.file("a", size: 0), .file("b", size: 0)],
      [.file("one", size: 1)], [.file("a", size: .max), .file("b", size: .max)],
    ] as [[TestEntry]]
  )
  func `A tree with next to nothing in it is drawn`(entries: [TestEntry]) throws {
    let renderer = TreemapRenderer(options: Self.small)
    let tree = makeTree(entries)
    #expect(try DecodedPicture(png: renderer.png(of: tree)).width == 480)
    #expect(try renderer.svg(of: tree).starts(with: "<svg".utf8))
  }

  @Test func `Many files in a small picture are grouped, not dropped`() throws {
    var options = Self.small
    (options.width, options.height) = (300, 200)
    let tree = makeTree([
      .directory("many", (0..<100_000).map { .file("f\($0).c", size: 4_096) }),
      .file("big.zip", size: 100_000_000),
    ])
    let scene = try builder(options, tree).build()
    #expect(scene.tiles.count == 2)
    #expect(scene.labels.contains { $0.text == "1 file drawn, 100,000 in groups" })
    let areas = scene.tiles.map { Double($0.rect.area) }.sorted()
    try #require(areas.count == 2)
    #expect(abs(areas[0] / areas[1] - 100_000_000 / 409_600_000) < 0.02)
  }

  @Test func `A deep chain is drawn without recursion`() throws {
    var entry = TestEntry.file("x", size: 1)
    for level in 0..<5_000 {
      entry = .directory("d\(level)", [entry, .file("s", size: 1)])
    }
    #expect(try !TreemapRenderer(options: Self.small).png(of: makeTree([entry])).isEmpty)
  }

  // MARK: Labels

  func builder(_ options: RenderOptions, _ tree: FileTree = smallTree) throws -> SceneBuilder {
    try SceneBuilder(tree, top: tree.root, options: options, culling: .nested)
  }

  @Test(arguments: RenderOptions.Style.allCases)
  func `No label leaves its tile`(style: RenderOptions.Style) throws {
    for width in stride(from: 240, through: 900, by: 60) {
      var options = RenderOptions()
      options.style = style
      options.title = "A title that is longer than a narrow picture has room for"
      options.date = "2026-11-30 04:00"
      (options.width, options.height) = (width, width * 2 / 3)
      let scene = try builder(options).build()
      for label in scene.labels {
        #expect(label.x >= Double(label.box.left), "\(label.text)")
        #expect(label.x + label.width <= Double(label.box.right) + 0.01, "\(label.text)")
        #expect(label.baseline <= Double(label.box.bottom), "\(label.text)")
        #expect(label.baseline - 0.7 * label.font.size >= Double(label.box.top), "\(label.text)")
      }
    }
  }

  @Test(arguments: Theme.allCases, RenderOptions.Style.allCases)
  func `Every label can be read on the pixels below it`(
    theme: Theme,
    style: RenderOptions.Style
  ) throws {
    var options = RenderOptions()
    options.theme = theme
    options.style = style
    let scene = try builder(options).build()
    let canvas = try Canvas(size: scene.size, fontFamily: "@cairo:")
    let painter = PixelPainter(scene, rowLength: canvas.rowLength)
    let pixels = canvas.withPixels { pixels in
      painter.paint(&pixels)
      return pixels.indices.map { pixels[$0] }
    }
    #expect(scene.labels.count > 18)
    for label in scene.labels {
      var below: Set<UInt32> = []
      for y in Int(label.baseline - 0.7 * label.font.size)..<Int(label.baseline) {
        for x in Int(label.x)..<Int(label.x + label.width) {
          below.insert(pixels[y * canvas.rowLength + x])
        }
      }
      for pixel in below {
        #expect(label.color.contrast(with: Color(hex: pixel)) >= 4.5, "\(label.text) on \(pixel)")
      }
    }
  }

  @Test func `What is switched off is not drawn`() throws {
    var options = Self.small
    options.showsLabels = false
    options.showsLegend = false
    options.showsHeaders = false
    let scene = try builder(options).build()
    #expect(scene.panels.count == 1)
    #expect(scene.swatches.isEmpty)
    #expect(scene.labels.map(\.text).first == "/srv")
    #expect(scene.labels.count == 2)
  }

  // MARK: SVG

  static let hostileNames: [(name: [UInt8], label: String?)] = [
    (Array("</text><script>alert(1)</script>".utf8), "&lt;/text&gt;&lt;script&gt;"),
    (Array("a\nb\u{1b}[31mc".utf8), "a\u{FFFD}b\u{FFFD}[31mc"),
    (Array("evil\u{202e}gnp.exe".utf8), "evil\u{FFFD}gnp.exe"),
    ([0x62, 0x61, 0x64, 0xff, 0xfe, 0x2e, 0x63], "bad\u{FFFD}\u{FFFD}.c"),
    (Array("]]>&amp;'\"".utf8), "]]&gt;&amp;amp;'\""),
    (Array("\u{fffe}\u{ffff}x".utf8), "\u{FFFD}\u{FFFD}x"),
    ([UInt8](repeating: 0x77, count: 255), nil),
  ]

  @Test func `A hostile name is text and nothing else`() throws {
    var options = RenderOptions()
    options.title = "<b>\u{1}&\u{202e}"
    options.date = "</desc>"
    let tree = makeTree(
      Self.hostileNames.map { .directory($0.name, [.file($0.name, size: 5_000_000)]) }
    )
    let document = try TreemapRenderer(options: options).svg(of: tree)
    let text = String(decoding: document, as: UTF8.self)
    #expect(String(validating: document, as: UTF8.self) != nil)
    #expect(!text.contains("<script") && !text.contains("<b>"))
    for name in Self.hostileNames { if let label = name.label { #expect(text.contains(label)) } }
    let odd = text.unicodeScalars.filter { scalar in
      (scalar.value < 0x20 && scalar != "\n") || scalar == "\u{202e}" || scalar.value == 0xfffe
    }
    #expect(odd.isEmpty)
    #expect(try !TreemapRenderer(options: options).png(of: tree).isEmpty)
    if Tool.isInstalled("xmllint") { try Tool.check(document, with: "xmllint", ["--noout"]) }
  }

  @Test func `A family of fonts cannot end the style sheet`() throws {
    var options = Self.small
    options.fontFamily = "x\";}</style><script>"
    let document = try TreemapRenderer(options: options).svg(of: smallTree)
    #expect(!String(decoding: document, as: UTF8.self).contains("script"))
  }

  @Test(
    .enabled(if: Tool.isInstalled("xmllint") && Tool.isInstalled("rsvg-convert")),
    arguments: Theme.allCases,
    RenderOptions.Style.allCases
  )
  func `Other programs accept the SVG`(theme: Theme, style: RenderOptions.Style) throws {
    var options = Self.small
    options.theme = theme
    options.style = style
    let document = try TreemapRenderer(options: options).svg(of: smallTree)
    try Tool.check(document, with: "xmllint", ["--noout"])
    try Tool.check(document, with: "rsvg-convert")
  }

  @Test func `The SVG is inert, and describes itself`() throws {
    let text = String(
      decoding: try TreemapRenderer(options: Self.small).svg(of: smallTree),
      as: UTF8.self
    )
    for forbidden in ["<script", "onload", "href", "http:", "@import", "foreignObject"] {
      let rest = text.replacing("xmlns=\"http://www.w3.org/2000/svg\"", with: "")
      #expect(!rest.contains(forbidden))
    }
    #expect(text.contains("role=\"img\" aria-labelledby=\"plat-title plat-desc\""))
    #expect(
      text.contains("<title id=\"plat-title\">/srv</title>\n<desc id=\"plat-desc\">Treemap of")
    )
    #expect(text.contains("<title>photos/IMG_0009.jpg 6.0 MiB</title>"))
  }

  @Test func `The SVG of many files takes at most 25 bytes each`() throws {
    let document = try TreemapRenderer().svg(of: busyTree)
    let text = String(decoding: document, as: UTF8.self)
    let match = try #require(text.firstMatch(of: /([0-9,]+) files drawn/))
    let drawn = try #require(Int(match.1.replacing(",", with: "")))
    #expect(drawn > 5_000)
    #expect(document.count <= 25 * drawn)
  }
}
