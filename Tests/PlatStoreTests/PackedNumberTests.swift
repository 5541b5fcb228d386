import Foundation
import PlatTree
import Testing

@testable import PlatStore

/// The columns `rest`.
struct PackedNumberTests {
  static let numbers: [Int64] = [0, 1, -1, 127, 128, 4_095, 1 << 31, 1 << 62, .max, .min]

  /// A row for each number, and one where a file change is not known.
  private var rows: [DirectoryRow] {
    Self.numbers.flatMap { number in
      [nil, number].map { change in
        var row = DirectoryRow()
        for field in DirectoryRow.Field.allCases { row[field] = number }
        row[.listingChecksum] = number & 0xffff_ffff
        row.newestFile = change
        if number > 1_000 { row.elsewhere = DirectoryRow.encode(ordinals: [3, 200, 70_000]) }
        return row
      }
    }
  }

  /// Calls `body` with a store that has the rows, and with the path of its file.
  private func withRows(_ body: (Connection, URL) throws -> Void) throws {
    try withTemporaryFolder { folder in
      let file = folder.appendingPathComponent("x.plat")
      try Data().write(to: file)
      let connection = try Connection(folder.bytes(of: "x.plat"), .readWrite, busyTimeout: 0)
      try Migration.run(Schema.migrations, on: connection)
      var contents = try BulkInsertion(
        "content",
        "id, codec, data, \(DirectoryRow.ownColumns)",
        on: connection
      )
      var states = try BulkInsertion(
        "dirv",
        "dir, since, content, \(DirectoryRow.subtreeColumns)",
        on: connection
      )
      for (number, row) in rows.enumerated() {
        contents.append(Int64(number))
        contents.append(0)
        contents.append(blob: [])
        row.appendOwn(to: &contents)
        try contents.endRow()
        for value in [number, 1, number] { states.append(Int64(value)) }
        row.appendSubtree(to: &states, checksum: Int64(number))
        try states.endRow()
      }
      try contents.finish()
      try states.finish()
      try body(connection, file)
    }
  }

  @Test func `A row comes back as it was, whatever its numbers are`() throws {
    try withRows { connection, _ in
      let statement = try Statement(
        "SELECT dir, \(DirectoryRow.columns) FROM \(DirectoryRow.tables) ORDER BY dir",
        on: connection
      )
      var found = 0
      while try statement.step() {
        let row = DirectoryRow(statement, at: 1)
        #expect(row.isEqual(to: rows[found]))
        #expect(row.checksum == Int64(found))
        #expect(statement.int64(at: 1 + DirectoryRow.contentColumn) == Int64(found))
        found += 1
      }
      #expect(found == rows.count)
    }
  }

  @Test(.enabled(if: executable("python3") != nil, "needs Python"))
  func `Python unpacks a row as the article on the schema says`() throws {
    let script = """
      import pathlib, sqlite3, sys
      def numbers(rest, count):
        word, position, found = int.from_bytes(rest[:4], 'little'), 4, []
        while len(found) < count:
          value = shift = 0
          while True:
            value |= (rest[position] & 127) << shift
            shift, position = shift + 7, position + 1
            if rest[position - 1] < 128: break
          found.append(value)
        return word, found, rest[position:]
      db = sqlite3.connect(pathlib.Path(sys.argv[1]).as_uri() + '?mode=ro', uri=True)
      for id, own, rest in db.execute('SELECT id, c.rest, v.rest FROM content c JOIN dirv v ON content = id'):
        crc, (alloc, attr, notes, known), left = numbers(own, 4)
        change = None
        if known:
          _, (zigzag,), left = numbers(bytes(4) + left, 1)
          change = zigzag >> 1 ^ -(zigzag & 1)
        checksum, sizes, _ = numbers(rest, 2)
        print(crc, alloc, attr, notes, change, left.hex(), checksum, *sizes)
      """
    try withRows { connection, file in
      try connection.execute("PRAGMA wal_checkpoint")
      let printed = try #require(try output(of: "python3", ["-c", script, file.path]))
      let expected = rows.enumerated().map { number, row in
        let change = row.newestFile.map { String($0) } ?? "None"
        let left = row.elsewhere.map { String(Int($0) + 0x100, radix: 16).dropFirst() }.joined()
        let word = row[.listingChecksum]
        let (own, size) = (UInt64(bitPattern: row[.selfAlloc]), UInt64(bitPattern: row[.maxSize]))
        return "\(word) \(own) \(own) \(own) \(change) \(left) \(number) \(size) \(size)\n"
      }
      #expect(printed == expected.joined())
    }
  }

  /// Bytes, and the numbers that are read from them.
  static let ends: [(bytes: [UInt8], word: Int64, number: UInt64)] = [
    ([], 0, 0),
    ([1, 2, 3], 0, 0),
    ([1, 2, 3, 4, 0x85], 0x0403_0201, 5),
    ([UInt8](repeating: 0xff, count: 34), 0xffff_ffff, .max),
  ]

  @Test(arguments: ends)
  func `Bytes that end too early have zeros behind them`(
    bytes: [UInt8],
    word: Int64,
    number: UInt64
  ) {
    bytes.withUnsafeBytes { bytes in
      var numbers = PackedNumbers(bytes)
      #expect(numbers.readWord() == word)
      #expect(numbers.readNumber() == number)
      #expect(numbers.readNumber() == 0)
      #expect(numbers.readRest() == [])
    }
  }
}
