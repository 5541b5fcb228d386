/// What a comparison holds on to.
///
/// None of it depends on the source of the trees, so that the compiler knows what to do with it where
/// it does not know the source.
internal enum Compared {
  /// One of the two sides.
  internal enum Side {
    case before, after
  }

  /// A directory that is there on both sides.
  internal struct Pair {
    internal var before: DirectoryID
    internal var after: DirectoryID
    /// The pair of the directory that holds it.
    internal var parent: Int
    /// The path afterwards, once somebody has asked for it.
    internal var path: [UInt8]?
  }

  /// An entry that one side lacks, in a directory that both have.
  internal struct Loose {
    internal var path: [UInt8]
    internal var node: Node
    /// Whether an entry that is no directory was found on the other side.
    internal var isMoved = false
  }

  /// What a loose entry is.
  internal enum Node {
    case directory(DirectoryID)
    case entry(DiffedEntry)
  }
}
