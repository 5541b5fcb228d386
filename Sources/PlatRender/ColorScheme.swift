import PlatTree

/// The colours of the classes of a picture, and what a legend says of them.
internal struct ColorScheme: Sendable {
  /// A line of the legend.
  internal struct Entry: Hashable, Sendable {
    internal var title: String
    internal var size: UInt64
    internal var color: OKLCH
    internal var isOutlined = false
  }

  /// The colours in use.
  internal let colors: [OKLCH]
  /// The position in ``colors`` of each class.
  private let positions: [Int]
  /// The position in ``colors`` of one whose tiles have a bright outline, if there is one.
  internal private(set) var outlined: Int?
  /// The legend: by size, or in order for classes that have one.
  internal private(set) var legend: [Entry]

  /// Returns the position in ``colors`` of the colour of a class.
  internal func position(ofClass index: Int) -> Int {
    positions.indices.contains(index) ? positions[index] : 0
  }

  /// Creates the scheme for the classes of a selection.
  ///
  /// - Parameters:
  ///   - classes: The classes, with their sizes.
  ///   - ownerNames: The names of users, as far as they are known.
  ///   - folders: Gives the name of a directory at the top.
  internal init(
    _ classes: FileClasses,
    ownerNames: [UInt32: String],
    folders: (_ position: Int) -> String
  ) {
    let sizes = classes.sizes
    switch classes.key {
    case .type:
      let entries = FileCategory.allCases.map { category in
        (category.title, Palette.color(of: category))
      }
      self.init(ordered: entries, sizes, bySize: true)
    case .age:
      var start = 0.0
      let entries = AgeClass.allCases.map { age in
        // The middle of a class on the logarithmic scale of the ramp, and 6 years for the last.
        let days = Double(age.days ?? 3286)
        let middle = ((start + 1) * (days + 1)).squareRoot() - 1
        start = days
        return (age.title, Palette.color(ofAgeInDays: middle))
      }
      self.init(ordered: entries, sizes, bySize: false)
    case .depth:
      let entries = (0...FileClasses.deepest).map { depth in
        (
          depth == FileClasses.deepest ? "\(depth)+ levels" : NumberFormat.counted(depth, "level"),
          Palette.color(ofRank: Double(depth) / Double(FileClasses.deepest))
        )
      }
      self.init(ordered: entries, sizes, bySize: false)
    case .growth:
      let entries = GrowthClass.allCases.map { ($0.title, Palette.color(of: $0)) }
      self.init(ordered: entries, sizes, bySize: false)
      outlined = GrowthClass.new.rawValue
      if sizes.count > GrowthClass.new.rawValue, let last = legend.indices.last {
        legend[last].isOutlined = true
      }
    case .folder:
      self.init(unordered: sizes) { $0 == 0 ? "files at the top" : folders($0 - 1) }
    case .owner:
      self.init(unordered: sizes) { index in
        let owner = classes.owners[index]
        return ownerNames[owner].map { NameDisplay.label($0.utf8) } ?? "user \(owner)"
      }
    }
  }

  /// Creates a scheme for classes that have colours of their own.
  private init(ordered classes: [(title: String, color: OKLCH)], _ sizes: [UInt64], bySize: Bool) {
    colors = classes.map(\.color)
    positions = Array(classes.indices)
    var entries = zip(classes, sizes).map { Entry(title: $0.title, size: $1, color: $0.color) }
    entries.removeAll { $0.size == 0 }
    if bySize { entries = entries.stablySorted { $0.size > $1.size } }
    legend = entries
  }

  /// Creates a scheme that gives the largest classes a colour each, and the others grey.
  private init(unordered sizes: [UInt64], title: (Int) -> String) {
    let hues = Palette.hues
    let ranking = sizes.indices.filter { sizes[$0] > 0 }.stablySorted { sizes[$0] > sizes[$1] }
    var positions = [Int](repeating: hues.count, count: max(sizes.count, 1))
    for (rank, index) in ranking.prefix(hues.count).enumerated() { positions[index] = rank }
    colors = hues + [Palette.grey]
    self.positions = positions
    var legend = ranking.prefix(hues.count).enumerated().map { rank, index in
      Entry(title: title(index), size: sizes[index], color: hues[rank])
    }
    let rest = ranking.dropFirst(hues.count).reduce(UInt64(0)) { $0.addingSaturated(sizes[$1]) }
    if rest > 0 { legend.append(Entry(title: "Other", size: rest, color: Palette.grey)) }
    self.legend = legend
  }
}

extension Collection {
  /// Returns the elements sorted, equal ones in the order they had.
  fileprivate func stablySorted(by precedes: (Element, Element) -> Bool) -> [Element] {
    enumerated()
      .sorted { one, two in
        precedes(one.element, two.element)
          || (!precedes(two.element, one.element) && one.offset < two.offset)
      }
      .map(\.element)
  }
}
