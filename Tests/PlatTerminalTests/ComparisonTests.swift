import PlatTree
import Testing

@testable import PlatTerminal

struct ComparisonTests {
  private static func file(_ name: String, _ size: UInt64, inode: UInt64) -> TestEntry {
    .file(Array(name.utf8), size: size, inode: inode)
  }

  private static func directory(
    _ name: String,
    inode: UInt64,
    _ entries: [TestEntry]
  ) -> TestEntry {
    .directory(Array(name.utf8), entries, inode: inode)
  }

  private static var moving: [TestEntry] {
    [file("x", 4096, inode: 20), file("y", 4096, inode: 21)]
  }
  private static let before = makeTree([
    directory("kept", inode: 10, [file("a", 4096, inode: 22), file("gone", 8192, inode: 23)]),
    directory("was", inode: 11, moving),
    directory("old", inode: 12, [file("1", 512, inode: 24), file("2", 512, inode: 25)]),
  ])
  private static let after = makeTree([
    directory(
      "kept",
      inode: 10,
      [
        file("a", 4096, inode: 22), file("new", 512, inode: 26), file("newer", 512, inode: 27),
        directory("is", inode: 11, moving),
      ]
    ),
    directory("kept too", inode: 13, [file("z", 512, inode: 28)]),
  ])

  /// The newer tree, compared with the older one.
  private func comparing(columns: Int = 150, rows: Int = 30) -> Browser {
    var browser = Browser.showing(Self.after, columns: columns, rows: rows)
    browser.press(.character("x"))
    browser.run(.snapshot(.snapshot(tree: Self.before, takenAt: testNow - 14 * 86_400)))
    return browser
  }

  @Test func `What was added, removed and moved is counted, here and below`() {
    var browser = comparing()
    // Whole directories are one each.
    #expect(browser.surface().text.contains("net · 3 added, 2 removed, 1 moved"))
    browser.select(browser.list.index(named: "kept".utf8) ?? -1)
    browser.press(.enter)
    #expect(browser.surface().text.contains("net · 2 added, 1 removed, 1 moved"))
    browser.press(.left)
    browser.select(browser.list.index(named: "kept too".utf8) ?? -1)
    browser.press(.enter)
    #expect(browser.surface().text.contains("net · 0 added, 0 removed, 0 moved"))
  }

  @Test func `Counts are those of the tool that lists differences`() {
    let entries = ComparedEntries(
      ComparedEntries.Request(takenAt: 0, revision: 1, measure: .allocated),
      from: Self.before,
      to: Self.after
    )
    let diff = TreeDiff(
      from: (Self.before, Self.before.root),
      to: (Self.after, Self.after.root)
    )
    let counts = entries.counts(below: Array("/srv".utf8))
    for (kind, count) in [
      (TreeDiff.Change.Kind.added, counts.added), (.removed, counts.removed),
      (.moved, counts.moved),
    ] {
      #expect(diff.changes.count { $0.kind == kind } == count, "\(kind)")
    }
    #expect(entries.counts(below: Array("/sr".utf8)) == ComparedEntries.Counts())
    #expect(entries.counts(below: Array("/".utf8)) == counts)
  }

  @Test func `Rows say what came, what went, and what is elsewhere`() throws {
    func flags(_ browser: Browser, _ theme: ScreenTheme) -> [Character: String] {
      let surface = browser.surface(theme)
      var flags: [Character: String] = [:]
      for row in browser.layout.body {
        let index = row - browser.layout.body.lowerBound
        guard browser.list.rows.indices.contains(index) else { break }
        flags[surface[row, 1].character, default: ""] += browser.names[index] + " "
      }
      return flags
    }
    var browser = comparing()
    #expect(
      flags(browser, ScreenTheme(depth: .full))
        == ["+": "kept too ", "-": "old ", "→": "was ", " ": "kept "]
    )
    browser.select(try #require(browser.list.index(named: "kept".utf8)))
    browser.press(.enter)
    #expect(
      flags(browser, ScreenTheme(depth: .none, glyphs: .ascii))
        == [">": "is ", "+": "new newer ", "-": "gone "]
    )
  }

  @Test func `Another size, another tree and another snapshot are compared anew`() {
    func isAsked(_ effects: [BrowserEffect]) -> Bool {
      effects.contains { if case .compare = $0 { true } else { false } }
    }
    var browser = comparing()
    #expect(!isAsked(browser.compareEntries()))
    #expect(isAsked(browser.handle(.input(.key(.character("a"))))))
    browser = comparing()
    let older = Comparison.Loaded.snapshot(tree: Self.after, takenAt: 5)
    #expect(isAsked(browser.handle(.snapshot(older))))
    // What was found of another pair is of no use.
    let stale = ComparedEntries.Request(takenAt: 6, revision: 1, measure: .allocated)
    _ = browser.handle(.compared(ComparedEntries(stale, from: Self.before, to: Self.after)))
    #expect(browser.comparison?.entries == nil)
  }
}
