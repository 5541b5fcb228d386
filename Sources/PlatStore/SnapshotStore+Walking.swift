public import PlatTree

extension SnapshotStore {
  /// Calls `body` with what is below a directory, in order of the paths: all entries of a directory by
  /// their names, and after a directory what it holds.
  ///
  /// Everything that is passed on was checked before the first entry is: of a small part of a snapshot
  /// only that part is read, twice, and otherwise the snapshot is loaded.
  ///
  /// - Parameters:
  ///   - directory: The directory to begin at.
  ///   - depth: How many levels below it to go; `nil` for all.
  ///   - includesTop: Whether it is itself the first that `body` is called with.
  ///   - criteria: `body` may miss entries that do not meet them; those that it is called with need not.
  ///   - measure: The size that counts for the criteria.
  ///   - body: Returns whether to go on. A copy of the entry that outlives the call makes the walk
  ///     slow.
  /// - Throws: ``StoreError`` if the file cannot be read, or something that is needed is damaged.
  /// - Complexity: O(*n*), where *n* is the number of entries of the part, or of the snapshot.
  public func forEachEntry(
    below directory: StoredDirectory,
    depth: Int? = nil,
    includesTop: Bool = false,
    meeting criteria: EntryCriteria = EntryCriteria(),
    by measure: SizeMeasure = .allocated,
    _ body: (WalkedEntry) -> Bool
  ) throws(StoreError) {
    let connection = try requireConnection()
    if try isSmallPart(directory, depth: depth) {
      return try connection.transaction("BEGIN") { () throws(StoreError) in
        let source = try StoredTreeSource(directory.snapshot, on: connection)
        let top = StoredTreeSource.Directory(directory)
        try source.walk(from: top, at: directory.path, depth: depth) { _ in true }
        try source.walk(
          from: top,
          at: directory.path,
          depth: depth,
          includesTop: includesTop,
          meeting: criteria,
          by: measure,
          body
        )
      }
    }
    let tree = try load(directory.snapshot)
    guard let top = tree.directory(atPath: directory.path) else {
      throw .damaged(
        path: shownPath,
        snapshot: directory.snapshot,
        reason: "the tree lacks a directory of the tables"
      )
    }
    tree.forEachEntry(
      below: top,
      depth: depth,
      includesTop: includesTop,
      meeting: criteria,
      by: measure,
      body
    )
  }

  /// Whether to read directories one by one costs less than to load the snapshot.
  ///
  /// A directory by itself costs as much as about 50 entries in a row; both are read twice.
  private func isSmallPart(
    _ directory: StoredDirectory,
    depth: Int?
  ) throws(StoreError) -> Bool {
    if depth == 0 || depth == 1 { return true }
    let totals = directory.totals
    let cost = 2 * (totals.entries + 50 * totals.directories)
    return cost < (try snapshot(directory.snapshot)).entries
  }
}

/// The directories of a snapshot, read one by one and checked.
private final class StoredTreeSource: TreeSource {
  typealias Failure = StoreError

  /// A directory by its number, with its name and row.
  struct Directory {
    var child: SnapshotReader.Child

    init(_ child: SnapshotReader.Child) { self.child = child }

    init(_ directory: StoredDirectory) {
      child = SnapshotReader.Child(
        number: directory.number,
        name: [],
        row: directory.row,
        content: directory.content
      )
    }
  }

  private let reader: SnapshotReader
  private let attributes: AttributeTable

  init(_ snapshot: Int, on connection: Connection) throws(StoreError) {
    reader = try SnapshotReader(snapshot, on: connection)
    attributes = try AttributeTable(connection)
  }

  func name(of directory: Directory) -> ArraySlice<UInt8> { directory.child.name[...] }

  func subdirectories(of directory: Directory) throws(StoreError) -> [Directory] {
    let found = try reader.subdirectories(of: directory.child.number, directory.child.row)
    // They come in the order of the names as they are shown.
    return found.sorted { $0.name.lexicographicallyPrecedes($1.name) }.map { Directory($0) }
  }

  func listing(of directory: Directory) throws(StoreError) -> Listing {
    try reader.listing(
      of: directory.child.number,
      directory.child.row,
      content: directory.child.content
    )
  }

  func ordinalsCountedElsewhere(in directory: Directory) -> [Int] {
    directory.child.row.elsewhere.isEmpty
      ? [] : directory.child.row.ordinalsCountedElsewhere.sorted()
  }

  func totals(of directory: Directory) -> Totals { directory.child.row.totals }

  func details(of directory: Directory) -> DirectoryDetails {
    var details = directory.child.row.details
    guard let known = attributes.values[directory.child.row[.attributes]] else { return details }
    (details.mode, details.owner, details.group) = (known.mode, known.owner, known.group)
    return details
  }
}
