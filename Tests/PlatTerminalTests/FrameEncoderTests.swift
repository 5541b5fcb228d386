import PlatTestSupport
import PlatTree
import Testing

@testable import PlatTerminal

struct FrameEncoderTests {
  @Test func `An unchanged screen costs no byte`() {
    var encoder = FrameEncoder()
    let screen = Browser.showing(libraryTree).surface()
    #expect(!encoder.encode(screen).isEmpty)
    #expect(encoder.encode(screen).isEmpty)
  }

  @Test(arguments: [ColorDepth.none, .basic, .palette, .full])
  func `The bytes of a session bring every screen of it onto the terminal`(depth: ColorDepth) {
    var generator = SplitMix64(seed: UInt64(depth.rawValue) + 1)
    let theme = ScreenTheme(depth: depth)
    let keys: [Key] = [
      .down, .down, .up, .enter, .left, .character("s"), .character("n"), .character("M"),
      .character("t"), .character("c"), .tab, .right, .character("?"), .escape, .character("i"),
      .character("/"), .character("o"), .character("a"), .pageDown, .character(" "),
    ]
    var browser = Browser.showing(libraryTree, columns: 76, rows: 18)
    var encoder = FrameEncoder()
    var terminal = ScreenEmulator(columns: 76, rows: 18)
    for step in 0..<100 {
      if let key = keys.randomElement(using: &generator) { browser.press(key) }
      let screen = browser.surface(theme)
      terminal.feed(encoder.encode(screen))
      guard terminal.shows(screen) else {
        Issue.record("the terminal shows something else after step \(step)")
        return
      }
      #expect(terminal.row == screen.cursor.row && terminal.column == screen.cursor.column)
    }
  }

  @Test func `A character whose width terminals disagree on is followed by a move of the cursor`() {
    var screen = Surface(columns: 20, rows: 1)
    screen.put("a写b", row: 0, column: 0)
    var encoder = FrameEncoder()
    let text = String(decoding: encoder.encode(screen), as: UTF8.self)
    #expect(text.contains("写\u{1B}[4Gb"))
  }

  @Test func `Half of a wide character that is drawn over becomes a blank`() {
    var screen = Surface(columns: 6, rows: 1)
    screen.put("写真", row: 0, column: 0)
    screen.put("x", row: 0, column: 1)
    screen.put("y", row: 0, column: 2)
    #expect(screen.text == " xy   \n")
  }

  // The budgets of a line of 9600 baud: a screen in some 20 seconds, a key in two.
  @Test(arguments: [
    (ColorDepth.full, 24_000, 2_500), (.palette, 15_000, 1_800), (.basic, 9_000, 1_200),
    (.none, 8_000, 1_200),
  ])
  func `A frame and a key stay within their bytes`(depth: ColorDepth, frame: Int, key: Int) {
    let theme = ScreenTheme(depth: depth)
    var browser = Browser.showing(libraryTree)
    var encoder = FrameEncoder()
    #expect(encoder.encode(browser.surface(theme)).count <= frame)
    // The first key moves an outline between the two largest tiles, along more cells than any other.
    for _ in 0..<8 {
      browser.press(.down)
      let count = encoder.encode(browser.surface(theme)).count
      #expect(count > 0 && count <= key, "\(count) bytes for \(browser.names[browser.selected])")
    }
  }

  // All rows change, with bars of six colours, and an outline in the map.
  @Test(arguments: [
    (ColorDepth.full, 2_500), (.palette, 1_800), (.basic, 1_200), (.none, 800),
  ])
  func `A key that scrolls a list by a row stays within its bytes, too`(
    depth: ColorDepth,
    limit: Int
  ) {
    var generator = SplitMix64(seed: 5)
    let kinds = ["so", "py", "tar.gz", "mp4", "log", "sqlite"]
    let tree = makeTree(
      (0..<150).map { number in
        .directory(
          "directory-\(number * 7919 % 997)",
          kinds.map { kind in
            .file(
              "f.\(kind)",
              size: UInt64.random(in: 1...(UInt64(1) << 30) / UInt64(number + 1), using: &generator)
            )
          }
        )
      }
    )
    let theme = ScreenTheme(depth: depth)
    var browser = Browser.showing(tree)
    var encoder = FrameEncoder()
    _ = encoder.encode(browser.surface(theme))
    for _ in 0..<60 {
      browser.press(.down)
      let count = encoder.encode(browser.surface(theme)).count
      #expect(count > 0 && count <= limit, "\(count) bytes for row \(browser.selected)")
    }
  }
}
