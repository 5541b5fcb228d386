import PlatLayout
import PlatTree
import Testing

@testable import PlatRender

struct PangoTests {
  @Test(arguments: [
    ("plain-name_1.2.tar.gz", false), ("Größe, naïve, Ærø", false), ("Ελλάδα Россия", false),
    ("a…b · c\u{FFFD}", false), ("日本語.txt", true), ("한국어", true), ("שלום", true), ("العربية", true),
    ("हिन्दी", true), ("e\u{301}", true), ("📦.zip", true), ("👨‍👩‍👧", true),
  ])
  func `Only the alphabets of Europe are drawn letter by letter`(text: String, isShaped: Bool) {
    #expect(text.needsShaping == isShaped)
  }

  @Test func `The font of golden pictures is never left to Pango`() {
    #expect(Pango.forText("日本語", family: "@cairo:") == nil)
  }

  @Test(.enabled(if: Pango.shared != nil))
  func `A mark that combines with a letter takes no room`() throws {
    var ruler = try TextRuler(family: "sans")
    let font = Font(20)
    let (plain, marked) = (ruler.width(of: "nnenn", font), ruler.width(of: "nne\u{301}nn", font))
    #expect(abs(plain - marked) < 1.5)
  }

  @Test(.enabled(if: Pango.shared != nil), arguments: [11.0, 64])
  func `Pango and Cairo agree on the width of what both draw alike`(size: Double) throws {
    let pango = try #require(Pango.shared)
    let canvas = try Canvas(size: PixelSize(width: 1, height: 1), fontFamily: "sans")
    let text = "Widths of names"
    let byCairo = canvas.advance(of: text, Font(size))
    var byPango: Double?
    canvas.withContext { context in
      byPango = pango.width(of: text, Font(size), family: "sans", on: context)
    }
    #expect(abs(try #require(byPango) - byCairo) < 0.03 * byCairo)
  }

  @Test(arguments: ["日本語のとても長い名前のファイル.tar.gz", "שם קובץ ארוך מאוד מאוד.zip", "👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧.jpg"])
  func `A shortened name fits, and no character of it is cut`(name: String) throws {
    var ruler = try TextRuler(family: "sans")
    let font = Font(11)
    let whole = ruler.width(of: name, font)
    for share in [0.3, 0.5, 0.7, 0.9] {
      guard let text = ruler.fit(name, font, into: whole * share, fewestLeft: 2) else { continue }
      #expect(ruler.width(of: text, font) <= whole * share)
      let parts = text.split(separator: "…", omittingEmptySubsequences: false)
      #expect(parts.count == 2)
      #expect(name.hasPrefix(parts[0]) && name.hasSuffix(parts[1]))
    }
  }

  @Test(.enabled(if: Pango.shared != nil), arguments: Theme.allCases)
  func `Labels in other scripts stay in their tiles`(theme: Theme) throws {
    var options = RenderOptions()
    options.theme = theme
    options.showsLegend = false
    let names = [
      "日本語のファイル", "العربية طويلة جدا", "हिन्दी नाम", "📦📦📦📦📦📦📦📦📦📦", "e\u{301}\u{302}\u{303}gal",
    ]
    let tree = makeTree(
      (0..<40).map { .file("\(names[$0 % 5]) \($0)", size: UInt64(40_000 * ($0 + 1))) }
    )
    let renderer = TreemapRenderer(options: options)
    let drawn = try DecodedPicture(png: renderer.png(of: tree))
    options.showsLabels = false
    let bare = try DecodedPicture(png: TreemapRenderer(options: options).png(of: tree))
    let scene = try SceneBuilder(
      tree,
      top: tree.root,
      options: renderer.options,
      culling: .nested
    ).build()
    let boxes = scene.labels.map(\.box)
    var changed = 0
    for (index, pair) in zip(drawn.pixels, bare.pixels).enumerated() where pair.0 != pair.1 {
      let (x, y) = (index % drawn.width, index / drawn.width)
      changed += 1
      let isInside = boxes.contains {
        $0.left <= x && x < $0.right && $0.top <= y && y < $0.bottom
      }
      if !isInside { Issue.record("a letter at \(x), \(y) is outside of every tile") }
    }
    #expect(changed > 1_000)
  }
}
