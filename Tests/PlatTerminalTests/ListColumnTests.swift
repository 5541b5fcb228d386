import PlatTree
import Testing

@testable import PlatTerminal

struct ListColumnTests {
  /// Opens the menu, and chooses lines of it.
  private func choose(_ lines: [Int], in browser: inout Browser) {
    browser.press(.character("|"))
    for line in lines {
      browser.press(.home)
      for _ in 0..<line { browser.press(.down) }
      browser.press(.character(" "))
    }
  }

  private static func line(_ column: ListColumn) -> Int {
    ListColumn.allCases.firstIndex(of: column) ?? -1
  }

  @Test func `Columns are chosen in a menu, and stay through another root`() throws {
    var browser = Browser.showing(libraryTree, columns: 160, rows: 45)
    choose([.otherSize, .owner, .mode, .bar].map(Self.line), in: &browser)
    try expectScreen(browser.surface(), "columns-menu-160x45")
    browser.press(.escape)
    let heads = try #require(browser.layout.headRow)
    func titles() -> [Substring] {
      browser.surface().text(row: heads).prefix(74).split(separator: " ")
    }
    #expect(
      titles() == ["Name", "Share", "Size", "▾", "Apparent", "Items", "Age", "Owner", "Mode"]
    )
    browser.run(.session(.loaded(makeTree([.file("a", size: 1)], path: "/other"), revision: 9)))
    #expect(titles().suffix(2) == ["Owner", "Mode"])
    let first = browser.surface().text(row: heads + 1).prefix(74)
    #expect(first.split(separator: " ").suffix(2) == ["0", "644"])
    browser.press(.character("a"))
    #expect(titles().contains("disk"))
  }

  @Test func `A column that was chosen comes before those that are usual`() {
    var browser = Browser.showing(libraryTree, columns: 80, rows: 24)
    #expect(browser.layout.list?.places.map(\.column) == [.bar, .share, .size])
    choose([Self.line(.otherSize)], in: &browser)
    #expect(browser.layout.list?.places.map(\.column) == [.share, .size, .otherSize])
  }

  @Test func `With all columns and with none every row keeps its width`() {
    for count in [0, ListColumn.allCases.count] {
      var browser = Browser.showing(libraryTree)
      browser.listColumns = Set(ListColumn.allCases.prefix(count))
      for columns in 20...200 {
        browser.run(.resized(columns: columns, rows: 10))
        guard let list = browser.layout.list else { continue }
        #expect(list.name >= 10 || list.places.isEmpty)
        #expect((list.places.last?.end ?? 2 + list.name) == list.width)
      }
    }
  }

  @Test func `Directories come first if that is chosen, in any order`() {
    var browser = Browser.showing(
      makeTree([
        .file("large", size: 90_000), .directory("d", [.file("x", size: 10)]),
        .directory("e", [.file("x", size: 5000)]), .file("small", size: 1),
      ])
    )
    #expect(browser.names == ["large", "e", "d", "small"])
    choose([ColumnMenu.count - 1], in: &browser)
    browser.press(.escape)
    #expect(browser.names == ["e", "d", "large", "small"])
    browser.press(.character("s"))
    #expect(browser.names == ["d", "e", "small", "large"])
    browser.press(.character("n"))
    #expect(browser.names == ["d", "e", "large", "small"])
    choose([ColumnMenu.count - 1], in: &browser)
    #expect(browser.names == ["d", "e", "large", "small"])
  }

  @Test func `The menu takes all keys, and fits into the smallest window`() {
    var browser = Browser.showing(libraryTree, columns: 20, rows: 4)
    browser.press(.character("|"))
    for _ in 0..<20 { browser.press(.down) }
    guard case .box(.columns(let selected)) = browser.mode else {
      Issue.record("the menu is to be open")
      return
    }
    #expect(selected == ColumnMenu.count - 1)
    #expect(browser.surface().rows == 4)
    browser.press(.character("q"))
    guard case .browsing = browser.mode else {
      Issue.record("the menu is to be closed")
      return
    }
  }

  @Test func `A click on a head sorts by that column`() throws {
    var browser = Browser.showing(libraryTree, columns: 160, rows: 45)
    let row = try #require(browser.layout.headRow)
    let places = try #require(browser.layout.list?.places)
    for (column, key) in [
      (ListColumn.items, RowOrder.Key.items), (.age, .time), (.share, .size), (.items, .items),
    ] {
      let place = try #require(places.first { $0.column == column })
      browser.run(.input(.mouse(MouseEvent(kind: .press, row: row, column: place.end - 1))))
      #expect(browser.order.key == key)
      browser.run(.clock(seconds: testNow, milliseconds: browser.milliseconds + 900, spin: 0))
    }
    browser.run(.input(.mouse(MouseEvent(kind: .press, row: row, column: 4))))
    #expect(browser.order.key == .name)
  }

  private static let owned = makeTree([
    .file("a", size: 3000, mode: 0o644), .file("b", size: 1, mode: 0o400),
    .directory("c", [.file("x", size: 700)]), .file("d", size: 2000, mode: 0o755),
  ])

  @Test func `By each column that is shown the list is sorted by a click, and turned round`() throws
  {
    var browser = Browser.showing(Self.owned, columns: 160, rows: 45)
    browser.listColumns = Set(ListColumn.allCases)
    let row = try #require(browser.layout.headRow)
    func click(_ column: ListColumn) throws {
      let place = try #require(browser.layout.list?.places.first { $0.column == column })
      browser.run(.clock(seconds: testNow, milliseconds: browser.milliseconds + 900, spin: 0))
      browser.run(.input(.mouse(MouseEvent(kind: .press, row: row, column: place.start))))
    }
    try click(.otherSize)
    #expect(browser.names == ["a", "d", "c", "b"])
    #expect(browser.surface().text(row: row).contains(" Size Apparent ▾ "))
    try click(.otherSize)
    #expect(browser.names == ["b", "c", "d", "a"])
    try click(.mode)
    #expect(browser.names == ["c", "b", "a", "d"])
    #expect(browser.surface().text(row: row).contains(" Mode ▴"))
    try click(.mode)
    #expect(browser.names == ["d", "a", "b", "c"])
    try click(.owner)
    #expect(browser.surface().text(row: row).contains(" Owner ▴"))
    #expect(browser.measure == .allocated)
  }

  @Test func `In the menu a column is sorted by, and shown, until it is hidden again`() throws {
    var browser = Browser.showing(Self.owned, columns: 160, rows: 45)
    browser.press(.character("|"), .end, .up, .character("s"))
    #expect(browser.order == RowOrder(key: .mode, isAscending: true))
    #expect(browser.listColumns.contains(.mode))
    #expect(browser.names == ["c", "b", "a", "d"])
    browser.press(.character("s"))
    #expect(browser.names == ["d", "a", "b", "c"])
    browser.press(.character(" "))
    #expect(!browser.listColumns.contains(.mode))
    #expect(browser.order == RowOrder(key: .size))
    browser.press(.end, .character("s"))
    #expect(browser.order == RowOrder(key: .size))
  }
}
