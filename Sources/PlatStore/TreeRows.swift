internal import PlatTree

/// The rows that the directories of a tree have in a snapshot.
internal struct TreeRows {
  internal let tree: FileTree
  /// The number of each directory in the store.
  internal let numbers: [Int64]
  /// What could not be read and what was left out, by the position of the directory.
  internal let notes: [Int: DirectoryNotes]

  /// The number of each file system in the store.
  internal let fileSystemNumbers: [Int64]
  private var attributes: AttributeTable
  private let fileSystems: FileSystemTable
  private var own: [FileTree.ChargedSums] = []
  private var largest: [StoredTree.LargestFiles] = []
  private var issueCounts: [Int] = []

  /// Prepares the rows of a tree.
  ///
  /// - Parameters:
  ///   - tree: The tree.
  ///   - numbers: The number of each directory in the store.
  ///   - connection: Where file systems and attributes are looked up, or added.
  /// - Throws: ``StoreError`` if the database cannot be read or written.
  internal init(
    _ tree: FileTree,
    numbers: [Int64],
    on connection: Connection
  ) throws(StoreError) {
    self.tree = tree
    self.numbers = numbers
    notes = DirectoryNotes.grouped(tree)
    var fileSystems = try FileSystemTable(connection)
    fileSystemNumbers = try fileSystems.numbers(of: tree.fileSystems, on: connection)
    self.fileSystems = fileSystems
    attributes = try AttributeTable(connection)
  }

  /// Adds up what the tree does not hold; not done for a tree that has no new row.
  ///
  /// - Parameter comparison: What is unchanged since a snapshot, so that nobody asks for its rows; its
  ///   listings stay as they are.
  internal mutating func addUp(_ comparison: StoredTreeComparison? = nil) {
    own = []
    largest = []
    for directory in tree.directories {
      if let before = comparison?.unchanged(directory) {
        own.append(FileTree.ChargedSums())
        largest.append(before)
      } else {
        let sums = tree.chargedSums(of: directory)
        own.append(sums)
        largest.append(
          StoredTree.LargestFiles(
            allocatedSize: Int64(clamping: sums.largestAllocatedSize),
            apparentSize: Int64(clamping: sums.largestApparentSize)
          )
        )
      }
    }
    issueCounts = tree.directories.map { notes[$0.index]?.issues.count ?? 0 }
    for directory in tree.directories.reversed() {
      guard let parent = tree.parent(of: directory)?.index else { continue }
      let index = directory.index
      largest[parent].allocatedSize = max(
        largest[parent].allocatedSize,
        largest[index].allocatedSize
      )
      largest[parent].apparentSize = max(largest[parent].apparentSize, largest[index].apparentSize)
      issueCounts[parent] += issueCounts[index]
    }
  }

  /// Returns the row of a directory, but for the checksum of its listing.
  ///
  /// - Precondition: ``addUp(_:)`` was called, and the directory is not unchanged.
  internal mutating func row(
    of directory: DirectoryID,
    on connection: Connection
  ) throws(StoreError) -> DirectoryRow {
    let index = directory.index
    let totals = tree.totals(of: directory)
    let details = tree.details(of: directory)
    var row = DirectoryRow()
    row[.size] = Int64(clamping: totals.apparentSize)
    row[.alloc] = Int64(clamping: totals.allocatedSize)
    row[.files] = Int64(totals.files)
    row[.dirs] = Int64(totals.directories)
    row[.links] = Int64(totals.symbolicLinks)
    row[.others] = Int64(totals.others)
    row[.ownSize] = Int64(clamping: own[index].apparentSize)
    row[.ownAlloc] = Int64(clamping: own[index].allocatedSize)
    row[.selfAlloc] = Int64(bitPattern: details.allocatedSize)
    row[.maxSize] = largest[index].apparentSize
    row[.maxAlloc] = largest[index].allocatedSize
    row[.newest] = tree.newestModification(of: directory)
    row[.issues] = Int64(issueCounts[index])
    row[.mtime] = details.modificationTime
    row[.ctime] = details.changeTime
    row[.inode] = Int64(bitPattern: details.inode)
    row[.fileSystem] = fileSystemNumbers[tree.fileSystemIndex(of: directory)]
    row[.attributes] = try attributes.number(of: details, on: connection)
    row[.flags] = Int64(details.flags.rawValue)
    row[.notes] = notes[index]?.hash ?? 0
    if own[index].countedElsewhere > 0 {
      row.elsewhere = DirectoryRow.encode(ordinals: tree.ordinalsCountedElsewhere(in: directory))
    }
    if tree.hasEntries(directory) { row.fileChange = own[index].fileChange }
    return row
  }

  /// Returns the hash of the row of a directory.
  internal func hash(of row: DirectoryRow, _ directory: DirectoryID) -> RowHash {
    let parent = tree.parent(of: directory).map { numbers[$0.index] } ?? 0
    return tree.name(of: directory).withUnsafeBytes { name in
      row.hash(directory: numbers[directory.index], parent: parent, name: name)
    }
  }

  /// Returns what a row adds to the digest of its snapshot.
  internal func digest(of row: DirectoryRow, _ hash: RowHash) -> UInt64 {
    Digest.contribution(
      hash,
      fileSystem: fileSystems.hashes[row[.fileSystem]] ?? 0,
      attributes: attributes.hashes[row[.attributes]] ?? 0
    )
  }
}

/// The sum over everything that makes up a snapshot; the order does not matter.
internal enum Digest {
  /// Returns what a directory adds, modulo 2⁶⁴.
  internal static func contribution(
    _ row: RowHash,
    fileSystem: UInt64,
    attributes: UInt64
  ) -> UInt64 {
    var hash = row
    hash.combine(Int64(bitPattern: fileSystem))
    hash.combine(Int64(bitPattern: attributes))
    return hash.value
  }
}
