import Glibc
import PlatTestSupport
import PlatTree
import Testing

@testable import PlatScan

struct RescanTests {
  private static let items: [TreeItem] = [
    .directory(
      "lib",
      [
        .file("big", size: 70_000), .symbolicLink("link", to: "big"), .fifo("pipe"),
        .directory("deep", [.file("small", size: 5), .directory("empty", [])]),
      ]
    ),
    .directory("other", [.hardLink("second", to: "lib/big")]),
    .file("f", size: 1),
  ]

  @Test func `Of an unchanged tree no directory is read, and every entry looked at`() async throws {
    try await withTemporaryTree(Self.items) { root in
      let first = try scanNow([root])
      let baseline = DirectoryScanner.Baseline(first).anHourLater
      let rescan = try scanNow([root], reusing: [baseline])
      #expect(first.level == .full)
      #expect(first.calls.directoriesRead == 5)
      #expect(rescan.level == .verified)
      #expect(rescan.calls.directoriesRead == 0)
      #expect(rescan.calls.directoriesReused == 5)
      #expect(rescan.calls.entriesRechecked == 6)
      #expect(rescan.tree == first.tree)
      #expect(rescan.tree.isIdentical(to: first.tree))
      #expect(rescan.unverified == UnverifiedFiles())
      try expectAgreement(rescan.tree, root)
    }
  }

  @Test func `A tree in which something changed is another one, and equal to that of a full scan`()
    async throws
  {
    try await withTemporaryTree(Self.items) { root in
      let first = try scanNow([root])
      let baseline = DirectoryScanner.Baseline(first).anHourLater
      try check(truncate("\(root)/lib/deep/small", 50_000), "truncate")
      let rescan = try scanNow([root], reusing: [baseline])
      #expect(rescan.calls.directoriesReused == 5)
      #expect(!rescan.tree.isIdentical(to: first.tree))
      #expect(rescan.tree != first.tree)
      #expect(rescan.tree == (try scanNow([root]).tree))
    }
  }

  // With little below, all are passed through; with much, those that are far away are opened.
  @Test(arguments: [2, 20])
  func `What changed below directories that are only passed through is found`(
    width: Int
  ) async throws {
    func chain(_ depth: Int, _ items: [TreeItem]) -> [TreeItem] {
      (0..<depth).reduce(items) { items, step in [.directory("\(step)", items)] }
    }
    let items: [TreeItem] = [
      .directory("wide", (0..<width).map { .directory("\($0)", []) })
    ]
    try await withTemporaryTree(chain(9, items + [.directory("last", [])])) { root in
      let baseline = DirectoryScanner.Baseline(try scanNow([root])).anHourLater
      let same = try scanNow([root], reusing: [baseline])
      #expect(same.calls.directoriesRead == 0)
      #expect(same.tree.isIdentical(to: baseline.tree))
      let bottom = "\(root)/8/7/6/5/4/3/2/1/0"
      try check(mkdir("\(bottom)/last/new", 0o755), "mkdir")
      try check(rename("\(root)/8/7/6/5/4", "\(root)/8/7/6/5/new"), "rename")
      let rescan = try scanNow([root], reusing: [baseline])
      #expect(rescan.tree == (try scanNow([root]).tree))
      #expect(rescan.calls.directoriesRead == 4)
    }
  }

  @Test func `A full scan takes nothing from an earlier one`() async throws {
    try await withTemporaryTree(Self.items) { root in
      let baseline = DirectoryScanner.Baseline(try scanNow([root])).anHourLater
      let scan = try scanNow([root], reusing: [baseline], level: .full)
      #expect(scan.level == .full)
      #expect(scan.calls.directoriesReused == 0)
    }
  }

  @Test func `A directory that changed just before it was read is read again`() async throws {
    try await withTemporaryTree(Self.items) { root in
      let baseline = DirectoryScanner.Baseline(try scanNow([root]), racyMargin: 3_000_000_000)
      let rescan = try scanNow([root], reusing: [baseline])
      #expect(rescan.calls.directoriesRead == 5)
      #expect(rescan.tree == baseline.tree)
    }
  }

  @Test func `A scan with other options, or of another machine, is not built upon`() async throws {
    try await withTemporaryTree(Self.items) { root in
      let baseline = DirectoryScanner.Baseline(try scanNow([root])).anHourLater
      var foreign = baseline
      foreign.host = "another"
      var options = DirectoryScanner.Options()
      options.exclusions = [Array("*.o".utf8)]
      let (plain, excluding) = (DirectoryScanner(), DirectoryScanner(options: options))
      let roots = [Array(root.utf8)]
      #expect(try await plain.scan(roots, reusing: [baseline]).level == .verified)
      #expect(try await plain.scan(roots, reusing: [foreign]).level == .full)
      #expect(try await excluding.scan(roots, reusing: [baseline]).level == .full)
      options.threadCount = 1
      options.exclusions = []
      let reader = DirectoryScanner(options: options)
      #expect(try await reader.scan(roots, reusing: [baseline]).level == .verified)
    }
  }

  @Test func `A moved directory is read, and nothing below it`() async throws {
    try await withTemporaryTree([
      .directory(
        "a",
        [.directory("b", [.directory("c", [.directory("d", [.file("f", size: 1)])])])]
      ),
      .directory("z", []),
    ]) { root in
      let baseline = DirectoryScanner.Baseline(try scanNow([root])).anHourLater
      try check(rename("\(root)/a/b", "\(root)/z/moved"), "rename")
      let rescan = try scanNow([root], reusing: [baseline])
      #expect(rescan.tree == (try scanNow([root]).tree))
      // Those that it was moved from and to, and itself.
      #expect(rescan.calls.directoriesRead == 3)
      #expect(rescan.calls.directoriesReused == 3)
    }
  }

  @Test func `Several roots are built upon, each with its own earlier scan`() async throws {
    try await withTemporaryTree(Self.items) { root in
      let roots = ["\(root)/lib", "\(root)/other"]
      let baselines = try roots.map { DirectoryScanner.Baseline(try scanNow([$0])).anHourLater }
      let rescan = try scanNow(roots, reusing: baselines)
      #expect(rescan.calls.directoriesRead == 0)
      #expect(rescan.tree == (try scanNow(roots).tree))
      // The one that there is an earlier scan of.
      let part = try scanNow(roots, reusing: [baselines[1]])
      #expect(part.calls.directoriesReused == 1)
      #expect(part.tree == rescan.tree)
    }
  }

  @Test func `What was left out by patterns stays left out, and is told`() async throws {
    try await withTemporaryTree([
      .directory("keep", [.file("a.o", size: 1), .file("a.c", size: 1)]),
      .directory("drop", [.file("b.c", size: 1)]), .file("c.o", size: 1),
    ]) { root in
      var options = DirectoryScanner.Options()
      options.exclusions = ["*.o", "drop/"].map { Array($0.utf8) }
      let first = try scanNow([root], options: options)
      let baseline = DirectoryScanner.Baseline(first, options: options).anHourLater
      let rescan = try scanNow([root], options: options, reusing: [baseline])
      #expect(rescan.calls.directoriesRead == 0)
      #expect(rescan.tree == first.tree)
      #expect(rescan.tree.exclusions.count == 3)
    }
  }

  @Test(.enabled("mounting needs root and CAP_SYS_ADMIN") { canMount() })
  func `What is mounted, or not any more, is found`() async throws {
    try await withTemporaryTree([
      .directory("m", [.file("hidden", size: 9)]), .directory("real", [.file("g", size: 70_000)]),
      .directory("d", [.file("x", size: 0)]), .file("y", size: 3),
    ]) { root in
      let pairs = try inMountNamespace {
        var trees: [(rescan: FileTree, full: FileTree)] = []
        func compare() throws -> ScanResult {
          let full = try scanNow([root])
          for baseline in baselines {
            trees.append((try scanNow([root], reusing: [baseline]).tree, full.tree))
          }
          return full
        }
        var baselines: [DirectoryScanner.Baseline] = []
        func mounted(_ change: () throws -> Void) throws {
          try change()
          baselines.append(DirectoryScanner.Baseline(try compare()).anHourLater)
        }
        try mounted {}
        try mounted { try mountTmpfs("\(root)/m") }
        try mounted { try bind("\(root)/y", "\(root)/d/x") }
        try mounted { try bind("/proc/self/status", "\(root)/y") }
        try mounted { try bind("\(root)/real", "\(root)/m") }
        for path in ["m", "m", "d/x", "y"] {
          try mounted { try check(umount("\(root)/\(path)"), "umount") }
        }
        return trees
      }
      #expect(pairs.count == 36)
      for (index, pair) in pairs.enumerated() { #expect(pair.rescan == pair.full, "\(index)") }
    }
  }
}

struct FastRescanTests {
  /// A scan of files that have not changed for months, as far as a rescan can know.
  ///
  /// It is as a store delivers it, unless it is said to be one that was just made.
  private func baseline(
    of root: String,
    isStored: Bool = true
  ) throws -> DirectoryScanner.Baseline {
    var baseline = DirectoryScanner.Baseline(try scanNow([root]))
    if isStored { baseline.tree = baseline.tree.storedCopy() }
    baseline.startedAt += 100 * 24 * 3600 * 1_000_000_000
    return baseline
  }

  private static let items: [TreeItem] = (0..<10).map { folder in
    .directory(
      "\(folder)",
      (0..<20).map { .file("file \($0)", size: 10) } + [.symbolicLink("link", to: "file 1")]
    )
  }

  @Test(arguments: [false, true])
  func `Sixteen fast scans look at every cold file once`(isStored: Bool) async throws {
    try await withTemporaryTree(Self.items) { root in
      var baseline = try baseline(of: root, isStored: isStored)
      var sampled = 0
      for number in 40..<56 {
        baseline.number = number
        let scan = try scanNow([root], reusing: [baseline], level: .fast)
        #expect(scan.level == .fast)
        #expect(scan.calls.directoriesRead == 0)
        #expect(scan.calls.entriesRechecked == scan.unverified.sampledFiles)
        #expect(scan.unverified.sampledFiles + scan.unverified.files == 200)
        #expect(scan.unverified.allocatedSize == UInt64(scan.unverified.files) * 4096)
        #expect(scan.unverified.changedInSample == 0)
        #expect(scan.tree.isIdentical(to: baseline.tree))
        sampled += scan.unverified.sampledFiles
      }
      #expect(sampled == 200)
    }
  }

  @Test func `The files of a small directory have their turn together, and of a large one each`()
    async throws
  {
    for count in [10, 300] {
      try await withTemporaryTree((0..<count).map { .file("\($0)", size: 1) }) { root in
        var baseline = try baseline(of: root)
        let samples = try (0..<16).map { number in
          baseline.number = number
          let scan = try scanNow([root], reusing: [baseline], level: .fast)
          return scan.unverified.sampledFiles
        }
        #expect(samples.reduce(0, +) == count)
        #expect(samples.filter { $0 > 0 }.count == (count == 10 ? 1 : 16))
      }
    }
  }

  @Test func `What a store tells of listings leaves the same files out as the listings`()
    async throws
  {
    let folders: [TreeItem] = [1, 63, 64, 65, 300].map { count in
      .directory("of \(count)", (0..<count).map { .file("\($0)", size: 9) })
    }
    try await withTemporaryTree(
      Self.items + folders + [
        .directory("large", [.sparseFile("image", size: 16 << 20)]),
        .directory("empty", [.directory("inner", [])]),
        .directory("links", [.file("a", size: 1), .hardLink("b", to: "links/a")]),
      ]
    ) { root in
      var (made, stored) = (try baseline(of: root, isStored: false), try baseline(of: root))
      for number in 0..<16 {
        (made.number, stored.number) = (number, number)
        let first = try scanNow([root], reusing: [made], level: .fast)
        let second = try scanNow([root], reusing: [stored], level: .fast)
        #expect(first.unverified == second.unverified)
        #expect(first.calls == second.calls)
        #expect(first.tree == second.tree)
      }
    }
  }

  @Test func `Growth of a cold file is found when its turn comes, and told`() async throws {
    try await withTemporaryTree(Self.items) { root in
      var baseline = try baseline(of: root)
      try check(truncate("\(root)/3/file 7", 1_000_000), "truncate")
      let full = try scanNow([root])
      var findings = 0
      for number in 0..<16 {
        baseline.number = number
        let scan = try scanNow([root], reusing: [baseline], level: .fast)
        findings += scan.unverified.changedInSample
        #expect(scan.tree == (scan.unverified.changedInSample == 1 ? full.tree : baseline.tree))
      }
      #expect(findings == 1)
    }
  }

  @Test func `Files that are hot or large, or in a changed directory, are looked at`() async throws
  {
    try await withTemporaryTree(
      Self.items + [.directory("large", [.sparseFile("image", size: 16 << 20)])]
    ) { root in
      var baseline = try baseline(of: root)
      func rechecked() throws -> Int {
        let scan = try scanNow([root], reusing: [baseline], level: .fast)
        #expect(scan.unverified.sampledFiles + scan.unverified.files <= 200)
        return scan.calls.entriesRechecked - scan.unverified.sampledFiles
      }
      #expect(try rechecked() == 1)
      let tree = baseline.tree
      let changed = try #require(tree.directory(atPath: Array("\(root)/4".utf8)))
      baseline.changedInodes = [tree.details(of: changed).inode]
      #expect(try rechecked() == 21)
      baseline.startedAt -= 90 * 24 * 3600 * 1_000_000_000
      #expect(try rechecked() == 201)
    }
  }

  @Test func `Names are exact`() async throws {
    try await withTemporaryTree(Self.items) { root in
      let baseline = try baseline(of: root)
      try check(unlink("\(root)/1/file 1"), "unlink")
      try check(rename("\(root)/2", "\(root)/3/2"), "rename")
      let scan = try scanNow([root], reusing: [baseline], level: .fast)
      #expect(scan.tree.allPaths == (try scanNow([root]).tree.allPaths))
      #expect(scan.unverified.files > 0)
    }
  }
}

struct TrustRuleTests {
  private static let uuid = String(repeating: "0f", count: 16)
  private static let identifier = "00000000fe000001"

  @Test(arguments: [
    ("ext4", uuid, TrustRule.names), ("ext4", identifier, .names), ("ext4", "", .never),
    ("btrfs", identifier, .names), ("zfs", identifier, .names), ("tmpfs", uuid, .names),
    // A device number, as older kernels give, is that of another file system tomorrow.
    ("tmpfs", identifier, .never), ("xfs", identifier, .never), ("xfs", uuid, .names),
    ("erofs", uuid, .everything), ("squashfs", identifier, .never), ("vfat", uuid, .never),
    ("nfs4", uuid, .never), ("fuse.sshfs", uuid, .never), ("overlay", uuid, .never),
    ("9p", uuid, .never), ("", "", .never),
  ])
  func `Directory times prove something where they are kept`(
    type: String,
    uuid: String,
    rule: TrustRule
  ) {
    #expect(TrustRule(FileSystem(device: 1, type: type, uuid: uuid)) == rule)
  }
}
