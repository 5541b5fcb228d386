import PlatTestSupport
import Testing

@testable import PlatTree

/// Trees whose listings are packed, as stores deliver them.
struct StoredListingTests {
  @Test(arguments: 0..<40)
  func `A tree of a store is the tree that was stored`(seed: Int) {
    var generator = SplitMix64(seed: UInt64(7000 + seed))
    let size = [1, 8, 40, 120][seed % 4]
    let model = ModelTree.random(directories: size, using: &generator)
    let tree = (seed % 2 == 0 ? model : model.plain).makeTree()
    let stored = tree.storedCopy()
    #expect(stored == tree)
    #expect(stored.brokenInvariants() == [])
    for directory in tree.directories {
      #expect(stored.totals(of: directory) == tree.totals(of: directory))
      #expect(stored.ownTotals(of: directory) == tree.ownTotals(of: directory))
      #expect(stored.newestModification(of: directory) == tree.newestModification(of: directory))
      #expect(stored.hasEntries(directory) == tree.hasEntries(directory))
      #expect(stored.hasSameListing(directory, as: tree, directory))
      #expect(stored.hasSameListing(directory, as: stored, directory))
    }
    let part = tree.directories[tree.directoryCount / 2]
    #expect(stored.subtree(part) == tree.subtree(part))
    #expect(stored.subtree(part).brokenInvariants() == [])
  }

  @Test(arguments: 0..<40)
  func `Where a tree tells when a file changed last, it tells all that a fast scan asks`(
    seed: Int
  ) {
    var generator = SplitMix64(seed: UInt64(7100 + seed))
    let model = ModelTree.random(directories: 60, using: &generator)
    let isPlain = seed % 2 == 0
    let tree = (isPlain ? model.plain : model).makeTree().storedCopy()
    var known = 0
    for directory in tree.directories {
      guard let change = tree.fileChange(in: directory) else { continue }
      known += 1
      let entries = tree.listing(of: directory).namedEntries.map(\.entry)
      #expect(entries.allSatisfy { $0.linkCount == 1 })
      #expect(entries.allSatisfy { $0.kind == .file || $0.allocatedSize == 0 })
      let files = entries.filter { $0.kind == .file }
      #expect(files.allSatisfy { max($0.modificationTime, $0.changeTime) <= change })
    }
    #expect(known > 0 || !isPlain)
  }

  @Test func `Removing entries of packed listings is removing them of any`() {
    var generator = SplitMix64(seed: 72)
    for _ in 0..<20 {
      let tree = ModelTree.random(directories: 30, using: &generator).makeTree()
      let entries = tree.directories.compactMap { directory -> EntryID? in
        let count = tree.listing(of: directory).count
        guard count > 0, generator.oneIn(3) else { return nil }
        return EntryID(directory, ordinal: Int.random(in: 0..<count, using: &generator))
      }
      #expect(tree.storedCopy().removing(entries) == tree.removing(entries))
    }
  }

  /// A codec that cannot unpack anything.
  private struct BrokenCodec: ListingCodec {
    func unpack(_ bytes: ArraySlice<UInt8>) -> [UInt8]? { nil }
  }

  @Test func `An entry whose name is damaged has an empty one`() {
    var tree = ModelTree("/top", [NamedEntry("f", .file(size: 9))]).makeTree()
    // Before the letter and the checksum there is how long the name is.
    let place = tree.chunks[0].bytes.count - 6
    tree.chunks[0].bytes[place] = 30
    #expect(tree.path(of: EntryID(tree.root, ordinal: 0)) == Array("/top/".utf8))
  }

  @Test func `A listing that cannot be unpacked is damaged, and stops nothing`() {
    var tree = ModelTree("/top", [NamedEntry("f", .file(size: 9))]).makeTree().storedCopy()
    for index in tree.chunks.indices { tree.chunks[index].codec = BrokenCodec() }
    var cursor = tree.listing(of: tree.root).makeCursor()
    let isEntry = cursor.advance()
    #expect(!isEntry && cursor.isDamaged)
    #expect(tree.listing(of: tree.root).outline() == nil)
    #expect(throws: ListingError.malformed) { try tree.listing(of: tree.root).validate() }
    #expect(tree.totals(of: tree.root).files == 1)
    #expect(!tree.brokenInvariants().isEmpty)
  }

  @Test func `Totals are added up from the listings if they did not fit`() {
    let huge = NamedEntry("huge", .file(size: 1 << 63))
    let tree = ModelTree("/top", [huge], [ModelTree("a", [huge])]).makeTree()
    var batch = FileTree.Batch()
    batch.announce(parent: 0, first: 1, names: [tree.name(of: DirectoryID(1))])
    for directory in tree.directories {
      var stored = FileTree.Batch.Stored()
      stored.details = tree.details(of: directory)
      stored.totals.apparentSize = UInt64(Int64.max)
      let start = batch.bytes.count
      batch.bytes += tree.listing(of: directory).bytes
      batch.append(stored, number: directory.index, listing: start..<batch.bytes.count)
    }
    var builder = FileTree.Builder(rootPath: Array("/top".utf8))
    builder.insert(batch)
    let stored = builder.makeStoredTree(countedElsewhere: [], addingUp: true) {
      FileSystem(device: $0)
    }
    #expect(stored.tree == tree)
    #expect(stored.tree.totals(of: stored.tree.root) == tree.totals(of: tree.root))
  }
}
