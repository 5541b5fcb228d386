import PlatTree

/// The colours of tiles by what has become of them since an older snapshot.
internal struct GrowthColoring: Sendable {
  internal static let grown = TileColor(RGB(0xf58a4b), basic: 3)
  internal static let shrunk = TileColor(RGB(0x5aa9ff), basic: 12)
  internal static let unchanged = TileColor(RGB(0x6a6f78), basic: 7)

  private let comparison: Comparison
  private let tree: FileTree
  private let measure: SizeMeasure
  /// The sizes that files of the directory in hand had.
  private var former: [[UInt8]: UInt64] = [:]
  /// The size that all of it had that has no tile yet.
  private var rest: UInt64 = 0

  internal init(_ comparison: Comparison, _ tree: FileTree, _ measure: SizeMeasure) {
    (self.comparison, self.tree, self.measure) = (comparison, tree, measure)
  }

  /// Begins with a directory, of which tiles are made.
  internal mutating func open(_ directory: DirectoryID) {
    (former, rest) = ([:], 0)
    let old = comparison.tree
    guard let before = old.directory(atPath: tree.path(of: directory)) else { return }
    rest = old.size(of: before, measure)
    var cursor = old.listing(of: before).makeCursor()
    while cursor.advance() {
      former[cursor.name] = old.chargedSize(of: cursor, in: before, measure)
    }
  }

  /// Takes note that a directory in the one in hand has a tile of its own.
  internal mutating func leaveOut(_ subdirectory: DirectoryID) {
    let old = comparison.tree
    guard let before = old.directory(atPath: tree.path(of: subdirectory)) else { return }
    rest -= min(old.size(of: before, measure), rest)
  }

  /// Returns the colour of a file of the directory in hand.
  internal mutating func color(of name: [UInt8], size: UInt64) -> TileColor {
    let before = former[name] ?? 0
    rest -= min(before, rest)
    return Self.color(from: before, to: size)
  }

  /// Returns the colour of all that has no tile of its own.
  internal func colorOfRest(size: UInt64) -> TileColor { Self.color(from: rest, to: size) }

  private static func color(from old: UInt64, to new: UInt64) -> TileColor {
    new > old ? grown : new < old ? shrunk : unchanged
  }

  /// Returns a legend: how much of a directory's entries has come and gone.
  internal func legend(
    of directory: DirectoryID,
    _ sizes: SizeFormat
  ) -> [(color: TileColor, title: String, size: Double)] {
    let list = comparison.rows(of: directory, in: tree, measure, TreeMarks())
    var (grown, shrunk) = (UInt64(0), UInt64(0))
    for change in list.rows.compactMap(\.change) {
      grown = grown.addingSaturated(change.grown)
      shrunk = shrunk.addingSaturated(change.shrunk)
    }
    return [
      (Self.grown, "grew \(sizes.string(grown))", 0),
      (Self.shrunk, "shrank \(sizes.string(shrunk))", 0), (Self.unchanged, "unchanged", 0),
    ]
  }
}
