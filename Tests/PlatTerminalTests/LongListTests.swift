import PlatTree
import Testing

@testable import PlatTerminal

struct LongListTests {
  private static let count = 6000
  private static let tree = makeTree([
    .directory(
      "many",
      (0..<count).map { .file("\($0 * 7919 % count)", size: UInt64($0 + 1) * 512) }
    ),
    .file("z", size: 512),
  ])

  /// A browser in the directory with many files, whose list is being made.
  private func opening() throws -> (browser: Browser, making: ListMaking) {
    var browser = Browser.showing(Self.tree)
    let making = try #require(browser.handle(.input(.key(.enter))).making)
    return (browser, making)
  }

  @Test func `A long list is made elsewhere, and the screen says so meanwhile`() throws {
    var (browser, making) = try opening()
    #expect(browser.surface().text.contains("Reading 6,000 entries…"))
    #expect(browser.surface().text(row: 0).contains("› many"))
    browser.prepareMap(isOutlined: false)
    #expect(browser.map != nil)
    browser.run(.listed(making.run()))
    #expect(browser.list.rows.count == Self.count)
    #expect(!browser.surface().text.contains("Reading"))
    making.turn += 1
    making.order = RowOrder(key: .name, isAscending: true)
    let names = browser.names
    browser.run(.listed(making.run()))
    #expect(browser.names == names, "a list that nobody asked for")
  }

  @Test func `In the meantime keys go on: the way up leaves the long list behind`() throws {
    var (browser, making) = try opening()
    browser.press(.down, .character("n"), .left)
    #expect(browser.names == ["many", "z"])
    #expect(browser.selectedName == Array("many".utf8))
    browser.run(.listed(making.run()))
    #expect(browser.names == ["many", "z"])
  }

  @Test
  func `On the way up to a long list the directory that was left is selected, also if sorted`()
    throws
  {
    let files = (0..<Self.count).map { TestEntry.file("\($0)", size: 512) }
    var browser = Browser.showing(makeTree(files + [.directory("inner", [.file("a", size: 9)])]))
    let inner = try #require(browser.list.index(named: "inner".utf8))
    browser.select(inner)
    browser.press(.enter)
    #expect(browser.names == ["a"])
    _ = browser.handle(.input(.key(.left)))
    #expect(browser.names.isEmpty)
    let making = try #require(browser.handle(.input(.key(.character("n")))).making)
    browser.run(.listed(making.run()))
    #expect(browser.list.rows.count == Self.count + 1)
    #expect(browser.selectedName == Array("inner".utf8))
  }

  @Test func `A long list stays while it is sorted, with the row that is chosen meanwhile`() throws
  {
    var (browser, making) = try opening()
    browser.run(.listed(making.run()))
    let names = browser.names
    making = try #require(browser.handle(.input(.key(.character("n")))).making)
    #expect(browser.names == names)
    browser.press(.down, .down)
    let chosen = browser.selectedName
    browser.run(.listed(making.run()))
    #expect(browser.names == names.sorted())
    #expect(browser.selectedName == chosen)
  }

  @Test func `The next tree comes with its long list: no screen is without rows`() throws {
    var (browser, making) = try opening()
    browser.run(.listed(making.run()))
    browser.prepareMap(isOutlined: false)
    browser.press(.down)
    let effects = browser.handle(.session(.loaded(Self.tree, revision: 2)))
    guard case .prepare(let preparation) = effects.first else {
      Issue.record("the tree is to be prepared")
      return
    }
    #expect(browser.shown.revision == 1)
    browser.press(.down)
    let chosen = browser.selectedName
    let prepared = try #require(preparation.run())
    #expect(browser.handle(.prepared(prepared)).making == nil)
    #expect(browser.shown.revision == 2)
    #expect(browser.list.rows.count == Self.count)
    #expect(browser.selectedName == chosen)
    #expect(browser.hasList)
    #expect(browser.map?.request.revision == 2)
    #expect(browser.mapMaking(isOutlined: false) == nil)
  }

  @Test func `Where another list was asked for, that of the next tree is made anew`() throws {
    var browser = Browser.showing(Self.tree)
    guard
      case .prepare(let preparation) =
        browser.handle(.session(.loaded(Self.tree, revision: 2))).first,
      let prepared = preparation.run()
    else {
      Issue.record("the tree is to be prepared")
      return
    }
    browser.press(.character("n"), .character("n"))
    browser.run(.prepared(prepared))
    #expect(browser.shown.revision == 2)
    #expect(browser.names == ["z", "many"])
    #expect(browser.categories != nil)
  }

  @Test func `Sizes that are shown anew are those of the next tree, too`() throws {
    var browser = Browser.showing(Self.tree)
    _ = browser.handle(.session(.loaded(Self.tree, revision: 2)))
    browser.press(.character("a"))
    #expect(browser.shown.revision == 2)
    #expect(browser.measure == .apparent && browser.categories != nil)
  }

  @Test func `Line by line a long list is there at once`() {
    var settings = Browser.Settings()
    settings.isPlain = true
    var browser = Browser(settings: settings)
    browser.run(.session(.loaded(Self.tree)))
    browser.openSelected()
    #expect(browser.list.rows.count == Self.count)
  }

  @Test func `A search for the next name in a long list only moves the selection`() throws {
    var (browser, making) = try opening()
    browser.run(.listed(making.run()))
    browser.type("/59")
    browser.press(.enter)
    let turn = browser.listTurn
    browser.press(.character("n"))
    #expect(browser.listTurn == turn)
    #expect(String(decoding: browser.selectedName, as: UTF8.self).contains("59"))
  }

  @Test func `Marks in the map are found by name`() throws {
    var browser = Browser.showing(Self.tree)
    browser.press(.down, .character(" "))
    browser.prepareMap(isOutlined: false)
    let columns = try #require(browser.layout.mapColumns)
    let text = browser.layout.mapRows.map { row in
      String(browser.surface().text(row: row).dropFirst(columns.lowerBound))
    }
    #expect(!text.contains { $0.contains("●") })
    browser.press(.up, .character(" "))
    #expect(browser.surface().text(row: browser.layout.mapRows.lowerBound).contains("● many"))
  }
}

extension [BrowserEffect] {
  /// The list that is to be made.
  fileprivate var making: ListMaking? {
    lazy.compactMap { effect in
      if case .list(let making) = effect { making } else { nil }
    }.first
  }
}
