import PlatTree

/// The largest directories that a scan has found so far, as lines below the progress of a scan.
internal struct LargestSoFar {
  private let context: CommandContext
  private var revision: Int?
  /// The lines of the tree that was seen last.
  internal private(set) var lines: [String] = []

  private static let count = 6
  /// The least rows of a terminal that has room for them beside what was there before.
  private static let leastRows = 12

  internal init(in context: CommandContext) { self.context = context }

  /// Whether the terminal has room for them.
  internal var hasRoom: Bool { (context.errorsTerminal.rows ?? 0) >= Self.leastRows }

  /// Looks at a tree, if it is another one than before.
  internal mutating func update(_ tree: FileTree?, revision: Int?) {
    guard let tree, revision != self.revision else { return }
    self.revision = revision
    let measure: SizeMeasure = context.options.apparent ? .apparent : .allocated
    let whole = tree.size(of: tree.root, measure)
    let columns = (context.errorsTerminal.columns ?? context.width) - 1
    let root = tree.path(of: tree.root)
    lines = tree.largestDirectories(Self.count, depth: 2, by: measure).map { directory in
      let size = context.shown(size: tree.size(of: directory, measure))
      let share = NumberFormat.share(tree.size(of: directory, measure), of: whole)
      var path = tree.path(of: directory).dropFirst(root.count)
      if path.first == UInt8(ascii: "/") { path = path.dropFirst() }
      func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(width - ColumnWidth.of(text), 0)) + text
      }
      let start = "\(right(size, 8))  \(right(share, 4))  "
      let room = columns - ColumnWidth.of(start)
      let name = ColumnWidth.truncatingMiddle(
        of: context.shown(path),
        to: room,
        ellipsis: context.usesASCII ? "~" : "…"
      )
      return start + name
    }
  }
}
