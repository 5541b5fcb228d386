import PlatTestSupport
import PlatTree
import Testing

@testable import PlatTerminal

struct RowListTests {
  private static func key(_ row: Row, _ key: RowOrder.Key) -> [Int64] {
    switch key {
    case .size:
      row.change.map { [Int64($0.grown), -Int64($0.shrunk)] } ?? [Int64(row.size)]
    case .otherSize: [Int64(row.otherSize)]
    case .owner: [row.id == nil ? -1 : row.owner == 4 ? 9 : Int64(row.owner)]
    case .mode: [row.id == nil ? -1 : Int64(row.mode)]
    case .items: [Int64(row.items)]
    case .time: [row.modified]
    case .name: []
    }
  }

  @Test(
    arguments: [RowOrder.Key.size, .otherSize, .name, .items, .time, .owner, .mode],
    [(false, false), (true, false), (false, true), (true, true)]
  )
  func `Rows are in order, and equal ones in order of their names`(
    key: RowOrder.Key,
    options: (isAscending: Bool, isCompared: Bool)
  ) {
    var generator = SplitMix64(seed: 3)
    var list = RowList()
    for number in 0..<300 {
      var row = Row()
      row.size = UInt64.random(in: 0..<9, using: &generator)
      row.items = Int.random(in: 0..<9, using: &generator)
      row.otherSize = UInt64.random(in: 0..<9, using: &generator)
      row.id = number % 7 == 0 ? nil : EntryID(DirectoryID(0), ordinal: number)
      row.owner = UInt32.random(in: 0..<6, using: &generator)
      row.mode = UInt16.random(in: 0..<9, using: &generator)
      row.modified = [.min, -5, 0, 7, .max].randomElement(using: &generator) ?? 0
      if options.isCompared {
        row.change = RowChange(from: UInt64.random(in: 0..<9, using: &generator), to: row.size)
      }
      list.append(row, name: ArraySlice("\(number * 7919 % 301)".utf8))
    }
    let owners: OwnerNames = [0: "a", 1: "b", 2: "c", 3: "d", 5: "e"]
    list.sort(by: RowOrder(key: key, isAscending: options.isAscending), owners: owners)
    #expect(list.rows.count == 300)
    for index in 1..<300 {
      let (one, two) = (list.rows[index - 1], list.rows[index])
      let keys = (Self.key(one, key), Self.key(two, key))
      if keys.0 != keys.1 {
        #expect(keys.0.lexicographicallyPrecedes(keys.1) == options.isAscending)
      } else {
        let isOrdered = list.name(at: index - 1).lexicographicallyPrecedes(list.name(at: index))
        #expect(isOrdered == (key != .name || options.isAscending))
      }
    }
  }

  @Test func `The kind of a file is told when it is asked for`() throws {
    let tree = makeTree([
      .directory("man1", [.file("ls.1", size: 1)]), .file("a.mp4", size: 1),
      .file("tool", size: 1, mode: 0o755), .file("plain", size: 1),
    ])
    func kinds(_ directory: DirectoryID) -> [String: FileCategory] {
      let list = RowList(tree, directory, measure: .apparent, marks: TreeMarks())
      var kinds: [String: FileCategory] = [:]
      for (index, row) in list.rows.enumerated() {
        kinds[String(decoding: list.name(at: index), as: UTF8.self)] = list.category(of: row)
      }
      return kinds
    }
    #expect(
      kinds(tree.root)
        == ["man1": .other, "a.mp4": .video, "tool": .program, "plain": .other]
    )
    let manual = try #require(tree.directory(atPath: "/srv/man1".utf8))
    #expect(kinds(manual) == ["ls.1": .document])
  }
}
