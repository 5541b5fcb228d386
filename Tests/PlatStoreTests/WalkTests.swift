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

  /// Criteria, each of which a walk can make use of in its own way.
  private func criteria() -> [EntryCriteria] {
    func make(_ change: (inout EntryCriteria) -> Void) -> EntryCriteria {
      var criteria = EntryCriteria()
      change(&criteria)
      return criteria
    }
    let part = NamePattern(part: Array("le-1".utf8))
    return [
      EntryCriteria(),
      make { $0.names = [part] },
      make { $0.names = [part, NamePattern(glob: Array("*7".utf8)) ?? part] },
      make { $0.names = [NamePattern(part: [0xff, 0xfe])] },
      make { ($0.names, $0.larger) = ([part], 500_000) },
      make { ($0.names, $0.kinds) = ([part], [.directory, .other]) },
      make { ($0.larger, $0.smaller) = (400_000, 1_500_000) },
      make { ($0.newer, $0.older) = (500_000_000, 1_500_000_000) },
      make { ($0.kinds, $0.owners) = ([.symbolicLink, .directory], [0, 1]) },
      make { $0.groups = [7] },
      make { $0.types = [.suffix(Array("7".utf8))] },
    ]
  }

  @Test(arguments: SizeMeasure.allCases)
  func `A walk for some entries misses none of them`(measure: SizeMeasure) throws {
    var generator = SplitMix64(seed: 60)
    let tree = ModelDirectory.random(800, using: &generator).tree("/srv")
    var (found, visits) = (0, 0)
    for criteria in criteria() {
      var expected: [Seen] = []
      tree.forEachEntry(below: tree.root) { entry in
        if criteria.matches(entry, size: entry.totals.size(measure)) {
          expected.append(Seen(entry))
        }
        return true
      }
      var seen: [Seen] = []
      tree.forEachEntry(below: tree.root, meeting: criteria, by: measure) { entry in
        visits += 1
        if criteria.matches(entry, size: entry.totals.size(measure)) { seen.append(Seen(entry)) }
        return true
      }
      #expect(seen == expected)
      found += seen.count
    }
    #expect(found > 2 * tree.totals(of: tree.root).entries)
    // Most of what does not meet the criteria is passed over.
    #expect(visits < found + 4 * tree.totals(of: tree.root).entries)
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
