import PlatTree

/// How much of each kind of file is at and below every directory of a tree.
///
/// Making this reads the name of every file once, on whatever thread wants it; afterwards bars, colours
/// and legends of any directory are there at once.
internal struct CategorySizes: Sendable {
  internal static let count = FileCategory.allCases.count

  /// For each directory in turn, the bytes of each kind; a share is all that is ever shown of them.
  private var sums: [Float]

  /// Adds up a tree.
  ///
  /// - Parameters:
  ///   - tree: The tree.
  ///   - measure: Which size to add.
  ///   - isCancelled: Asked once a directory; if it says so there is no result.
  internal init?(_ tree: FileTree, _ measure: SizeMeasure, isCancelled: () -> Bool = { false }) {
    sums = Array(repeating: 0, count: tree.directoryCount * Self.count)
    for directory in tree.directories {
      if isCancelled() { return nil }
      addFiles(of: directory, of: tree, measure)
    }
    for directory in tree.directories.reversed() {
      guard let parent = tree.parent(of: directory) else { break }
      for category in 0..<Self.count {
        sums[parent.index * Self.count + category] +=
          sums[
            directory.index * Self.count + category
          ]
      }
    }
  }

  private mutating func addFiles(
    of directory: DirectoryID,
    of tree: FileTree,
    _ measure: SizeMeasure
  ) {
    let holdsManualPages = FileCategory.holdsManualPages(
      directoryNamed: tree.name(of: directory)
    )
    var cursor = tree.listing(of: directory).makeCursor()
    while cursor.advanceWithoutName() {
      let size = tree.chargedSize(of: cursor, in: directory, measure)
      guard size > 0 else { continue }
      guard cursor.readName() else { return }
      let category = FileCategory(cursor.entry, named: cursor.name, holdsManualPages)
      sums[directory.index * Self.count + Int(category.rawValue)] += Float(size)
    }
  }

  /// Returns the bytes of one kind at and below a directory.
  internal func size(of directory: DirectoryID, _ category: FileCategory) -> Float {
    sums[directory.index * Self.count + Int(category.rawValue)]
  }

  /// Returns the kinds that are at and below a directory, that with the most bytes first.
  internal func ranking(of directory: DirectoryID) -> [(category: FileCategory, size: Float)] {
    FileCategory.allCases
      .map { ($0, size(of: directory, $0)) }
      .filter { $0.1 > 0 }
      .sorted { $0.1 != $1.1 ? $0.1 > $1.1 : $0.0.rawValue < $1.0.rawValue }
  }
}

extension FileCategory {
  /// Classifies an entry of a listing; what is no file is something else.
  internal init(_ entry: ListingEntry, named name: [UInt8], _ holdsManualPages: Bool) {
    guard entry.kind == .file else {
      self = .other
      return
    }
    self.init(
      name: name.span,
      isExecutable: entry.mode & 0o111 != 0,
      isManualPage: holdsManualPages
    )
  }
}

extension FileTree {
  /// Returns the size of the entry in hand that counts here: none if another name of it does.
  internal func chargedSize(
    of cursor: ListingCursor,
    in directory: DirectoryID,
    _ measure: SizeMeasure
  ) -> UInt64 {
    let entry = cursor.entry
    if entry.linkCount > 1, isCountedElsewhere(EntryID(directory, ordinal: cursor.ordinal)) {
      return 0
    }
    return entry.size(measure)
  }
}
