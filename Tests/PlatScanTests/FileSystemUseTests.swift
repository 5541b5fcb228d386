import Glibc
import PlatTestSupport
import PlatTree
import Testing

@testable import PlatScan

struct FileSystemUseTests {
  @Test func `A deleted file that is open is found, with the process that holds it`() async throws {
    try await withTemporaryTree([.file("going", size: 70_000), .file("staying", size: 5)]) { root in
      let gone = open("\(root)/going", O_RDONLY)
      let there = open("\(root)/staying", O_RDONLY)
      try #require(gone >= 0 && there >= 0)
      defer {
        close(gone)
        close(there)
      }
      var status = stat()
      try #require(fstat(gone, &status) == 0)
      try #require(unlink("\(root)/going") == 0)

      let mount = try #require(MountTable().mount(at: PathComponents(Array(root.utf8))))
      let found = DeletedFiles(onDevice: mount.device).files.filter {
        $0.path.starts(with: root.utf8)
      }
      #expect(found.map(\.path) == [Array("\(root)/going".utf8)])
      #expect(found.map(\.allocatedSize) == [UInt64(status.st_blocks) * 512])
      #expect(found.map(\.processID) == [Int(getpid())])
      #expect(found.first?.processName.isEmpty == false)
      #expect(DeletedFiles(onDevice: .max).files.isEmpty)
    }
  }

  @Test func `A directory that is not the root of a file system is not compared`() async throws {
    try await withTemporaryTree([.directory("d", [])]) { root in
      let tree = try await scan("\(root)/d").tree
      #expect(FileSystemUse(of: Array("\(root)/d".utf8), in: tree) == nil)
    }
  }

  @Test(.enabled("mounting needs root and CAP_SYS_ADMIN") { canMount() })
  func `What a file system has in use is found, or hidden below a mount point`() async throws {
    try await withTemporaryTree([.directory("fs", []), .directory("beside", [])]) { root in
      let (alone, among, partial) = try inMountNamespace {
        let top = "\(root)/fs"
        try mountTmpfs(top)
        for name in ["m", "m/in", "empty", "kept"] {
          try check(mkdir("\(top)/\(name)", 0o755), name)
        }
        for name in ["m/in/a", "m/b", "kept/c"] { try makeFile("\(top)/\(name)", size: 50_000) }
        try check(link("\(top)/m/b", "\(top)/m/in/again"), "link")
        try mountTmpfs("\(top)/m")
        try mountTmpfs("\(top)/empty")
        try makeFile("\(top)/m/elsewhere", size: 1_000_000)
        let path = Array(top.utf8)
        return (
          FileSystemUse(of: path, in: try scanHere([top])),
          FileSystemUse(of: path, in: try scanHere([top, "\(root)/beside"], crosses: false)),
          FileSystemUse(of: path, in: try scanHere([top], excluding: "kept"))
        )
      }
      for use in [alone, among] {
        let use = try #require(use)
        #expect(use.type == "tmpfs")
        #expect(use.found == 53_248)
        #expect(use.hiddenDirectories.map(\.path) == [Array("\(root)/fs/m".utf8)])
        let hidden = try #require(use.hiddenDirectories.first)
        #expect(hidden.entryCount == 4)
        #expect(hidden.allocatedSize == 2 * 53_248)
        #expect(hidden.isComplete)
        #expect(use.difference == Int64(hidden.allocatedSize))
        #expect(use.space.used == 3 * 53_248)
      }
      // What was left out on purpose is not told from what nobody can find.
      #expect(partial == nil)
    }
  }

  @Test(.enabled("mounting needs root and CAP_SYS_ADMIN") { canMount() })
  func `A directory that is mounted on itself is found, and not hidden`() async throws {
    try await withTemporaryTree([.directory("fs", [])]) { root in
      let (all, one) = try inMountNamespace {
        let top = "\(root)/fs"
        try mountTmpfs(top)
        for name in ["self", "other"] {
          try check(mkdir("\(top)/\(name)", 0o755), name)
          try makeFile("\(top)/\(name)/\(name)", size: 50_000)
        }
        try bind("\(top)/self", "\(top)/self")
        try bind("\(top)/self", "\(top)/other")
        let path = Array(top.utf8)
        return (
          FileSystemUse(of: path, in: try scanHere([top])),
          FileSystemUse(of: path, in: try scanHere([top], crosses: false))
        )
      }
      let crossed = try #require(all)
      let (itself, other) = (Array("\(root)/fs/self".utf8), Array("\(root)/fs/other".utf8))
      #expect(crossed.hiddenDirectories.map(\.path) == [other])
      #expect(crossed.difference == Int64(crossed.explained))
      // Nothing that is mounted is entered, so what lies below was not found.
      let apart = try #require(one)
      #expect(Set(apart.hiddenDirectories.map(\.path)) == [itself, other])
    }
  }
}
