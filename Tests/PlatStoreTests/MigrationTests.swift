import Foundation
import PlatTree
import Testing

@testable import PlatStore

/// Files of version 1 with more in them than the one that is kept.
struct MigrationTests {
  /// What puts the rows of a file, attached as `later`, into the tables of version 1.
  private static let rows = """
    INSERT INTO snapshot SELECT id, started_at, finished_at, level, options, host, complete, size,
      alloc, files, dirs, links, others, issues, unverified_files, unverified_size, digest, checksum,
      label, pinned FROM later.snapshot;
    INSERT INTO fs SELECT * FROM later.fs;
    INSERT INTO attr SELECT * FROM later.attr;
    INSERT INTO dir SELECT * FROM later.dir;
    INSERT INTO content SELECT id, codec, data FROM later.content WHERE codec = 0 AND data <> x'';
    INSERT INTO issue SELECT dir, since, n, name, call, errno
      FROM later.dirv JOIN later.issue USING(content);
    INSERT INTO exclusion SELECT dir, since, n, name, kind, reason
      FROM later.dirv JOIN later.exclusion USING(content);
    """

  /// Makes a file of version 1 with a snapshot of each tree.
  private func makeFile(of trees: [FileTree], in folder: URL) throws -> [UInt8] {
    let later = try SnapshotStore(folder.bytes(of: "later.plat"), for: .writing)
    for (second, tree) in trees.enumerated() { try later.write(tree, .at(Int64(second))) }
    let shared = try later.requireConnection().integer(
      "SELECT count(*) FROM content WHERE codec = 1"
    )
    try #require(shared ?? 0 > 0, "directories changed, and their listings did not")
    try Data().write(to: folder.appendingPathComponent("x.plat"))
    let path = folder.bytes(of: "x.plat")
    let connection = try Connection(path, .readWrite, busyTimeout: 0)
    try connection.execute(Schema.pragmasOfNewFile)
    try Migration.run([Schema.migrations[0]], on: connection)
    let quoted = folder.path.replacing("'", with: "''")
    try connection.execute("ATTACH '\(quoted)/later.plat' AS later")
    try connection.execute(Self.rows)
    try copyStates(to: connection)
    return path
  }

  /// Puts the states of directories, attached as `later`, into the table of version 1.
  private func copyStates(to connection: Connection) throws {
    let states = try Statement(
      """
      SELECT v.dir, v.since, v.until, \(DirectoryRow.columns), c.codec, c.data, c.id
      FROM later.dirv v JOIN later.content c ON c.id = v.content
      """,
      on: connection
    )
    let fields: [(column: String, field: DirectoryRow.Field)] = [
      ("size", .size), ("alloc", .alloc), ("files", .files), ("dirs", .dirs), ("links", .links),
      ("others", .others), ("own_size", .ownSize), ("own_alloc", .ownAlloc),
      ("self_alloc", .selfAlloc), ("max_size", .maxSize), ("max_alloc", .maxAlloc),
      ("newest", .newest), ("issues", .issues), ("mtime_ns", .mtime), ("ctime_ns", .ctime),
      ("ino", .inode), ("fs", .fileSystem), ("attr", .attributes), ("flags", .flags),
      ("listing_crc", .listingChecksum), ("notes", .notes),
    ]
    let columns = fields.map(\.column).joined(separator: ", ")
    var insertion = try BulkInsertion(
      "dirv",
      "dir, since, until, \(columns), elsewhere, checksum, content",
      on: connection
    )
    while try states.step() {
      let row = DirectoryRow(states, at: 3)
      insertion.append(states.int64(at: 0))
      insertion.append(states.int64(at: 1))
      if states.isNull(at: 2) {
        insertion.appendNull()
      } else {
        insertion.append(states.int64(at: 2))
      }
      for (_, field) in fields { insertion.append(row[field]) }
      if row.elsewhere.isEmpty {
        insertion.appendNull()
      } else {
        insertion.append(blob: row.elsewhere[...])
      }
      insertion.append(row.checksum)
      let codec = 3 + DirectoryRow.columnCount
      if row[.listingChecksum] == 0 {
        insertion.appendNull()
      } else {
        let isShared = states.int64(at: codec) == StoredCodec.shared
        insertion.append(states.int64(at: isShared ? codec + 1 : codec + 2))
      }
      try insertion.endRow()
    }
    try insertion.finish()
  }

  @Test(arguments: 0..<4 as Range<UInt64>)
  func `Every snapshot of version 1 is the same before and after the conversion`(
    seed: UInt64
  ) throws {
    var generator = SplitMix64(seed: 400 + seed)
    var model = ModelDirectory.random(80, using: &generator)
    var trees: [FileTree] = []
    for _ in 0..<6 {
      trees.append(model.withLongLinks.tree("/srv"))
      model.mutate(rarity: 6, using: &generator)
    }
    try withTemporaryFolder { folder in
      let path = try makeFile(of: trees, in: folder)
      let reader = try SnapshotStore(path, for: .reading)
      for (index, tree) in trees.enumerated() { #expect(try reader.load(index + 1) == tree) }
      #expect(try reader.check().problems == [])
      let difference = try reader.difference(from: 2, to: 5)
      let history = try reader.history().entries

      let store = try SnapshotStore(path, for: .writing)
      trees.append(model.withLongLinks.tree("/srv"))
      #expect(try store.write(trees[6], .at(6)).id == 7)
      #expect(try store.requireConnection().schemaVersion == Schema.version)
      for (index, tree) in trees.enumerated() { #expect(try store.load(index + 1) == tree) }
      #expect(try store.check().problems == [])
      #expect(try store.difference(from: 2, to: 5) == difference)
      #expect(try store.history().entries.prefix(6) == history[...])
    }
  }
}

extension ModelDirectory {
  /// The directory, with a symbolic link that occupies blocks wherever there are entries: so no row tells
  /// when files changed last, as none of version 1 does.
  fileprivate var withLongLinks: ModelDirectory {
    var copy = self
    if !entries.isEmpty {
      var link = ListingEntry()
      link.kind = .symbolicLink
      link.blocks = 8
      copy.entries[Array("link".utf8)] = link
    }
    copy.subdirectories = subdirectories.mapValues(\.withLongLinks)
    return copy
  }
}
