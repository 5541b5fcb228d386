import Glibc
import PlatTestSupport
import PlatTree
import Testing

@testable import PlatScan

/// Scans of real mounts, each in a mount namespace of its own.
///
/// A namespace belongs to a thread, and goes with it, so that no mount is left behind.
@Suite(.enabled("mounting needs root and CAP_SYS_ADMIN") { canMount() })
struct MountTests {
  @Test func `A file system below the root is crossed, or left out`() async throws {
    try await withTemporaryTree([
      .directory("m", [.file("hidden", size: 90_000)]), .file("f", size: 1000),
    ]) { root in
      let (crossing, keeping, both, usage, ownUsage) = try inMountNamespace {
        try mountTmpfs("\(root)/m")
        try makeFile("\(root)/m/big", size: 50_000)
        return (
          try scanHere([root]), try scanHere([root], crosses: false),
          try scanHere([root, "\(root)/m"], crosses: false), try diskUsage([root]),
          try diskUsage([root], options: ["-x"])
        )
      }
      #expect(crossing.exclusions == [])
      #expect(crossing.directoryNames == ["m"])
      #expect(crossing.details(of: DirectoryID(1)).flags == .isMountPoint)
      #expect(crossing.totals(of: crossing.root).files == 2)
      #expect(crossing.fileSystems.map(\.type).last == "tmpfs")
      #expect(crossing.totals(of: crossing.root).allocatedSize == usage)
      expectSound(crossing)
      #expect(keeping.exclusions.map(\.reason) == [.otherFileSystem])
      #expect(keeping.exclusions.map(\.name) == [Array("m".utf8)])
      #expect(keeping.totals(of: keeping.root).files == 1)
      #expect(keeping.totals(of: keeping.root).allocatedSize == ownUsage)
      // A mount point that is given as a root is one.
      #expect(both.totals(of: both.root).allocatedSize == usage)
      #expect(both.totals(of: both.root).files == 2)
    }
  }

  @Test(arguments: [true, false])
  func `A directory that is mounted beside itself counts once`(crosses: Bool) async throws {
    try await withTemporaryTree([
      .directory("real", [.file("f", size: 70_000), .directory("sub", [.file("g", size: 5)])]),
      .directory("view", []), .directory("loop", [.directory("a", [.directory("b", [])])]),
    ]) { root in
      let (tree, whole, part) = try inMountNamespace {
        try bind("\(root)/real", "\(root)/view")
        try bind("\(root)/loop", "\(root)/loop/a/b")
        return (
          try scanHere([root], crosses: crosses),
          try scanHere(["\(root)/real", "\(root)/view"], crosses: crosses),
          try scanHere(["\(root)/view/sub", "\(root)/real"], crosses: crosses)
        )
      }
      #expect(tree.exclusions.map(\.name) == ["view", "b"].map { Array($0.utf8) })
      let reason = crosses ? Exclusion.Reason.countedElsewhere : .otherFileSystem
      #expect(tree.exclusions.map(\.reason) == [reason, reason])
      #expect(tree.totals(of: tree.root).files == 2)
      expectSound(tree)
      // The same content as two roots, in whole and in part.
      #expect(whole.totals(of: whole.root).files == 2)
      #expect(part.totals(of: part.root).files == 2)
      expectSound(part)
    }
  }

  @Test func `A file that is mounted over another counts once`() async throws {
    try await withTemporaryTree([
      .file("real", size: 70_000), .file("view", size: 0), .directory("d", [.file("x", size: 0)]),
    ]) { root in
      let (tree, keeping) = try inMountNamespace {
        try bind("\(root)/real", "\(root)/view")
        try bind("/proc/self/status", "\(root)/d/x")
        return (try scanHere([root]), try scanHere([root], crosses: false))
      }
      #expect(tree.topNames == ["real"])
      #expect(tree.exclusions.map(\.reason) == [.countedElsewhere, .kernelFileSystem])
      #expect(tree.exclusions.map(\.kind) == [.file, .file])
      #expect(keeping.topNames == ["real"])
      expectSound(tree)
    }
  }

  @Test func `Kernel file systems are left out below a root, and scanned as a root`() async throws {
    try await withTemporaryTree([.directory("proc", []), .file("f", size: 1)]) { root in
      let (tree, asRoot, both) = try inMountNamespace {
        try bind("/proc/self/fdinfo", "\(root)/proc")
        return (
          try scanHere([root]), try scanHere(["\(root)/proc"]),
          try scanHere([root, "\(root)/proc"])
        )
      }
      #expect(tree.exclusions.map(\.reason) == [.kernelFileSystem])
      #expect(tree.directoryCount == 1)
      #expect(asRoot.totals(of: asRoot.root).files > 0)
      #expect(both.totals(of: both.root).files > 1)
    }
  }

  @Test func `A mount that hides another is what is scanned`() async throws {
    try await withTemporaryTree([
      .directory("real", [.file("f", size: 9000)]),
      .directory("m", [.directory("view", [])]),
    ]) { root in
      let (tree, usage) = try inMountNamespace {
        try bind("\(root)/real", "\(root)/m/view")
        try mountTmpfs("\(root)/m")
        try check(mkdir("\(root)/m/view", 0o755), "mkdir")
        try makeFile("\(root)/m/view/other", size: 10)
        return (try scanHere([root]), try diskUsage([root]))
      }
      #expect(tree.totals(of: tree.root).files == 2)
      #expect(tree.exclusions == [])
      #expect(tree.totals(of: tree.root).allocatedSize == usage)
      expectSound(tree)
    }
  }

  /// Without a mount table, as in a chroot without /proc: nothing is planned, and mounts are met.
  @Test func `A directory mounted inside itself ends without a mount table`() async throws {
    try await withTemporaryTree([
      .directory("t", [.directory("a", [.file("f", size: 9), .directory("b", [])])])
    ]) { root in
      let (tree, mounts) = try inMountNamespace {
        try bind("\(root)/t", "\(root)/t/a/b")
        try check(chroot(root), "chroot")
        return (try scanHere(["/t"]), MountTable().mounts)
      }
      #expect(mounts == [])
      #expect(tree.totals(of: tree.root).files == 1)
      #expect(tree.exclusions.map(\.reason) == [.countedElsewhere])
      expectSound(tree)
    }
  }
}

/// Scans with threads that start from this one, and so share its namespace.
func scanHere(
  _ roots: [String],
  crosses: Bool = true,
  excluding pattern: String? = nil
) throws -> FileTree {
  var options = DirectoryScanner.Options()
  if let pattern { options.exclusions = [Array(pattern.utf8)] }
  options.crossesFileSystems = crosses
  return try ScanJob(roots.map { Array($0.utf8) }, options: options).run { _ in }.tree
}

/// Whether this process may make mount namespaces.
func canMount() -> Bool { (try? inMountNamespace {}) != nil }

/// Calls `body` on a thread in a mount namespace of its own, and waits for it.
///
/// Expectations do not belong in `body`: the test is not known on other threads.
func inMountNamespace<Value: Sendable>(
  _ body: @escaping @Sendable () throws -> Value
) throws -> Value {
  let outcome = Locked<Result<Value, any Error>?>(nil)
  let isStarted = startThread {
    let result = Result {
      try enterMountNamespace()
      return try body()
    }
    outcome.withLock { $0 = result }
    outcome.notifyAll()
  }
  try check(isStarted ? 0 : -1, "pthread_create")
  return try outcome.wait { $0 }.get()
}

private func enterMountNamespace() throws {
  typealias Unshare = @convention(c) (CInt) -> CInt
  // Glibc declares it only with _GNU_SOURCE.
  guard let symbol = dlsym(nil, "unshare") else {
    throw FixtureError(what: "unshare", code: ENOSYS)
  }
  let newMountNamespace: CInt = 0x20000  // CLONE_NEWNS
  try check(unsafeBitCast(symbol, to: Unshare.self)(newMountNamespace), "unshare")
  try check(mount("none", "/", nil, UInt(MS_REC | MS_PRIVATE), nil), "mount")
}

func bind(_ source: String, _ target: String) throws {
  try check(mount(source, target, nil, UInt(MS_BIND), nil), "mount --bind")
}

func mountTmpfs(_ target: String) throws {
  try check(mount("none", target, "tmpfs", 0, nil), "mount -t tmpfs")
}

func makeFile(_ path: String, size: Int) throws {
  let file = try check(open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0o644), "open")
  defer { close(file) }
  try check(CInt(write(file, [UInt8](repeating: 1, count: size), size)), "write")
}
