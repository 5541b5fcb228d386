import PlatTestSupport
import PlatTree

/// One thing that a reader tells a builder.
enum Delivery {
  case directory(Int, DirectoryDetails, [NamedEntry])
  case subdirectories(of: Int, first: Int, names: [[UInt8]])
  case late(NamedEntry, to: Int)
  case issue(Issue)
  case exclusion(Exclusion)
}

extension FileTree.Batch {
  /// Creates a batch of deliveries.
  init(_ deliveries: some Sequence<Delivery>) {
    self.init()
    var encoder = ListingEncoder()
    for delivery in deliveries {
      switch delivery {
      case .directory(let number, let details, let entries):
        let start = bytes.count
        let summary = encode(entries, with: &encoder, into: &bytes)
        directories.append(
          FileTree.Batch.Directory(
            number: number,
            details: details,
            listing: start..<bytes.count,
            summary: summary
          )
        )
      case .subdirectories(let parent, let first, let names):
        var packed: [UInt8] = []
        var starts: [Int] = []
        for name in names {
          starts.append(packed.count)
          packed.append(contentsOf: name + [0])
        }
        announce(parent: parent, first: first, names: packed, starts: starts)
      case .late(let named, let number): appendLate(named.entry, name: named.name, to: number)
      case .issue(let issue): issues.append(issue)
      case .exclusion(let exclusion): exclusions.append(exclusion)
      }
    }
  }
}

extension ModelTree {
  /// Numbers the directories as a reader might, and tells what is in them.
  ///
  /// Siblings are numbered in a row, in any order; which directory is read next is any order, too.
  /// What is below a directory that has vanished is delivered all the same, as if it had been read
  /// before its way was cut.
  func deliveries(using generator: inout SplitMix64) -> [Delivery] {
    var deliveries: [Delivery] = []
    var pending: [(number: Int, directory: ModelTree)] = [(0, self)]
    var nextNumber = 1
    while !pending.isEmpty {
      let index = Int.random(in: pending.indices, using: &generator)
      let (number, directory) = pending.remove(at: index)
      if !directory.isVanished {
        deliveries.append(
          .directory(number, directory.details, directory.entries.shuffled(using: &generator))
        )
      }
      guard !directory.subdirectories.isEmpty else { continue }
      let children = directory.subdirectories.shuffled(using: &generator)
      deliveries.append(
        .subdirectories(of: number, first: nextNumber, names: children.map(\.name))
      )
      for child in children {
        pending.append((nextNumber, child))
        nextNumber += 1
      }
    }
    return deliveries
  }

  /// Builds the tree from deliveries in order.
  func makeTree() -> FileTree {
    var generator = SplitMix64(seed: 0)
    var builder = FileTree.Builder(rootPath: name)
    builder.insert(FileTree.Batch(deliveries(using: &generator)))
    return builder.makeTree()
  }
}

extension RangeReplaceableCollection {
  /// Cuts a collection into parts of random lengths.
  func randomParts(longest: Int, using generator: inout SplitMix64) -> [SubSequence] {
    var parts: [SubSequence] = []
    var rest = self[...]
    while !rest.isEmpty {
      let count = Int.random(in: 1...longest, using: &generator)
      parts.append(rest.prefix(count))
      rest = rest.dropFirst(count)
    }
    return parts
  }
}
