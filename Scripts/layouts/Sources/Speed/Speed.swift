import Foundation
import PlatLayout
import PlatRender
import PlatScan
import PlatTree

/// Prints what layouts of a directory cost, in milliseconds of CPU time, and writes the tree for
/// other programs to lay out.
///
/// `Speed DIR FILE` writes to FILE, for each node in level order, the number of children and the
/// size, then prints a line for each measure: its name and the medians of five.
@main
struct Speed {
  static func main() async throws {
    let words = CommandLine.arguments
    guard words.count == 3 else {
      print("usage: Speed DIR FILE")
      exit(2)
    }
    var options = DirectoryScanner.Options()
    options.threadCount = 1
    let scan = try await DirectoryScanner(options: options).scan([Array(words[1].utf8)])
    let tree = scan.tree.filled
    let (weights, childCounts) = levelOrder(of: tree)
    let lines = zip(childCounts, weights).map { "\($0) \(Int($1))" }
    try Data(lines.joined(separator: "\n").utf8).write(to: URL(filePath: words[2]))

    let bounds = Rect(width: 1600, height: 1000)
    measure("flat") {
      let tree = LayoutTree(weights: weights, childCounts: childCounts)
      return FlatTreemap().rects(of: tree, in: bounds).count
    }
    let memory = PictureMemory(of: tree, after: nil)
    measure("nested") { PictureMemory(of: tree, after: nil).tileCount }
    measure("encoded") { PictureMemory(of: tree, after: nil).bytes.count }
    measure("rescan") { PictureMemory(of: tree, after: memory).bytes.count }
    print("nodes \(weights.count)")
  }

  /// Returns the weights and numbers of children of all entries, in level order.
  static func levelOrder(of tree: FileTree) -> ([Double], [Int32]) {
    var weights = [0.0]
    var childCounts: [Int32] = []
    var directories: [DirectoryID?] = [tree.root]
    while childCounts.count < directories.count {
      guard let directory = directories[childCounts.count] else {
        childCounts.append(0)
        continue
      }
      let before = directories.count
      for subdirectory in tree.subdirectories(of: directory) {
        directories.append(subdirectory)
        weights.append(0)
      }
      var cursor = tree.listing(of: directory).makeCursor()
      while cursor.advance() {
        let isElsewhere = tree.isCountedElsewhere(EntryID(directory, ordinal: cursor.ordinal))
        weights.append(isElsewhere ? 0 : Double(cursor.entry.allocatedSize))
        directories.append(nil)
      }
      childCounts.append(Int32(directories.count - before))
    }
    return (weights, childCounts)
  }

  static func measure(_ name: String, _ work: () -> Int) {
    var result = 0
    let times = (0..<5).map { _ in
      let start = clock()
      result &+= work()
      return Double(clock() - start) * 1000 / Double(CLOCKS_PER_SEC)
    }
    precondition(result != 0)
    print(name, String(format: "%.1f", times.sorted()[2]))
  }
}

extension FileTree {
  /// The tree with files that occupy blocks as their length says: those of a made tree are empty, and
  /// a picture of it would show directories alone.
  fileprivate var filled: FileTree {
    var batch = Batch()
    var encoder = ListingEncoder()
    for directory in directories {
      var names: [UInt8] = []
      var cursor = listing(of: directory).makeCursor()
      while cursor.advance() {
        var entry = cursor.entry
        entry.blocks = (entry.size + 4095) / 4096 * 8
        encoder.append(entry, name: names.count..<names.count + cursor.name.count)
        names += cursor.name
      }
      let start = batch.bytes.count
      let summary = encoder.encode(names: names.span, into: &batch.bytes)
      batch.directories.append(
        Batch.Directory(
          number: directory.index,
          details: details(of: directory),
          listing: start..<batch.bytes.count,
          summary: summary
        )
      )
      let subdirectories = subdirectories(of: directory)
      batch.announce(
        parent: directory.index,
        first: subdirectories.startIndex,
        names: subdirectories.map(name(of:))
      )
    }
    var builder = Builder(rootPath: Array(name(of: root)))
    builder.insert(batch)
    return builder.makeTree()
  }
}
