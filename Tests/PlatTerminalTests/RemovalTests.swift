import PlatTree
import Testing

@testable import PlatTerminal

struct RemovalTests {
  @Test func `Entries are found by their paths, all at once`() {
    let tree = libraryTree
    var paths: [[UInt8]] = []
    var ids: [EntryID?] = []
    for directory in tree.directories {
      paths.append(tree.path(of: directory))
      ids.append(EntryID(directory))
      var cursor = tree.listing(of: directory).makeCursor()
      while cursor.advance() {
        ids.append(EntryID(directory, ordinal: cursor.ordinal))
        paths.append(tree.path(of: directory) + [UInt8(ascii: "/")] + cursor.name)
        // Nothing is below a file, and no name is only a part of another.
        paths += [paths[paths.count - 1] + Array("/x".utf8), paths[paths.count - 1] + [0x7E]]
        ids += [nil, nil]
      }
    }
    let found = tree.entries(atPaths: paths)
    #expect(found.map { $0?.id } == ids)
    let linked = paths.firstIndex(of: Array("/usr/lib/hard".utf8))
    #expect(linked.flatMap { found[$0]?.entry.linkCount } == 3)
  }

  @Test(arguments: ["d", "D", "m"])
  func `A key that asks about marks looks none of them up on the thread of the screen`(
    key: Character
  )
    throws
  {
    let count = 5000
    var browser = Browser.showing(
      makeTree((0..<count).map { .file("file-\($0)", size: 512) } + [.directory("d", [])])
    )
    for index in 0..<count { browser.marks.toggle(mark("/srv/file-\(index)")) }
    let effects = browser.handle(.input(.key(.character(key))))
    guard case .estimate(let asked, let tree) = effects.first else {
      Issue.record("what is marked is to be looked up elsewhere")
      return
    }
    #expect(asked.targets.isEmpty && asked.estimate == nil)
    #expect(browser.surface().text.contains(key == "m" ? "Marked: 5000" : "5,000 entries"))
    browser.run(.estimated(asked.examined(in: tree)))
    #expect(browser.surface().text.contains(key == "D" ? "delete 5000" : "MiB"))
  }

  @Test func `A yes that comes before the entries were looked up holds`() throws {
    var browser = Browser.showing(libraryTree)
    guard case .estimate(let asked, let tree) = browser.handle(.input(.key(.character("d")))).first
    else {
      Issue.record("the entry is to be looked up")
      return
    }
    #expect(browser.handle(.input(.key(.character("y")))).isEmpty)
    let effects = browser.handle(.estimated(asked.examined(in: tree)))
    guard case .remove(let removal, _) = effects.first else {
      Issue.record("the entry is to be moved")
      return
    }
    #expect(removal.targets.map(\.path) == [Array("/usr/lib/google-cloud-sdk".utf8)])
    #expect(!removal.isPermanent)
  }

  @Test func `What was looked up for another question is dropped`() throws {
    var browser = Browser.showing(libraryTree)
    guard case .estimate(let asked, let tree) = browser.handle(.input(.key(.character("D")))).first
    else {
      Issue.record("the entry is to be looked up")
      return
    }
    _ = browser.handle(.input(.key(.escape)))
    _ = browser.handle(.input(.key(.down)))
    _ = browser.handle(.input(.key(.character("D"))))
    _ = browser.handle(.estimated(asked.examined(in: tree)))
    guard case .box(.confirm(let removal, _)) = browser.mode else {
      Issue.record("the second question is to be open")
      return
    }
    #expect(removal.estimate == nil)
  }

  @Test func `The root of the scan stays, and what was left out of the scan is not there`() {
    let tree = makeTree([.file("a", size: 1)])
    func objection(_ path: String) -> String? {
      Removal(of: [Array(path.utf8)], isPermanent: true).examined(in: tree).objection
    }
    #expect(objection("/srv") == "This is the root of the scan.")
    #expect(objection("/srv/b") == "It was left out of the scan; r looks again.")
    #expect(objection("/srv/a") == nil)
    var browser = Browser.showing(tree)
    browser.marks.toggle(mark("/srv/b"))
    browser.press(.character("D"))
    #expect(browser.message == "It was left out of the scan; r looks again.")
  }

  @Test func `Marks of what is gone are gone, and all below`() {
    var marks = MarkList()
    for path in ["/a", "/a/b", "/ab", "/c/d/e", "/f"] { marks.toggle(mark(path)) }
    marks.remove(atOrBelow: [Array("/a".utf8), Array("/c".utf8)])
    #expect(marks.marks.map { String(decoding: $0.path, as: UTF8.self) } == ["/ab", "/f"])
    #expect(!marks.contains(Array("/a/b".utf8)) && marks.contains(Array("/f".utf8)))
  }

  private func mark(_ path: String) -> MarkList.Mark {
    MarkList.Mark(path: Array(path.utf8), isDirectory: false, size: 512)
  }
}
