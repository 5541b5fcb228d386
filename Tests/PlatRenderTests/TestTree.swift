import PlatTree

/// An entry of a tree that a test draws.
indirect enum TestEntry {
  case file([UInt8], size: UInt64, mode: UInt16 = 0o644, modified: Int64 = 0, inode: UInt64 = 0)
  case directory([UInt8], [TestEntry])

  static func file(_ name: String, size: UInt64, mode: UInt16 = 0o644) -> TestEntry {
    .file(Array(name.utf8), size: size, mode: mode)
  }

  static func directory(_ name: String, _ entries: [TestEntry]) -> TestEntry {
    .directory(Array(name.utf8), entries)
  }
}

/// Makes a tree; directories take no space unless told otherwise, and files whole blocks of 512 bytes.
///
/// A file with an inode other than 0 has two hard links.
func makeTree(
  _ entries: [TestEntry],
  path: String = "/srv",
  directorySize: UInt64 = 0
) -> FileTree {
  var batch = FileTree.Batch()
  var encoder = ListingEncoder()
  var queue = [entries]
  var inodes: [UInt64] = [1]
  var number = 0
  while number < queue.count {
    var names: [UInt8] = []
    var subdirectories: [UInt8] = []
    var starts: [Int] = []
    let first = queue.count
    for entry in queue[number] {
      switch entry {
      case .file(let name, let size, let mode, let modified, let inode):
        var item = ListingEntry()
        item.size = size
        item.blocks = size / 512 + (size % 512 == 0 ? 0 : 1)
        item.mode = mode
        item.modificationTime = modified
        item.changeTime = modified
        item.inode = inode
        item.linkCount = inode == 0 ? 1 : 2
        encoder.append(item, name: names.count..<names.count + name.count)
        names += name
      case .directory(let name, let entries):
        starts.append(subdirectories.count)
        subdirectories += name + [0]
        queue.append(entries)
        // The same in every tree, and another one for another name.
        inodes.append(name.reduce(inodes[number] &+ 7) { $0 &* 0x100_0000_01b3 ^ UInt64($1) })
      }
    }
    let start = batch.bytes.count
    var details = DirectoryDetails()
    details.inode = inodes[number]
    details.allocatedSize = directorySize
    let summary = encoder.encode(names: names.span, into: &batch.bytes)
    batch.directories.append(
      FileTree.Batch.Directory(
        number: number,
        details: details,
        listing: start..<batch.bytes.count,
        summary: summary
      )
    )
    batch.announce(parent: number, first: first, names: subdirectories, starts: starts)
    number += 1
  }
  var builder = FileTree.Builder(rootPath: Array(path.utf8))
  builder.insert(batch)
  return builder.makeTree()
}

/// A small tree with a bit of everything that a picture shows.
let smallTree = makeTree([
  .directory(
    "photos",
    (1...9).map { .file("IMG_000\($0).jpg", size: UInt64($0) * 700_000) }
      + [.file("index.db", size: 2_000_000)]
  ),
  .directory(
    "src",
    [
      .directory("lib", [.directory("core", [.file("engine.swift", size: 900_000)])]),
      .file("main.c", size: 400_000), .file("notes.txt", size: 300_000),
    ] + (1...500).map { .file("part\($0).h", size: UInt64($0) * 7) }
  ),
  .file("backup.tar.gz", size: 9_000_000),
  .file("tool", size: 3_000_000, mode: 0o755),
  .file("a <b> & \"c\".mp3", size: 1_500_000),
])

/// A tree of 16,000 files of several types and of sizes as they come.
let busyTree: FileTree = {
  var generator = SplitMix64(state: 3)
  let extensions = ["c", "so", "txt", "jpg", "zip", "db"]
  return makeTree(
    (0..<40).map { directory in
      .directory(
        "directory-\(directory)",
        (0..<400).map { file in
          let rank = Double.random(in: 0...1, using: &generator)
          let name = "file-number-\(file).\(extensions[(directory + file / 50) % 6])"
          return .file(name, size: UInt64(1_000 / (rank + 0.01)))
        }
      )
    }
  )
}()

/// A generator of numbers that are the same in every run.
struct SplitMix64: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}
