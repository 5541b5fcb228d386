import PlatTestSupport
import PlatTree
import Testing

struct EntryPathTests {
  @Test(arguments: 0..<20)
  func `Every entry is found by the names that lead to it`(seed: Int) {
    var generator = SplitMix64(seed: UInt64(4000 + seed))
    let tree = ModelTree.random(directories: 30, using: &generator).makeTree()
    for directory in tree.directories {
      let entries =
        [EntryID(directory)]
        + tree.listing(of: directory).namedEntries.indices.map { EntryID(directory, ordinal: $0) }
      for entry in entries {
        #expect(tree.nearestEntry(to: tree.entryPath(of: entry)) == entry)
      }
    }
  }

  @Test(arguments: [
    ([], "/top"), (["a"], "/top/a"), (["a", "f"], "/top/a/f"), (["a", "g"], "/top/a"),
    (["a", "f", "x"], "/top/a"), (["x", "a"], "/top"), (["a", "b", "c"], "/top/a/b"),
    (["a", ""], "/top/a"),
  ])
  func `What is gone leads to the nearest directory that is left`(names: [String], path: String) {
    let tree = ModelTree(
      "/top",
      [],
      [ModelTree("a", [NamedEntry("f", .file())], [ModelTree("b")])]
    ).makeTree()
    let entry = tree.nearestEntry(to: EntryPath(names.map { Array($0.utf8) }))
    #expect(tree.path(of: entry) == Array(path.utf8))
  }

  @Test func `The top of a group holds roots whose names have slashes`() {
    var group = ModelTree("", [], [ModelTree("/srv/b", [], [ModelTree("c")]), ModelTree("/srv/a")])
    group.details.flags = .isGroup
    let tree = group.makeTree()
    let entry = EntryID(DirectoryID(3))
    #expect(tree.entryPath(of: entry) == EntryPath(["/srv/b", "c"].map { Array($0.utf8) }))
    #expect(tree.nearestEntry(to: tree.entryPath(of: entry)) == entry)
  }
}
