import PlatTree
import Testing

@testable import PlatStore

/// Walks through a part of a snapshot, compared with those through the tree that was written.
struct WalkTests {
  /// What a walk tells of an entry.
  private struct Seen: Equatable {
    var path: [UInt8]
    var depth: Int
    var kind: EntryKind
    var totals: Totals
    var ownAllocatedSize: UInt64
    var modificationTime: Int64
    var owner: UInt32
    var group: UInt32
    var mode: UInt16
    var isCountedElsewhere: Bool

    init(_ entry: WalkedEntry) {
      path = entry.path
      depth = entry.depth
      kind = entry.kind
      totals = entry.totals
      ownAllocatedSize = entry.ownAllocatedSize
      modificationTime = entry.modificationTime
      (owner, group, mode) = (entry.owner, entry.group, entry.mode)
      isCountedElsewhere = entry.isCountedElsewhere
    }
  }

  @Test func `A walk is the same through the tables and through the tree`() throws {
    var partsRead = 0
    for seed in 40..<44 as Range<UInt64> {
      var generator = SplitMix64(seed: seed)
      let tree = ModelDirectory.random(600, using: &generator).tree("/srv/data")
      try withTemporaryFolder { folder in
        let path = folder.bytes(of: "x.plat")
        try SnapshotStore(path, for: .writing).write(tree, .at(0))
        let store = try SnapshotStore(path, for: .reading)
        for top in tree.directories {
          let directory = try store.directory(atPath: tree.path(of: top))
          for depth in [nil, 1, 2] as [Int?] {
            var expected: [Seen] = []
            tree.forEachEntry(below: top, depth: depth, includesTop: true) {
              expected.append(Seen($0))
              return true
            }
            var found: [Seen] = []
            try store.forEachEntry(below: directory, depth: depth, includesTop: true) {
              found.append(Seen($0))
              return true
            }
            #expect(found == expected)
            if depth == nil {
              #expect(found.count == tree.totals(of: top).entries)
              partsRead += found.count
            }
          }
        }
      }
    }
    #expect(partsRead > 1000)
  }

  @Test func `A walk ends when it is told to`() throws {
    var generator = SplitMix64(seed: 50)
    let tree = ModelDirectory.random(300, using: &generator).tree("/srv")
    for limit in 1...20 {
      var seen = 0
      tree.forEachEntry(below: tree.root) { _ in
        seen += 1
        return seen < limit
      }
      #expect(seen == limit)
    }
  }
}
