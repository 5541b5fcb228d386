import Testing

@testable import PlatTerminal

struct SlowLineTests {
  @Test func `Three slow answers in a row make a line slow, and many quick ones quick again`() {
    var pace = LinePace(isSlow: false)
    for time in [151, 900, 150, 151, 151] as [Int64] {
      pace.answered(after: time)
      #expect(!pace.isSlow)
    }
    pace.answered(after: 151)
    #expect(pace.isSlow)
    for _ in 1..<LinePace.quickCount { pace.answered(after: 1) }
    #expect(pace.isSlow)
    pace.answered(after: 400)
    for _ in 1..<LinePace.quickCount { pace.answered(after: 1) }
    #expect(pace.isSlow)
    pace.answered(after: 1)
    #expect(!pace.isSlow)
  }

  @Test func `A line that is said to be slow is so for good`() {
    var pace = LinePace(isSlow: true)
    for _ in 0..<100 { pace.answered(after: 1) }
    #expect(pace.isSlow)
  }

  @Test func `Only on a slow line the map waits for a rest`() {
    let (quick, slow) = (LinePace(isSlow: false), LinePace(isSlow: true))
    #expect(quick.mapWait(at: 1000, lastKey: 1000) == 0)
    #expect(slow.mapWait(at: 1000, lastKey: 1000) == 300)
    #expect(slow.mapWait(at: 1299, lastKey: 1000) == 1)
    #expect(slow.mapWait(at: 1300, lastKey: 1000) == 0)
  }

  @Test(arguments: [Key.down, .enter, .character("?"), .character("/")])
  func `A key is answered with the list and the map of before, and after a rest with its own`(
    key: Key
  ) throws {
    let theme = ScreenTheme(depth: .full).withFewerColors
    #expect(theme.depth == .palette)
    var browser = Browser.showing(libraryTree)
    var encoder = FrameEncoder()
    var terminal = ScreenEmulator(columns: browser.columns, rows: browser.rows)
    let before = browser.surface(theme)
    terminal.feed(encoder.encode(before))
    browser.press(key)
    var painter = ScreenPainter(browser, theme: theme)
    painter.map = .held(before)
    let first = painter.paint()
    let bytes = encoder.encode(first)
    terminal.feed(bytes)
    #expect(terminal.shows(first))
    let after = browser.surface(theme)
    let columns = try #require(browser.layout.mapColumns)
    for row in 0..<first.rows {
      for column in 0..<first.columns where key != .character("?") {
        let isMap = columns.contains(column) && browser.layout.mapRows.contains(row)
        if isMap { #expect(first[row, column] == before[row, column]) }
        if column < columns.lowerBound { #expect(first[row, column] == after[row, column]) }
      }
    }
    let rest = encoder.encode(after)
    terminal.feed(rest)
    #expect(terminal.shows(after))
    if key == .enter { #expect(bytes.count * 3 < rest.count) }
  }

  @Test func `A box is over the map of before, which is there again when it is closed`() {
    let theme = ScreenTheme(depth: .palette)
    var browser = Browser.showing(libraryTree)
    let before = browser.surface(theme)
    browser.press(.character("?"))
    #expect(!browser.showsBareMap)
    var painter = ScreenPainter(browser, theme: theme)
    painter.map = .held(before)
    #expect(painter.paint() == browser.surface(theme))
    browser.press(.escape)
    painter = ScreenPainter(browser, theme: theme)
    painter.map = .held(before)
    #expect(painter.paint() == before)
  }

  @Test func `Where there is no map of before, its place is blank`() throws {
    let browser = Browser.showing(libraryTree)
    var painter = ScreenPainter(browser, theme: ScreenTheme(depth: .palette))
    painter.map = .held(nil)
    let columns = try #require(browser.layout.mapColumns)
    for row in browser.layout.mapRows {
      #expect(painter.paint().text(row: row).dropFirst(columns.lowerBound).allSatisfy { $0 == " " })
    }
  }
}
