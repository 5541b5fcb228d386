import Foundation
import PlatTree
import Testing

@testable import PlatStore

struct CheckingTests {
  /// Three snapshots of a tree that changes: in 2 and 3 there is one more directory.
  private func withStore(_ body: (SnapshotStore, [FileTree]) throws -> Void) throws {
    try withTemporaryFolder { folder in
      var model = ModelDirectory()
      model.issues = [Issue(directory: DirectoryID(0), name: [0xff], call: "statx", code: 5)]
      model.entries[[66]] = ListingEntry()
      let store = try SnapshotStore(folder.bytes(of: "x.plat"), for: .writing)
      var trees: [FileTree] = []
      for step in 0..<3 {
        if step == 1 {
          var child = ModelDirectory()
          child.entries[[67]] = ListingEntry()
          model.subdirectories[[68]] = child
        }
        trees.append(model.tree("/srv"))
        try store.write(trees[step], .at(Int64(step)))
      }
      try body(store, trees)
    }
  }

  @Test func `A sound file has no problems`() throws {
    try withStore { store, _ in
      let check = try store.check()
      #expect(check.problems == [])
      #expect(check.intact == [1, 2, 3])
      #expect(check.damaged == [])
      #expect(check.listings == 2)
    }
  }

  /// A change, the snapshots that it damages, and words of a problem.
  struct Damage: CustomTestStringConvertible {
    var sql: String
    var damaged: [Int]
    var words: String
    var testDescription: String { sql }
  }

  static let damages = [
    Damage(
      sql: "UPDATE snapshot SET files = 9 WHERE id = 2",
      damaged: [2],
      words: "the checksum of its description does not fit"
    ),
    Damage(
      sql: "UPDATE dirv SET size = 9 WHERE dir = 2",
      damaged: [2, 3],
      words: "the checksum of directory 2 does not fit"
    ),
    Damage(
      sql: "UPDATE content SET data = x'01' WHERE id = 2",
      damaged: [2, 3],
      words: "listing 2: a directory's listing is malformed"
    ),
    Damage(
      sql: "DELETE FROM content WHERE id = 2",
      damaged: [2, 3],
      words: "1 states of directories without their listing"
    ),
    Damage(
      sql: "UPDATE content SET codec = 1, data = 9 WHERE id = 2",
      damaged: [2, 3],
      words: "1 listings that are nowhere"
    ),
    Damage(
      sql: "UPDATE content SET codec = 1, data = 2 WHERE id = 2",
      damaged: [2, 3],
      words: "1 listings that are nowhere"
    ),
    Damage(
      sql: "DELETE FROM issue",
      damaged: [1, 2, 3],
      words: "the issues of directory 1 do not fit"
    ),
    Damage(sql: "UPDATE snapshot SET digest = 1, checksum = 1", damaged: [1, 2, 3], words: "fit"),
    Damage(
      sql: "INSERT INTO dir(id, parent, name) VALUES(9, 1, 'x')",
      damaged: [],
      words: "1 directories without a state"
    ),
    Damage(
      sql: "INSERT INTO content SELECT 9, 1, 1, 1, 1, 1, 1, 1, x'', 2, x'00'",
      damaged: [],
      words: "listing 9: the dictionary is missing"
    ),
    Damage(
      sql: "UPDATE dirv SET until = 3 WHERE dir = 1 AND since = 1",
      damaged: [2],
      words: "1 states of directories at the same time as another"
    ),
    Damage(
      sql: "DELETE FROM snapshot WHERE id = 1",
      damaged: [],
      words: "1 states of directories in no snapshot"
    ),
  ]

  @Test(arguments: damages)
  func `Damage is named, and does not hide what is intact`(damage: Damage) throws {
    try withStore { store, trees in
      try store.requireConnection().execute(damage.sql)
      let check = try store.check()
      #expect(check.damaged == damage.damaged)
      #expect(
        check.problems.contains { $0.what.contains(damage.words) },
        "\(check.problems.map(\.what))"
      )
      for id in check.intact { #expect(try store.load(id) == trees[id - 1]) }
      for id in damage.damaged {
        #expect(check.problems.contains { $0.snapshot == id })
        #expect(throws: StoreError.self) { try store.load(id) }
      }
    }
  }

  @Test func `A snapshot whose description is damaged does not hide the others`() throws {
    try withStore { store, trees in
      try store.requireConnection().execute("UPDATE snapshot SET files = 9 WHERE id = 2")
      let all = try store.allSnapshots()
      #expect(all.intact.map(\.id) == [1, 3])
      #expect(all.damaged.map(\.id) == [2])
      #expect(try store.load(3) == trees[2])
      // It can be deleted, and the rest is sound then.
      try store.delete(2)
      #expect(try store.check().problems == [])
      #expect(try store.load(1) == trees[0])
    }
  }
}
