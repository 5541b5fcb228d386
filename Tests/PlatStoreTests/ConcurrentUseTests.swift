import Foundation
import PlatTree
import Synchronization
import Testing

@testable import PlatStore

/// Several users of a file at once, and users that end in the middle of their work.
@Suite(.timeLimit(.minutes(30)))
struct ConcurrentUseTests {
  private static func model(_ seed: UInt64, _ count: Int = 200) -> ModelDirectory {
    var generator = SplitMix64(seed: seed)
    return ModelDirectory.random(count, using: &generator)
  }

  @Test func `Two writers at once both succeed, and neither loses a snapshot`() async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("plat-store-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.bytes(of: "x.plat")
    let trees = (0..<3).map { Self.model(70 + $0).tree("/srv") }
    let rounds = 4
    let failures = await withTaskGroup(of: (any Error)?.self) { group in
      for tree in trees {
        group.addTask {
          do {
            for _ in 0..<rounds {
              var options = SnapshotStore.Options()
              options.busyTimeout = 60_000
              try SnapshotStore(path, for: .writing, options: options).write(tree, .at(0))
            }
            return nil
          } catch { return error }
        }
      }
      return await group.reduce(into: []) { if let error = $1 { $0.append(error) } }
    }
    #expect(failures.isEmpty, "\(failures)")
    let store = try SnapshotStore(path, for: .reading)
    let ids = try store.snapshots().map(\.id)
    #expect(ids == Array(1...trees.count * rounds))
    for id in ids {
      let tree = try store.load(id)
      #expect(trees.contains(tree))
    }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path)
        .filter { $0.contains(".new-") } == []
    )
  }

  @Test func `Of first snapshots at the same moment, none is lost`() async throws {
    let trees = (0..<4).map { Self.model(60 + $0, 3).tree("/srv") }
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("plat-store-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for round in 0..<50 {
      let path = folder.bytes(of: "\(round).plat")
      try await withThrowingTaskGroup(of: Void.self) { group in
        for tree in trees {
          group.addTask { try SnapshotStore(path, for: .writing).write(tree, .at(0)) }
        }
        try await group.waitForAll()
      }
      #expect(try SnapshotStore(path, for: .reading).snapshots().map(\.id) == [1, 2, 3, 4])
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(names.filter { $0.contains(".new-") } == [])
  }

  @Test func `A file that was taken for abandoned before its lock is made again`() throws {
    try withTemporaryFolder { folder in
      let name = folder.appendingPathComponent("x.plat.new-1").path
      let file = open(name, O_RDWR | O_CREAT | O_EXCL, 0o600)
      defer { close(file) }
      // Another process comes by just here.
      StoreFile.removeAbandoned(StoreFile.newMark, beside: folder.bytes(of: "x.plat"))
      #expect(!FileManager.default.fileExists(atPath: name))
      #expect(!StoreFile.lockUnlessRemoved(file))
    }
  }

  @Test func `What is beside a new file that is being written stays`() throws {
    try withTemporaryFolder { folder in
      let path = folder.bytes(of: "x.plat")
      let name = folder.appendingPathComponent("x.plat.new-1").path
      let file = open(name, O_RDWR | O_CREAT | O_EXCL, 0o600)
      #expect(StoreFile.lockUnlessRemoved(file))
      try Data().write(to: URL(fileURLWithPath: name + "-wal"))
      StoreFile.removeAbandoned(StoreFile.newMark, beside: path)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)
      close(file)
      StoreFile.removeAbandoned(StoreFile.newMark, beside: path)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }
  }

  @Test func `Readers during a write are never told to wait`() async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("plat-store-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.bytes(of: "x.plat")
    let trees = (0..<2).map { Self.model(80 + $0).tree("/srv") }
    try SnapshotStore(path, for: .writing).write(trees[0], .at(0))
    // The last connection to close takes the log away, and locks out who opens just then.
    let isOpen = Flag()
    let isDone = Flag()
    let seen = try await withThrowingTaskGroup(of: Set<Int>.self) { group in
      group.addTask {
        var step = 0
        while !isOpen.value.load(ordering: .relaxed) { await Task.yield() }
        while !isDone.value.load(ordering: .relaxed) {
          step += 1
          try SnapshotStore(path, for: .writing).write(trees[step % 2], .at(Int64(step)))
        }
        return []
      }
      group.addTask {
        defer {
          isOpen.value.store(true, ordering: .relaxed)
          isDone.value.store(true, ordering: .relaxed)
        }
        var seen: Set<Int> = []
        var options = SnapshotStore.Options()
        options.busyTimeout = 0
        let store = try SnapshotStore(path, for: .reading, options: options)
        seen.insert(try store.snapshot().id)
        isOpen.value.store(true, ordering: .relaxed)
        while seen.count < 6 {
          let info = try store.snapshot()
          let found = try store.load(info.id)
          #expect(found == trees[(info.id - 1) % 2])
          seen.insert(info.id)
        }
        return seen
      }
      return try await group.reduce(Set<Int>()) { $0.union($1) }
    }
    #expect(seen.count == 6)
  }

  @Test func `A writer that waits too long says so`() throws {
    try withTemporaryFolder { folder in
      let path = folder.bytes(of: "x.plat")
      let tree = ModelDirectory().tree("/srv")
      try SnapshotStore(path, for: .writing).write(tree, .at(0))
      var options = SnapshotStore.Options()
      options.busyTimeout = 10
      let blocker = try Connection(path, .readWrite, busyTimeout: 0)
      try blocker.execute("BEGIN IMMEDIATE")
      let error = #expect(throws: StoreError.self) {
        try SnapshotStore(path, for: .writing, options: options).write(tree, .at(1))
      }
      #expect(
        error?.description
          == """
          \(folder.path)/x.plat: another process is writing to it, and was not done in 0.01 s \
          (try again later)
          """
      )
      try blocker.execute("ROLLBACK")
      #expect(try SnapshotStore(path, for: .writing, options: options).write(tree, .at(1)).id == 2)
    }
  }

  @Test(arguments: [true, false])
  func `A process killed while it writes leaves only whole snapshots`(withLog: Bool) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("plat-store-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.bytes(of: "x.plat")
    let name = String(decoding: path, as: UTF8.self)
    let trees = (0..<2).map { Self.model(90 + $0).tree("/srv") }
    var count = 0
    for round in 0..<6 {
      // Every other time the first write of the process is over when it is to be killed.
      let spared = round % 2
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [name = name as String, withLog = withLog as Bool, spared = spared as Int] in
        var options = SnapshotStore.Options()
        options.usesWriteAheadLog = withLog
        let path = Array(name.utf8)
        let trees = (0..<2).map { ConcurrentUseTests.model(90 + $0).tree("/srv") }
        let thread = Thread {
          usleep(.random(in: 0...120_000))
          kill(getpid(), SIGKILL)
        }
        for step in 0... {
          if step == spared { thread.start() }
          let store = try SnapshotStore(path, for: .writing, options: options)
          try store.write(trees[step % 2], .at(Int64(step)))
        }
      }
      guard FileManager.default.fileExists(atPath: name) else {
        continue
      }
      let store = try SnapshotStore(path, for: .reading)
      let infos = try store.snapshots()
      #expect(infos.count >= count)
      count = infos.count
      for info in infos.suffix(3) {
        let tree = try store.load(info.id)
        #expect(tree == trees[Int(info.scan.startedAt / 1_000_000_000) % 2])
      }
      #expect(try store.requireConnection().text("PRAGMA quick_check") == "ok")
    }
    #expect(count > 0)
    // The next scan works, and removes what was left beside the file.
    try SnapshotStore(path, for: .writing).write(trees[0], .at(0))
  }
}

/// Something that a task tells another.
private final class Flag: Sendable {
  let value = Atomic(false)
}

/// No room for a snapshot.
struct FullDiskTests {
  @Test func `A first snapshot that does not fit leaves no file`() throws {
    try withTemporaryFolder { folder in
      var options = SnapshotStore.Options()
      options.pageLimit = 20
      let path = folder.bytes(of: "x.plat")
      var generator = SplitMix64(seed: 1)
      let tree = ModelDirectory.random(400, using: &generator).tree("/srv")
      let error = #expect(throws: StoreError.self) {
        try SnapshotStore(path, for: .writing, options: options).write(tree, .at(0))
      }
      #expect(error?.description == "\(folder.path)/x.plat: no space left for the snapshot")
      let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      #expect(left == [])
    }
  }

  @Test func `A later snapshot that does not fit leaves the earlier ones`() throws {
    try withTemporaryFolder { folder in
      let path = folder.bytes(of: "x.plat")
      let small = ModelDirectory().tree("/srv")
      try SnapshotStore(path, for: .writing).write(small, .at(0))
      var options = SnapshotStore.Options()
      options.pageLimit = 40
      var generator = SplitMix64(seed: 1)
      let tree = ModelDirectory.random(400, using: &generator).tree("/srv")
      let store = try SnapshotStore(path, for: .writing, options: options)
      #expect(throws: StoreError.full(path: "\(folder.path)/x.plat")) {
        try store.write(tree, .at(1))
      }
      #expect(try store.load() == small)
      #expect(try store.snapshots().count == 1)
      #expect(try SnapshotStore(path, for: .writing).write(tree, .at(1)).id == 2)
    }
  }

  @Test(.enabled(if: geteuid() == 0 && executable("mount") != nil, "mounting needs root"))
  func `A full disk leaves the earlier snapshots, first or later`() throws {
    var generator = SplitMix64(seed: 1)
    let large = ModelDirectory.random(1500, using: &generator).tree("/srv")
    let small = ModelDirectory().tree("/srv")
    try withTemporaryFolder { folder in
      guard try mount(["-t", "tmpfs", "-o", "size=300k", "none", folder.path]) else { return }
      defer { _ = try? unmount(folder.path) }
      let path = folder.bytes(of: "x.plat")
      let full = StoreError.full(path: "\(folder.path)/x.plat")
      #expect(throws: full) { try SnapshotStore(path, for: .writing).write(large, .at(0)) }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
      try SnapshotStore(path, for: .writing).write(small, .at(0))
      #expect(throws: full) { try SnapshotStore(path, for: .writing).write(large, .at(1)) }
      #expect(try SnapshotStore(path, for: .reading).load() == small)
      #expect(try SnapshotStore(path, for: .writing).write(small, .at(2)).id == 2)
    }
  }
}
