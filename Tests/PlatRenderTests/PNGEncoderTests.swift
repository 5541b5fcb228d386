import CPlatCairo
import Foundation
import Testing

@testable import PlatRender

struct PNGEncoderTests {
  struct Case: CustomTestStringConvertible {
    var testDescription: String
    var width: Int
    var height: Int
    var pixels: [UInt32]
    var isIndexed: Bool

    init(
      _ description: String,
      _ width: Int,
      _ height: Int,
      isIndexed: Bool,
      _ pixel: (Int) -> UInt32
    ) {
      testDescription = description
      self.width = width
      self.height = height
      self.isIndexed = isIndexed
      pixels = (0..<width * height).map(pixel)
    }
  }

  static let noise: [UInt32] = {
    var generator = SplitMix64(state: 7)
    return (0..<90_000).map { _ in UInt32.random(in: 0...0xff_ffff, using: &generator) }
  }()

  static let cases = [
    Case("one pixel", 1, 1, isIndexed: true) { _ in 0x123456 },
    Case("one row", 1_000, 1, isIndexed: true) { UInt32($0 / 10) },
    Case("one column", 1, 1_000, isIndexed: true) { UInt32($0 / 10) << 16 },
    Case("256 colours", 64, 64, isIndexed: true) { UInt32($0 % 256) * 0xff },
    Case("257 colours", 64, 64, isIndexed: false) { UInt32($0 % 257) * 0xff },
    Case("noise, in several chunks", 300, 300, isIndexed: false) { noise[$0] },
    Case("a gradient", 200, 100, isIndexed: false) { UInt32($0 % 200) << 16 | UInt32($0 / 200) },
  ]

  func encode(_ example: Case) throws -> [UInt8] {
    let size = try PixelSize(width: example.width, height: example.height)
    return try PNGEncoder().encode(example.pixels.span, size: size, rowLength: example.width)
  }

  @Test(arguments: cases)
  func `Cairo reads the same pixels back`(example: Case) throws {
    let file = try encode(example)
    let picture = try DecodedPicture(png: file)
    #expect(picture.width == example.width && picture.height == example.height)
    let isEqual = picture.pixels == example.pixels
    #expect(isEqual)
    #expect(file[25] == (example.isIndexed ? 3 : 2), "the colour type of the header")
  }

  @Test(.enabled(if: Tool.isInstalled("pngcheck")), arguments: cases)
  func `pngcheck finds no fault`(example: Case) throws {
    try Tool.check(encode(example), with: "pngcheck", ["-v"])
  }

  @Test func `What is between the rows is not written`() throws {
    let size = try PixelSize(width: 2, height: 2)
    let padded: [UInt32] = [1, 2, 0xdead, 3, 4, 0xbeef]
    let file = try PNGEncoder().encode(padded.span, size: size, rowLength: 3)
    #expect(try DecodedPicture(png: file).pixels == [1, 2, 3, 4])
  }

  @Test func `The unused byte of a pixel does not matter`() throws {
    let size = try PixelSize(width: 2, height: 1)
    let pixels: [UInt32] = [0xff12_3456, 0x0012_3456]
    let file = try PNGEncoder().encode(pixels.span, size: size, rowLength: 2)
    #expect(try DecodedPicture(png: file).pixels == [0x123456, 0x123456])
  }

  @Test(arguments: [
    (0, 0), (0, 10), (10, -1), (40_000, 100), (100, 32_768), (20_000, 20_000), (Int.max, Int.max),
  ])
  func `A size that no picture can have is refused`(width: Int, height: Int) {
    #expect(throws: RenderError.impossibleSize(width: width, height: height)) {
      try PixelSize(width: width, height: height)
    }
  }

  @Test(arguments: [false, true], RenderOptions.Style.allCases)
  func `A picture takes at most a fifth more bytes than by Cairo's encoder`(
    hasManyTiles: Bool,
    style: RenderOptions.Style
  ) throws {
    let files = (1...9).map { TestEntry.file("\($0).zip", size: 1_000_000 * UInt64($0)) }
    let tree = hasManyTiles ? busyTree : makeTree(files)
    var options = RenderOptions()
    options.style = style
    let file = try TreemapRenderer(options: options).png(of: tree)
    let byCairo = try withTemporaryFile(file) { path in
      let surface = cairo_image_surface_create_from_png(path)
      defer { cairo_surface_destroy(surface) }
      try #require(cairo_surface_write_to_png(surface, path) == CAIRO_STATUS_SUCCESS)
      return try Data(contentsOf: URL(filePath: path)).count
    }
    #expect(file.count * 5 <= byCairo * 6)
  }
}
