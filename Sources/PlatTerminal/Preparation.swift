import PlatTree

/// What a tree is shown with, made on another thread: sums of kinds, and the list and the map that take
/// the place of those that are shown.
internal struct Preparation: Sendable {
  /// The list and the map to make.
  internal struct View: Sendable {
    /// The directory that is shown.
    internal var path: [UInt8]
    /// The list, of the tree that is shown.
    internal var list: ListMaking
    /// The map that is shown, if there is one.
    internal var map: MapModel?
    internal var names: OwnerNames
    internal var sizes: SizeFormat
  }

  internal struct Prepared: Sendable {
    internal var revision: Int
    internal var measure: SizeMeasure
    internal var categories: CategorySizes
    internal var marks: TreeMarks
    internal var view: PreparedView?
  }

  internal struct PreparedView: Sendable {
    internal var directory: DirectoryID
    /// The name that was to be selected.
    internal var name: [UInt8]?
    internal var list: ListMaking.Made
    internal var sums: FilterSums?
    internal var map: MapModel?
  }

  internal let tree: FileTree
  internal let revision: Int
  internal let measure: SizeMeasure
  /// What to show of it; `nil` if it is shown already.
  internal var view: View?

  /// Prepares the tree; `nil` if that was cancelled.
  internal func run(isCancelled: () -> Bool = { false }) -> Prepared? {
    guard let categories = CategorySizes(tree, measure, isCancelled: isCancelled) else {
      return nil
    }
    var prepared = Prepared(
      revision: revision,
      measure: measure,
      categories: categories,
      marks: TreeMarks(tree)
    )
    guard let view else { return prepared }
    let directory = tree.nearestDirectory(to: view.path)
    var list = view.list
    (list.tree, list.directory, list.marks, list.sums) = (tree, directory, prepared.marks, nil)
    if let filter = list.filter {
      let request = FilterSums.Request(
        filter: filter,
        revision: revision,
        measure: measure,
        now: list.now
      )
      guard let sums = FilterSums(request, of: tree, isCancelled: isCancelled) else { return nil }
      list.sums = sums
    }
    if tree.path(of: directory) != view.path { list.name = nil }
    prepared.view = PreparedView(
      directory: directory,
      name: list.name,
      list: list.run(),
      sums: list.sums,
      map: map(of: view, directory, categories)
    )
    return prepared
  }

  private func map(
    of view: View,
    _ directory: DirectoryID,
    _ categories: CategorySizes
  ) -> MapModel? {
    guard let shown = view.map else { return nil }
    var request = shown.request
    (request.directory, request.revision, request.measure) = (directory, revision, measure)
    request.hasCategories = true
    return MapModel(
      request,
      of: tree,
      categories: categories,
      names: view.names,
      comparison: request.key == .growth ? view.list.comparison : nil,
      sizes: view.sizes,
      after: shown
    )
  }
}

extension FileTree {
  /// Returns the directory with a path, or the nearest one above it that there still is.
  internal func nearestDirectory(to path: [UInt8]) -> DirectoryID {
    var path = path
    while true {
      if let directory = directory(atPath: path) { return directory }
      guard let slash = path.lastIndex(of: UInt8(ascii: "/")), slash > 0 else { return root }
      path.removeSubrange(slash...)
    }
  }
}
