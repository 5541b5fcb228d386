import PlatTestSupport
import PlatTree
import Testing

struct RemovalTests {
  @Test(arguments: UInt64(0)..<60)
  func `A tree without some entries is the tree that a scan finds when they are gone`(seed: UInt64)
  {
    var generator = SplitMix64(seed: seed)
    let model = ModelTree.random(directories: 12, using: &generator)
    let tree = model.makeTree()
    var entries: [EntryID] = []
    for directory in tree.directories {
      if directory != tree.root, generator.oneIn(6) { entries.append(EntryID(directory)) }
      for ordinal in 0..<tree.listing(of: directory).count where generator.oneIn(5) {
        entries.append(EntryID(directory, ordinal: ordinal))
      }
    }
    let gone = Set(entries.map { tree.path(of: $0) })
    let expected = model.removing(gone).makeTree()
    let rest = tree.removing(entries)
    #expect(rest == expected)
    #expect(rest.brokenInvariants() == [])
  }

  @Test func `A name that stays has fewer links, and is charged`() {
    let model = ModelTree(
      "/top",
      [NamedEntry("a", .file(size: 5, blocks: 8, inode: 7, linkCount: 2))],
      [ModelTree("d", [NamedEntry("b", .file(size: 5, blocks: 8, inode: 7, linkCount: 2))])]
    )
    let tree = model.makeTree()
    #expect(tree.countedElsewhereCount == 1)
    let rest = tree.removing([EntryID(tree.root, ordinal: 0)])
    #expect(rest.countedElsewhereCount == 0)
    #expect(rest.totals(of: rest.root).apparentSize == 5)
    var cursor = rest.listing(of: DirectoryID(1)).makeCursor()
    #expect(cursor.advance() && cursor.entry.linkCount == 1)
  }
}

extension ModelTree {
  /// The model without what is at or below some paths; the links of what stays are fewer.
  fileprivate func removing(_ paths: Set<[UInt8]>) -> ModelTree {
    var gone: [[UInt64]: UInt32] = [:]
    func isGone(_ path: [UInt8]) -> Bool {
      paths.contains { path == $0 || path.starts(with: $0 + [0x2f]) }
    }
    for (path, directory, _) in canonicalOrder {
      for named in directory.entries
      where named.entry.linkCount > 1 && isGone(path + [0x2f] + named.name) {
        gone[[directory.details.device, named.entry.inode], default: 0] += 1
      }
    }
    func rest(_ model: ModelTree, _ path: [UInt8]) -> ModelTree {
      var result = model
      result.entries = model.entries.filter { !isGone(path + [0x2f] + $0.name) }.map { named in
        var named = named
        let links = gone[[model.details.device, named.entry.inode]] ?? 0
        if named.entry.linkCount > 1 {
          named.entry.linkCount = UInt32(max(Int(named.entry.linkCount) - Int(links), 1))
        }
        return named
      }
      result.subdirectories = model.subdirectories.compactMap { child in
        let childPath = path + [0x2f] + child.name
        return isGone(childPath) ? nil : rest(child, childPath)
      }
      return result
    }
    return rest(self, name)
  }
}
