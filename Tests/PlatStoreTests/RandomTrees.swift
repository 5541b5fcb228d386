import PlatTree

/// A sequence of numbers that a seed decides (Steele, Lea and Flood, *Fast Splittable Pseudorandom
/// Number Generators*, 2014).
struct SplitMix64: RandomNumberGenerator {
  var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
    return mixed ^ mixed >> 31
  }
}

/// A directory that a test can change, and make a tree of.
struct ModelDirectory {
  var details = DirectoryDetails()
  var entries: [[UInt8]: ListingEntry] = [:]
  var subdirectories: [[UInt8]: ModelDirectory] = [:]
  var issues: [Issue] = []
  var exclusions: [Exclusion] = []
}

extension ModelDirectory {
  /// Returns the tree of the directory as the root with a path.
  func tree(
    _ root: String,
    fileSystems: [FileSystem] = ModelDirectory.fileSystems
  ) -> FileTree {
    var batch = FileTree.Batch()
    var next = 1
    deliver(to: &batch, number: 0, next: &next)
    var builder = FileTree.Builder(rootPath: Array(root.utf8))
    builder.insert(batch)
    return builder.makeTree { device in
      fileSystems.first { $0.device == device } ?? FileSystem(device: device)
    }
  }

  static let fileSystems = [
    FileSystem(device: 1, type: "ext4", uuid: "00ff"), FileSystem(device: 2, type: "tmpfs"),
  ]

  private func deliver(to batch: inout FileTree.Batch, number: Int, next: inout Int) {
    var encoder = ListingEncoder()
    var names: [UInt8] = []
    for (name, entry) in entries {
      names += name
      encoder.append(entry, name: names.count - name.count..<names.count)
    }
    let start = batch.bytes.count
    let summary = encoder.encode(names: names.span, into: &batch.bytes)
    batch.directories.append(
      FileTree.Batch.Directory(
        number: number,
        details: details,
        listing: start..<batch.bytes.count,
        summary: summary
      )
    )
    for var issue in issues {
      issue.directory = DirectoryID(number)
      batch.issues.append(issue)
    }
    for var exclusion in exclusions {
      exclusion.directory = DirectoryID(number)
      batch.exclusions.append(exclusion)
    }
    let children = Array(subdirectories)
    let first = next
    batch.announce(parent: number, first: first, names: children.map { $0.key[...] })
    next += children.count
    for (index, child) in children.enumerated() {
      child.value.deliver(to: &batch, number: first + index, next: &next)
    }
  }
}

extension ModelDirectory {
  /// Makes directories of photographs, with enough in their listings for a dictionary.
  static func packable() -> ModelDirectory {
    var model = ModelDirectory()
    for folder in 0..<30 {
      var child = ModelDirectory()
      for number in 0..<110 {
        var entry = ListingEntry()
        entry.size = UInt64(number * number * folder)
        entry.modificationTime = 1_700_000_000 + Int64(folder * 977 + number * 7_919)
        entry.changeTime = entry.modificationTime
        entry.inode = UInt64(folder * 1_000 + number * 3)
        child.entries[Array("photo-\(number * 37 % 110)-of-\(folder).jpeg".utf8)] = entry
      }
      model.subdirectories[Array("folder-\(folder)".utf8)] = child
    }
    return model
  }
}

// MARK: Random content

extension ModelDirectory {
  /// Makes a directory with about a number of directories in and below it.
  static func random(_ count: Int, using generator: inout SplitMix64) -> ModelDirectory {
    var directory = ModelDirectory()
    directory.details = .random(using: &generator)
    for _ in 0..<Int.random(in: 0...8, using: &generator) {
      directory.entries[randomName(using: &generator)] = .random(using: &generator)
    }
    if Int.random(in: 0..<12, using: &generator) == 0 { directory.addNotes(using: &generator) }
    var rest = count - 1
    while rest > 0 {
      let part = Int.random(in: 1...rest, using: &generator)
      let name = randomName(using: &generator)
      if directory.entries[name] == nil {
        directory.subdirectories[name] = random(part, using: &generator)
      }
      rest -= part
    }
    return directory
  }

  private mutating func addNotes(using generator: inout SplitMix64) {
    issues.append(Issue(directory: DirectoryID(0), name: nil, call: "openat", code: 13))
    let name = randomName(using: &generator)
    issues.append(Issue(directory: DirectoryID(0), name: name, call: "statx", code: 5))
    exclusions.append(
      Exclusion(directory: DirectoryID(0), name: [0xff], kind: .directory, reason: .pattern)
    )
  }

  /// Changes about one in `rarity` directories in one of several ways.
  mutating func mutate(rarity: Int, using generator: inout SplitMix64) {
    if Int.random(in: 0..<rarity, using: &generator) == 0 {
      switch Int.random(in: 0..<7, using: &generator) {
      case 0: entries[randomName(using: &generator)] = .random(using: &generator)
      case 1: if let name = entries.keys.sorted(by: <).first { entries[name] = nil }
      case 2: details.changeTime += 1
      case 3: addNotes(using: &generator)
      case 4: (issues, exclusions) = ([], [])
      case 5:
        let name = randomName(using: &generator)
        if entries[name] == nil {
          subdirectories[name] = .random(3, using: &generator)
        }
      default:
        if let name = subdirectories.keys.sorted(by: <).last { subdirectories[name] = nil }
      }
    }
    for name in subdirectories.keys.sorted(by: <) {
      subdirectories[name]?.mutate(rarity: rarity, using: &generator)
    }
  }
}

extension [UInt8] {
  fileprivate static func < (first: [UInt8], second: [UInt8]) -> Bool {
    first.lexicographicallyPrecedes(second)
  }
}

/// Returns one of a few thousand names: plain, with invalid UTF-8, and with what SQL or a terminal
/// might take for something else.
private func randomName(using generator: inout SplitMix64) -> [UInt8] {
  let number = Array(String(Int.random(in: 0..<400, using: &generator)).utf8)
  let prefixes: [[UInt8]] = [
    Array("file-".utf8), Array("'; DROP TABLE dir; --".utf8), Array("%_".utf8), [0xff, 0xfe],
    [0xc3], Array("ä".utf8), Array("\u{202e}\n\u{1b}[31m".utf8), Array("\u{fffd}".utf8),
  ]
  return (prefixes.randomElement(using: &generator) ?? []) + number
}

extension DirectoryDetails {
  fileprivate static func random(using generator: inout SplitMix64) -> DirectoryDetails {
    var details = DirectoryDetails()
    details.allocatedSize = UInt64.random(in: 0...3, using: &generator) * 4096
    details.inode = .random(in: 0 ... .max, using: &generator)
    details.device = Int.random(in: 0..<9, using: &generator) == 0 ? 2 : 1
    details.modificationTime = .random(
      in: -3_000_000_000...1_800_000_000_123_456_789,
      using: &generator
    )
    details.changeTime = .random(in: .min ... .max, using: &generator)
    details.mode = [0o755, 0o700, 0o1777].randomElement(using: &generator) ?? 0
    details.owner = .random(in: 0...2, using: &generator)
    details.group = .random(in: 0...1, using: &generator) * .max
    details.flags = Int.random(in: 0..<20, using: &generator) == 0 ? [.isPartial] : []
    return details
  }
}

extension ListingEntry {
  fileprivate static func random(using generator: inout SplitMix64) -> ListingEntry {
    var entry = ListingEntry()
    entry.kind =
      [.file, .file, .file, .symbolicLink, .other].randomElement(using: &generator) ?? .file
    // Few sizes, so that there are ties.
    entry.size = .random(in: 0...20, using: &generator) * 100_000
    entry.blocks = entry.size / 512
    entry.modificationTime = .random(in: -10...2_000_000_000, using: &generator)
    entry.changeTime = .random(in: -10...2_000_000_000, using: &generator)
    entry.inode = .random(in: 100...1000, using: &generator)
    if entry.kind == .file, Int.random(in: 0..<4, using: &generator) == 0 {
      // Names of one inode agree about it.
      entry.linkCount = 5
      entry.inode = .random(in: 1...20, using: &generator)
      entry.size = entry.inode * 100_000
      entry.blocks = entry.inode * 8
    }
    entry.mode = 0o644
    entry.isUnreadable = false
    return entry
  }
}
