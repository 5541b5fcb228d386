import PlatTree
import Testing

@testable import PlatStore

struct StatementTests {
  @Test func `More bytes than SQLite takes are an error`() throws {
    try withTemporaryFolder { folder in
      let store = try SnapshotStore(folder.bytes(of: "x.plat"), for: .writing)
      try store.write(ModelDirectory().tree("/srv"), .at(0))
      let statement = try Statement("SELECT ?1", on: try store.requireConnection())
      // None of them is looked at: SQLite refuses the number, which is above 10^9.
      let one: [UInt8] = [65]
      let errors = one.withUnsafeBytes { bytes in
        let many = UnsafeRawBufferPointer(start: bytes.baseAddress, count: 1_000_000_001)
        return [
          #expect(throws: StoreError.self) { try statement.bind(borrowedBlob: many, at: 1) },
          #expect(throws: StoreError.self) { try statement.bind(borrowedText: many, at: 1) },
        ]
      }
      for error in errors { #expect(error?.description.contains("too big") == true) }
    }
  }
}
