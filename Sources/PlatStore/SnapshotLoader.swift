import CPlatSystem
internal import PlatTree

/// Makes a tree of a snapshot, and checks everything on the way.
internal struct SnapshotLoader {
  private let connection: Connection
  private let info: SnapshotInfo
  private let fileSystems: FileSystemTable
  private let attributes: AttributeTable
  private let listings: StoredListings

  /// The number of each directory in the store, ascending.
  private var numbers: [Int64] = []
  private var parents: [Int] = []
  /// The hashes of the notes that rows announce, and their content, by the position of the directory.
  private var announcedNotes: [Int: (hash: Int64, content: Int64)] = [:]
  private var sums = SubtreeSums()
  private var rootIssues: Int64 = 0
  private var digest: UInt64 = 0
  private var batch = FileTree.Batch()
  /// Whether the batch knows what unpacks listings: to ask it costs a copy.
  private var hasCodec = false
  /// The name that is announced, and a byte after it.
  private var name: [UInt8] = []
  private var elsewhere: [FileTree.Builder.CountedElsewhere] = []
  private var elsewhereCount = 0
  private var largestFiles: [StoredTree.LargestFiles] = []
  /// Whether a size did not fit, so that its row does not tell it.
  private var isSaturated = false
  /// The numbers of a file system and of attributes that were looked up last, and what they are.
  private var lastFileSystem: (number: Int64, hash: UInt64)?
  private var lastAttributes: (number: Int64, value: AttributeTable.Attributes, hash: UInt64)?

  /// Where the only name starts.
  private static let oneStart = [0]

  /// Listings are collected in parts of this many bytes: few, and none is ever grown far.
  private static let chunkSize = 1 << 18
  /// A part that has as many is not added to.
  private static let filledSize = chunkSize - (1 << 16)
  /// Listings that are larger than this, packed, are unpacked: to ask for a listing never takes long.
  private static let mostPacked = 1 << 13

  internal init(_ info: SnapshotInfo, on connection: Connection) throws(StoreError) {
    self.info = info
    self.connection = connection
    fileSystems = try FileSystemTable(connection)
    attributes = try AttributeTable(connection)
    listings = try StoredListings(connection)
  }

  /// Reads the snapshot; the caller has begun a transaction.
  internal mutating func load() throws(StoreError) -> StoredTree {
    var builder: FileTree.Builder?
    reserveBatch()
    // Room that is not needed, as a number may be damaged, takes no memory.
    let count = min(max(info.totals.directories, 0), 1 << 20)
    numbers.reserveCapacity(count)
    parents.reserveCapacity(count)
    sums.reserveCapacity(count)
    largestFiles.reserveCapacity(count)
    let columns = try DirectoryRow.columns(on: connection)
    try connection.forEachRow(
      "v.dir, d.parent, d.name, d.raw, \(columns), c.codec, c.data",
      """
      FROM \(DirectoryRow.tables) CROSS JOIN dir d ON d.id = v.dir
      WHERE v.since <= ?1 AND (v.until IS NULL OR v.until > ?1) ORDER BY v.dir
      """,
      Int64(info.id)
    ) { row throws(StoreError) in
      try readDirectory(row)
      if builder == nil { builder = FileTree.Builder(rootPath: name) }
      if max(batch.bytes.count, batch.packed.count) >= Self.filledSize {
        builder?.insert(batch)
        reserveBatch()
      }
    }
    // Taken and consumed: columns that are held twice are copied before they are changed.
    guard var builder = builder.take() else { throw damaged("it has no directories") }
    try readNotes()
    builder.insert(batch)
    batch = FileTree.Batch()
    guard digest == info.digest else { throw damaged("its digest does not fit") }
    if let broken = sums.firstContradiction {
      throw damaged("the totals of directory \(numbers[broken]) do not add up")
    }
    var fileSystemNumbers: [Int64] = []
    let (tree, order) = (consume builder).makeStoredTree(
      countedElsewhere: elsewhere,
      addingUp: isSaturated
    ) { number in
      let number = Int64(bitPattern: number)
      fileSystemNumbers.append(number)
      return fileSystems.values[number] ?? FileSystem(device: 0)
    }
    try check(tree)
    let isAsStored = order.indices.allSatisfy { order[$0] == $0 }
    return StoredTree(
      tree: tree,
      snapshot: info,
      numbers: isAsStored ? numbers : order.map { numbers[Int($0)] },
      fileSystemNumbers: fileSystemNumbers,
      largestFiles: isAsStored ? largestFiles : order.map { largestFiles[Int($0)] }
    )
  }

  /// Empties the batch, and makes room in it.
  private mutating func reserveBatch() {
    batch.removeAll(keepingBytes: 0)
    // What will be filled is asked for at once, where each page would be by itself.
    batch.packed = [UInt8](unsafeUninitializedCapacity: Self.chunkSize) { buffer, _ in
      buffer.baseAddress.map { plat_populate($0, Self.filledSize) }
    }
  }

  /// Takes in the row of a directory.
  private mutating func readDirectory(_ columns: VisitedRow) throws(StoreError) {
    let row = DirectoryRow(columns, at: 4)
    let number = columns.int64(at: 0)
    let position = numbers.count
    let parentNumber = columns.int64(at: 1)
    let parent = try parentPosition(parentNumber, of: number)
    name.removeAll(keepingCapacity: true)
    columns.withName(at: 2) { name.append(contentsOf: $0) }
    let hash = name.withUnsafeBytes { name in
      row.hash(directory: number, parent: parentNumber, name: name)
    }
    if let flaw = row.flaw(hash, ofDirectory: number, in: parentNumber, named: name) {
      throw damaged(flaw)
    }
    guard let fileSystem = hashOfFileSystem(row[.fileSystem]),
      let owner = attributes(row[.attributes])
    else { throw damaged("the checksum of directory \(number) does not fit") }
    digest &+= Digest.contribution(hash, fileSystem: fileSystem, attributes: owner.hash)

    if position > 0 {
      name.append(0)
      batch.announce(parent: parent, first: position, names: name, starts: Self.oneStart)
    }
    numbers.append(number)
    parents.append(parent)
    if row[.notes] != 0 {
      let content = columns.int64(at: 4 + DirectoryRow.contentColumn)
      announcedNotes[position] = (row[.notes], content)
    }
    if !row.elsewhere.isEmpty {
      let ordinals = row.ordinalsCountedElsewhere.sorted()
      elsewhere.append(FileTree.Builder.CountedElsewhere(number: position, ordinals: ordinals))
      elsewhereCount += ordinals.count
    }
    if position == 0 { rootIssues = row[.issues] }
    sums.append(row, parent: position == 0 ? nil : parent)
    largestFiles.append(
      StoredTree.LargestFiles(allocatedSize: row[.maxAlloc], apparentSize: row[.maxSize])
    )
    isSaturated = isSaturated || row[.size] == .max || row[.alloc] == .max

    var stored = FileTree.Batch.Stored()
    stored.details = row.details
    // The number stands for the device until the tree is made.
    stored.details.device = UInt64(bitPattern: row[.fileSystem])
    stored.details.mode = owner.value.mode
    stored.details.owner = owner.value.owner
    stored.details.group = owner.value.group
    stored.totals = row.totals
    stored.newestModification = row[.newest]
    stored.fileChange = row.fileChange
    try readListing(of: number, row, columns, as: stored)
  }

  /// Takes in the listing of a directory, and delivers the directory.
  private mutating func readListing(
    of number: Int64,
    _ row: DirectoryRow,
    _ columns: VisitedRow,
    as stored: FileTree.Batch.Stored
  ) throws(StoreError) {
    let column = 4 + DirectoryRow.columnCount
    let position = numbers.count - 1
    let outcome = try listings.read(
      columns,
      at: column,
      checksum: row[.listingChecksum]
    ) { (listing: StoredListings.Stored) -> Result<Void, StoredListings.Flaw> in
      switch listing {
      case .bare(let bytes):
        let start = batch.bytes.count
        batch.bytes.append(contentsOf: bytes)
        batch.append(stored, number: position, listing: start..<batch.bytes.count)
      case .packed(let block, let decoder) where block.count <= Self.mostPacked:
        let start = batch.packed.count
        batch.packed.append(contentsOf: block)
        if !hasCodec { (batch.codec, hasCodec) = (decoder, true) }
        batch.append(stored, number: position, packed: start..<batch.packed.count)
      case .packed(let block, let decoder):
        guard let bytes = decoder.decode(block) else { return .failure(.malformed) }
        let start = batch.bytes.count
        batch.bytes.append(contentsOf: bytes)
        batch.append(stored, number: position, listing: start..<batch.bytes.count)
      }
      return .success(())
    }
    if case .failure(let flaw) = outcome { throw damaged(flaw.description(ofDirectory: number)) }
  }

  /// What a file system adds to the digest; neighbours mostly have the same.
  private mutating func hashOfFileSystem(_ number: Int64) -> UInt64? {
    if let lastFileSystem, lastFileSystem.number == number { return lastFileSystem.hash }
    guard let hash = fileSystems.hashes[number] else { return nil }
    lastFileSystem = (number, hash)
    return hash
  }

  /// The mode and owners with a number, and what they add to the digest.
  private mutating func attributes(
    _ number: Int64
  ) -> (number: Int64, value: AttributeTable.Attributes, hash: UInt64)? {
    if let lastAttributes, lastAttributes.number == number { return lastAttributes }
    guard let value = attributes.values[number], let hash = attributes.hashes[number] else {
      return nil
    }
    lastAttributes = (number, value, hash)
    return lastAttributes
  }

  /// Returns the position of a directory's parent, which was read before.
  private func parentPosition(_ parent: Int64, of number: Int64) throws(StoreError) -> Int {
    guard let last = numbers.last else {
      guard parent == 0 else { throw damaged("its root has a parent") }
      return 0
    }
    guard number > last else { throw damaged("directory \(number) is there twice") }
    // Neighbours mostly have the same parent, or one that is near to it.
    let latest = parents.last ?? 0
    for position in latest..<min(latest + 8, numbers.count) where numbers[position] == parent {
      return position
    }
    var (low, high) = (0, numbers.count)
    while low < high {
      let middle = (low + high) / 2
      if numbers[middle] < parent { low = middle + 1 } else { high = middle }
    }
    guard low < numbers.count, numbers[low] == parent else {
      throw damaged("directory \(number) has no parent")
    }
    return low
  }

  private func damaged(_ reason: String) -> StoreError {
    .damaged(path: connection.path, snapshot: info.id, reason: reason)
  }
}

// MARK: Notes and checks

extension SnapshotLoader {
  /// Reads what could not be read and what was left out, of the directories that have any.
  private mutating func readNotes() throws(StoreError) {
    let reader = try NotesReader(info.id, on: connection)
    var issueCount = 0
    for (position, (hash, content)) in announcedNotes.sorted(by: { $0.key < $1.key }) {
      let notes = try reader.notes(of: numbers[position], content, at: DirectoryID(position))
      guard notes.hash == hash, sums.ownIssues(at: position) == notes.issues.count else {
        throw damaged("the issues of directory \(numbers[position]) do not fit")
      }
      batch.issues.append(contentsOf: notes.issues)
      batch.exclusions.append(contentsOf: notes.exclusions)
      issueCount += notes.issues.count
    }
    // What the rows say adds up to what the root says, so that no other directory has any.
    guard issueCount == info.issueCount, rootIssues == info.issueCount else {
      throw damaged("issues are missing")
    }
  }

  /// Compares the totals of the tree, which were made anew, with those that were stored.
  private func check(_ tree: FileTree) throws(StoreError) {
    var totals = tree.totals(of: tree.root)
    totals.allocatedSize = min(totals.allocatedSize, UInt64(Int64.max))
    totals.apparentSize = min(totals.apparentSize, UInt64(Int64.max))
    guard totals == info.totals, tree.directoryCount == numbers.count,
      tree.countedElsewhereCount == elsewhereCount
    else { throw damaged("its totals do not fit") }
  }
}

/// Reads the rows of `issue` and `exclusion` of a snapshot.
internal struct NotesReader: ~Copyable {
  private let issues: Statement
  private let exclusions: Statement
  /// Whether notes belong to a row of `content`; in version 1 of the schema, to one of `dirv`.
  private let areOfContent: Bool

  internal init(_ snapshot: Int, on connection: Connection) throws(StoreError) {
    try connection.noticeMigration()
    let areOfContent = connection.schemaVersion >= 2
    let condition =
      areOfContent
      ? "content = ?1"
      : """
      dir = ?1 AND since = (SELECT v.since FROM dirv v
        WHERE v.dir = ?1 AND v.since <= ?2 AND (v.until IS NULL OR v.until > ?2))
      """
    let issues = try Statement(
      "SELECT name, call, errno FROM issue WHERE \(condition) ORDER BY n",
      on: connection
    )
    let exclusions = try Statement(
      "SELECT name, kind, reason FROM exclusion WHERE \(condition) ORDER BY n",
      on: connection
    )
    if !areOfContent {
      issues.bind(Int64(snapshot), at: 2)
      exclusions.bind(Int64(snapshot), at: 2)
    }
    self.areOfContent = areOfContent
    self.issues = issues
    self.exclusions = exclusions
  }

  /// Returns the notes of a directory with a content, with an ID for it.
  internal func notes(
    of number: Int64,
    _ content: Int64,
    at directory: DirectoryID
  ) throws(StoreError) -> DirectoryNotes {
    var notes = DirectoryNotes()
    issues.bind(areOfContent ? content : number, at: 1)
    exclusions.bind(areOfContent ? content : number, at: 1)
    while try issues.step() {
      notes.issues.append(
        Issue(
          directory: directory,
          name: issues.isNull(at: 0) ? nil : issues.bytes(at: 0),
          call: issues.string(at: 1),
          code: Int32(truncatingIfNeeded: issues.int64(at: 2))
        )
      )
    }
    while try exclusions.step() {
      notes.exclusions.append(
        Exclusion(
          directory: directory,
          name: exclusions.bytes(at: 0),
          kind: EntryKind(rawValue: UInt8(truncatingIfNeeded: exclusions.int64(at: 1))) ?? .other,
          reason: Exclusion.Reason(
            rawValue: UInt8(truncatingIfNeeded: exclusions.int64(at: 2))
          ) ?? .pattern
        )
      )
    }
    issues.reset()
    exclusions.reset()
    return notes
  }
}
