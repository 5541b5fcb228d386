import PlatTree

/// Puts files into classes, one for each colour, and adds up their sizes.
internal struct FileClasses: Sendable {
  /// Where a file is, as far as its class depends on it.
  internal struct Place: Sendable {
    /// How many directories the file is in, that at the top of the picture not counted.
    internal var depth = 0
    /// The position of the directory at or above the file among those at the top; `nil` at the top.
    internal var folder: Int?
    /// Whether the directory holds manual pages.
    internal var holdsManualPages = false
    /// The index of the directory that the file is in.
    internal var directory = 0
  }

  internal let key: RenderOptions.ColorKey
  /// The bytes in each class so far.
  internal private(set) var sizes: [UInt64] = []
  /// The user ID of each class, if classes are owners.
  internal private(set) var owners: [UInt32] = []
  private var ownerIndices: [UInt32: Int] = [:]
  private let now: Int64
  private let growth: TreeGrowth?

  /// The deepest class of depth.
  internal static let deepest = 9

  /// Creates classes with nothing in them.
  ///
  /// - Parameters:
  ///   - key: What makes a class.
  ///   - now: The time that ages are counted from, in seconds since 1970.
  ///   - growth: What has grown; without it, nothing has.
  internal init(_ key: RenderOptions.ColorKey, now: Int64, growth: TreeGrowth? = nil) {
    self.key = key
    self.now = now
    self.growth = growth
  }

  /// Whether the class of a file depends on its name.
  internal var needsNames: Bool { key == .type || key == .growth }

  /// Adds a file to its class, and returns the class.
  ///
  /// If ``needsNames`` is false, any name will do.
  internal mutating func add(
    _ entry: ListingEntry,
    size: UInt64,
    name: [UInt8],
    at place: Place
  ) -> Int {
    let index = classIndex(of: entry, name, place)
    add(size, toClass: index)
    return index
  }

  /// Adds bytes to a class.
  internal mutating func add(_ size: UInt64, toClass index: Int) {
    while sizes.count <= index { sizes.append(0) }
    sizes[index] = sizes[index].addingSaturated(size)
  }

  /// Returns the class of the files of a directory, if it depends on the place alone.
  internal func classIndex(ofFilesAt place: Place) -> Int? {
    switch key {
    case .depth: min(place.depth, Self.deepest)
    case .folder: place.folder.map { $0 + 1 } ?? 0
    case .growth:
      if let growth {
        growth.growthClass(ofFilesIn: place.directory)?.rawValue
      } else {
        GrowthClass.unchanged.rawValue
      }
    case .type, .age, .owner: nil
    }
  }

  /// Returns the class of everything below a directory, if it is one and known without a look.
  ///
  /// `place` is that of what the directory holds.
  internal func classIndex(ofAllIn directory: DirectoryID, at place: Place) -> Int? {
    switch key {
    case .folder: classIndex(ofFilesAt: place)
    case .growth:
      if let growth {
        growth.growthClass(ofAllIn: directory.index)?.rawValue
      } else {
        GrowthClass.unchanged.rawValue
      }
    case .type, .age, .depth, .owner: nil
    }
  }

  /// Whether classes of things are known without a look at most of them, so that all that are too small
  /// to be drawn can be added up by class.
  internal var areKnown: Bool { key == .depth || key == .folder || key == .growth }

  private mutating func classIndex(
    of entry: ListingEntry,
    _ name: [UInt8],
    _ place: Place
  ) -> Int {
    switch key {
    case .type:
      guard entry.kind == .file else { return Int(FileCategory.other.rawValue) }
      let category = FileCategory(
        name: name.span,
        isExecutable: entry.mode & 0o111 != 0,
        isManualPage: place.holdsManualPages
      )
      return Int(category.rawValue)
    case .age: return AgeClass(modificationTime: entry.modificationTime, now: now).rawValue
    case .depth, .folder: return classIndex(ofFilesAt: place) ?? 0
    case .owner:
      if let index = ownerIndices[entry.owner] { return index }
      ownerIndices[entry.owner] = owners.count
      owners.append(entry.owner)
      return owners.count - 1
    case .growth:
      return (growth?.growthClass(of: name, in: place.directory) ?? .unchanged).rawValue
    }
  }

  /// Returns the class of a group that holds bytes of several classes: the one with the most of them,
  /// the first of equal ones; of growth, that of the mean.
  ///
  /// Of a group that has no bytes of any, such as one of directories of empty files, the type is
  /// `FileCategory.other`.
  internal func groupClass(of sizes: [UInt64]) -> Int {
    if key == .growth { return GrowthClass(meanOf: sizes).rawValue }
    guard let most = sizes.max(), most > 0 else {
      return key == .type ? Int(FileCategory.other.rawValue) : 0
    }
    return sizes.firstIndex(of: most) ?? 0
  }
}

extension UInt64 {
  /// Returns the sum, or the largest number where it does not fit.
  internal func addingSaturated(_ other: UInt64) -> UInt64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
