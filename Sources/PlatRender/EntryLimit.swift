import PlatTree

/// Decides which entries are among the largest, as many as a limit allows.
///
/// Sizes are put into classes that are narrower than half a percent. All entries of the large
/// classes are taken; of the class where the limit is reached, those that are asked for first. A
/// directory is never smaller than what it holds, so if it is asked for first, nothing is taken
/// whose directory is not.
internal struct EntryLimit: Sendable {
  /// The smallest class that is taken.
  private var lowest = 0
  /// How many more of the smallest class are taken.
  private var room = Int.max

  /// Creates a limit that everything passes.
  internal init() {}

  /// Creates a limit for what is below a directory.
  ///
  /// - Parameters:
  ///   - count: The most entries to take.
  ///   - tree: The tree.
  ///   - top: The directory.
  ///   - measure: The size that counts.
  ///   - depth: The number of levels of directories whose entries are asked for.
  /// - Complexity: O(*n*), where *n* is the number of entries below `top`.
  internal init(
    _ count: Int,
    of tree: FileTree,
    below top: DirectoryID,
    measure: SizeMeasure,
    depth: Int
  ) {
    guard tree.totals(of: top).entries > count else { return }
    var numbers = [Int](repeating: 0, count: Self.sizeClass(.max) + 1)
    tree.forEachDirectory(from: top, depth: depth) { directory in
      if directory != top { numbers[Self.sizeClass(tree.size(of: directory, measure))] += 1 }
      var cursor = tree.listing(of: directory).makeCursor()
      while cursor.advanceWithoutName() {
        numbers[Self.sizeClass(tree.chargedSize(cursor, of: directory, measure))] += 1
      }
    }
    room = max(count, 0)
    lowest = numbers.count - 1
    while lowest > 0, numbers[lowest] <= room {
      room -= numbers[lowest]
      lowest -= 1
    }
  }

  /// Returns whether an entry of a size is taken.
  internal mutating func takes(_ size: UInt64) -> Bool {
    let sizeClass = Self.sizeClass(size)
    guard sizeClass == lowest else { return sizeClass > lowest }
    guard room > 0 else { return false }
    room -= 1
    return true
  }

  /// Returns the class of a size: the size itself below 512, then 256 classes a power of two.
  private static func sizeClass(_ size: UInt64) -> Int {
    let shift = max(0, 55 - size.leadingZeroBitCount)
    return shift * 256 + Int(size >> UInt64(shift))
  }
}

extension FileTree {
  /// Calls a closure with a directory and those below it, level by level.
  ///
  /// With a `depth` of 1 it is called with `top` alone.
  internal func forEachDirectory(
    from top: DirectoryID,
    depth: Int = .max,
    _ body: (DirectoryID) -> Void
  ) {
    // The subdirectories of neighbours are neighbours, so each level is one range.
    var level = top.index..<top.index + 1
    var depth = depth
    while depth > 0, let first = level.first, let last = level.last {
      for index in level { body(DirectoryID(index)) }
      let next = subdirectories(of: DirectoryID(first)).startIndex
      level = next..<subdirectories(of: DirectoryID(last)).endIndex
      depth -= 1
    }
  }

  /// Returns the size of the entry in hand that counts here: none if it counts at another name.
  internal func chargedSize(
    _ cursor: ListingCursor,
    of directory: DirectoryID,
    _ measure: SizeMeasure
  ) -> UInt64 {
    if cursor.entry.linkCount > 1,
      isCountedElsewhere(EntryID(directory, ordinal: cursor.ordinal))
    {
      return 0
    }
    return cursor.entry.size(measure)
  }
}
