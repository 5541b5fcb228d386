public import PlatTree

/// How what a tree holds has grown or shrunk since an earlier time.
///
/// A picture that is coloured by ``RenderOptions/ColorKey/growth`` shows it, and a page can. Areas are those of the
/// tree as it is, and what was removed has none: the legend names it.
public struct TreeGrowth: Sendable {
  /// Something that the tree does not hold any more.
  internal struct Removal: Hashable, Sendable {
    /// The path below the top of the comparison.
    internal var path: [UInt8]
    internal var size: UInt64
  }

  /// The earlier time, as a picture shows it.
  internal let since: String
  /// By how many bytes all has grown.
  internal let change: Int64
  /// What was removed, the largest first.
  internal let removals: [Removal]
  /// The classes of what has changed, by the index of its directory and by its name.
  private var classes: [Int: [[UInt8]: GrowthClass]] = [:]
  /// Whether a directory and all it holds is new, by index.
  private var isNew: [Bool]
  /// Whether something at or below a directory has changed, by index.
  private var hasChanged: [Bool]

  /// Creates the growth of a tree.
  ///
  /// - Parameters:
  ///   - tree: The tree as it is.
  ///   - top: The directory that is drawn.
  ///   - difference: What is different between the earlier tree and this one, below that directory.
  ///   - since: When the earlier tree was made, as the picture is to say it.
  ///   - measure: The size that counts.
  /// - Precondition: `top` came from `tree`.
  public init(
    of tree: FileTree,
    below top: DirectoryID,
    from difference: TreeDiff,
    since: String,
    by measure: SizeMeasure
  ) {
    self.since = since
    change = difference.growth(measure)
    isNew = [Bool](repeating: false, count: tree.directoryCount)
    hasChanged = isNew
    let prefix = tree.path(of: top)
    let skipped = prefix.last == UInt8(ascii: "/") ? prefix.count : prefix.count + 1
    removals = difference.changes
      .filter { $0.kind == .removed && $0.before.size(measure) > 0 }
      .map { Removal(path: Array($0.path.dropFirst(skipped)), size: $0.before.size(measure)) }
      .sorted { one, two in
        one.size != two.size ? one.size > two.size : one.path.lexicographicallyPrecedes(two.path)
      }
    for change in difference.changes where change.kind != .removed {
      if change.entryKind == .directory {
        guard change.kind == .added || change.kind == .replaced else { continue }
        if let directory = tree.directory(atPath: change.path) { markNew(directory, of: tree) }
      } else {
        insert(change, in: tree, measure)
      }
    }
  }

  private mutating func markNew(_ directory: DirectoryID, of tree: FileTree) {
    tree.forEachDirectory(from: directory) { isNew[$0.index] = true }
    markChanged(directory, of: tree)
  }

  /// Marks a directory and those above it.
  private mutating func markChanged(_ directory: DirectoryID, of tree: FileTree) {
    var next: DirectoryID? = directory
    while let directory = next, !hasChanged[directory.index] {
      hasChanged[directory.index] = true
      next = tree.parent(of: directory)
    }
  }

  private mutating func insert(
    _ change: TreeDiff.Change,
    in tree: FileTree,
    _ measure: SizeMeasure
  ) {
    guard let slash = change.path.lastIndex(of: UInt8(ascii: "/")) else { return }
    let parent = change.path[..<max(slash, 1)]
    guard let directory = tree.directory(atPath: parent) else { return }
    markChanged(directory, of: tree)
    let isNew = change.kind == .added || change.kind == .replaced
    let growth =
      isNew
      ? GrowthClass.new
      : GrowthClass(before: change.before.size(measure), after: change.after.size(measure))
    classes[directory.index, default: [:]][Array(change.path[(slash + 1)...])] = growth
  }

  /// Returns the class of everything below a directory, or `nil` if not all is of one class.
  internal func growthClass(ofAllIn directory: Int) -> GrowthClass? {
    if isNew[directory] { return .new }
    return hasChanged[directory] ? nil : .unchanged
  }

  /// Returns the class of the files of a directory, or `nil` if not all are of one class.
  internal func growthClass(ofFilesIn directory: Int) -> GrowthClass? {
    if isNew[directory] { return .new }
    return classes[directory] == nil ? .unchanged : nil
  }

  /// Returns the class of an entry that is no directory.
  internal func growthClass(of name: [UInt8], in directory: Int) -> GrowthClass {
    if isNew[directory] { return .new }
    return classes[directory]?[name] ?? .unchanged
  }
}

/// How much of its size something has gained or lost.
internal enum GrowthClass: Int, CaseIterable, Sendable {
  case shrunkByHalf, shrunkByTenth, shrunkALittle, unchanged, grownALittle, grownByTenth,
    grownByHalf
  case new

  /// Classifies the change of a size, by its share of the larger of the two sizes.
  internal init(before: UInt64, after: UInt64) {
    let larger = Double(max(before, after, 1))
    let share = (Double(after) - Double(before)) / larger
    switch share {
    case ...(-0.5): self = .shrunkByHalf
    case ...(-0.1): self = .shrunkByTenth
    case ..<0: self = .shrunkALittle
    case 0: self = .unchanged
    case ..<0.1: self = .grownALittle
    case ..<0.5: self = .grownByTenth
    default: self = .grownByHalf
    }
  }

  /// Returns the class of what holds bytes of several classes: that of their mean.
  internal init(meanOf sizes: [UInt64]) {
    var (sum, whole) = (0.0, 0.0)
    for (kind, size) in zip(Self.allCases, sizes) {
      sum += kind.strength * Double(size)
      whole += Double(size)
    }
    let mean = whole > 0 ? sum / whole : 0
    if whole > 0, sizes.prefix(Self.new.rawValue).allSatisfy({ $0 == 0 }) {
      self = .new
      return
    }
    // A few new files among many are no new directory.
    self =
      Self.allCases.dropLast()
      .min { abs($0.strength - mean) < abs($1.strength - mean) } ?? .unchanged
    if self == .unchanged, mean != 0 { self = mean > 0 ? .grownALittle : .shrunkALittle }
  }

  /// The place on the scale from -1 (gone) to 1 (doubled or new).
  internal var strength: Double {
    switch self {
    case .shrunkByHalf: -1
    case .shrunkByTenth: -0.6
    case .shrunkALittle: -0.3
    case .unchanged: 0
    case .grownALittle: 0.3
    case .grownByTenth: 0.6
    case .grownByHalf, .new: 1
    }
  }

  /// The class as a legend names it; the percentages are of the larger of the two sizes.
  internal var title: String {
    switch self {
    case .shrunkByHalf: "shrunk >50%"
    case .shrunkByTenth: "shrunk >10%"
    case .shrunkALittle: "shrunk"
    case .unchanged: "unchanged"
    case .grownALittle: "grown"
    case .grownByTenth: "grown >10%"
    case .grownByHalf: "grown >50%"
    case .new: "new"
    }
  }
}

extension Palette {
  /// Returns the colour of growth: orange for what has grown and blue for what has shrunk, the
  /// stronger the more.
  internal static func color(of growth: GrowthClass) -> OKLCH {
    if growth == .unchanged { return OKLCH(0.58, 0.008, 260) }
    let strength = growth.strength
    return OKLCH(
      0.58 + 0.14 * abs(strength),
      0.02 + 0.13 * abs(strength),
      strength < 0 ? 250 : 45
    )
  }
}
