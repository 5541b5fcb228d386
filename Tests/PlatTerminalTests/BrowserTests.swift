import PlatScan
import PlatTree
import Testing

@testable import PlatTerminal

struct BrowserTests {
  @Test func `The largest entry is first, and a second press turns the order round`() {
    var browser = Browser.showing(libraryTree)
    #expect(browser.names.first == "google-cloud-sdk")
    browser.press(.character("s"))
    #expect(browser.names.last == "google-cloud-sdk")
    browser.press(.character("n"))
    #expect(browser.names == browser.names.sorted())
    browser.press(.character("C"))
    #expect(browser.names.first == "google-cloud-sdk" || browser.names.first == "python3")
    let items = browser.list.rows.map(\.items)
    #expect(items == items.sorted(by: >))
    browser.press(.character("M"))
    let times = browser.list.rows.map(\.modified)
    #expect(times == times.sorted(by: >))
  }

  @Test func `The selection stays with its entry when the order changes`() {
    var browser = Browser.showing(libraryTree)
    browser.press(.down, .down)
    let name = browser.selectedName
    for key in ["n", "s", "M", "C", "a", "a"] {
      browser.press(.character(Character(key)))
      #expect(browser.selectedName == name, "\(key)")
    }
  }

  @Test
  func `Going up selects the directory that was left, and going back what was selected there`() {
    var browser = Browser.showing(libraryTree)
    browser.press(.enter, .down)
    let inside = browser.selectedName
    #expect(browser.tree?.path(of: browser.directory) == Array("/usr/lib/google-cloud-sdk".utf8))
    browser.press(.left)
    #expect(browser.selectedName == Array("google-cloud-sdk".utf8))
    browser.press(.down, .up, .right)
    #expect(browser.selectedName == inside)
    browser.press(.backspace, .backspace, .backspace)
    #expect(browser.directory == libraryTree.root)
  }

  @Test func `A refresh keeps directory, order, selection and style`() {
    var browser = Browser.showing(libraryTree)
    browser.press(.enter, .character("n"), .down, .character("t"), .character("c"))
    let name = browser.selectedName
    browser.run(.session(.loaded(libraryTree, revision: 2)))
    #expect(browser.shown.revision == 2)
    #expect(browser.selectedName == name)
    #expect(browser.order.key == .name)
    #expect(browser.mapStyle == .flat && browser.colorKey == .age)
    #expect(browser.tree?.path(of: browser.directory) == Array("/usr/lib/google-cloud-sdk".utf8))
  }

  @Test func `A rescan is one of the directory that is shown, or of everything`() {
    func asked(_ effects: [BrowserEffect]) -> [UInt8]?? {
      guard case .refresh(let path) = effects.first else { return nil }
      return .some(path)
    }
    var browser = Browser.showing(libraryTree)
    #expect(asked(browser.press(.character("r"))) == .some(nil))
    browser.press(.enter)
    #expect(
      asked(browser.press(.character("r"))) == .some(Array("/usr/lib/google-cloud-sdk".utf8))
    )
    #expect(asked(browser.press(.character("R"))) == .some(nil))
    browser.shown.isPartial = true
    #expect(asked(browser.press(.character("r"))) == .some(nil))
    browser.shown.progress = ScanProgress()
    #expect(browser.press(.character("r")).isEmpty)
  }

  @Test func `What a rescan of one directory left unchecked is said`() {
    var browser = Browser.showing(libraryTree)
    var state = ShownState.loaded(libraryTree, revision: 2, checkedAt: testNow)
    state.uncheckedFiles = 1_234
    browser.run(.rescanned(state))
    let screen = browser.surface().text
    #expect(screen.contains("checked just now but for 1,234 files"))
    #expect(screen.contains("Elsewhere 1,234 files went unchecked; R looks at everything."))
    browser.run(.resized(columns: 70, rows: 24))
    #expect(browser.surface().text.contains("just now, 1,234 not"))
  }

  @Test func `When the directory is gone the nearest one above it is shown`() {
    var browser = Browser.showing(libraryTree)
    browser.press(.enter, .enter)
    let smaller = makeTree([.directory("other", [.file("a", size: 1)])], path: "/usr/lib")
    browser.run(.session(.loaded(smaller, revision: 2)))
    #expect(browser.directory == smaller.root)
    #expect(browser.names == ["other"])
  }

  @Test func `A tree is not shown before its kinds are added up, but for the first`() throws {
    var browser = Browser.showing(libraryTree)
    let effects = browser.handle(.session(.loaded(libraryTree, revision: 2)))
    #expect(browser.shown.revision == 1)
    guard case .prepare(let preparation) = effects.first else {
      Issue.record("the tree is to be added up")
      return
    }
    _ = browser.handle(.prepared(try #require(preparation.run())))
    #expect(browser.shown.revision == 2)
    #expect(browser.categories != nil)
  }

  @Test func `A growing tree waits while keys are pressed`() {
    var browser = Browser.showing(libraryTree)
    browser.run(.clock(seconds: testNow, milliseconds: 5_000, spin: 0))
    browser.press(.down)
    var state = ShownState.loaded(libraryTree, revision: 2)
    state.isPartial = true
    browser.run(.session(state))
    #expect(browser.shown.revision == 1)
    browser.run(.clock(seconds: testNow, milliseconds: 5_400, spin: 0))
    #expect(browser.shown.revision == 1)
    browser.run(.clock(seconds: testNow, milliseconds: 5_600, spin: 0))
    #expect(browser.shown.revision == 2)
  }

  @Test func `While a tree grows its largest entry is selected, until somebody chooses another`() {
    func partial(_ sizes: [(String, UInt64)], revision: Int) -> BrowserEvent {
      let tree = makeTree(sizes.map { .file($0.0, size: $0.1) })
      var state = ShownState.loaded(tree, revision: revision)
      state.isPartial = true
      return .session(state)
    }
    var browser = Browser()
    browser.run(partial([("a", 1000)], revision: 1))
    browser.run(.clock(seconds: testNow, milliseconds: 1_000, spin: 0))
    browser.run(partial([("a", 1000), ("b", 2000)], revision: 2))
    #expect(browser.selectedName == Array("b".utf8))
    browser.press(.down)
    browser.run(.clock(seconds: testNow, milliseconds: 2_000, spin: 0))
    browser.run(partial([("a", 1000), ("b", 2000), ("c", 3000)], revision: 3))
    #expect(browser.names == ["c", "b", "a"])
    #expect(browser.selectedName == Array("a".utf8))
  }

  @Test func `Directories that have grown since the last look are marked while the scan goes on`() {
    func partial(_ counts: [String: Int], revision: Int) -> BrowserEvent {
      let names = counts.keys.sorted()
      let tree = makeTree(
        names.map { name in
          .directory(name, (0..<(counts[name] ?? 0)).map { .file("\($0)", size: 512) })
        }
      )
      var state = ShownState.loaded(tree, revision: revision)
      state.isPartial = true
      state.progress = ScanProgress()
      return .session(state)
    }
    func growing(_ browser: Browser) -> [String] {
      let surface = browser.surface()
      return browser.layout.body.compactMap { row in
        surface[row, 1].character == "…"
          ? String(surface.text(row: row).dropFirst(2).prefix(2)) : nil
      }
    }
    var browser = Browser(columns: 100, rows: 20)
    browser.run(partial(["a": 5, "b": 3], revision: 1))
    #expect(growing(browser).isEmpty)
    browser.run(.clock(seconds: testNow, milliseconds: 1_000, spin: 0))
    browser.run(partial(["a": 5, "b": 4, "c": 1], revision: 2))
    #expect(growing(browser) == ["b/", "c/"])
    browser.press(.enter)
    #expect(browser.growing.isEmpty)
    browser.press(.left)
    browser.run(.session(.loaded(makeTree([.directory("a", [])]), revision: 3)))
    #expect(growing(browser).isEmpty)
  }

  @Test func `Information tells the rank, once it is known`() throws {
    var browser = Browser.showing(libraryTree)
    browser.press(.down)
    let effects = browser.handle(.input(.key(.character("i"))))
    guard case .rank(let request, let tree) = effects.first else {
      Issue.record("the rank is to be worked out")
      return
    }
    #expect(!browser.surface().text.contains("Rank"))
    let sizes = libraryTree.directories.dropFirst().map { libraryTree.size(of: $0, .allocated) }
    let size = try #require(browser.selectedRow?.size)
    let larger = sizes.count { $0 > size }
    #expect(request.run(in: tree) == larger)
    browser.run(.ranked(request, larger: larger))
    let words = RankRequest.words(larger: larger)
    #expect(browser.surface().text.contains("\(words) directory below /usr/lib"))
    browser.press(.escape, .down, .character("i"))
    _ = browser.handle(.ranked(request, larger: 9_999))
    #expect(!browser.surface().text.contains("10,000th"))
  }

  @Test(arguments: [
    (0, "largest"), (1, "2nd largest"), (2, "3rd largest"), (3, "4th largest"),
    (10, "11th largest"),
    (11, "12th largest"), (20, "21st largest"), (1_112, "1,113th largest"), (121, "122nd largest"),
  ])
  func `Ranks are said as people say them`(larger: Int, words: String) {
    #expect(RankRequest.words(larger: larger) == words)
  }

  @Test func `The list of marks tells what would be freed, and what other hard links keep`() {
    func file(_ name: String, inode: UInt64, links: UInt32) -> TestEntry {
      .file(Array(name.utf8), size: 8192, inode: inode, links: links)
    }
    let tree = makeTree([
      .directory("d", [file("a", inode: 7, links: 2), file("x", inode: 8, links: 1)]),
      file("z", inode: 7, links: 2),
    ])
    var browser = Browser.showing(tree)
    browser.select(browser.list.index(named: "d".utf8) ?? -1)
    browser.press(.character(" "), .character("m"))
    let text = browser.surface().text
    #expect(text.contains("8.0 KiB would be freed"))
    #expect(text.contains("8.0 KiB would stay: 1 file has another hard link"))
    #expect(text.contains("    /srv/z"))
    browser.press(.escape)
    browser.select(browser.list.index(named: "z".utf8) ?? -1)
    browser.press(.character(" "), .character("m"))
    #expect(browser.surface().text.contains("16.0 KiB would be freed"))
    browser.press(.character("u"))
    #expect(browser.surface().text.contains("8.0 KiB would stay"))
  }

  @Test func `What is marked inside of something marked goes with it`() {
    let tree = makeTree([.directory("d", [.directory("e", [.file("a", size: 1)])])])
    let paths = ["/srv/d", "/srv/d/e", "/srv/d/e/a", "/srv/dd"].map { Array($0.utf8) }
    let removal = Removal(of: paths, isPermanent: true).examined(in: tree).removal
    #expect(removal.targets.map(\.path) == [paths[0]])
  }

  @Test func `A stopped scan leaves what was seen`() {
    var browser = Browser()
    var state = ShownState.loaded(libraryTree)
    state.isPartial = true
    browser.run(.session(state))
    var stopped = ShownState()
    stopped.root = state.root
    browser.run(.session(stopped))
    #expect(browser.tree != nil)
    #expect(browser.shown.isPartial)
  }

  @Test func `Another root begins at its top`() {
    var browser = Browser.showing(libraryTree)
    browser.press(.enter, .down)
    let other = makeTree([.file("a", size: 1)], path: "/other")
    browser.run(.session(.loaded(other, revision: 5)))
    #expect(browser.directory == other.root)
    #expect(browser.names == ["a"])
  }

  @Test func `A search finds names at any depth, the largest first, and leads there`() {
    var browser = Browser.showing(libraryTree)
    browser.type("/FILE-1.")
    guard case .searching(let search) = browser.mode else {
      Issue.record("a search is to be open")
      return
    }
    #expect(search.hits.count == 10)
    #expect(search.hits.map(\.size) == search.hits.map(\.size).sorted(by: >))
    browser.press(.enter)
    #expect(browser.selectedName == Array("file-1.so".utf8))
    #expect(browser.path(ofRow: browser.selected).starts(with: "/usr/lib/chromium".utf8))
    browser.press(.character("n"))
    #expect(browser.path(ofRow: browser.selected).starts(with: "/usr/lib/x86_64".utf8))
  }

  @Test(arguments: [false, true])
  func `Every hit of a search has the path of its entry`(usesPath: Bool) throws {
    func files(_ name: String) -> [TestEntry] {
      (0..<50).map { .file("\(name)\($0 * 7 % 50)", size: UInt64($0 * 13 % 50) * 8192) }
    }
    let tree = makeTree(
      files("a") + [.directory("ab", files("b") + [.directory("ac", files("a"))])]
    )
    let top = try #require(tree.subdirectories(of: tree.root).first)
    for directory in [tree.root, top] {
      let request = Search.Request(
        text: "a",
        usesPath: usesPath,
        directory: directory,
        revision: 1,
        measure: .allocated
      )
      let result = try #require(request.run(in: tree))
      #expect(result.hits.count > 50 && result.hits.count == result.matches)
      let base = tree.path(of: directory) + [UInt8(ascii: "/")]
      for hit in result.hits { #expect(base + hit.path == tree.path(of: hit.id)) }
      #expect(Set(result.hits.map(\.path)).count == result.hits.count)
    }
  }

  @Test func `The result of an older search is dropped`() {
    var browser = Browser.showing(libraryTree)
    browser.type("/a")
    let request = Search.Request(
      text: "older",
      directory: libraryTree.root,
      revision: 1,
      measure: .allocated
    )
    _ = browser.handle(.found(Search.Result(request: request, matches: 99)))
    guard case .searching(let search) = browser.mode else {
      Issue.record("a search is to be open")
      return
    }
    #expect(search.result?.matches != 99)
  }

  @Test func `A filter leaves what meets it, and what is left of directories`() throws {
    var browser = Browser.showing(libraryTree)
    browser.press(.character("f"))
    browser.type("*.so >1M")
    browser.press(.enter)
    #expect(
      browser.names
        == ["google-cloud-sdk", "chromium", "x86_64-linux-gnu"].sorted { one, two in
          let sizes = Dictionary(
            uniqueKeysWithValues: browser.list.rows.indices.map {
              (browser.names[$0], browser.list.rows[$0].size)
            }
          )
          return (sizes[one] ?? 0) > (sizes[two] ?? 0)
        }
    )
    browser.press(.escape)
    #expect(browser.names.count == 14)
  }

  @Test func `A filter that makes no sense is asked for again`() {
    var browser = Browser.showing(libraryTree)
    browser.press(.character("f"))
    browser.type(">many")
    browser.press(.enter)
    guard case .typing(let prompt) = browser.mode else {
      Issue.record("the line is to stay open")
      return
    }
    #expect(prompt.complaint == "'>many' is no pattern, size, age or type")
  }

  @Test func `Quitting asks only when marks would be lost`() {
    var browser = Browser.showing(libraryTree)
    browser.press(.character(" "))
    #expect(browser.press(.character("q")).isEmpty)
    #expect(browser.press(.character("n")).isEmpty)
    browser.press(.character("q"))
    let effects = browser.press(.character("y"))
    guard case .end(.normal) = effects.first else {
      Issue.record("the screen is to end")
      return
    }
  }

  @Test func `In a window that is too small only quitting works`() {
    var browser = Browser.showing(libraryTree, columns: 18, rows: 3)
    #expect(browser.press(.down).isEmpty)
    #expect(browser.selected == 0)
    guard case .end(.normal) = browser.press(.character("q")).first else {
      Issue.record("the screen is to end")
      return
    }
  }

  @Test func `What was removed is gone at once, and does not come back while the scan goes on`()
    throws
  {
    var browser = Browser.showing(libraryTree)
    browser.press(.character("D"))
    browser.type("delete 155")
    guard case .remove(let removal, let tree) = browser.press(.enter).first else {
      Issue.record("the entry is to be removed")
      return
    }
    var outcome = Removal.Outcome(
      isPermanent: true,
      progress: Removal.Progress(),
      failures: [],
      wasStopped: false,
      tree: tree.removing(removal.targets.map(\.id))
    )
    outcome.progress.items = 155
    _ = browser.handle(.removed(outcome))
    #expect(browser.names.first == "x86_64-linux-gnu")
    let total = browser.tree?.size(of: libraryTree.root, .allocated)
    let removed = libraryTree.size(of: DirectoryID(3), .allocated)
    #expect(libraryTree.name(of: DirectoryID(3)).elementsEqual("google-cloud-sdk".utf8))
    #expect(total == libraryTree.size(of: libraryTree.root, .allocated) - removed)
    var refreshing = ShownState.loaded(libraryTree)
    refreshing.progress = ScanProgress()
    browser.run(.session(refreshing))
    #expect(browser.names.first == "x86_64-linux-gnu")
    browser.run(.session(.loaded(libraryTree, revision: 2)))
    #expect(browser.names.first == "google-cloud-sdk")
  }

  @Test(arguments: ["delete 156", "delete", "DELETE 155", "155", ""])
  func `Anything but the very words removes nothing`(words: String) {
    var browser = Browser.showing(libraryTree)
    browser.press(.character("D"))
    browser.type(words)
    #expect(browser.press(.enter).isEmpty)
    guard case .box(.confirm) = browser.mode else {
      Issue.record("the question is to stay")
      return
    }
  }

  @Test func `A click selects, a double click opens, and a right click goes up`() {
    var browser = Browser.showing(libraryTree)
    let click = InputEvent.mouse(MouseEvent(kind: .press, row: 4, column: 10))
    browser.run(.input(click))
    #expect(browser.selected == 1)
    browser.run(.clock(seconds: testNow, milliseconds: 2_000, spin: 0))
    browser.run(.input(click))
    #expect(browser.directory == libraryTree.root)
    browser.run(.clock(seconds: testNow, milliseconds: 2_200, spin: 0))
    browser.run(.input(click))
    #expect(browser.directory != libraryTree.root)
    browser.run(.input(.mouse(MouseEvent(kind: .secondaryPress, row: 9, column: 9))))
    #expect(browser.directory == libraryTree.root)
  }

  @Test(arguments: [40, 60, 80, 100, 250])
  func `However long the root's path is, the title tells where one is, and a click goes there`(
    columns: Int
  ) throws {
    let inside = [TestEntry.directory("middle", [.directory("inner", [.file("f", size: 9)])])]
    let root = "/srv/" + String(repeating: "long", count: 50)
    var browser = Browser.showing(makeTree(inside, path: root), columns: columns)
    browser.press(.enter, .enter)
    let title = browser.surface().text(row: 0)
    #expect(title.contains(columns < 80 ? "› inner " : " › middle › inner "))
    #expect(title.hasPrefix(" /srv/"))
    let separator = try #require(title.firstRange(of: " › ")?.lowerBound)
    let column = title.distance(from: title.startIndex, to: separator) - 1
    browser.run(.input(.mouse(MouseEvent(kind: .press, row: 0, column: column))))
    #expect(browser.tree?.path(of: browser.directory) == Array(root.utf8))
  }

  @Test func `A click on the legend shows one kind of files, and another one all again`() throws {
    var browser = Browser.showing(libraryTree, columns: 120, rows: 36)
    browser.prepareMap(isOutlined: false)
    let row = try #require(browser.layout.legendRow)
    let text = browser.surface().text(row: row)
    let start = try #require(text.firstRange(of: "■ Archive")?.lowerBound)
    let column = text.distance(from: text.startIndex, to: start) + 3
    let click = InputEvent.mouse(MouseEvent(kind: .press, row: row, column: column))
    let all = browser.names
    browser.run(.input(click))
    #expect(browser.filter?.text == "type:archive")
    #expect(browser.names.contains("image.iso") && !browser.names.contains("chromium"))
    browser.run(.clock(seconds: testNow, milliseconds: 9_000, spin: 0))
    browser.run(.input(click))
    #expect(browser.names == all)
    browser.press(.character("c"))
    browser.prepareMap(isOutlined: false)
    browser.run(.input(click))
    #expect(browser.filter == nil)
  }

  @Test func `A click in the map selects the row of the tile`() throws {
    var browser = Browser.showing(libraryTree)
    browser.prepareMap(isOutlined: false)
    let map = try #require(browser.map)
    let columns = try #require(browser.layout.mapColumns)
    for (index, tile) in map.tiles.enumerated().dropFirst() where tile.depth == 1 {
      guard tile.height >= 2, let id = tile.row else { continue }
      let event = MouseEvent(
        kind: .press,
        row: browser.layout.mapRows.lowerBound + tile.y0 / 2,
        column: columns.lowerBound + tile.x0
      )
      browser.run(.input(.mouse(event)))
      #expect(browser.selectedRow?.id == id)
      #expect(map.topTile(of: id) == index)
    }
  }
}
