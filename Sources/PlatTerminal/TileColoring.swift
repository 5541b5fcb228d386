import PlatTree

/// The colour of a tile: what it is with any number of colours.
internal struct TileColor: Hashable, Sendable {
  /// The colour on a dark ground, before shading.
  internal var rgb = RGB(0x7c8088)
  /// The one of 16 colours that stands for it.
  internal var basic: UInt8 = 7

  internal init(_ rgb: RGB = RGB(0x7c8088), basic: UInt8 = 7) {
    (self.rgb, self.basic) = (rgb, basic)
  }

  internal init(_ category: FileCategory) {
    rgb = ScreenTheme.fills[Int(category.rawValue)]
    basic = ScreenTheme.basicFills[Int(category.rawValue)]
  }
}

/// The names of users, as far as they are known.
internal typealias OwnerNames = [UInt32: String]

/// Gives files their colours, by what the person wants to see, and adds up a legend.
internal struct TileColoring {
  private let key: ColorKey
  private let day: Int64
  private let names: OwnerNames
  private var owners: [UInt32: Int] = [:]
  private var sizes: [Double] = []

  /// The upper end of each class of age in days, and what a legend calls it.
  private static let ages: [(days: Int64, title: String, color: UInt32, basic: UInt8)] = [
    (1, "1 day", 0xf3cc6a, 11), (7, "1 week", 0xcdc76a, 3), (30, "1 month", 0x99c372, 10),
    (91, "3 months", 0x6bb97e, 2), (365, "1 year", 0x42ad8b, 14), (730, "2 years", 0x0a8c96, 6),
    (1461, "4 years", 0x1d6892, 12), (.max, "older", 0x374378, 4),
  ]

  /// The colours of levels, from the first.
  private static let levels: [(color: UInt32, basic: UInt8)] = [
    (0xf3cc6a, 11), (0xcdc76a, 3), (0x99c372, 10), (0x6bb97e, 2), (0x42ad8b, 14), (0x209c93, 6),
    (0x0a8c96, 6), (0x1d6892, 12), (0x2a5586, 4), (0x374378, 4),
  ]

  private static let ownerColors: [FileCategory] = [
    .program, .code, .archive, .data, .document, .image, .configuration, .video, .log, .audio,
  ]

  internal init(_ request: MapModel.Request, tree: FileTree, names: OwnerNames) {
    key = request.key
    day = request.day
    self.names = names
  }

  /// Whether colours depend on kinds, whose sums are known beforehand.
  internal var isByType: Bool { key == .type }

  /// Returns the colour of an entry, and adds it to the legend.
  internal mutating func color(
    of entry: ListingEntry,
    category: FileCategory,
    depth: Int,
    size: UInt64
  ) -> TileColor {
    let index = classIndex(of: entry, category, depth)
    while sizes.count <= index { sizes.append(0) }
    sizes[index] += Double(size)
    return color(ofClass: index)
  }

  private mutating func classIndex(
    of entry: ListingEntry,
    _ category: FileCategory,
    _ depth: Int
  ) -> Int {
    switch key {
    case .type, .growth: return Int(category.rawValue)
    case .age:
      let age = day - entry.modificationTime / 86_400
      return Self.ages.firstIndex { age <= $0.days } ?? Self.ages.count - 1
    case .depth: return min(max(depth - 1, 0), Self.levels.count - 1)
    case .owner:
      if let index = owners[entry.owner] { return index }
      owners[entry.owner] = owners.count
      return owners.count - 1
    }
  }

  private func color(ofClass index: Int) -> TileColor {
    switch key {
    case .type, .growth: return TileColor(FileCategory.allCases[index])
    case .age: return TileColor(RGB(Self.ages[index].color), basic: Self.ages[index].basic)
    case .depth: return TileColor(RGB(Self.levels[index].color), basic: Self.levels[index].basic)
    case .owner:
      return index < Self.ownerColors.count ? TileColor(Self.ownerColors[index]) : TileColor()
    }
  }

  /// The legend of what was coloured: by size, or in order for classes that have one.
  internal var legend: [(color: TileColor, title: String, size: Double)] {
    let entries = sizes.indices.filter { sizes[$0] > 0 }.map { index in
      (color(ofClass: index), title(ofClass: index), sizes[index])
    }
    switch key {
    case .type, .owner, .growth: return entries.sorted { $0.2 > $1.2 }
    case .age, .depth: return entries
    }
  }

  private func title(ofClass index: Int) -> String {
    switch key {
    case .type, .growth: return FileCategory.allCases[index].title
    case .age: return Self.ages[index].title
    case .depth: return "level \(index + 1)" + (index + 1 == Self.levels.count ? "+" : "")
    case .owner:
      guard let owner = owners.first(where: { $0.value == index })?.key else { return "" }
      return names[owner] ?? "user \(owner)"
    }
  }
}
