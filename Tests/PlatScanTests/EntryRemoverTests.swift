import Foundation
import Glibc
import PlatTestSupport
import PlatTree
import Testing

@testable import PlatScan

struct EntryRemoverTests {
  /// What a scan would say of a path now.
  private func target(_ names: [FileName], in root: String) throws -> EntryRemover.Target {
    var path = Array(root.utf8)
    for name in names { path += [0x2f] + name.bytes }
    var status = stat()
    guard lstat(path.map(CChar.init(bitPattern:)) + [0], &status) == 0 else {
      throw FixtureError(what: "lstat", code: errno)
    }
    return EntryRemover.Target(
      names: names.map(\.bytes),
      device: UInt64(status.st_dev),
      inode: UInt64(status.st_ino)
    )
  }

  private func remover(_ root: String) -> EntryRemover { EntryRemover(root: Array(root.utf8)) }

  @Test func `A directory goes with everything in it, and nothing beside it does`() async throws {
    try await withTemporaryTree([
      .directory(
        "doomed",
        [
          .file("a", size: 9_000), .directory("empty", []), .fifo("pipe"), .socket("socket"),
          .directory(
            "d",
            [.file(FileName([0x0a, 0x1b, 0xff]), size: 100), .file("-rf", size: 1)]
          ),
          .symbolicLink("outside", to: "../kept"), .symbolicLink("nowhere", to: "/no/such"),
        ]
      ),
      .directory("kept", [.file("b", size: 10)]),
    ]) { root in
      let used = try #require(try diskUsage([root + "/doomed"]))
      let count = try entryCount(root + "/doomed")
      let report = try remover(root).remove(target(["doomed"], in: root))
      #expect(report.isComplete)
      #expect(report.failures == [])
      #expect(report.progress.entries == count)
      #expect(report.progress.freedSize == used)
      #expect(access(root + "/doomed", F_OK) == -1)
      #expect(access(root + "/kept/b", F_OK) == 0)
    }
  }

  @Test func `A link is removed itself, and what it leads to stays`() async throws {
    try await withTemporaryTree([
      .directory("kept", [.file("b", size: 10)]), .symbolicLink("link", to: "kept"),
    ]) { root in
      let report = try remover(root).remove(target(["link"], in: root))
      #expect(report.isComplete)
      #expect(access(root + "/kept/b", F_OK) == 0)
    }
  }

  @Test func `A link that has taken the place of a directory on the way leads nowhere`()
    async throws
  {
    try await withTemporaryTree([
      .directory("way", [.file("victim", size: 10)]),
      .directory("elsewhere", [.file("victim", size: 10)]),
    ]) { root in
      let target = try target(["elsewhere", "victim"], in: root)
      let asked = EntryRemover.Target(
        names: [Array("way".utf8), Array("victim".utf8)],
        device: target.device,
        inode: target.inode
      )
      try FileManager.default.removeItem(atPath: root + "/way")
      symlink("elsewhere", root + "/way")
      let report = remover(root).remove(asked)
      #expect(!report.isComplete)
      #expect(report.failures.map(\.names) == [[Array("way".utf8)]])
      #expect(access(root + "/elsewhere/victim", F_OK) == 0)
    }
  }

  @Test func `What has taken the name since the scan stays`() async throws {
    try await withTemporaryTree([.file("a", size: 10), .directory("d", [.file("f", size: 1)])]) {
      root in
      let file = try target(["a"], in: root)
      let directory = try target(["d"], in: root)
      // The old entries live on under other names, so that their inodes are not given away again.
      rename(root + "/a", root + "/a.old")
      rename(root + "/d", root + "/d.old")
      try Data("new".utf8).write(to: URL(filePath: root + "/a"))
      mkdir(root + "/d", 0o755)
      for target in [file, directory] {
        let report = remover(root).remove(target)
        #expect(report.failures.map(\.reason) == [.changed])
        #expect(report.progress.entries == 0)
      }
      #expect(access(root + "/a", F_OK) == 0 && access(root + "/d", F_OK) == 0)
    }
  }

  @Test func `A file with another name frees nothing, and with its last name its blocks`()
    async throws
  {
    try await withTemporaryTree([.file("a", size: 50_000), .hardLink("b", to: "a")]) { root in
      let used = try #require(try diskUsage([root + "/a"]))
      let first = try remover(root).remove(target(["a"], in: root))
      #expect(first.progress.freedSize == 0)
      let second = try remover(root).remove(target(["b"], in: root))
      #expect(second.progress.freedSize == used)
    }
  }

  @Test func `A removal that is stopped says so, and leaves the rest`() async throws {
    let files = (0..<50).map { TreeItem.file(FileName("f\($0)"), size: 1) }
    try await withTemporaryTree([.directory("d", files)]) { root in
      let report = try remover(root).remove(target(["d"], in: root)) { $0.entries < 10 }
      #expect(report.wasStopped && !report.isComplete)
      #expect(report.progress.entries == 10)
      #expect(try entryCount(root + "/d") == 41)
    }
  }

  @Test func `A tree deeper than descriptors go is removed`() async throws {
    try await withTemporaryTree([]) { root in
      let limit = 400
      var directory = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      for _ in 0..<limit {
        mkdirat(directory, "a-directory-with-a-long-name", 0o755)
        let next = openat(directory, "a-directory-with-a-long-name", O_RDONLY | O_CLOEXEC)
        close(directory)
        directory = next
      }
      close(directory)
      let target = try target(["a-directory-with-a-long-name"], in: root)
      let report = remover(root).remove(target)
      #expect(report.isComplete && report.progress.entries == limit)
    }
  }

  @Test(.enabled("mounting needs root and CAP_SYS_ADMIN") { canMount() })
  func `A mount below is not touched, and only what leads to it stays`() async throws {
    try await withTemporaryTree([
      .directory(
        "d",
        [.directory("mnt", []), .file("a", size: 1), .directory("e", [.file("b", size: 1)])]
      )
    ]) { root in
      let target = try target(["d"], in: root)
      let (report, mount, isKept) = try inMountNamespace {
        try mountTmpfs("\(root)/d/mnt")
        try makeFile("\(root)/d/mnt/inside", size: 1)
        let report = EntryRemover(root: Array(root.utf8)).remove(target)
        let asked = try self.target(["d", "mnt"], in: root)
        let mount = EntryRemover(root: Array(root.utf8)).remove(asked)
        return (report, mount, access("\(root)/d/mnt/inside", F_OK) == 0)
      }
      #expect(report.failures.map(\.reason) == [.mountPoint])
      #expect(report.failures.map(\.names) == [[Array("d".utf8), Array("mnt".utf8)]])
      #expect(!report.isComplete && report.progress.entries == 3)
      #expect(mount.failures.map(\.reason) == [.mountPoint])
      #expect(isKept)
      #expect(try entryCount(root + "/d") == 2)
    }
  }

  @Test func `What may not be removed is named, with the call and the reason`() async throws {
    try await withTemporaryTree([
      .directory("d", [.directory("locked", [.file("a", size: 1)]), .file("b", size: 1)])
    ]) { root in
      let target = try target(["d"], in: root)
      // Root may do everything but change what is immutable; others are kept out by the mode.
      let locked = root + "/d/locked"
      if geteuid() == 0, try run(["chattr", "+i", locked]).status != 0 { return }
      chmod(locked, 0o555)
      defer {
        _ = try? run(["chattr", "-i", locked])
        chmod(locked, 0o755)
      }
      let report = remover(root).remove(target)
      #expect(report.failures.count == 1)
      #expect(report.failures.first?.names == ["d", "locked", "a"].map { Array($0.utf8) })
      guard case .system(call: "unlinkat", let code) = report.failures.first?.reason else {
        Issue.record("the call is to be named")
        return
      }
      #expect(code == EPERM || code == EACCES)
      #expect(access(root + "/d/b", F_OK) == -1)
    }
  }

  @Test func `Others who move things about meanwhile lose nothing outside the target`() async throws
  {
    try await withTemporaryTree([
      .directory("d", (0..<40).map { .directory(FileName("s\($0)"), [.file("f", size: 1)]) }),
      .directory("outside", [.file("precious", size: 1)]),
    ]) { root in
      let target = try target(["d"], in: root)
      // After each step another subdirectory becomes a link that leads out.
      let report = remover(root).remove(target) { progress in
        let name = root + "/d/s\(progress.entries % 40)"
        if rename(name, name + ".moved") == 0 { symlink("../outside", name) }
        return true
      }
      #expect(report.progress.entries > 0)
      #expect(access(root + "/outside/precious", F_OK) == 0)
    }
  }
}

struct TrashTests {
  @Test func `An entry is moved to the trash, with what is needed to put it back`() async throws {
    try await withTemporaryTree([
      .directory("data", []), .directory("x", [.file("a b\u{e9}.txt", size: 3_000)]),
    ]) { root in
      let trash = Trash(
        dataHome: Array((root + "/data").utf8),
        userID: geteuid(),
        deletionDate: "2026-11-30T04:00:00"
      )
      let remover = EntryRemover(root: Array(root.utf8))
      for round in 0..<2 {
        let path = root + "/x/a b\u{e9}.txt"
        if round == 1 { try Data("second".utf8).write(to: URL(filePath: path)) }
        var status = stat()
        lstat(path, &status)
        let target = EntryRemover.Target(
          names: [Array("x".utf8), Array("a b\u{e9}.txt".utf8)],
          device: UInt64(status.st_dev),
          inode: UInt64(status.st_ino)
        )
        let report = trash.move(target, of: remover)
        #expect(report.isComplete && report.progress.entries == 1)
        #expect(report.progress.freedSize == 0)
        let name = round == 0 ? "a b\u{e9}.txt" : "a b\u{e9}.txt.1"
        #expect(access(root + "/data/Trash/files/" + name, F_OK) == 0)
        let info = try String(
          contentsOfFile: root + "/data/Trash/info/\(name).trashinfo",
          encoding: .utf8
        )
        let escaped = (root + "/x/a b\u{e9}.txt").addingPercentEncoding(
          withAllowedCharacters: CharacterSet(
            charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/"
          )
        )
        #expect(
          info == "[Trash Info]\nPath=\(escaped ?? "")\nDeletionDate=2026-11-30T04:00:00\n"
        )
      }
    }
  }

  @Test func `What is not what was scanned is not moved, and leaves no trace`() async throws {
    try await withTemporaryTree([.directory("data", []), .file("a", size: 1)]) { root in
      let trash = Trash(
        dataHome: Array((root + "/data").utf8),
        userID: geteuid(),
        deletionDate: ""
      )
      let target = EntryRemover.Target(names: [Array("a".utf8)], device: 1, inode: 1)
      let report = trash.move(target, of: EntryRemover(root: Array(root.utf8)))
      #expect(report.failures.map(\.reason) == [.changed])
      #expect(access(root + "/a", F_OK) == 0)
      #expect(access(root + "/data/Trash", F_OK) == -1)
    }
  }
}
