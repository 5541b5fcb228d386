import CPlatSystem
import PlatTree

/// What is unchanged is passed through without opening it.
///
/// A directory that is unchanged is opened only as a place to start from: what lies below it is looked
/// up from there, by paths of a few names. One of the names may come to be a symbolic link meanwhile,
/// so whatever is found is known by what it is, and by the mount that it is on. What is not found as it
/// was, and what is too far away, becomes a task like others.
extension ScanWorker {
  /// The directories on the way down, below one that is open.
  private struct Way {
    /// The directory that is open.
    let directory: Directory
    let earlier: EarlierTree
    /// The position of the earlier tree.
    let tree: UInt32
    /// Whether anything is looked up: not if others have nothing to do, or patterns are to be read.
    let isLookedUp: Bool
    /// From the directory that is open to the one in hand.
    var steps: [Step] = []
    /// Directories that were found unchanged, and whose subdirectories are to be looked at.
    var waiting: [Step] = []
  }

  /// A directory on the way.
  private struct Step {
    var depth: Int
    /// Its position in the earlier tree.
    var index: Int
    var number: Int
    /// The number of its first subdirectory.
    var first: Int
    var inode: UInt64
    var owner: UInt32
    /// The number of bytes of the path to what it holds.
    var pathEnd = 0
    /// What its subdirectories are opened below, if there are any to be opened.
    var node: OpenDirectory?
  }

  /// The most names between a directory that is open and one whose subdirectories are looked up from it.
  private static let mostDepth = 3
  /// The most names if there is so little below that to open it would not pay; paths stay short.
  private static let mostDepthOfFew = 8
  /// A directory that has more subdirectories is opened: each is looked up with a name more otherwise.
  private static let mostChildren = 16
  /// To open a directory costs as much as so many names on the way.
  private static let costOfOpening = 40

  /// Goes on with the subdirectories of an unchanged directory.
  ///
  /// - Parameters:
  ///   - directory: The directory; its descriptor is closed, or kept for those that are to be opened.
  ///   - old: The directory of the earlier scan.
  ///   - first: The number of its first subdirectory.
  internal mutating func descend(
    _ directory: Directory,
    _ old: OldDirectory,
    firstSubdirectory first: Int
  ) {
    guard directory.file >= 0 else { return }
    var way = Way(
      directory: directory,
      earlier: job.rescan.trees[Int(old.tree)],
      tree: old.tree,
      isLookedUp: !filter.readsControlFiles && !job.queue.isShort
    )
    way.waiting.append(
      Step(
        depth: 0,
        index: old.directory.index,
        number: directory.task.number,
        first: first,
        inode: directory.status.details.inode,
        owner: directory.status.details.owner
      )
    )
    while let step = way.waiting.popLast(), !job.isCancelled { pass(step, &way) }
    // The way itself was a user of the directory that is open.
    if let node = way.steps.first?.node, node.openDescriptor >= 0 {
      if node.release() { job.descriptorClosed() }
    } else {
      plat_close_directory(directory.file)
    }
  }

  /// Looks at the subdirectories of a directory that was found unchanged.
  private mutating func pass(_ step: Step, _ way: inout Way) {
    way.steps.removeLast(way.steps.count - step.depth)
    rescan.path.cut(to: way.steps.last?.pathEnd ?? 0)
    if step.depth > 0 {
      rescan.path.append(way.earlier.names, way.earlier.nameRange(at: step.index))
      rescan.path.appendSlash()
    }
    way.steps.append(step)
    way.steps[step.depth].pathEnd = rescan.path.count
    let children = way.earlier.row(of: DirectoryID(step.index)).children
    guard way.isLookedUp else { return addTasks(Array(children), step.depth, &way) }
    var left: [Int] = []
    for child in children {
      rescan.path.cut(to: way.steps[step.depth].pathEnd)
      let number = step.first + child - children.lowerBound
      if !takeAtOnce(child, number, step.depth + 1, &way) { left.append(child) }
    }
    if !left.isEmpty { addTasks(left, step.depth, &way) }
  }

  /// Takes a subdirectory over, if it is found unchanged from afar.
  ///
  /// - Returns: Whether that was done; if not, it is to be a task.
  private mutating func takeAtOnce(
    _ child: Int,
    _ number: Int,
    _ depth: Int,
    _ way: inout Way
  ) -> Bool {
    let row = way.earlier.row(of: DirectoryID(child))
    let (earlier, status) = (way.earlier, status)
    guard row.isTrusted, isPassed(child, row, depth, way.earlier) else { return false }
    let old = OldDirectory(tree: way.tree, directory: DirectoryID(child))
    rescan.path.append(earlier.names, earlier.nameRange(at: child))
    guard plat_entry_status(way.directory.file, rescan.path.start, status) == 0,
      status.pointee.isDirectory
    else { return false }
    let found = DirectoryStatus(status)
    guard found.mountID == way.directory.status.mountID, let fileSystem = rescan.fileSystem,
      fileSystem.device == found.details.device,
      row.isUnchanged(found.details, on: fileSystem, ofTree: way.tree)
    else { return false }
    prepareCheck(earlier, row, old.directory)
    guard checkFromAfar(way.directory.file, depth, found) else { return false }
    let first = row.childCount == 0 ? 0 : job.takeNumbers(Int(row.childCount))
    take(earlier, row, old, number, found.details, firstSubdirectory: first)
    guard row.childCount > 0 else { return true }
    way.waiting.append(
      Step(
        depth: depth,
        index: child,
        number: number,
        first: first,
        inode: found.details.inode,
        owner: found.details.owner
      )
    )
    return true
  }

  /// Whether what a directory holds is looked up without opening it.
  private func isPassed(
    _ directory: Int,
    _ row: EarlierTree.Row,
    _ depth: Int,
    _ earlier: EarlierTree
  ) -> Bool {
    if row.childCount == 0 { return true }
    guard row.childCount <= Self.mostChildren, depth <= Self.mostDepthOfFew else { return false }
    if depth <= Self.mostDepth { return true }
    let below = earlier.tree.totals(of: DirectoryID(directory)).directories
    return below * depth <= Self.costOfOpening
  }

  /// Looks at the entries of a directory that are to be looked at, by its path.
  private mutating func checkFromAfar(
    _ base: Int32,
    _ depth: Int,
    _ status: DirectoryStatus
  ) -> Bool {
    guard rescan.check.isSound else { return false }
    guard rescan.check.count > 0 else { return true }
    var (directory, start) = (base, 0)
    let isOpened = rescan.check.count * depth > Self.costOfOpening
    if isOpened { directory = plat_open_place(base, rescan.path.start, 0) }
    guard directory >= 0 else { return false }
    defer { if isOpened { plat_close_directory(directory) } }
    rescan.path.appendSlash()
    if isOpened { start = rescan.path.count }
    return rescan.check.run(in: directory, below: &rescan.path, from: start, on: status) {
      job.isCancelled
    }
  }

  // MARK: - What is left

  /// Makes subdirectories of a directory on the way tasks.
  private mutating func addTasks(_ children: [Int], _ depth: Int, _ way: inout Way) {
    let node = makeNode(depth, users: children.count, &way)
    let step = way.steps[depth]
    let start = way.earlier.row(of: DirectoryID(step.index)).children.lowerBound
    for child in children.reversed() {
      addTask(
        DirectoryTask(
          parent: node,
          nameOffset: way.earlier.nameRange(at: child).lowerBound,
          number: step.first + child - start,
          old: OldDirectory(tree: way.tree, directory: DirectoryID(child))
        )
      )
    }
  }

  /// Makes what the subdirectories of a directory on the way are opened below, and what those above are.
  ///
  /// - Parameters:
  ///   - depth: The number of names to the directory.
  ///   - users: The number of subdirectories that are to be opened below it.
  ///   - way: The way.
  /// - Returns: What they are opened below.
  private mutating func makeNode(_ depth: Int, users: Int, _ way: inout Way) -> OpenDirectory {
    let step = way.steps[depth]
    if let node = step.node { return node }
    let node: OpenDirectory
    if depth == 0 {
      node = makeOpen(
        way.directory,
        names: way.earlier.names,
        descriptor: job.takeDescriptor() ? way.directory.file : -1,
        users: users + 1
      )
    } else {
      let base = makeNode(0, users: 0, &way)
      let isLookedUp = users > 0 && base.retainDescriptor()
      node = OpenDirectory(
        parent: makeNode(depth - 1, users: 0, &way),
        nameOffset: way.earlier.nameRange(at: step.index).lowerBound,
        number: step.number,
        names: way.earlier.names,
        identity: OpenDirectory.Identity(
          device: way.directory.status.details.device,
          inode: step.inode,
          mountID: way.directory.status.mountID
        ),
        owner: step.owner,
        place: -1,
        ignoreScope: filter.scope,
        lookup: isLookedUp
          ? OpenDirectory.Lookup(base: base, path: rescan.path.bytes(to: step.pathEnd)) : nil,
        descriptor: -1,
        users: users
      )
    }
    way.steps[depth].node = node
    return node
  }
}
