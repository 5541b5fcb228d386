public import PlatTree

extension ScanSession {
  /// Something in the tree that stays in view while trees come and go.
  internal struct Place: Equatable {
    internal var path = EntryPath()
    /// Where it is in the tree that is shown; `nil` without a tree.
    internal var entry: EntryID?

    /// The place in another tree: the nearest directory that is left, if it is not there itself.
    internal func moved(to tree: FileTree?) -> Place {
      guard let tree else { return Place(path: path) }
      let entry = tree.nearestEntry(to: path)
      return Place(path: tree.entryPath(of: entry), entry: entry)
    }
  }

  /// The entry that is selected, by the names that lead to it; `nil` if there is none.
  ///
  /// It survives other trees of the target. When the entry is gone, the nearest directory that is
  /// left is selected.
  public var selection: EntryPath? { selected?.path }

  /// Where the ``selection`` is in the ``tree``; `nil` if there is none.
  public var selectedEntry: EntryID? { selected?.entry }

  /// The directory that is shown large, by the names that lead to it; the top at first.
  ///
  /// It survives other trees of the target as ``selection`` does.
  public var zoom: EntryPath { zoomed.path }

  /// Where the ``zoom`` is in the ``tree``; `nil` without a tree.
  public var zoomedDirectory: DirectoryID? { zoomed.entry?.directory }

  /// Selects an entry of the tree that is shown.
  ///
  /// - Parameter entry: The entry, or `nil` for none.
  /// - Precondition: `entry` is one of ``tree``.
  public func select(_ entry: EntryID?) {
    selected = place(of: entry)
  }

  /// Shows a directory of the tree large.
  ///
  /// - Precondition: `directory` is one of ``tree``.
  public func zoom(to directory: DirectoryID) {
    zoomed = place(of: EntryID(directory)) ?? Place()
  }

  private func place(of entry: EntryID?) -> Place? {
    guard let entry, let tree = phase.tree else { return nil }
    return Place(path: tree.entryPath(of: entry), entry: entry)
  }

  /// Finds the places again in the tree that is shown now.
  internal func movePlaces(to tree: FileTree?) {
    selected = selected?.moved(to: tree)
    zoomed = zoomed.moved(to: tree)
  }
}
