import PlatTestSupport
import PlatTree
import Testing

struct LargestTests {
  @Test(arguments: 0..<30)
  func `The largest directories are those of a plain sort`(seed: Int) {
    var generator = SplitMix64(seed: UInt64(seed))
    let tree = ModelTree.random(directories: 60, using: &generator).makeTree()
    let top = DirectoryID(Int.random(in: 0..<tree.directoryCount, using: &generator))
    for measure in SizeMeasure.allCases {
      for top in [tree.root, top] {
        let sorted = tree.directories.filter { $0 != top && isBelow($0, top, in: tree) }
          .sorted {
            larger(tree.size(of: $0, measure), $0.index, tree.size(of: $1, measure), $1.index)
          }
        for count in [0, 1, 5, 1000] {
          #expect(
            tree.largestDirectories(count, below: top, by: measure) == Array(sorted.prefix(count))
          )
        }
      }
    }
  }

  @Test(arguments: 0..<30)
  func `The largest files are those of a plain sort`(seed: Int) {
    var generator = SplitMix64(seed: UInt64(500 + seed))
    let tree = ModelTree.random(directories: 60, using: &generator).makeTree()
    let top = DirectoryID(Int.random(in: 0..<tree.directoryCount, using: &generator))
    for measure in SizeMeasure.allCases {
      for top in [tree.root, top] {
        var files: [(id: EntryID, entry: ListingEntry)] = []
        let directories = tree.directories.filter { isBelow($0, top, in: tree) }
          .sorted {
            tree.entryPath(of: EntryID($0)).names.lexicographicallyPrecedes(
              tree.entryPath(of: EntryID($1)).names
            ) { $0.lexicographicallyPrecedes($1) }
          }
        for directory in directories {
          for (ordinal, named) in tree.listing(of: directory).namedEntries.enumerated() {
            let id = EntryID(directory, ordinal: ordinal)
            guard named.entry.kind == .file, !tree.isCountedElsewhere(id) else { continue }
            files.append((id, named.entry))
          }
        }
        let order = files.indices.sorted {
          larger(files[$0].entry.size(measure), $0, files[$1].entry.size(measure), $1)
        }
        for count in [0, 1, 7, 1000] {
          let largest = tree.largestFiles(count, below: top, by: measure)
          #expect(largest.map(\.id) == order.prefix(count).map { files[$0].id })
          #expect(largest.map(\.entry) == order.prefix(count).map { files[$0].entry })
        }
      }
    }
  }

  @Test func `What is below a directory comes in canonical order`() {
    var generator = SplitMix64(seed: 77)
    let tree = ModelTree.random(directories: 80, using: &generator).makeTree()
    for top in tree.directories {
      #expect(
        tree.directories(below: top) == tree.directories.filter { isBelow($0, top, in: tree) }
      )
    }
  }

  private func larger(_ size: UInt64, _ order: Int, _ other: UInt64, _ otherOrder: Int) -> Bool {
    size != other ? size > other : order < otherOrder
  }

  private func isBelow(_ directory: DirectoryID, _ top: DirectoryID, in tree: FileTree) -> Bool {
    var next: DirectoryID? = directory
    while let id = next {
      if id == top { return true }
      next = tree.parent(of: id)
    }
    return false
  }
}
