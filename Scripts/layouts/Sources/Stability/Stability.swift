import Foundation
import PlatLayout
import PlatScan
import PlatTree

/// Prints how stable layouts are over versions of real directories, against layouts without memory.
@main
struct Stability {
  static let usage = "usage: stability [--seed N] [--versions N] DIR...\n"

  static func main() async {
    var seed: UInt64 = 4242
    var versions = 10
    var directories: [String] = []
    var words = CommandLine.arguments.dropFirst().makeIterator()
    while let word = words.next() {
      switch word {
      case "--seed": seed = words.next().flatMap { UInt64($0) } ?? seed
      case "--versions": versions = words.next().flatMap { Int($0) } ?? versions
      default: directories.append(word)
      }
    }
    guard !directories.isEmpty, versions > 0 else { return print(usage, terminator: "") }

    var all: [Series] = []
    print(Series.header)
    for directory in directories {
      guard let result = try? await DirectoryScanner().scan([Array(directory.utf8)]) else {
        print("\(directory): cannot be read")
        continue
      }
      var generator = SplitMix64(seed: seed)
      let name = directory.split(separator: "/").last.map(String.init) ?? directory
      let series = Series(
        name,
        GrowingTree(result.tree),
        versions: versions,
        generator: &generator
      )
      series.lines.forEach { print($0) }
      all.append(series)
    }
    guard !all.isEmpty else { return }
    print("\nsizes and parts, from the first version: moved files in %, aspect ratio")
    for series in all { series.views.forEach { print($0) } }
    print("")
    let gates = Gates(all, versions: versions)
    gates.lines.forEach { print($0) }
    if !gates.allHold { exit(1) }
  }
}

extension GrowingTree {
  /// The files that are there, by identity.
  var fileIdentities: Set<UInt64> {
    Set(present.lazy.filter { !nodes[$0].isDirectory }.map { nodes[$0].identity })
  }

  /// Takes over a scanned tree, with allocated sizes.
  init(_ tree: FileTree) {
    self.init()
    var nodes = [0]
    for directory in tree.directories {
      for subdirectory in tree.subdirectories(of: directory) {
        // Directories are in level order, so their nodes are found in order.
        nodes.append(add(to: nodes[directory.index], size: 0, isDirectory: true))
        assert(nodes.count - 1 == subdirectory.index)
      }
      var cursor = tree.listing(of: directory).makeCursor()
      while cursor.advance() {
        let entry = EntryID(directory, ordinal: cursor.ordinal)
        let size = tree.isCountedElsewhere(entry) ? 0 : cursor.entry.size(.allocated)
        add(to: nodes[directory.index], size: Double(size))
      }
    }
  }
}
