import PlatTestSupport
import PlatTree
import Testing

struct PartialTreeTests {
  @Test(arguments: 0..<60)
  func `No number of a partial tree is less than before, nor greater than in the end`(
    seed: Int
  ) throws {
    var generator = SplitMix64(seed: UInt64(3000 + seed))
    var model = ModelTree.random(directories: [3, 20, 60][seed % 3], using: &generator)
    model.countLinks()
    let deliveries = model.deliveries(using: &generator).shuffled(using: &generator)
    var builder = FileTree.Builder(rootPath: model.name)
    var before: [[UInt8]: Numbers] = [:]
    for part in deliveries.randomParts(longest: 9, using: &generator) {
      builder.insert(FileTree.Batch(part))
      guard let tree = builder.detached().makePartialTree() else { continue }
      #expect(tree.brokenInvariants() == [])
      let now = numbers(tree)
      for (path, numbers) in before {
        #expect(try #require(now[path]).isAtLeast(numbers))
      }
      before = now
    }
    let complete = builder.makeTree()
    #expect(complete == model.makeTree())
    let now = numbers(complete)
    for (path, numbers) in before { #expect(try #require(now[path]).isAtLeast(numbers)) }
    // Here every name of a file is in the tree, so the last part has all there is.
    if !before.isEmpty { #expect(before[model.name]?.totals == now[model.name]?.totals) }
  }

  @Test func `A hard link counts when its last name is there, and stays where it is charged`() {
    let name = NamedEntry("f", .file(size: 4096, inode: 7, linkCount: 2))
    let details = ModelTree("").details
    var builder = FileTree.Builder(rootPath: Array("/top".utf8))
    builder.insert(
      FileTree.Batch([
        .directory(0, details, []),
        .subdirectories(of: 0, first: 1, names: ["a", "b"].map { Array($0.utf8) }),
        .directory(2, details, [name]),
      ])
    )
    let early = builder.detached().makePartialTree()
    #expect(early?.totals(of: DirectoryID(1)).allocatedSize == 4096)
    #expect(early?.totals(of: DirectoryID(1)).files == 1)
    #expect(early?.isCountedElsewhere(EntryID(DirectoryID(1), ordinal: 0)) == true)

    builder.insert(FileTree.Batch([.directory(1, details, [name])]))
    let late = builder.detached().makePartialTree()
    #expect(late?.totals(of: DirectoryID(1)).apparentSize == 4096)
    #expect(late?.totals(of: DirectoryID(2)).apparentSize == 0)
    #expect(late?.brokenInvariants() == [])
  }

  @Test func `A hard link that has names elsewhere counts in the end`() {
    let name = NamedEntry("f", .file(size: 4096, inode: 7, linkCount: 2))
    var builder = FileTree.Builder(rootPath: Array("/top".utf8))
    builder.insert(FileTree.Batch([.directory(0, ModelTree("").details, [name])]))
    #expect(builder.detached().makePartialTree()?.totals(of: DirectoryID(0)).apparentSize == 0)
    #expect(builder.makeTree().totals(of: DirectoryID(0)).apparentSize == 4096)
  }

  @Test func `Without its top there is no partial tree`() {
    var builder = FileTree.Builder(rootPath: Array("/top".utf8))
    builder.insert(FileTree.Batch([.directory(1, ModelTree("").details, [])]))
    #expect(builder.makePartialTree() == nil)
  }

  @Test func `A partial tree that nobody wants any more is given up, wherever that shows`() {
    var generator = SplitMix64(seed: 1)
    let model = ModelTree.random(directories: 60, using: &generator)
    var builder = FileTree.Builder(rootPath: model.name)
    builder.insert(FileTree.Batch(model.deliveries(using: &generator)))
    var questions = 0
    let tree = builder.detached().makePartialTree {
      questions += 1
      return false
    }
    #expect(tree != nil)
    #expect(questions > 20)
    for limit in 1...questions {
      var asked = 0
      let tree = builder.detached().makePartialTree {
        asked += 1
        return asked == limit
      }
      #expect(tree == nil)
      #expect(asked == limit)
    }
  }

  private func numbers(_ tree: FileTree) -> [[UInt8]: Numbers] {
    var numbers: [[UInt8]: Numbers] = [:]
    for directory in tree.directories {
      numbers[tree.path(of: directory)] = Numbers(
        totals: tree.totals(of: directory),
        newestModification: tree.newestModification(of: directory)
      )
    }
    return numbers
  }
}

private struct Numbers {
  var totals: Totals
  var newestModification: Int64

  func isAtLeast(_ other: Numbers) -> Bool {
    totals.allocatedSize >= other.totals.allocatedSize
      && totals.apparentSize >= other.totals.apparentSize && totals.files >= other.totals.files
      && totals.directories >= other.totals.directories
      && totals.symbolicLinks >= other.totals.symbolicLinks
      && totals.others >= other.totals.others && newestModification >= other.newestModification
  }
}

extension ModelTree {
  /// Gives every file that has several names as many links as it has names in the tree.
  fileprivate mutating func countLinks() {
    var counts: [[UInt64]: UInt32] = [:]
    for (_, directory, _) in canonicalOrder {
      for named in directory.entries where named.entry.linkCount > 1 {
        counts[[directory.details.device, named.entry.inode], default: 0] += 1
      }
    }
    setLinks(counts)
  }

  private mutating func setLinks(_ counts: [[UInt64]: UInt32]) {
    for index in entries.indices where entries[index].entry.linkCount > 1 {
      // A name in a directory that vanished is not there either.
      entries[index].entry.linkCount = counts[[details.device, entries[index].entry.inode]] ?? 1
    }
    for index in subdirectories.indices { subdirectories[index].setLinks(counts) }
  }
}
