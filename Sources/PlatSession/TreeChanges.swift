public import PlatTree

/// What is different between two trees of one target, directory by directory.
///
/// A view that has drawn the first tree draws what has changed, and takes the rest from where it was:
/// see ``origin(of:)``. A change in a directory is a change of the totals of all above it, and of
/// nothing else.
public struct TreeChanges: Equatable, Sendable {
  /// What has changed in a directory.
  public struct Kinds: OptionSet, Hashable, Sendable {
    /// One bit for each kind.
    public let rawValue: UInt8

    /// Creates a set of kinds.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The first tree does not have the directory.
    public static let added = Kinds(rawValue: 1)
    /// Sizes or counts, with all that is below, or the time of the newest modification.
    public static let totals = Kinds(rawValue: 2)
    /// The directory itself: owner, mode, times.
    public static let details = Kinds(rawValue: 4)
    /// Entries of the listing, or whether they are counted elsewhere.
    public static let listing = Kinds(rawValue: 8)
    /// Subdirectories have come or gone.
    public static let subdirectories = Kinds(rawValue: 16)
  }

  /// For each directory of the second tree: what has changed, and its index in the first tree.
  private var kinds: [Kinds]
  private var origins: [UInt32]

  private static let none = UInt32.max

  /// Creates the changes of a tree that stays.
  internal init(unchanged tree: FileTree) {
    kinds = Array(repeating: [], count: tree.directoryCount)
    origins = Array(0..<UInt32(tree.directoryCount))
  }

  /// Compares two trees; there are no changes if the task is cancelled meanwhile.
  ///
  /// - Parameters:
  ///   - first: The tree before.
  ///   - second: The tree afterwards.
  /// - Complexity: O(*n*), where *n* is the number of bytes of the trees; listings that they share are
  ///   not looked at.
  internal init?(from first: FileTree, to second: FileTree) {
    kinds = Array(repeating: [], count: second.directoryCount)
    origins = Array(repeating: Self.none, count: second.directoryCount)
    if first.name(of: first.root) == second.name(of: second.root) { origins[0] = 0 }
    // Parents come first, so that the origin of a directory is known when its turn comes.
    for directory in second.directories {
      guard directory.index % 1024 > 0 || !Task.isCancelled else { return nil }
      guard let origin = origin(of: directory) else {
        kinds[directory.index] = .added
        continue
      }
      kinds[directory.index] = differences(first, origin, second, directory)
      if match(
        first.subdirectories(of: origin),
        first,
        second.subdirectories(of: directory),
        second
      ) {
        kinds[directory.index].insert(.subdirectories)
      }
    }
  }

  /// Finds the origins of subdirectories, both in order of their names.
  ///
  /// - Returns: Whether any has come or gone.
  private mutating func match(
    _ old: DirectoryRange,
    _ first: FileTree,
    _ new: DirectoryRange,
    _ second: FileTree
  ) -> Bool {
    var candidates = old[...]
    var matches = 0
    for directory in new {
      let name = second.name(of: directory)
      candidates = candidates.drop { first.name(of: $0).lexicographicallyPrecedes(name) }
      guard let candidate = candidates.first, first.name(of: candidate) == name else { continue }
      origins[directory.index] = UInt32(candidate.index)
      matches += 1
    }
    return matches != old.count || matches != new.count
  }
}

extension TreeChanges {
  /// Returns what has changed in a directory of the second tree; nothing if it is as it was.
  ///
  /// - Precondition: `directory` is one of the second tree.
  public func kinds(of directory: DirectoryID) -> Kinds { kinds[directory.index] }

  /// Returns where a directory of the second tree is in the first, or `nil` if it is not there.
  ///
  /// - Precondition: `directory` is one of the second tree.
  public func origin(of directory: DirectoryID) -> DirectoryID? {
    let origin = origins[directory.index]
    return origin == Self.none ? nil : DirectoryID(Int(origin))
  }

  /// The directories of the second tree that are not as they were, in canonical order.
  ///
  /// - Complexity: O(*n*), where *n* is the number of directories.
  public var changed: [DirectoryID] {
    kinds.indices.lazy.filter { !kinds[$0].isEmpty }.map { DirectoryID($0) }
  }

  /// Returns the changes from the first tree of these to the second of later ones.
  internal func followed(by later: TreeChanges) -> TreeChanges {
    var all = later
    for index in all.origins.indices {
      guard let between = later.origin(of: DirectoryID(index)) else { continue }
      all.origins[index] = origins[between.index]
      // What came in between is new, whatever happened to it since.
      all.kinds[index] =
        kinds[between.index].contains(.added)
        ? .added : later.kinds[index].union(kinds[between.index])
    }
    return all
  }
}

/// Compares a directory of two trees, but for its subdirectories.
private func differences(
  _ first: FileTree,
  _ old: DirectoryID,
  _ second: FileTree,
  _ new: DirectoryID
) -> TreeChanges.Kinds {
  var kinds: TreeChanges.Kinds = []
  if first.totals(of: old) != second.totals(of: new)
    || first.newestModification(of: old) != second.newestModification(of: new)
  {
    kinds.insert(.totals)
  }
  if first.details(of: old) != second.details(of: new) { kinds.insert(.details) }
  if !first.hasSameListing(old, as: second, new)
    || first.ordinalsCountedElsewhere(in: old) != second.ordinalsCountedElsewhere(in: new)
  {
    kinds.insert(.listing)
  }
  return kinds
}
