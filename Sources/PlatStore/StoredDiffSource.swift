internal import PlatTree

/// A snapshot as a side of a comparison: the directories that are not as in the other snapshot, and
/// those above them.
///
/// The ID of a directory is its position among them.
internal struct StoredDiffSource: TreeDiffSource {
  internal typealias Failure = StoreError

  /// What is known of a directory.
  internal struct Node {
    internal var number: Int64
    internal var name: [UInt8]
    internal var parent: Int64
    internal var row: DirectoryRow
    internal var content: Int64
    /// Where the subdirectories are, once they are in order.
    internal fileprivate(set) var children = 0..<0

    internal init(
      _ number: Int64,
      named name: [UInt8],
      in parent: Int64,
      _ row: DirectoryRow,
      content: Int64
    ) {
      self.number = number
      self.name = name
      self.parent = parent
      self.row = row
      self.content = content
    }
  }

  /// Reads listings; a class, because a comparison copies its sources.
  private final class ListingReader {
    let reader: SnapshotReader

    init(_ snapshot: Int, on connection: Connection) throws(StoreError) {
      reader = try SnapshotReader(snapshot, on: connection)
    }
  }

  /// The directories, in the order in which they were taken in.
  internal private(set) var nodes: [Node] = []
  private var positions: [Int64: Int] = [:]
  /// All directories, those of one parent together in the order of their names.
  internal private(set) var directories: [DirectoryID] = []
  private let listings: ListingReader
  private let fileSystems: FileSystemTable

  internal init(
    _ snapshot: Int,
    _ fileSystems: FileSystemTable,
    on connection: Connection
  ) throws(StoreError) {
    listings = try ListingReader(snapshot, on: connection)
    self.fileSystems = fileSystems
  }

  /// The number of the snapshot.
  internal var snapshot: Int { listings.reader.snapshot }

  /// Returns the error for what does not fit.
  internal func damaged(_ reason: String) -> StoreError { listings.reader.damaged(reason) }

  // MARK: The directories

  /// The directory with a number, or `nil` if the source has none.
  internal subscript(number: Int64) -> DirectoryID? {
    positions[number].map(DirectoryID.init)
  }

  /// What is known of a directory.
  internal subscript(directory: DirectoryID) -> Node { nodes[directory.index] }

  /// Makes room for directories.
  internal mutating func reserveCapacity(_ count: Int) {
    nodes.reserveCapacity(count)
    positions.reserveCapacity(count)
  }

  /// Takes in a directory.
  internal mutating func insert(_ node: consuming Node) throws(StoreError) {
    let number = node.number
    guard positions.updateValue(nodes.count, forKey: number) == nil else {
      throw damaged("directory \(number) is there twice")
    }
    nodes.append(node)
  }

  /// Puts the directories in order, after the last was taken in.
  internal mutating func sort() {
    let sorted = nodes.indices.sorted { first, second in
      nodes[first].parent != nodes[second].parent
        ? nodes[first].parent < nodes[second].parent
        : nodes[first].name.lexicographicallyPrecedes(nodes[second].name)
    }
    directories = sorted.map(DirectoryID.init)
    var start = 0
    while start < directories.count {
      let parent = self[directories[start]].parent
      let end = sorted[start...].firstIndex { nodes[$0].parent != parent } ?? sorted.count
      if let position = positions[parent] { nodes[position].children = start..<end }
      start = end
    }
  }

  // MARK: A side of a comparison

  internal func name(of directory: DirectoryID) -> ArraySlice<UInt8> {
    nodes[directory.index].name[...]
  }

  internal func subdirectories(of directory: DirectoryID) -> [DirectoryID] {
    Array(directories[nodes[directory.index].children])
  }

  internal func listing(of directory: DirectoryID) throws(StoreError) -> Listing {
    try listings.reader.listing(
      of: self[directory].number,
      self[directory].row,
      content: self[directory].content
    )
  }

  internal func ordinalsCountedElsewhere(in directory: DirectoryID) -> [Int] {
    guard !nodes[directory.index].row.elsewhere.isEmpty else { return [] }
    return self[directory].row.ordinalsCountedElsewhere.sorted()
  }

  internal func totals(of directory: DirectoryID) -> Totals {
    nodes[directory.index].row.totals
  }

  internal func details(of directory: DirectoryID) -> DirectoryDetails {
    nodes[directory.index].row.details
  }

  internal func fileSystem(of directory: DirectoryID) -> FileSystem {
    fileSystems.values[nodes[directory.index].row[.fileSystem]] ?? FileSystem(device: 0)
  }

  internal func hasKnownListing(
    of other: DirectoryID,
    in source: Self,
    _ directory: DirectoryID
  ) -> Bool {
    source.nodes[other.index].content == nodes[directory.index].content
  }
}
