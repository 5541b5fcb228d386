import Glibc
import PlatScan
import PlatTestSupport
import PlatTree
import Testing

struct RootTests {
  private let items: [TreeItem] = [
    .directory("s", [.file("f", size: 40_000), .directory("t", [.file("g", size: 7)])]),
    .directory("u", [.hardLink("f2", to: "s/f"), .file("own", size: 100)]),
    .file("h", size: 300), .symbolicLink("link", to: "s"), .symbolicLink("filelink", to: "h"),
  ]

  @Test func `Overlapping and equal roots make one total`() async throws {
    try await withTemporaryTree(items) { root in
      let expected = try await scan(root).tree
      for roots in [
        [root, "\(root)/s"], ["\(root)/s", root, "\(root)/s/t"], [root, root], [root, "\(root)/h"],
        ["\(root)/link", root], ["\(root)/s/t/g", root, "\(root)//"],
      ] {
        let result = try await DirectoryScanner().scan(roots.map { Array($0.utf8) })
        #expect(result.tree == expected)
        #expect(result.roots == [Array(root.utf8)])
      }
    }
  }

  @Test func `Several roots count a hard link once`() async throws {
    try await withTemporaryTree(items) { root in
      let tree = try await scan("\(root)/u", "\(root)/s").tree
      #expect(tree.isGroup)
      try expectAgreement(tree, "\(root)/s", "\(root)/u")
      #expect(tree == (try await scan("\(root)/s", "\(root)/u", "\(root)/s").tree))
      #expect(tree.directory(atPath: Array("\(root)/s/t".utf8)) != nil)
      #expect(tree.fileSystems.count == 1)
    }
  }

  @Test func `Files among the roots count as entries`() async throws {
    try await withTemporaryTree(items) { root in
      let single = try await scan("\(root)/h").tree
      #expect(single.isGroup)
      #expect(single.topNames == ["\(root)/h"])
      try expectAgreement(single, "\(root)/h")
      let mixed = try await scan("\(root)/h", "\(root)/s", "\(root)/h", "\(root)/s/f").tree
      try expectAgreement(mixed, "\(root)/h", "\(root)/s")
      // One inode, whether it is reached as a root or below one.
      let linked = try await scan("\(root)/u/f2", "\(root)/s").tree
      try expectAgreement(linked, "\(root)/u/f2", "\(root)/s")
      let both = try await scan("\(root)/u/f2", "\(root)/s/f").tree
      try expectAgreement(both, "\(root)/u/f2", "\(root)/s/f")
    }
  }

  @Test func `A root that is a symbolic link is followed`() async throws {
    try await withTemporaryTree(items) { root in
      let result = try await scan("\(root)/link")
      #expect(result.roots == [Array("\(root)/s".utf8)])
      #expect(result.tree == (try await scan("\(root)/s").tree))
      let file = try await scan("\(root)/filelink")
      #expect(file.roots == [Array("\(root)/h".utf8)])
      #expect(file.tree.totals(of: file.tree.root).apparentSize == 300)
    }
  }

  @Test func `A missing root is an issue beside one that is there`() async throws {
    try await withTemporaryTree(items) { root in
      let result = try await scan("\(root)/none", "\(root)/s")
      #expect(result.tree.totals(of: result.tree.root).files == 2)
      let issue = try #require(result.tree.issues.first)
      #expect(result.tree.issues.count == 1)
      #expect(result.tree.path(of: issue) == Array("\(root)/none".utf8))
      #expect((issue.call, issue.code) == ("statx", ENOENT))
      #expect(result.roots == [Array("\(root)/s".utf8)])
      #expect(result.tree.brokenInvariants() == [])
    }
  }

  @Test(arguments: [
    ("/no/such/root", ENOENT), ("", ENOENT), ("/etc/passwd/", ENOTDIR), ("/etc\0/x", ENOENT),
    ("\0", ENOENT),
  ])
  func `A root that cannot be examined is an error`(path: String, code: Int32) async throws {
    await #expect(
      throws: ScanError.system(call: "statx", path: Array(path.utf8), code: code)
    ) { try await scan(path) }
  }

  @Test func `A pattern that matches nothing is an error`() async throws {
    for pattern in ["", "/", "//", "a\0b"] {
      await #expect(throws: ScanError.pattern(Array(pattern.utf8))) {
        try await scan("/") { $0.exclusions = [Array(pattern.utf8)] }
      }
    }
  }

  @Test func `All spellings of a root mean the same tree`() async throws {
    try await withTemporaryTree(items) { root in
      await #expect(processExitsWith: .success) { [root = root as String] in
        try #require(chdir(root) == 0)
        let expected = try await scan(root)
        for spelling in [".", "./", ".//", "s/../.", "./s/..", "\(root)///", "\(root)/./s/t/../.."]
        {
          let result = try await scan(spelling)
          try #require(result.tree == expected.tree)
          try #require(result.roots == expected.roots)
        }
        let relative = try await scan("s", "./u/")
        try #require(relative.roots == ["s", "u"].map { Array("\(root)/\($0)".utf8) })
      }
    }
  }

  @Test func `A working directory that was removed is empty`() async throws {
    try await withTemporaryTree([.directory("gone", [])]) { root in
      await #expect(processExitsWith: .success) { [root = root as String] in
        try #require(chdir("\(root)/gone") == 0)
        try #require(rmdir("\(root)/gone") == 0)
        let tree = try await scan(".").tree
        try #require(tree.totals(of: tree.root).files == 0)
        try #require(tree.brokenInvariants() == [])
      }
    }
  }

  @Test func `A working directory deeper than PATH_MAX is a root`() async throws {
    try await withTemporaryTree([]) { root in
      await #expect(processExitsWith: .success) { [root = root as String] in
        try #require(chdir(root) == 0)
        let name = String(repeating: "w", count: 200)
        for _ in 0..<30 {
          try #require(mkdir(name, 0o755) == 0)
          try #require(chdir(name) == 0)
        }
        try #require(mkdir("s", 0o755) == 0)
        close(open("s/f", O_CREAT | O_WRONLY | O_CLOEXEC, 0o644))
        for path in [".", "./s/.."] {
          let result = try await scan(path)
          try #require(result.tree.totals(of: result.tree.root).files == 1)
          try #require(result.tree.totals(of: result.tree.root).directories == 2)
          try #require(result.tree.issues == [])
          try #require((result.roots.first?.count ?? 0) > 6000)
        }
      }
    }
  }

  @Test func `An unreadable directory is an issue, and the rest is counted`() async throws {
    try await withTemporaryTree([
      .mode(0o700, .directory("no", [.file("f", size: 50_000)])),
      .directory("yes", [.file("g", size: 9000)]),
      // A directory that can be listed, and whose entries cannot be examined.
      .mode(0o744, .directory("list", [.file("h", size: 1), .directory("sub", [])])),
    ]) { root in
      try #require(chmod(root, 0o755) == 0)
      await #expect(processExitsWith: .success) { [root = root as String] in
        try loseAccess([("\(root)/no", 0), ("\(root)/list", 0o444)])
        let tree = try await scan(root).tree
        try #require(tree.brokenInvariants() == [])
        try #require(tree.directoryNames == ["list", "no", "yes", "sub"])
        let (list, no) = (DirectoryID(1), DirectoryID(2))
        try #require(tree.details(of: no).flags == .isUnreadable)
        var status = stat()
        try #require(lstat("\(root)/no", &status) == 0)
        try #require(tree.details(of: no).allocatedSize == UInt64(status.st_blocks) * 512)
        try #require(tree.details(of: DirectoryID(4)).flags == .isUnreadable)
        try #require(tree.listing(of: list).count == 1)
        var cursor = tree.listing(of: list).makeCursor()
        let hasEntry = cursor.advance()
        try #require(hasEntry && cursor.entry.isUnreadable && cursor.entry.kind == .file)
        try #require(tree.issues.map(\.directory) == [list, no, DirectoryID(4)])
        try #require(tree.issues.map(\.code) == [EACCES, EACCES, EACCES])
        try #require(tree.issues.map(\.call) == ["statx", "openat", "openat"])
        try #require(tree.totals(of: DirectoryID(3)).apparentSize == 9000)
        try #require(tree.fileSystems.count == 1)
      }
    }
  }

  @Test func `A root that cannot be read is an error, or an issue among several`() async throws {
    try await withTemporaryTree([
      .mode(0o700, .directory("no", [.file("f", size: 50_000)])),
      .directory("yes", [.file("g", size: 9000)]),
    ]) { root in
      try #require(chmod(root, 0o755) == 0)
      await #expect(processExitsWith: .success) { [root = root as String] in
        try loseAccess([("\(root)/no", 0)])
        let no = "\(root)/no"
        await #expect(
          throws: ScanError.system(call: "openat", path: Array(no.utf8), code: EACCES)
        ) { try await scan(no) }
        let tree = try await scan(no, "\(root)/yes").tree
        try #require(tree.issues.map(\.code) == [EACCES])
        try #require(tree.totals(of: tree.root).files == 1)
      }
    }
  }

  @Test func `Messages name the path, then the reason`() {
    let path = Array("/srv/x".utf8)
    #expect(
      ScanError.system(call: "statx", path: path, code: ENOENT).description
        == "/srv/x: No such file or directory"
    )
    #expect(ScanError.pattern(Array("//".utf8)).description == "the pattern '//' matches nothing")
    #expect(ScanError.cancelled().description == "the scan was cancelled")
  }
}

/// Makes this process one that may do no more with some directories than their modes let it.
///
/// Root reads everything, so the process goes on as nobody, and root owns the directories; any other
/// user takes the modes away.
private func loseAccess(_ modes: [(path: String, mode: mode_t)]) throws {
  guard geteuid() == 0 else {
    for (path, mode) in modes { try #require(chmod(path, mode) == 0) }
    return
  }
  try #require(setgroups(0, nil) == 0)
  try #require(setgid(65534) == 0)
  try #require(setuid(65534) == 0)
}
