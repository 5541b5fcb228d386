import PlatTree

/// Conditions on entries, as a person types them: `*.iso >1G >90d type:archive`.
///
/// All conditions hold for what is shown. A size with `>` is a least one and with `<` a most; an age
/// with `>` means older, with `<` newer.
internal struct ListFilter: Equatable, Sendable {
  private enum Condition: Sendable {
    case name(NamePattern)
    case atLeast(UInt64)
    case below(UInt64)
    case olderThan(days: Int64)
    case newerThan(days: Int64)
    case category(FileCategory)
  }

  internal let text: String
  private var conditions: [Condition] = []

  /// Reads conditions.
  ///
  /// - Returns: The filter, or what is wrong with a word.
  internal static func parse(_ text: String) -> Result<ListFilter?, Failure> {
    var filter = ListFilter(text: text)
    for word in text.split(separator: " ") {
      guard let condition = condition(word) else {
        return .failure(Failure(description: "'\(word)' is no pattern, size, age or type"))
      }
      filter.conditions.append(condition)
    }
    return .success(filter.conditions.isEmpty ? nil : filter)
  }

  /// Whether two filters say the same, in the same words.
  internal static func == (one: Self, other: Self) -> Bool { one.text == other.text }

  internal struct Failure: Error, Hashable, CustomStringConvertible {
    internal let description: String
  }

  private static func condition(_ word: Substring) -> Condition? {
    if word.hasPrefix("type:") {
      let name = word.dropFirst(5).lowercased()
      return FileCategory.allCases.first { $0.keyword.hasPrefix(name) }.map { .category($0) }
    }
    guard let sign = word.first, sign == ">" || sign == "<" else {
      return .name(NamePattern(typed: Array(word.utf8)))
    }
    let value = word.dropFirst()
    let units: [Character: Int64] = ["d": 1, "w": 7, "y": 365]
    if let unit = value.last, let days = units[unit], let count = Int64(value.dropLast()),
      (0...1_000_000).contains(count)
    {
      return sign == ">" ? .olderThan(days: count * days) : .newerThan(days: count * days)
    }
    return SizeFormat.parse(value).map { sign == ">" ? .atLeast($0) : .below($0) }
  }

  /// Returns whether an entry that is no directory meets all conditions.
  internal func includes(
    name: ArraySlice<UInt8>,
    size: UInt64,
    modified: Int64,
    category: @autoclosure () -> FileCategory,
    now: Int64
  ) -> Bool {
    conditions.allSatisfy { condition in
      switch condition {
      case .name(let pattern): pattern.matches(name)
      case .atLeast(let least): size >= least
      case .below(let limit): size < limit
      case .olderThan(let days): modified < now - days * 86_400
      case .newerThan(let days): modified >= now - days * 86_400
      case .category(let wanted): category() == wanted
      }
    }
  }
}

/// What is left of every directory of a tree when a filter is on.
internal struct FilterSums: Sendable {
  internal struct Request: Equatable, Sendable {
    internal var filter: ListFilter
    internal var revision: Int
    internal var measure: SizeMeasure
    internal var now: Int64
  }

  internal let request: Request
  private var sizes: [UInt64]
  private var counts: [Int]

  /// Adds up what a filter leaves of a tree; `nil` if it was cancelled.
  internal init?(_ request: Request, of tree: FileTree, isCancelled: () -> Bool = { false }) {
    self.request = request
    sizes = Array(repeating: 0, count: tree.directoryCount)
    counts = Array(repeating: 0, count: tree.directoryCount)
    for directory in tree.directories {
      if isCancelled() { return nil }
      let holdsManualPages = FileCategory.holdsManualPages(
        directoryNamed: tree.name(of: directory)
      )
      var cursor = tree.listing(of: directory).makeCursor()
      while cursor.advance() {
        let entry = cursor.entry
        let isIncluded = request.filter.includes(
          name: cursor.name[...],
          size: entry.size(request.measure),
          modified: entry.modificationTime,
          category: FileCategory(entry, named: cursor.name, holdsManualPages),
          now: request.now
        )
        guard isIncluded else { continue }
        let size = tree.chargedSize(of: cursor, in: directory, request.measure)
        sizes[directory.index] = sizes[directory.index].addingSaturated(size)
        counts[directory.index] += 1
      }
    }
    for directory in tree.directories.reversed() {
      guard let parent = tree.parent(of: directory) else { break }
      sizes[parent.index] = sizes[parent.index].addingSaturated(sizes[directory.index])
      counts[parent.index] += counts[directory.index]
    }
  }

  /// The bytes at and below a directory that meet the conditions.
  internal func size(of directory: DirectoryID) -> UInt64 { sizes[directory.index] }

  /// The number of entries at and below a directory that meet the conditions.
  internal func count(of directory: DirectoryID) -> Int { counts[directory.index] }
}

extension Browser {
  /// Turns a filter on or off.
  internal mutating func setFilter(_ filter: ListFilter?) -> [BrowserEffect] {
    let name = selectedName
    self.filter = filter
    filterSums = nil
    reload(selecting: name)
    guard let filter, let tree else { return [] }
    let request = FilterSums.Request(
      filter: filter,
      revision: shown.revision,
      measure: measure,
      now: now
    )
    return [.filter(request, tree)]
  }

  /// Takes what a filter leaves, unless another one is on by now.
  internal mutating func accept(_ sums: FilterSums) {
    guard sums.request.filter == filter, sums.request.revision == shown.revision,
      sums.request.measure == measure
    else { return }
    filterSums = sums
    reload(selecting: selectedName)
  }
}
