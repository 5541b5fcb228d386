import PlatStore
import PlatTree
import Testing

struct ChangedDirectoryTests {
  @Test func `Directories that changed in the last snapshots are told by their inodes`() throws {
    try withTemporaryFolder { folder in
      let store = try SnapshotStore(folder.bytes(of: "s.plat"), for: .writing)
      #expect(try store.nextSnapshotNumber() == 1)
      // Directory 1 changes in the second snapshot, directory 2 in the fourth.
      let versions: [[UInt64]] = [[1, 1], [5, 1], [5, 1], [5, 5], [5, 5]]
      for (second, sizes) in versions.enumerated() {
        try store.write(tree(sizes), .at(Int64(second)))
      }
      func changed(_ count: Int, _ id: Int) throws -> Set<UInt64> {
        try store.inodesOfDirectories(changedInLast: count, upTo: id)
      }
      #expect(try changed(1, 5) == [])
      #expect(try changed(2, 5) == [100, 102])
      #expect(try changed(3, 5) == [100, 102])
      #expect(try changed(4, 5) == [100, 101, 102])
      // What is as old as the first snapshot has not changed.
      #expect(try changed(8, 5) == [100, 101, 102])
      #expect(try changed(8, 3) == [100, 101])
      #expect(try changed(1, 3) == [])
      #expect(try changed(8, 1) == [])
      #expect(try store.nextSnapshotNumber() == 6)
    }
  }

  /// A root with inode 100, and below it a directory with a file of each size.
  private func tree(_ sizes: [UInt64]) throws -> FileTree {
    var batch = FileTree.Batch()
    var encoder = ListingEncoder()
    let names = Array("f".utf8)
    for number in 0...sizes.count {
      var details = DirectoryDetails()
      details.inode = 100 + UInt64(number)
      let start = batch.bytes.count
      if number > 0 {
        var entry = ListingEntry()
        entry.size = sizes[number - 1]
        encoder.append(entry, name: 0..<1)
      }
      let summary = encoder.encode(names: names.span, into: &batch.bytes)
      batch.directories.append(
        FileTree.Batch.Directory(
          number: number,
          details: details,
          listing: start..<batch.bytes.count,
          summary: summary
        )
      )
    }
    batch.announce(parent: 0, first: 1, names: sizes.indices.map { Array("\($0)".utf8)[...] })
    var builder = FileTree.Builder(rootPath: Array("/r".utf8))
    builder.insert(batch)
    return builder.makeTree()
  }
}
