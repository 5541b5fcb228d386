import PlatTree
import Testing

@testable import PlatStore

struct LayoutMemoryTests {
  private func withStore(_ body: (SnapshotStore) throws -> Void) throws {
    try withTemporaryFolder { folder in
      let store = try SnapshotStore(folder.bytes(of: "x.plat"), for: .writing)
      let tree = ModelDirectory().tree("/srv")
      for day in 0..<3 as Range<Int64> { try store.write(tree, .at(day * 86_400)) }
      try body(store)
    }
  }

  private func memory(_ snapshot: Int) -> LayoutMemory {
    LayoutMemory(snapshot: snapshot, data: [0, 0xff, UInt8(snapshot)])
  }

  @Test func `The memory of the latest picture of a kind comes back`() throws {
    try withStore { store in
      #expect(try store.layoutMemory(width: 8, height: 6, options: "a") == nil)
      for snapshot in [2, 1, 3] {
        try store.setLayoutMemory(memory(snapshot), width: 8, height: 6, options: "a")
      }
      try store.setLayoutMemory(memory(1), width: 6, height: 8, options: "a")
      #expect(try store.layoutMemory(width: 8, height: 6, options: "a") == memory(3))
      #expect(try store.layoutMemory(width: 8, height: 6, options: "a", upTo: 2) == memory(2))
      #expect(try store.layoutMemory(width: 6, height: 8, options: "a") == memory(1))
      #expect(try store.layoutMemory(width: 8, height: 6, options: "b") == nil)
    }
  }

  @Test func `A large memory comes back, and takes less room where that is possible`() throws {
    try withStore { store in
      var generator = SplitMix64(seed: 70)
      let random = (0..<70_000).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
      let regular = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 / 9) }
      for (data, most) in [(regular, 20_000), (random, 70_000)] {
        let memory = LayoutMemory(snapshot: 3, data: data)
        try store.setLayoutMemory(memory, width: 8, height: 6, options: "a")
        #expect(try store.layoutMemory(width: 8, height: 6, options: "a") == memory)
        let stored = try store.requireConnection().integer("SELECT length(data) FROM layout") ?? 0
        #expect(stored <= most)
      }
      // A block that makes no sense is none.
      try store.requireConnection().execute("UPDATE layout SET codec = 2")
      #expect(try store.layoutMemory(width: 8, height: 6, options: "a") == nil)
    }
  }

  @Test func `Setting it again replaces it, and changes no snapshot`() throws {
    try withStore { store in
      let before = try store.snapshots()
      try store.setLayoutMemory(memory(3), width: 8, height: 6, options: "a")
      let other = LayoutMemory(snapshot: 3, data: [])
      try store.setLayoutMemory(other, width: 8, height: 6, options: "a")
      #expect(try store.layoutMemory(width: 8, height: 6, options: "a") == other)
      #expect(try store.snapshots() == before)
      #expect(try store.load(3) == ModelDirectory().tree("/srv"))
    }
  }

  @Test(
    arguments: [
      ([1], [1], 2, 1), ([1], [1, 2], 3, 1), ([1, 2], [1], 2, 2), ([1, 2], [2], 3, 2),
      ([1], [3], 2, 1),
      ([3], [3], 2, nil), ([1, 2, 3], [1, 2], 3, 3), ([1, 2], [1, 2], 3, 2),
    ] as [([Int], [Int], Int, Int?)]
  )
  func `A later snapshot has the memory of the one before, also when that is deleted`(
    remembered: [Int],
    deleted: [Int],
    asked: Int,
    expected: Int?
  ) throws {
    try withStore { store in
      for snapshot in remembered {
        try store.setLayoutMemory(memory(snapshot), width: 8, height: 6, options: "a")
      }
      for id in deleted { _ = try store.delete(id) }
      let found = try store.layoutMemory(width: 8, height: 6, options: "a", upTo: asked)
      #expect(found?.data == expected.map { memory($0).data })
    }
  }

  @Test func `Only the latest few are kept`() throws {
    try withStore { store in
      for width in 0..<20 {
        let snapshot = width < 4 ? 1 : 2
        try store.setLayoutMemory(memory(snapshot), width: width, height: 6, options: "a")
      }
      #expect(try store.requireConnection().integer("SELECT count(*) FROM layout") == 16)
      #expect(try store.layoutMemory(width: 0, height: 6, options: "a") == nil)
      #expect(try store.layoutMemory(width: 19, height: 6, options: "a") == memory(2))
    }
  }

  @Test func `Damaged memory is none, and one of no snapshot is refused`() throws {
    try withStore { store in
      try store.setLayoutMemory(memory(3), width: 8, height: 6, options: "a")
      try store.requireConnection().execute("UPDATE layout SET data = x'00'")
      #expect(try store.layoutMemory(width: 8, height: 6, options: "a") == nil)
      #expect(throws: StoreError.noSnapshot(path: store.shownPath, id: 9)) {
        try store.setLayoutMemory(memory(9), width: 8, height: 6, options: "a")
      }
    }
  }
}
