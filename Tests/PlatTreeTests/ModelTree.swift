import PlatTestSupport
import PlatTree

/// A tree as a plain recursive value, from which a test delivers batches and computes what to expect.
struct ModelTree {
  var name: [UInt8]
  var details = DirectoryDetails()
  var entries: [NamedEntry] = []
  var subdirectories: [ModelTree] = []
  /// Whether the directory is announced only, as one that vanishes before it is read.
  var isVanished = false

  init(_ name: String, _ entries: [NamedEntry] = [], _ subdirectories: [ModelTree] = []) {
    self.name = Array(name.utf8)
    self.entries = entries
    self.subdirectories = subdirectories
    details.device = 1
    details.allocatedSize = 4096
  }
}

extension ModelTree {
  /// Creates a tree of random shape, on several file systems, with many hard links.
  static func random(directories: Int, using generator: inout SplitMix64) -> ModelTree {
    var tree = ModelTree("/top")
    tree.addRandomContent(using: &generator)
    for _ in 1..<max(directories, 1) { tree.addRandomDirectory(using: &generator) }
    return tree
  }

  /// The tree with nothing but files of one name each, so that sums tell much of the listings.
  var plain: ModelTree {
    var copy = self
    copy.details.allocatedSize = 4096
    for index in entries.indices {
      copy.entries[index].entry.kind = .file
      copy.entries[index].entry.linkCount = 1
      copy.entries[index].entry.size &= 0xffff
      copy.entries[index].entry.blocks = 8
    }
    copy.subdirectories = subdirectories.map(\.plain)
    return copy
  }

  private mutating func addRandomDirectory(using generator: inout SplitMix64) {
    if !subdirectories.isEmpty, !generator.oneIn(3) {
      let index = Int.random(in: subdirectories.indices, using: &generator)
      subdirectories[index].addRandomDirectory(using: &generator)
      return
    }
    // Names that sort otherwise than their paths: "a-" comes before "a/".
    let parts = ["a", "b", "a-", "a.", "zz", "\u{ff}"]
    var name = ""
    repeat {
      name += parts[Int.random(in: parts.indices, using: &generator)]
    } while subdirectories.contains { $0.name == Array(name.utf8) }
    var directory = ModelTree(name)
    directory.addRandomContent(using: &generator)
    directory.isVanished = generator.oneIn(12)
    subdirectories.append(directory)
  }

  private mutating func addRandomContent(using generator: inout SplitMix64) {
    details.device = UInt64.random(in: 1...3, using: &generator)
    details.inode = generator.next()
    details.allocatedSize = generator.oneIn(10) ? .max : 4096
    details.modificationTime = Int64(bitPattern: generator.anyMagnitude())
    details.changeTime = Int64.random(in: .min ... .max, using: &generator)
    details.mode = [0o755, 0o700][Int.random(in: 0...1, using: &generator)]
    details.owner = UInt32.random(in: 0...2, using: &generator)
    if generator.oneIn(9) { details.flags.insert(.isPartial) }
    for index in 0..<Int.random(in: 0...6, using: &generator) {
      var entry = ListingEntry.random(using: &generator)
      entry.linkCount = 1
      if generator.oneIn(2) {
        // All names of an inode agree; the same number on another device is another file.
        entry.inode = UInt64.random(in: 1...4, using: &generator)
        entry.linkCount = 9
        entry.kind = .file
        entry.size = entry.inode == 4 ? 1 << 63 : entry.inode * 1000 + details.device
        entry.blocks = entry.inode == 4 ? 1 << 54 : entry.inode
      }
      entries.append(NamedEntry("f\(index)", entry))
    }
  }

  /// The directories that are read, with their paths, in canonical order.
  var canonicalOrder: [(path: [UInt8], directory: ModelTree, parent: Int?)] {
    var order: [(path: [UInt8], directory: ModelTree, parent: Int?)] = [(name, self, nil)]
    var next = 0
    while next < order.count {
      let (path, directory, _) = order[next]
      let present = directory.subdirectories.filter { !$0.isVanished }
      for child in present.sorted(by: { $0.name.lexicographicallyPrecedes($1.name) }) {
        order.append((path + [0x2f] + child.name, child, next))
      }
      next += 1
    }
    return order
  }
}

/// What a tree must say, computed from a model in the plainest way.
struct Expectation {
  var paths: [[UInt8]] = []
  var totals: [Totals] = []
  var ownTotals: [Totals] = []
  var newestModifications: [Int64] = []
  var countedElsewhere: Set<EntryID> = []

  init(_ model: ModelTree) {
    let order = model.canonicalOrder
    var charged: Set<[UInt64]> = []
    for (index, (path, directory, _)) in order.enumerated() {
      paths.append(path)
      var own = Totals()
      var newest = Int64.min
      let entries = directory.entries.sorted { $0.name.lexicographicallyPrecedes($1.name) }
      for (ordinal, named) in entries.enumerated() {
        let entry = named.entry
        switch entry.kind {
        case .file: own.files += 1
        case .symbolicLink: own.symbolicLinks += 1
        case .other, .directory: own.others += 1
        }
        if !entry.isUnreadable { newest = max(newest, entry.modificationTime) }
        if entry.linkCount > 1, !charged.insert([directory.details.device, entry.inode]).inserted {
          countedElsewhere.insert(EntryID(DirectoryID(index), ordinal: ordinal))
          continue
        }
        own.allocatedSize = saturated(own.allocatedSize, entry.allocatedSize)
        own.apparentSize = saturated(own.apparentSize, entry.apparentSize)
      }
      ownTotals.append(own)
      if !directory.details.flags.contains(.isGroup) {
        own.directories = 1
        own.allocatedSize = saturated(own.allocatedSize, directory.details.allocatedSize)
        let nanoseconds = directory.details.modificationTime
        let floor = nanoseconds / 1_000_000_000 - (nanoseconds % 1_000_000_000 < 0 ? 1 : 0)
        newest = max(newest, floor)
      }
      totals.append(own)
      newestModifications.append(newest)
    }
    for (index, (_, _, parent)) in order.enumerated().reversed() {
      guard let parent else { continue }
      let part = totals[index]
      totals[parent].allocatedSize = saturated(totals[parent].allocatedSize, part.allocatedSize)
      totals[parent].apparentSize = saturated(totals[parent].apparentSize, part.apparentSize)
      totals[parent].files += part.files
      totals[parent].directories += part.directories
      totals[parent].symbolicLinks += part.symbolicLinks
      totals[parent].others += part.others
      newestModifications[parent] = max(newestModifications[parent], newestModifications[index])
    }
  }
}

private func saturated(_ first: UInt64, _ second: UInt64) -> UInt64 {
  first > .max - second ? .max : first + second
}
