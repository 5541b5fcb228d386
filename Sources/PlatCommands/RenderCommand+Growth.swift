import PlatRender
import PlatStore
import PlatTree

extension RenderCommand {
  /// Compares what is drawn with an earlier snapshot.
  internal func comparison(
    of source: Source,
    below top: DirectoryID,
    by measure: SizeMeasure,
    in context: CommandContext
  ) throws(CommandFailure) -> Comparison {
    let store = try context.openSnapshots(of: directory).store
    let snapshot =
      if let since { try since.find(in: store) } else { try snapshot(before: source, in: store) }
    let path = source.tree.path(of: top)
    let earlier = try usingStore { () throws(StoreError) in
      _ = try store.directory(atPath: path, in: snapshot.id)
      return try store.load(snapshot.id)
    }
    guard let before = earlier.directory(atPath: path) else {
      throw CommandFailure(.missing, "\(context.shown(path)): not in snapshot \(snapshot.id)")
    }
    let time = CivilDate.timestamp(secondsSince1970: snapshot.startedSecond)
    return Comparison(
      difference: TreeDiff(from: (earlier, before), to: (source.tree, top), by: measure),
      since: "\(time.prefix(10)) \(time.dropFirst(11).prefix(5))"
    )
  }

  /// What is different since an earlier time.
  internal struct Comparison {
    var difference: TreeDiff
    /// The earlier time, as a picture says it.
    var since: String

    /// Has a renderer show the difference; where areas are those of changes, in a tree of them.
    func show(in renderer: inout TreemapRenderer, _ tree: inout FileTree, _ top: inout DirectoryID)
    {
      let measure = renderer.options.measure
      guard renderer.options.area == .change else {
        renderer.growth = TreeGrowth(
          of: tree,
          below: top,
          from: difference,
          since: since,
          by: measure
        )
        return
      }
      let changes = ChangeTree(
        of: tree,
        below: top,
        from: difference,
        since: since,
        by: measure
      )
      renderer.growth = changes.growth
      (tree, top) = (changes.tree, changes.tree.root)
    }
  }

  /// Finds the newest snapshot that is older than what is drawn.
  private func snapshot(
    before source: Source,
    in store: SnapshotStore
  ) throws(CommandFailure) -> SnapshotInfo {
    let snapshots = try usingStore { () throws(StoreError) in try store.allSnapshots().intact }
    let earlier = snapshots.filter { $0.scan.startedAt < source.startedAt }
    guard let newest = earlier.max(by: { $0.scan.startedAt < $1.scan.startedAt }) else {
      throw CommandFailure(
        .missing,
        "\(NameDisplay.terminalText(store.path)): no earlier snapshot to compare with"
      )
    }
    return newest
  }
}
