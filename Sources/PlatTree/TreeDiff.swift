/// What is different between two trees of the same directory, or between two snapshots of it.
///
/// A difference is one of names, kinds, sizes or counts; a change of times, owners or permissions
/// alone is none. Sizes are charged as in the trees, so that those of a directory's files and
/// subdirectories add up: if the name that a hard link was charged to is removed, another one grows.
///
/// What was added, removed or moved as a whole is one change, however much it holds. Something has
/// moved if its old path is gone, its new path was not there, and both are the same inode of the same
/// file system: a file that also kept its length and time of modification, or a directory that kept
/// its time of modification or at least half of its names. Those conditions tell it from another one
/// that was given the number of a deleted inode.
public struct TreeDiff: Hashable, Sendable {
  /// The sizes and counts of the directory before.
  public var before = Totals()
  /// The sizes and counts of the directory afterwards.
  public var after = Totals()
  /// What has changed below the directory, in order of the paths; the directory itself is left out.
  public var changes: [Change] = []

  /// Creates the difference between two empty trees.
  public init() {}

  /// An entry that is not as it was.
  public struct Change: Hashable, Sendable {
    /// What has happened to an entry.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
      /// It was not there before, nor what it holds.
      case added
      /// It is not there any more, nor what it holds.
      case removed
      /// It has become larger, or holds more.
      case grown
      /// It has become smaller, or holds less.
      case shrunk
      /// It has another path; it may have grown or shrunk as well.
      case moved
      /// Another kind of entry has its name.
      case replaced
    }

    /// The bytes of the path; of something removed, the path that it had.
    public var path: [UInt8]
    /// What has happened.
    public var kind: Kind
    /// What the entry is; of something removed, what it was.
    public var entryKind: EntryKind
    /// The path before, of something moved.
    public var formerPath: [UInt8]?
    /// What the entry was, of something replaced.
    public var formerEntryKind: EntryKind?
    /// The sizes and counts before, of a directory with everything below it; zeros if it is new.
    public var before: Totals
    /// The sizes and counts afterwards; zeros if it is gone.
    public var after: Totals
    /// Whether the inode has several names, one of which has its sizes.
    public var isHardLink = false
    /// Whether the entry could not be read at one of the times, so that its sizes are a lower limit.
    public var isUnreadable = false

    /// Creates a change.
    public init(
      _ kind: Kind,
      _ entryKind: EntryKind,
      path: [UInt8],
      before: Totals = Totals(),
      after: Totals = Totals()
    ) {
      self.path = path
      self.kind = kind
      self.entryKind = entryKind
      self.before = before
      self.after = after
    }

    /// Returns by how many bytes a size has grown; it is negative for what has shrunk.
    public func growth(_ measure: SizeMeasure) -> Int64 {
      after.size(measure).difference(from: before.size(measure))
    }
  }

  /// Returns by how many bytes the directory has grown; it is negative if it has shrunk.
  public func growth(_ measure: SizeMeasure) -> Int64 {
    after.size(measure).difference(from: before.size(measure))
  }

  /// Finds what is different between a directory of one tree and a directory of another.
  ///
  /// - Parameters:
  ///   - before: A tree, and a directory of it.
  ///   - after: A tree that was made later, and a directory of it.
  ///   - measure: The size that decides whether an entry has grown or shrunk. If it is the same, the
  ///     other size does, and then the number of entries.
  /// - Precondition: Each directory came from its tree.
  /// - Complexity: O(*d* + *b* + *c* log *c*), where *d* is the number of directories of both trees,
  ///   *b* the bytes of their listings, and *c* the number of entries of what has changed.
  public init(
    from before: (tree: FileTree, directory: DirectoryID),
    to after: (tree: FileTree, directory: DirectoryID),
    by measure: SizeMeasure = .allocated
  ) {
    let comparison = TreeComparison(
      from: FileTreeDiffSource(before.tree),
      to: FileTreeDiffSource(after.tree),
      by: measure
    )
    self = comparison.difference(
      from: before.directory,
      at: before.tree.path(of: before.directory),
      to: after.directory,
      at: after.tree.path(of: after.directory)
    )
  }
}

// MARK: Selecting

extension TreeDiff {
  /// Returns the changes without directories whose change is that of one thing in them.
  ///
  /// If a file three levels down has grown, the directories above it have grown by the same and say
  /// nothing more; if two files of a directory have grown, the directory sums them up.
  ///
  /// - Parameters:
  ///   - depth: How many levels of directories to look at; what is further down is seen only in the
  ///     directories above it.
  ///   - top: The path of the directory that was compared.
  /// - Returns: The changes that remain, in the same order.
  /// - Complexity: O(*c* log *c*), where *c* is the number of changes.
  public func condensed(depth: Int = .max, below top: [UInt8]) -> [Change] {
    let shown = depth == .max ? changes : changes.filter { $0.depth(below: top) <= depth }
    // In order of their paths, as the changes are.
    var sums = shown.indices.filter { shown[$0].mayBeSum }.map { Sum(position: $0) }
    func count(_ position: Int, in sum: Int) {
      sums[sum].count += 1
      sums[sum].last = position
    }
    // Of the sums so far, those whose paths the change begins with, which are no others than those that
    // the change before and the sums since begin with.
    var open: [Int] = []
    var next = 0
    for (position, change) in shown.enumerated() {
      while let last = open.last,
        !PathKey.starts(change.path, with: shown[sums[last].position].path)
      {
        open.removeLast()
      }
      let length = change.path.parentPath.count
      let parent = open.last { shown[sums[$0].position].path.count <= length }
      if let parent, shown[sums[parent].position].path.count == length {
        count(position, in: parent)
      }
      // What has moved away changes the directory that it was in as well.
      if let former = change.formerPath?.parentPath {
        let sum = sums.partitioningIndex { PathKey.compare(shown[$0.position].path, former) >= 0 }
        if sum < sums.count, shown[sums[sum].position].path[...] == former {
          count(position, in: sum)
        }
      }
      if next < sums.count, sums[next].position == position {
        open.append(next)
        next += 1
      }
    }
    var isLeftOut = [Bool](repeating: false, count: shown.count)
    for sum in sums where sum.count == 1 && shown[sum.last].explains(shown[sum.position]) {
      isLeftOut[sum.position] = true
    }
    return shown.indices.filter { !isLeftOut[$0] }.map { shown[$0] }
  }

  /// A change of a directory that may be nothing but those of what it holds.
  private struct Sum {
    var position: Int
    /// How many changes the directory sums up.
    var count = 0
    /// The last of them.
    var last = 0
  }
}

extension TreeDiff.Change {
  /// Returns how many names the path has below a directory.
  public func depth(below top: [UInt8]) -> Int {
    path.count { $0 == UInt8(ascii: "/") }
      - (top.count <= 1 ? 0 : top.count { $0 == UInt8(ascii: "/") })
  }

  /// Whether the change may be nothing but those of what the entry holds.
  fileprivate var mayBeSum: Bool {
    (kind == .grown || kind == .shrunk) && entryKind == .directory
  }

  /// Whether this change alone makes up that of a directory above it.
  fileprivate func explains(_ directory: TreeDiff.Change) -> Bool {
    SizeMeasure.allCases.allSatisfy { growth($0) == directory.growth($0) }
      && after.entries - before.entries == directory.after.entries - directory.before.entries
      && after.files - before.files == directory.after.files - directory.before.files
  }
}

extension [UInt8] {
  /// The path up to its last slash, without that.
  fileprivate var parentPath: ArraySlice<UInt8> { self[..<(lastIndex(of: UInt8(ascii: "/")) ?? 0)] }
}

extension UInt64 {
  /// Returns the difference, or the nearest number that fits.
  fileprivate func difference(from other: UInt64) -> Int64 {
    self >= other
      ? Int64(clamping: self - other) : -Int64(clamping: other - self)
  }
}
