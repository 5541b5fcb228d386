import Foundation
import PlatLayout
import PlatTree
import Testing

@testable import PlatRender

struct CushionTests {
  /// The formulas of the paper, with the surface as a sum of ridges, and slopes by differences.
  func height(_ x: Double, _ y: Double, _ ridges: [(PixelRect, Double)]) -> Double {
    ridges.reduce(0) { sum, ridge in
      let (rect, height) = ridge
      let (left, right) = (Double(rect.left), Double(rect.right))
      let (top, bottom) = (Double(rect.top), Double(rect.bottom))
      return sum + 4 * height * (x - left) * (right - x) / (right - left)
        + 4 * height * (y - top) * (bottom - y) / (bottom - top)
    }
  }

  @Test func `The light is that of the sum of the ridges of all directories above`() {
    let outer = PixelRect(left: 10, top: 20, right: 210, bottom: 120)
    let inner = PixelRect(left: 30, top: 40, right: 80, bottom: 110)
    var surface = CushionSurface()
    surface.addRidges(over: outer, rank: 1)
    surface.addRidges(over: inner, rank: 2)
    let ridges = [(outer, 0.46 * 0.87), (inner, 0.46 * 0.87 * 0.87)]
    for (x, y) in [(30, 40), (55, 75), (79, 109), (30, 109), (41, 97)] {
      let (middleX, middleY, step) = (Double(x) + 0.5, Double(y) + 0.5, 1e-4)
      let across =
        (height(middleX + step, middleY, ridges) - height(middleX - step, middleY, ridges))
        / (2 * step)
      let down =
        (height(middleX, middleY + step, ridges) - height(middleX, middleY - step, ridges))
        / (2 * step)
      let length = (across * across + down * down + 1).squareRoot() * (105.0).squareRoot()
      let expected = 0.3 + 0.7 * max(0, (across + 2 * down + 10) / length)
      #expect(abs(surface.light(x: x, y: y) - expected) < 1e-6)
    }
  }

  @Test func `Light is multiplied in linear light`() {
    let color = Color(hex: 0x7290ef)
    let shades = CushionShades(color)
    let level = 700
    let share = 1.2 * pow(700.0 / 1_023, 1.35)
    let shown = LinearColor(Color(hex: shades.pixels[level]))
    let linear = LinearColor(color)
    #expect(abs(shown.red - linear.red * share) < 0.004)
    #expect(abs(shown.green - linear.green * share) < 0.004)
    #expect(abs(shown.blue - linear.blue * share) < 0.004)
    #expect(shades.pixels[0] == 0)
  }

  @Test(arguments: Theme.allCases)
  func `A label can be read on exactly the levels that are said`(theme: Theme) throws {
    for color in Palette.hues + [Palette.grey] {
      let shades = CushionShades(TileStyle(color, in: theme, isGroup: false).fill)
      for label in [Color(hex: 0x0a1018), Color(hex: 0xfcfcfc)] {
        let levels = shades.levels(legible: label)
        for level in CushionShades.all {
          let isLegible = Color(hex: shades.pixels[level]).contrast(with: label) >= 4.5
          #expect(isLegible == (levels?.contains(level) == true))
        }
      }
    }
  }

  @Test func `A cushion of one file is lit as computed, and edged`() throws {
    var options = TreemapRendererTests.small
    options.style = .cushion
    options.showsLabels = false
    let tree = makeTree([.file("one.zip", size: 1_000_000)])
    let picture = try DecodedPicture(png: TreemapRenderer(options: options).png(of: tree))
    let map = PixelRect(try PictureFrame(options).map)
    var surface = CushionSurface()
    surface.addRidges(over: map, rank: 1)
    let archives = TileStyle(Palette.color(of: .archive), in: .dark, isGroup: false)
    let shades = CushionShades(archives.fill)
    for (x, y) in [(map.left, map.top), (200, 100), (300, 200), (map.right - 2, map.bottom - 2)] {
      let shown = Int(surface.light(x: x, y: y) * 1_023)
      let near = (shown - 1...shown + 1).map { shades.pixels[min($0, 1_023)] }
      #expect(near.contains(picture.pixels[y * picture.width + x]))
    }
    let edge = picture.pixels[100 * picture.width + map.right - 1]
    let beside = picture.pixels[100 * picture.width + map.right - 2]
    #expect(Color(hex: edge).relativeLuminance < 0.8 * Color(hex: beside).relativeLuminance)
  }

  @Test func `The ground of a label has no edges`() throws {
    var options = RenderOptions()
    options.style = .cushion
    let tree = makeTree([.file("one.zip", size: 9_000_000), .file("two.zip", size: 1_000_000)])
    let scene = try SceneBuilder(tree, top: tree.root, options: options, culling: .flat).build()
    let width = scene.size.width
    var pixels = [UInt32](repeating: 0, count: width * scene.size.height)
    var span = pixels.mutableSpan
    PixelPainter(scene, rowLength: width).paint(&span)
    let plates = scene.plates.filter { $0.levels != CushionShades.all }
    try #require(!plates.isEmpty)
    for plate in plates {
      // Without the edge of the tile.
      let inside = scene.tiles[plate.tile].rect.inset(by: 2)
      for y in inside.top..<inside.bottom {
        for place in y * width + inside.left + 1..<y * width + inside.right {
          let (one, two) = (Color(hex: pixels[place - 1]), Color(hex: pixels[place]))
          #expect(one.contrast(with: two) < 1.1)
        }
      }
    }
  }

  @Test func `A directory that is alone in another adds no ridges`() throws {
    var options = TreemapRendererTests.small
    options.style = .cushion
    let files = [TestEntry.file("a", size: 9_000), .file("b", size: 5_000)]
    let chain = makeTree([
      .directory("x", [.directory("y", [.directory("z", files)]), .file("0", size: 0)])
    ])
    let plain = makeTree([.directory("x", files)])
    let renderer = TreemapRenderer(options: options)
    let pictures = try [chain, plain].map { try DecodedPicture(png: renderer.png(of: $0)) }
    // Between the title and the legend.
    let maps = pictures.map { $0.pixels[60 * 480..<250 * 480] }
    #expect(maps[0] == maps[1])
  }

  @Test func `The PNG of a small tree as cushions is as recorded`() throws {
    var options = TreemapRendererTests.small
    options.style = .cushion
    let file = try TreemapRenderer(options: options).png(of: smallTree)
    let golden = try DecodedPicture(png: Golden.bytes("small-cushion.png", recording: file))
    let picture = try DecodedPicture(png: file)
    #expect((picture.width, picture.height) == (golden.width, golden.height))
    let different = zip(picture.pixels, golden.pixels).filter { one, two in
      [16, 8, 0].contains { abs(Int(one >> $0 & 255) - Int(two >> $0 & 255)) > 8 }
    }
    #expect(different.count <= picture.pixels.count / 500)
  }
}
