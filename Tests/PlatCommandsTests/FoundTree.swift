import Foundation
import PlatTestSupport

/// What find(1) says of everything at and below a directory, and sums that are made of it.
struct FoundTree {
  struct Entry {
    /// The path from the directory, which has none itself.
    var path: [UInt8]
    var kind: String
    var apparent: UInt64
    var allocated: UInt64
    var modified: Int64
    var owner: Int
    var inode: String
    var isCharged = true

    var names: [ArraySlice<UInt8>] { path.split(separator: UInt8(ascii: "/")) }
    var name: [UInt8] { Array(names.last ?? []) }

    func isBelow(_ directory: Entry) -> Bool {
      names.count > directory.names.count && names.starts(with: directory.names, by: ==)
    }
  }

  private(set) var entries: [Entry] = []

  /// Asks find, from the top of a snapshot, and keeps what is at and below a part of it.
  ///
  /// A file with several names is charged to the first by level, then by the names of directories, and
  /// then by its own.
  init(_ top: String, part: String = "") throws {
    let format = #"%P\0%y\0%s\0%b\0%T@\0%U\0%D:%i\0"#
    let fields = try run(["find", top, "-printf", format]).output
      .split(separator: 0, omittingEmptySubsequences: false).dropLast()
    var all: [Entry] = []
    var rest = fields[...]
    while !rest.isEmpty {
      let texts = rest.prefix(7).dropFirst().map { String(decoding: $0, as: UTF8.self) }
      let path = Array(rest.first ?? [])
      rest = rest.dropFirst(7)
      let hasLength = texts[0] == "f" || texts[0] == "l"
      all.append(
        Entry(
          path: path,
          kind: texts[0],
          apparent: hasLength ? UInt64(texts[1]) ?? 0 : 0,
          allocated: (UInt64(texts[2]) ?? 0) * 512,
          modified: Int64((Double(texts[3]) ?? 0).rounded(.down)),
          owner: Int(texts[4]) ?? -1,
          inode: texts[5]
        )
      )
    }
    all.sort { Self.comesBefore($0, $1) }
    var seen: Set<String> = []
    for index in all.indices where all[index].kind != "d" {
      all[index].isCharged = seen.insert(all[index].inode).inserted
    }
    let prefix = Array(part.utf8)
    for var entry in all
    where part.isEmpty || entry.path == prefix || entry.path.starts(with: prefix + [0x2f]) {
      entry.path = Array(entry.path.dropFirst(part.isEmpty ? 0 : prefix.count + 1))
      entries.append(entry)
    }
  }

  private static func comesBefore(_ first: Entry, _ second: Entry) -> Bool {
    let (one, two) = (first.names, second.names)
    if one.count != two.count { return one.count < two.count }
    for (name, other) in zip(one, two) where name != other {
      return name.lexicographicallyPrecedes(other)
    }
    return false
  }
}

/// What some entries add up to.
struct FoundSums: Equatable {
  var count = 0
  var allocated: UInt64 = 0
  var apparent: UInt64 = 0

  init() {}

  init(count: Int, allocated: UInt64, apparent: UInt64) {
    (self.count, self.allocated, self.apparent) = (count, allocated, apparent)
  }

  init(_ entries: [FoundTree.Entry]) {
    for entry in entries {
      count += 1
      guard entry.isCharged else { continue }
      allocated += entry.allocated
      apparent += entry.apparent
    }
  }
}
