import PlatTree
import Testing

struct PathTests {
  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  private var tree: FileTree {
    ModelTree(
      "/srv/data",
      [NamedEntry("file", .file()), NamedEntry("also", .file())],
      [ModelTree("a", [], [ModelTree("b c"), ModelTree("b")]), ModelTree("a-b"), ModelTree("z")]
    ).makeTree()
  }

  @Test func `A directory is found at its path`() {
    let tree = tree
    for directory in tree.directories {
      #expect(tree.directory(atPath: tree.path(of: directory)) == directory)
    }
    #expect(
      tree.directory(atPath: bytes("//srv/data//a/"))
        == tree.directory(atPath: bytes("/srv/data/a"))
    )
  }

  @Test(arguments: [
    "/srv", "/srv/data/file", "/srv/data/aa", "/srv/data/a/b/c", "/", "/srv/datax", "",
  ])
  func `No directory is found elsewhere`(path: String) {
    #expect(tree.directory(atPath: bytes(path)) == nil)
  }

  @Test func `The path of an entry ends in its name`() {
    let tree = tree
    #expect(tree.path(of: EntryID(tree.root, ordinal: 0)) == bytes("/srv/data/also"))
    #expect(tree.path(of: EntryID(tree.root, ordinal: 1)) == bytes("/srv/data/file"))
    #expect(tree.path(of: EntryID(tree.root)) == bytes("/srv/data"))
  }

  @Test func `Paths below the root directory have one slash`() {
    let tree = ModelTree("/", [NamedEntry("f", .file())], [ModelTree("d")]).makeTree()
    #expect(tree.path(of: DirectoryID(1)) == bytes("/d"))
    #expect(tree.path(of: EntryID(tree.root, ordinal: 0)) == bytes("/f"))
    #expect(tree.directory(atPath: bytes("/d")) == DirectoryID(1))
    #expect(tree.directory(atPath: bytes("/")) == tree.root)
  }

  @Test func `A group of roots is not on disk`() {
    var group = ModelTree(
      "",
      [NamedEntry("/etc/hosts", .file(size: 3))],
      [ModelTree("/srv/b", [], [ModelTree("c")]), ModelTree("/srv/a")]
    )
    group.details = DirectoryDetails()
    group.details.flags = .isGroup
    let tree = group.makeTree()
    #expect(tree.isGroup)
    #expect(tree.brokenInvariants() == [])
    #expect(tree.totals(of: tree.root).directories == 3)
    #expect(tree.totals(of: tree.root).allocatedSize == 3 * 4096 + 4096)
    #expect(tree.ownTotals(of: tree.root).directories == 0)
    #expect(
      tree.directories.map { tree.path(of: $0) } == ["", "/srv/a", "/srv/b", "/srv/b/c"].map(bytes)
    )
    #expect(tree.path(of: EntryID(tree.root, ordinal: 0)) == bytes("/etc/hosts"))
    #expect(tree.directory(atPath: bytes("/srv/b/c")) == DirectoryID(3))
    #expect(tree.directory(atPath: bytes("/srv")) == nil)
  }

  @Test func `A tree that differs in one thing is another tree`() {
    let tree = tree
    var changed = ModelTree("/srv/data", [NamedEntry("file", .file())])
    let base = changed.makeTree()
    #expect(base != tree)
    changed.entries[0].entry.changeTime += 1
    #expect(base != changed.makeTree())
    changed.entries[0].entry.changeTime -= 1
    #expect(base == changed.makeTree())
    changed.details.changeTime += 1
    #expect(base != changed.makeTree())
    changed.details.changeTime -= 1
    changed.details.owner = 1
    #expect(base != changed.makeTree())
    changed.details.owner = 0
    changed.details.device = 2
    #expect(base != changed.makeTree())
  }
}
