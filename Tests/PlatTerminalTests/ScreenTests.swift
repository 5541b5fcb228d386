import PlatScan
import PlatTree
import Testing

@testable import PlatTerminal

struct ScreenTests {
  @Test(arguments: [(160, 45), (120, 36), (80, 24), (40, 12), (20, 4), (19, 4), (18, 3)])
  func `A screen looks as recorded in every size`(columns: Int, rows: Int) throws {
    let browser = Browser.showing(libraryTree, columns: columns, rows: rows)
    try expectScreen(browser.surface(), "loaded-\(columns)x\(rows)")
  }

  @Test func `Without colours and without UTF-8 a screen looks as recorded`() throws {
    let browser = Browser.showing(libraryTree, columns: 100, rows: 30)
    let ascii = browser.surface(ScreenTheme(depth: .none, glyphs: .ascii))
    try expectScreen(ascii, "ascii-100x30")
    #expect(ascii.text.utf8.allSatisfy { $0 < 0x80 })
    try expectScreen(browser.surface(ScreenTheme(depth: .none)), "nocolor-100x30")
  }

  @Test func `Files may be of any time that a file system keeps`() {
    let times: [Int64] = [.min, .min + 1, -1, .max - 1, .max]
    let files = times.enumerated().map { TestEntry.file("\($0)", size: 512, modified: $1) }
    var browser = Browser.showing(makeTree(files), columns: 160)
    for _ in times {
      #expect(browser.screen(after: .character("i")).text.contains("Changed"))
      browser.press(.down)
    }
    let text = browser.surface().text
    #expect(text.contains("292471208677 y") && text.contains("future"))
  }

  @Test func `Where only ASCII is shown, no screen has anything else`() {
    var browser = Browser.showing(libraryTree, columns: 110, rows: 40)
    browser.settings.showsUTF8 = false
    let theme = ScreenTheme(depth: .basic, glyphs: .ascii)
    func expectASCII(_ browser: Browser, _ what: String) {
      let text = browser.surface(theme).text
      #expect(text.utf8.allSatisfy { $0 < 0x80 }, "\(what): \(text)")
    }
    for key in "?i|efowDdxMtm" {
      var browser = browser
      browser.press(.character(" "), .character(key))
      expectASCII(browser, "\(key)")
      if case .box(.confirm(var removal, let typed)) = browser.mode {
        removal.estimate = nil
        browser.mode = .box(.confirm(removal, typed: typed))
        expectASCII(browser, "\(key), counting")
      }
    }
    var searching = browser
    searching.type("/odd")
    expectASCII(searching, "search")
    searching.press(.enter, .enter)
    #expect(searching.directory != searching.tree?.root)
    expectASCII(searching, "odd names")
    for _ in 0..<20 { searching.press(.down) }
    expectASCII(searching, "odd names")
    var reading = Browser(columns: 80, rows: 24)
    reading.shown.progress = ScanProgress()
    expectASCII(reading, "reading")
    reading.shown.failure = .system(call: "openat", path: Array("/usr/lib".utf8), code: 116)
    expectASCII(reading, "failure")
    var compared = browser
    compared.run(.snapshot(.snapshot(tree: makeTree([], path: "/usr/lib"), takenAt: 0)))
    expectASCII(compared, "comparison")
  }

  @Test(arguments: [false, true])
  func `The console of Linux gets the 8 grounds and the blocks that it has`(isLight: Bool) throws {
    let theme = ScreenTheme(depth: .basic, isLight: isLight, glyphs: .console, isConsole: true)
    // What code page 437 has, which its fonts are made for.
    let drawn = Set("▌▐▀▄█─│┌┐└┘·■↑↓→←")
    var browser = Browser.showing(libraryTree, columns: 100, rows: 40)
    for key in "jj cctt|" {
      browser.press(.character(key))
      let surface = browser.surface(theme)
      for cell in surface.cells where !cell.isTail {
        if case .basic(let index) = cell.style.background { #expect(index < 8) }
        #expect(cell.character.isASCII || drawn.contains(cell.character), "\(cell.character)")
      }
    }
    let map = Browser.showing(libraryTree, columns: 100, rows: 40)
    let surface = map.surface(theme)
    let columns = try #require(map.layout.mapColumns)
    for row in map.layout.mapRows {
      for column in columns {
        let cell = surface[row, column]
        guard cell.character.isLetter else { continue }
        let isDark = [.basic(0), .basic(1), .basic(4), .basic(5)].contains(cell.style.background)
        #expect((isDark ? [.basic(15), .basic(7)] : [.basic(0)]).contains(cell.style.foreground))
      }
    }
  }

  @Test(arguments: [
    (ColorDepth.full, false, "dark"), (.full, true, "light"), (.palette, false, "256"),
    (.palette, true, "256-light"), (.basic, false, "16"), (.basic, true, "16-light"),
  ])
  func `Colours look as recorded, on either ground and with fewer of them`(
    depth: ColorDepth,
    isLight: Bool,
    name: String
  ) throws {
    var browser = Browser.showing(libraryTree, columns: 74, rows: 15)
    browser.press(.down, .character(" "))
    let screen = browser.surface(ScreenTheme(depth: depth, isLight: isLight))
    try expectScreen(screen, "colours-\(name)-74x15", showsStyles: true)
  }

  @Test func `What could not be read looks as recorded`() throws {
    let tree = makeTree(
      [
        .directory("private", []), .file("secret", size: 0),
        .directory("open", [.directory("inner", [])]),
      ],
      issues: [(1, nil), (0, "secret"), (3, "\u{1B}[31mred")]
    )
    var browser = Browser.showing(tree, columns: 100, rows: 14)
    browser.press(.character("e"), .down)
    try expectScreen(browser.surface(), "issues-100x14")
    // The key leads to where it is.
    browser.press(.enter)
    #expect(browser.tree?.path(of: browser.directory) == Array("/srv".utf8))
    #expect(browser.selectedName == Array("private".utf8))
  }

  @Test func `Boxes and lists look as recorded`() throws {
    var browser = Browser.showing(libraryTree, columns: 100, rows: 30)
    try expectScreen(browser.screen(after: .character("?")), "help-100x30")
    try expectScreen(browser.screen(after: .character("i")), "information-100x30")
    browser.type("/file-1")
    try expectScreen(browser.surface(), "search-100x30")
    browser.press(.escape, .character("G"), .character(" "), .character("g"), .character(" "))
    try expectScreen(browser.screen(after: .character("m")), "marks-100x30")
    try expectScreen(browser.screen(after: .character("D")), "delete-100x30")
    try expectScreen(browser.screen(after: .character("d")), "trash-100x30")
  }

  @Test func `A scan looks as recorded while it grows, is refreshed, and fails`() throws {
    var progress = ScanProgress()
    progress.entries = 412
    progress.directories = 20
    progress.elapsed = .seconds(2)
    progress.path = Array("/usr/lib/python3".utf8)
    var state = ShownState.loaded(libraryTree, checkedAt: testNow - 14 * 86_400)
    state.progress = progress
    state.expectedEntries = 1000
    var browser = Browser.showing(libraryTree, columns: 100, rows: 14)
    browser.run(.session(state))
    try expectScreen(browser.surface(), "refreshing-100x14")
    state.progress = nil
    state.failure = .system(call: "openat", path: Array("/usr/lib".utf8), code: 116)
    browser.run(.session(state))
    let box = browser.surface().text
    #expect(box.contains("Refresh failed"))
    #expect(box.contains("What you see is of 16 Nov 2026 12:00; it was not changed."))

    var growing = Browser.showing(libraryTree, columns: 100, rows: 14)
    growing.shown = state
    growing.shown.failure = nil
    growing.shown.isPartial = true
    growing.shown.progress = progress
    try expectScreen(growing.surface(), "scanning-100x14")
  }

  @Test func `Odd names leave every column in its place`() {
    var browser = Browser.showing(libraryTree)
    for columns in stride(from: 20, through: 200, by: 9) {
      browser.run(.resized(columns: columns, rows: 24))
      browser.press(.character("/"))
      browser.type("odd")
      browser.press(.enter, .enter)
      let surface = browser.surface()
      for row in 0..<surface.rows {
        // A surface counts columns by itself: what it shows has as many as the window.
        #expect(ColumnWidth.of(surface.text(row: row)) == columns, "\(columns): row \(row)")
        #expect(
          !surface.text(row: row).unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E }
        )
      }
      browser.press(.left, .escape)
    }
  }

  @Test(arguments: [ColorDepth.palette, .full], [false, true])
  func `Every letter in the map can be read`(depth: ColorDepth, isLight: Bool) throws {
    let theme = ScreenTheme(depth: depth, isLight: isLight)
    var browser = Browser.showing(libraryTree, columns: 110, rows: 30)
    for _ in 0..<4 {
      let surface = browser.surface(theme)
      let columns = try #require(browser.layout.mapColumns)
      for row in browser.layout.mapRows {
        for column in columns {
          let cell = surface[row, column]
          guard cell.character.isLetter || cell.character.isNumber else { continue }
          let contrast = cell.style.foreground.shown.contrast(with: cell.style.background.shown)
          #expect(contrast >= 4.5, "'\(cell.character)' at \(row), \(column)")
        }
      }
      browser.press(.character("c"))
    }
  }

  @Test func `The selected row and its tile stand out together`() throws {
    var browser = Browser.showing(libraryTree)
    for _ in 0..<5 {
      browser.press(.down)
      browser.prepareMap(isOutlined: false)
      let map = try #require(browser.map)
      let index = try #require(map.topTile(of: browser.selectedRow?.id))
      let tile = map.tiles[index]
      guard tile.height >= 4, tile.width >= 2 else { continue }
      let surface = browser.surface()
      let column = try #require(browser.layout.mapColumns).lowerBound + tile.x0
      let bottom = browser.layout.mapRows.lowerBound + tile.y1 / 2 - 1
      #expect(surface[bottom, column].character == "▙")
    }
  }
}

extension Browser {
  fileprivate func screen(after key: Key) -> Surface {
    var browser = self
    browser.press(key)
    return browser.surface()
  }
}

extension TerminalColor {
  /// The colour that is shown; of the tests' map, none is the terminal's own.
  fileprivate var shown: RGB {
    switch self {
    case .rgb(let color): color
    case .palette(let index): RGB(paletteIndex: index)
    case .basic, .standard: .black
    }
  }
}
