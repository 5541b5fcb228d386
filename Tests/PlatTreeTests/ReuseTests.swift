import PlatTestSupport
import Testing

@testable import PlatTree

struct ReuseTests {
  @Test(arguments: 0..<60)
  func `A tree does not depend on which directories are taken from an earlier one`(seed: Int) {
    var generator = SplitMix64(seed: UInt64(4000 + seed))
    let size = [1, 8, 40, 120][seed % 4]
    let model = ModelTree.random(directories: size, using: &generator)
    let scanned = (seed % 3 == 2 ? model.plain : model).makeTree()
    let earlier = seed % 3 == 0 ? scanned : scanned.storedCopy()
    let share = [0, 1, 5, 9, 10][seed % 5]
    var plain = FileTree.Builder(rootPath: Array(earlier.name(of: earlier.root)))
    var reusing = FileTree.Builder(
      rootPath: Array(earlier.name(of: earlier.root)),
      reusing: [earlier]
    )
    var pending = [(number: 0, directory: earlier.root)]
    var (next, isWhole) = (1, true)
    while !pending.isEmpty {
      let index = Int.random(in: pending.indices, using: &generator)
      let (number, directory) = pending.remove(at: index)
      if number > 0, seed >= 30, generator.oneIn(20) {
        // It has vanished.
        isWhole = false
        continue
      }
      let delivered = earlier.delivery(of: directory, as: number, firstSubdirectory: next)
      plain.insert(delivered)
      if Int.random(in: 0..<10, using: &generator) < share {
        var batch = FileTree.Batch()
        batch.reuse(
          directory,
          ofTree: 0,
          as: number,
          firstSubdirectory: next,
          device: earlier.details(of: directory).device
        )
        reusing.insert(batch)
      } else {
        reusing.insert(delivered)
        isWhole = false
      }
      for child in earlier.subdirectories(of: directory) {
        pending.append((next, child))
        next += 1
      }
    }
    #expect(reusing.directoryCount == plain.directoryCount)
    let part = reusing.detached().makePartialTree()
    #expect(part == plain.detached().makePartialTree())
    #expect(part?.brokenInvariants() == [])
    let tree = reusing.makeTree()
    #expect(tree == plain.makeTree())
    #expect(tree.brokenInvariants() == [])
    #expect(tree.isIdentical(to: earlier) == isWhole)
  }

  @Test func `A tree whose file system has another device number is not the earlier one`() {
    let earlier = ModelTree("/top").makeTree()
    for device in 1...2 as ClosedRange<UInt64> {
      var builder = FileTree.Builder(rootPath: Array("/top".utf8), reusing: [earlier])
      var batch = FileTree.Batch()
      batch.reuse(earlier.root, ofTree: 0, as: 0, firstSubdirectory: 0, device: device)
      builder.insert(batch)
      let tree = builder.makeTree()
      #expect(tree.details(of: tree.root).device == device)
      #expect(tree.isIdentical(to: earlier) == (device == 1))
    }
  }

  @Test func `A directory that has come to be in two places is in both`() {
    let earlier = ModelTree(
      "/top",
      [],
      [ModelTree("a"), ModelTree("b", [NamedEntry("f", .file(size: 9))])]
    )
    .makeTree()
    var builder = FileTree.Builder(rootPath: Array("/top".utf8), reusing: [earlier])
    var batch = FileTree.Batch()
    batch.reuse(earlier.root, ofTree: 0, as: 0, firstSubdirectory: 1, device: 1)
    for number in 1...2 {
      batch.reuse(DirectoryID(2), ofTree: 0, as: number, firstSubdirectory: 0, device: 1)
    }
    builder.insert(batch)
    let tree = builder.makeTree()
    #expect(tree.directories.map { tree.totals(of: $0).files } == [2, 1, 1])
    #expect(tree.brokenInvariants() == [])
  }

  @Test func `Two earlier trees make one`() {
    let parts = ["a", "b"].map { name in
      ModelTree("/\(name)", [NamedEntry(name, .file(size: 5))], [ModelTree("deep")]).makeTree()
    }
    var builder = FileTree.Builder(rootPath: [], reusing: parts)
    var group = DirectoryDetails()
    group.flags = .isGroup
    builder.insert(
      FileTree.Batch([
        .directory(0, group, []),
        .subdirectories(of: 0, first: 1, names: ["/a", "/b"].map { Array($0.utf8) }),
      ])
    )
    for (index, part) in parts.enumerated() {
      var batch = FileTree.Batch()
      let first = 3 + index
      batch.reuse(part.root, ofTree: index, as: 1 + index, firstSubdirectory: first, device: 1)
      batch.reuse(DirectoryID(1), ofTree: index, as: first, firstSubdirectory: 0, device: 1)
      builder.insert(batch)
    }
    let tree = builder.makeTree()
    #expect(tree.subtree(DirectoryID(1)) == parts[0])
    #expect(tree.subtree(DirectoryID(2)) == parts[1])
    #expect(tree.directoryCount == 5)
  }

  @Test func `Of listings of which few are needed the others are let go`() {
    let folders = (0..<50).map { folder in
      ModelTree("\(folder)", (0..<9).map { NamedEntry("\(folder)-\($0)", .file(size: 5)) })
    }
    let earlier = ModelTree("/top", [], folders).makeTree()
    for kept in [3, 40] {
      var builder = FileTree.Builder(rootPath: Array("/top".utf8), reusing: [earlier])
      var batch = FileTree.Batch()
      batch.reuse(earlier.root, ofTree: 0, as: 0, firstSubdirectory: 1, device: 1)
      for directory in earlier.directories.dropFirst().prefix(kept) {
        batch.reuse(directory, ofTree: 0, as: directory.index, firstSubdirectory: 0, device: 1)
      }
      builder.insert(batch)
      let tree = builder.makeTree()
      let needed = tree.directories.reduce(0) { $0 + tree.listing(of: $1).bytes.count }
      let held = tree.chunks.reduce(0) { $0 + $1.bytes.count }
      #expect(tree.directoryCount == kept + 1)
      #expect(held == (kept == 3 ? needed : earlier.chunks.reduce(0) { $0 + $1.bytes.count }))
    }
  }
}

extension FileTree {
  /// A directory as a reader delivers it.
  fileprivate func delivery(
    of directory: DirectoryID,
    as number: Int,
    firstSubdirectory: Int
  ) -> Batch {
    let names = subdirectories(of: directory).map { Array(name(of: $0)) }
    return Batch([
      .directory(number, details(of: directory), listing(of: directory).namedEntries),
      .subdirectories(of: number, first: firstSubdirectory, names: names),
    ])
  }
}
