import Glibc
import PlatScan
import PlatTestSupport
import PlatTree
import Testing

struct LargeTreeTests {
  @Test func `A directory of 100,000 files is listed whole`() async throws {
    try await withTemporaryTree([]) { root in
      let directory = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      defer { close(directory) }
      for number in 0..<100_000 {
        // All names of one file: quick to make, and every one is an entry of its own.
        let name = "some-file-name-\(number)"
        if number % 1000 == 0 {
          close(openat(directory, name, O_CREAT | O_WRONLY | O_CLOEXEC, 0o644))
        } else {
          let target = "some-file-name-\(number - number % 1000)"
          try #require(linkat(directory, target, directory, name, 0) == 0)
        }
      }
      let tree = try await scan(root).tree
      #expect(tree.totals(of: tree.root).files == 100_000)
      #expect(tree.countedElsewhereCount == 99_900)
      #expect(tree.totals(of: tree.root).allocatedSize == (try diskUsage([root])))
      expectSound(tree)
    }
  }

  @Test(arguments: [[], [Array("a/*".utf8)]])
  func `A chain of 5,000 directories is read to the end`(exclusions: [[UInt8]]) async throws {
    try await withTemporaryTree([]) { root in
      try makeChain(5000, of: "d", in: root)
      let tree = try await scan(root) { $0.exclusions = exclusions }.tree
      #expect(tree.directoryCount == 5001)
      #expect(tree.totals(of: tree.root).files == 1)
      #expect(tree.totals(of: tree.root).allocatedSize == (try diskUsage([root])))
      #expect(tree.path(of: DirectoryID(5000)).count == root.utf8.count + 10_000)
      expectSound(tree)
    }
  }

  @Test func `64 descriptors are enough for a wide and deep tree`() async throws {
    let leaf = TreeItem.directory("leaf", [.file("f", size: 6)])
    let wide = (0..<20).map { outer in
      TreeItem.directory(
        "\(outer)",
        (0..<10).map { .directory("\($0)", [leaf, .directory("more", [leaf])]) }
      )
    }
    try await withTemporaryTree(wide) { root in
      try makeChain(300, of: "l", in: root)
      let files = 401
      let usage = try #require(try diskUsage([root]))
      await #expect(processExitsWith: .success) {
        [root = root as String, usage = usage as UInt64, files = files as Int] in
        // Descriptors that the process began with are not the scanner's.
        let used = (0..<1024).count { fcntl($0, F_GETFD) != -1 }
        for free in [60, 36, 20] {
          let limit = used + free
          var limits = rlimit(rlim_cur: rlim_t(limit), rlim_max: rlim_t(limit))
          try #require(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits) == 0)
          let tree = try await scan(root).tree
          try #require(tree.totals(of: tree.root).files == files)
          try #require(tree.totals(of: tree.root).allocatedSize == usage)
          try #require(tree.issues == [])
          try #require(openDescriptors(below: root) == [])
        }
      }
    }
  }

  /// Makes directories in one another, with a file in the last.
  private func makeChain(_ count: Int, of name: String, in root: String) throws {
    var directory = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { close(directory) }
    for _ in 0..<count {
      try #require(mkdirat(directory, name, 0o755) == 0)
      let inner = openat(directory, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      try #require(inner >= 0)
      close(directory)
      directory = inner
    }
    close(openat(directory, "bottom", O_CREAT | O_WRONLY | O_CLOEXEC, 0o644))
  }
}
