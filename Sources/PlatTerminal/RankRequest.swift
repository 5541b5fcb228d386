import PlatTree

/// A question: how many files of a tree, or directories, are larger than one of them.
internal struct RankRequest: Hashable, Sendable {
  internal var id: EntryID
  internal var revision: Int
  internal var measure: SizeMeasure
  internal var size: UInt64

  /// Returns the answer; `nil` if it was cancelled.
  internal func run(in tree: FileTree, isCancelled: () -> Bool = { false }) -> Int? {
    if id.ordinal == nil {
      return tree.directories.dropFirst().count { tree.size(of: $0, measure) > size }
    }
    var larger = 0
    for directory in tree.directories {
      if isCancelled() { return nil }
      var cursor = tree.listing(of: directory).makeCursor()
      while cursor.advanceWithoutName() {
        guard cursor.entry.kind == .file else { continue }
        if tree.chargedSize(of: cursor, in: directory, measure) > size { larger += 1 }
      }
    }
    return larger
  }

  /// Returns a rank in words: `2nd largest`.
  internal static func words(larger: Int) -> String {
    let rank = larger + 1
    if rank == 1 { return "largest" }
    let ending =
      switch (rank % 10, rank % 100) {
      case (1, let tens) where tens != 11: "st"
      case (2, let tens) where tens != 12: "nd"
      case (3, let tens) where tens != 13: "rd"
      default: "th"
      }
    return "\(NumberFormat.grouped(rank))\(ending) largest"
  }
}

extension Browser {
  /// The question about the selected row, if it is a file or a directory of the tree.
  internal var rankRequest: RankRequest? {
    guard let row = selectedRow, let id = row.id, row.kind == .file || row.isDirectory else {
      return nil
    }
    return RankRequest(id: id, revision: shown.revision, measure: measure, size: row.size)
  }
}
