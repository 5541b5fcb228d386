extension FileTree {
  /// A file among the largest of a tree.
  public struct LargestFile: Hashable, Sendable {
    /// The place of the file.
    public var id: EntryID
    /// What the listing says of the file.
    public var entry: ListingEntry
  }

  /// Returns the largest directories, each with everything below it, the largest first.
  ///
  /// - Parameters:
  ///   - count: The most directories to return.
  ///   - top: The directory to look below; it is not among the results. `nil` is the top.
  ///   - depth: How many levels below `top` to look; `nil` for all.
  ///   - measure: Which size to compare. Of equal directories the first in canonical order wins.
  /// - Returns: At most `count` directories.
  /// - Complexity: O(*n* log `count`), where *n* is the number of directories of the tree.
  public func largestDirectories(
    _ count: Int,
    below top: DirectoryID? = nil,
    depth: Int? = nil,
    by measure: SizeMeasure
  ) -> [DirectoryID] {
    var largest = Largest<DirectoryID>(count)
    let top = top ?? root
    for directory in directories(below: top, depth: depth) where directory != top {
      largest.insert(directory, size: size(of: directory, measure))
    }
    return largest.descending
  }

  /// Returns the largest files, the largest first; a hard link counts at the name it is charged to.
  ///
  /// - Parameters:
  ///   - count: The most files to return.
  ///   - top: The directory to look below; `nil` is the top.
  ///   - measure: Which size to compare. Of equal files the first wins in order of the directories'
  ///     paths, those of a directory before those of its subdirectories.
  /// - Returns: At most `count` files.
  /// - Complexity: O(*n*), where *n* is the number of entries below `top`.
  public func largestFiles(
    _ count: Int,
    below top: DirectoryID? = nil,
    by measure: SizeMeasure
  ) -> [LargestFile] {
    var largest = Largest<LargestFile>(count)
    var waiting = [top ?? root]
    while let directory = waiting.popLast() {
      guard largest.accepts(size(of: directory, measure)) else { continue }
      waiting.append(contentsOf: subdirectories(of: directory).reversed())
      var cursor = listing(of: directory).makeCursor()
      while cursor.advanceWithoutName() {
        let entry = cursor.entry
        guard entry.kind == .file, largest.accepts(entry.size(measure)) else { continue }
        let id = EntryID(directory, ordinal: cursor.ordinal)
        if entry.linkCount > 1, isCountedElsewhere(id) { continue }
        largest.insert(LargestFile(id: id, entry: entry), size: entry.size(measure))
      }
    }
    return largest.descending
  }

  /// Returns a directory and all below it, in canonical order.
  ///
  /// - Parameters:
  ///   - top: The directory to begin with.
  ///   - depth: How many levels below `top` to go; `nil` for all.
  /// - Returns: `top` first, then level after level.
  /// - Precondition: `top` came from this tree.
  /// - Complexity: O(*n*), where *n* is the number of directories returned.
  public func directories(below top: DirectoryID, depth: Int? = nil) -> [DirectoryID] {
    var found: [DirectoryID] = []
    // The subdirectories of neighbours are neighbours, so each level is one range.
    var level = DirectoryRange(top.index..<top.index + 1)
    var levelsLeft = depth ?? .max
    while let first = level.first, let last = level.last {
      found.append(contentsOf: level)
      guard levelsLeft > 0 else { break }
      levelsLeft -= 1
      level = DirectoryRange(
        subdirectories(of: first).startIndex..<subdirectories(of: last).endIndex
      )
    }
    return found
  }
}

/// The largest of the values put in, in a heap of limited size.
private struct Largest<Value> {
  private struct Item {
    var value: Value
    var size: UInt64
    var order: Int

    /// Whether this item is to be given up before another.
    func isBelow(_ other: Item) -> Bool {
      size != other.size ? size < other.size : order > other.order
    }
  }

  private let limit: Int
  private var heap: [Item] = []
  private var inserted = 0

  init(_ limit: Int) { self.limit = limit }

  /// Whether a value of a size would be kept.
  func accepts(_ size: UInt64) -> Bool {
    guard heap.count >= limit else { return true }
    guard let least = heap.first else { return false }
    return size > least.size
  }

  mutating func insert(_ value: Value, size: UInt64) {
    guard accepts(size) else { return }
    let item = Item(value: value, size: size, order: inserted)
    inserted += 1
    if heap.count < limit {
      heap.append(item)
      siftUp(heap.count - 1)
    } else {
      heap[0] = item
      siftDown()
    }
  }

  /// The values kept, the largest first, and of equal ones the first put in.
  var descending: [Value] { heap.sorted { $1.isBelow($0) }.map(\.value) }

  private mutating func siftUp(_ start: Int) {
    var index = start
    while index > 0, heap[index].isBelow(heap[(index - 1) / 2]) {
      heap.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  private mutating func siftDown() {
    var index = 0
    while true {
      var least = index
      for child in [2 * index + 1, 2 * index + 2]
      where child < heap.count && heap[child].isBelow(heap[least]) {
        least = child
      }
      guard least != index else { return }
      heap.swapAt(index, least)
      index = least
    }
  }
}
