import PlatTree
import Testing

struct HardLinkChargeTests {
  private let link = ListingEntry.file(size: 1000, blocks: 2, inode: 7, linkCount: 3)

  @Test func `The name on the highest level is charged, then the first`() {
    // "a-" is after "a" as a name; "a-/x" is before "a/x" as a path.
    let deep = ModelTree("a", [], [ModelTree("0", [NamedEntry("0", link)])])
    let tree = ModelTree(
      "/top",
      [],
      [
        deep, ModelTree("a-", [NamedEntry("x", link), NamedEntry("w", link)]),
        ModelTree("b", [NamedEntry("x", link)]),
      ]
    ).makeTree()
    let sizes = tree.subdirectories(of: tree.root).map { tree.totals(of: $0).apparentSize }
    #expect(sizes == [0, 1000, 0])
    #expect(tree.totals(of: tree.root).apparentSize == 1000)
    #expect(tree.totals(of: tree.root).files == 4)
    #expect(!tree.isCountedElsewhere(EntryID(DirectoryID(2), ordinal: 0)))
    #expect(tree.isCountedElsewhere(EntryID(DirectoryID(2), ordinal: 1)))
    #expect(tree.countedElsewhereCount == 3)
  }

  @Test func `Equal inode numbers on two file systems are two files`() {
    var other = ModelTree("m", [NamedEntry("x", link)])
    other.details.device = 2
    let tree = ModelTree("/top", [NamedEntry("x", link)], [other]).makeTree()
    #expect(tree.totals(of: tree.root).apparentSize == 2000)
    #expect(tree.countedElsewhereCount == 0)
  }

  @Test func `Equal inode numbers with one link are two files`() {
    var single = link
    single.linkCount = 1
    let tree = ModelTree("/top", [NamedEntry("x", single), NamedEntry("y", single)]).makeTree()
    #expect(tree.totals(of: tree.root).apparentSize == 2000)
  }

  /// The sum of all names does not fit, and the sum of all inodes does.
  @Test func `Names that are not charged do not fill up a sum`() {
    var huge = link
    huge.size = .max - 10
    huge.blocks = 1 << 54
    let tree = ModelTree(
      "/top",
      [NamedEntry("x", huge), NamedEntry("y", huge), NamedEntry("z", .file(size: 10, blocks: 1))]
    ).makeTree()
    #expect(tree.totals(of: tree.root).apparentSize == .max)
    #expect(tree.totals(of: tree.root).allocatedSize == UInt64(1 << 54 + 9) * 512)
    #expect(tree.brokenInvariants() == [])
    #expect(tree.ownTotals(of: tree.root).allocatedSize == UInt64(1 << 54 + 1) * 512)
  }

  @Test func `Own totals are right where a sum has no room`() {
    let huge = NamedEntry("h", .file(size: .max, blocks: .max))
    let small = NamedEntry("s", .file(size: 10, blocks: 1))
    let tree = ModelTree("/top", [small], [ModelTree("d", [huge])]).makeTree()
    #expect(tree.totals(of: tree.root).allocatedSize == .max)
    #expect(tree.ownTotals(of: tree.root).allocatedSize == 512)
    #expect(tree.ownTotals(of: tree.root).apparentSize == 10)
    #expect(tree.ownTotals(of: DirectoryID(1)).allocatedSize == .max)
    #expect(tree.brokenInvariants() == [])
  }
}
