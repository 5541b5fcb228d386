import PlatTree
import Testing

@testable import PlatTerminal

struct PathCompletionTests {
  @Test(arguments: [
    ("/usr/l", ["lib", "lib32", "libexec"], "/usr/lib"), ("/usr/lib", ["lib"], "/usr/lib/"),
    ("/usr/", ["bin", "lib"], "/usr/"), ("sr", ["src"], "src/"), ("/x", [], "/x"),
    ("/", [".git", "a"], "/a/"), ("/.", [".git", ".x"], "/."),
    // The two begin with the same byte.
    ("/a/", ["é", "è"], "/a/"),
  ])
  func `A path is completed as far as all names agree`(
    path: String,
    names: [String],
    completed: String
  ) {
    let names = names.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
    let completion = PathCompletion(of: Array(path.utf8), among: names)
    #expect(String(decoding: completion.completed, as: UTF8.self) == completed)
  }

  /// A browser that asks for a root, with its line typed anew.
  private func asking(_ line: String) -> Browser {
    var browser = Browser.showing(libraryTree)
    browser.press(.character("o"), .control("u"))
    browser.type(line)
    return browser
  }

  private func prompt(of browser: Browser) -> Prompt? {
    if case .typing(let prompt) = browser.mode { prompt } else { nil }
  }

  @Test func `Tab asks for the directories of the disk elsewhere, and a line typed since stays`() {
    var browser = asking("/da")
    guard case .complete(let path) = browser.press(.tab).first else {
      Issue.record("the disk is to be asked")
      return
    }
    let completion = PathCompletion(of: path, among: [Array("data".utf8)])
    var typing = browser
    typing.type("x")
    typing.run(.completed(completion))
    #expect(prompt(of: typing)?.line == Array("/dax".utf8))
    browser.run(.completed(completion))
    #expect(prompt(of: browser)?.line == Array("/data/".utf8))
    guard case .open(let root) = browser.press(.enter).first else {
      Issue.record("the root is to be opened")
      return
    }
    #expect(root == Array("/data/".utf8))
    browser.run(.completed(completion))
    #expect(prompt(of: browser) == nil)
  }

  @Test func `Where names differ they are shown, escaped, and where there is none that is said`() {
    var browser = asking("/")
    let names: [[UInt8]] = [Array("a\u{1B}[31m".utf8), Array("b".utf8), [0x63, 0xFF]]
    browser.run(.completed(PathCompletion(of: [0x2F], among: names)))
    #expect(browser.surface().text.contains(#"$'a\033[31m'  b  $'c\377'"#))
    browser.type("z")
    #expect(prompt(of: browser)?.choices == nil)
    browser.run(.completed(PathCompletion(of: Array("/z".utf8), among: [])))
    #expect(browser.surface().text.contains("No directory begins so."))
  }

  @Test func `Behind a path that fills the line the names are shown, too`() {
    let path = "/" + String(repeating: "long/", count: 50)
    var browser = asking(path)
    let names = ["first", "second"].map { Array($0.utf8) }
    browser.run(.completed(PathCompletion(of: Array(path.utf8), among: names)))
    #expect(browser.surface().text.contains("/▏  first  second"))
    browser.type("z")
    browser.run(.completed(PathCompletion(of: Array((path + "z").utf8), among: [])))
    #expect(browser.surface().text.contains("/z▏  No directory begins so."))
  }

  @Test func `A name that is no text is kept byte by byte, shown escaped, and can be edited`() {
    var browser = asking("/")
    let name: [UInt8] = [0x61, 0xFF, 0xC3, 0xA9, 0xC3]
    browser.run(.completed(PathCompletion(of: [0x2F], among: [name])))
    let line = [0x2F] + name + [0x2F]
    #expect(prompt(of: browser)?.line == line)
    #expect(browser.surface().text.contains(#"\377é\303/"#))
    for length in [6, 5, 3, 2, 1, 0, 0] {
      browser.press(.backspace)
      #expect(prompt(of: browser)?.line == Array(line.prefix(length)))
    }
  }

  @Test func `The root that is shown can be edited, whatever its name is`() {
    var state = ShownState.loaded(makeTree([.file("a", size: 1)]))
    state.root = Array("/srv/".utf8) + [0xFE]
    var browser = Browser()
    browser.run(.session(state))
    browser.press(.character("o"))
    #expect(prompt(of: browser)?.line == state.root)
    browser.press(.control("w"))
    #expect(prompt(of: browser)?.line == Array("/srv/".utf8))
  }

  @Test func `A character of many scalars goes with one key`() {
    #expect(edited(Array("a👨‍👩‍👧‍👦".utf8), .key(.backspace)) == Array("a".utf8))
    #expect(edited("e\u{301}", .key(.backspace)) == "")
    #expect(edited("/usr/lib/", .key(.control("w"))) == "/usr/")
    #expect(edited("写", .paste("真")) == "写真")
  }
}
