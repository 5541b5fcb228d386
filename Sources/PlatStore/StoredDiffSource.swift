internal import PlatTree

/// A snapshot as a side of a comparison: the directories that are not as in the other snapshot, and
/// those above them.
internal struct StoredDiffSource: TreeDiffSource {
  internal typealias Failure = StoreError

  /// A directory by its number, which two snapshots share, with the number of its content.
  internal struct Directory: Hashable {
    internal var number: Int64
    internal var content: Int64

    internal init(number: Int64, content: Int64) {
      self.number = number
      self.content = content
    }

    internal init(_ directory: StoredDirectory) {
      self.init(number: directory.number, content: directory.content)
    }

    internal static func == (first: Directory, second: Directory) -> Bool {
      first.number == second.number
    }

    internal func hash(into hasher: inout Hasher) { hasher.combine(number) }
  }

  /// What is known of a directory.
  internal struct Node {
    internal var name: [UInt8]
    internal var parent: Int64
    internal var row: DirectoryRow
    internal var content: Int64
  }

  /// Reads listings; a class, because a comparison copies its sources.
  private final class ListingReader {
    let reader: SnapshotReader

    init(_ snapshot: Int, on connection: Connection) throws(StoreError) {
      reader = try SnapshotReader(snapshot, on: connection)
    }
  }

  private var nodes: [Int64: Node] = [:]
  private var children: [Int64: [Directory]] = [:]
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

  /// Returns the error for what does not fit.
  internal func damaged(_ reason: String) -> StoreError { listings.reader.damaged(reason) }

  // MARK: The directories

  /// Whether the source has a directory.
  internal func contains(_ directory: Directory) -> Bool { nodes[directory.number] != nil }

  /// The directory with a number.
  internal subscript(number: Int64) -> Node? { nodes[number] }

  /// The numbers of all directories of the source.
  internal var numbers: Dictionary<Int64, Node>.Keys { nodes.keys }

  /// Takes in a directory.
  internal mutating func insert(_ node: Node, _ number: Int64) throws(StoreError) {
    guard nodes.updateValue(node, forKey: number) == nil else {
      throw damaged("directory \(number) is there twice")
    }
    children[node.parent, default: []].append(Directory(number: number, content: node.content))
  }

  /// Puts the directories in order, after the last was taken in.
  internal mutating func sort() {
    children = children.mapValues { siblings in
      siblings.sorted { name(of: $0).lexicographicallyPrecedes(name(of: $1)) }
    }
  }

  // MARK: A side of a comparison

  private func row(of directory: Directory) -> DirectoryRow {
    nodes[directory.number]?.row ?? DirectoryRow()
  }

  internal func name(of directory: Directory) -> ArraySlice<UInt8> {
    nodes[directory.number]?.name[...] ?? []
  }

  internal func subdirectories(of directory: Directory) -> [Directory] {
    children[directory.number] ?? []
  }

  internal func listing(of directory: Directory) throws(StoreError) -> Listing {
    try listings.reader.listing(
      of: directory.number,
      row(of: directory),
      content: directory.content
    )
  }

  internal func ordinalsCountedElsewhere(in directory: Directory) -> [Int] {
    guard let node = nodes[directory.number], !node.row.elsewhere.isEmpty else { return [] }
    return node.row.ordinalsCountedElsewhere.sorted()
  }

  internal func totals(of directory: Directory) -> Totals { row(of: directory).totals }

  internal func details(of directory: Directory) -> DirectoryDetails {
    row(of: directory).details
  }

  internal func fileSystem(of directory: Directory) -> FileSystem {
    fileSystems.values[row(of: directory)[.fileSystem]] ?? FileSystem(device: 0)
  }

  internal func hasKnownListing(
    of other: Directory,
    in source: Self,
    _ directory: Directory
  ) -> Bool {
    other.content == directory.content
  }
}
