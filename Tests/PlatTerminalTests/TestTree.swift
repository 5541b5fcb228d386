import PlatTree

/// An entry of a tree that a test shows.
indirect enum TestEntry {
  case file(
    [UInt8],
    size: UInt64,
    mode: UInt16 = 0o644,
    modified: Int64 = 0,
    inode: UInt64 = 0,
    links: UInt32 = 1,
    kind: EntryKind = .file
  )
  case directory([UInt8], [TestEntry], inode: UInt64 = 0)

  static func file(
    _ name: String,
    size: UInt64,
    mode: UInt16 = 0o644,
    modified: Int64 = 0
  )
    -> TestEntry
  {
    .file(Array(name.utf8), size: size, mode: mode, modified: modified)
  }

  static func directory(_ name: String, _ entries: [TestEntry]) -> TestEntry {
    .directory(Array(name.utf8), entries)
  }
}

/// Makes a tree; directories take no space, and files whole blocks of 512 bytes.
func makeTree(
  _ entries: [TestEntry],
  path: String = "/srv",
  issues: [(directory: Int, name: String?)] = [],
  exclusions: [Exclusion] = []
) -> FileTree {
  var batch = FileTree.Batch()
  var encoder = ListingEncoder()
  var queue = [(entries, UInt64(0))]
  var number = 0
  while number < queue.count {
    var names: [UInt8] = []
    var subdirectories: [UInt8] = []
    var starts: [Int] = []
    let first = queue.count
    for entry in queue[number].0 {
      switch entry {
      case .file(let name, let size, let mode, let modified, let inode, let links, let kind):
        var item = ListingEntry()
        item.kind = kind
        item.size = size
        item.blocks = size / 512 + (size % 512 == 0 ? 0 : 1)
        item.mode = mode
        item.modificationTime = modified
        item.changeTime = modified
        item.inode = inode
        item.linkCount = links
        encoder.append(item, name: names.count..<names.count + name.count)
        names += name
      case .directory(let name, let entries, let inode):
        starts.append(subdirectories.count)
        subdirectories += name + [0]
        queue.append((entries, inode))
      }
    }
    let start = batch.bytes.count
    let summary = encoder.encode(names: names.span, into: &batch.bytes)
    var details = DirectoryDetails()
    details.inode = queue[number].1
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
  batch.issues = issues.map { issue in
    Issue(
      directory: DirectoryID(issue.directory),
      name: issue.name.map { Array($0.utf8) },
      call: "openat",
      code: 13
    )
  }
  batch.exclusions = exclusions
  var builder = FileTree.Builder(rootPath: Array(path.utf8))
  builder.insert(batch)
  return builder.makeTree()
}

private let mebibyte: UInt64 = 1 << 20
private let day: Int64 = 86_400

/// The time at which tests look at a screen: 30 November 2026, 12:00.
let testNow: Int64 = 1_796_040_000

/// Names that have made screens of others go wrong.
let oddNames: [[UInt8]] =
  [
    "写真アルバム2024", "Ma🎵ic – Résumé.flac", "two\nlines.iso", "\u{202E}gnp.exe",
    "e\u{301}a\u{308}.txt",
    "👨‍👩‍👧‍👦.png", "한국어.txt", "-rf", " space ", "tab\there", "\u{1B}[31mred", "視\u{FE0F}.db",
  ].map { Array($0.utf8) } + [Array("bad".utf8) + [0xFF, 0xFE] + Array(".db".utf8)]

/// A directory such as `/usr/lib`: large and small parts, deep ones, and some odd names.
let libraryTree: FileTree = {
  func files(_ count: Int, _ size: UInt64, _ ending: String, age: Int64) -> [TestEntry] {
    (0..<count).map { index in
      .file(
        "file-\(index).\(ending)",
        size: size / UInt64(index + 1) + 4096,
        modified: testNow - age * day - Int64(index)
      )
    }
  }
  return makeTree(
    [
      .directory(
        "google-cloud-sdk",
        [
          .directory("bin", files(30, 90 * mebibyte, "so", age: 4)),
          .directory("lib", [.directory("third_party", files(80, 60 * mebibyte, "py", age: 9))]),
          .directory("platform", files(40, 120 * mebibyte, "tar.gz", age: 400)),
        ]
      ),
      .directory("x86_64-linux-gnu", files(60, 180 * mebibyte, "so", age: 2)),
      .directory("jvm", [.directory("java-17", files(20, 120 * mebibyte, "jar", age: 61))]),
      .directory("llvm-14", files(25, 70 * mebibyte, "a", age: 180)),
      .directory("chromium", files(3, 190 * mebibyte, "so", age: 0)),
      .directory("python3", files(200, 6 * mebibyte, "py", age: 30)),
      .directory("node_modules", files(150, 2 * mebibyte, "js", age: 60)),
      .directory("locale", files(9, mebibyte / 8, "mo", age: 800)),
      .directory("odd", oddNames.map { .file($0, size: 300_000, modified: testNow - 40 * day) }),
      .directory("empty", []),
      .file("image.iso", size: 40 * mebibyte, modified: testNow - 3600),
      .file("notes.txt", size: 700, modified: testNow - 1000 * day),
      .file(Array("hard".utf8), size: mebibyte, inode: 7, links: 3),
      .file(Array("link".utf8), size: 11, kind: .symbolicLink),
    ],
    path: "/usr/lib"
  )
}()
