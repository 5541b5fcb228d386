extension FileTree {
  /// Collects finished directories and makes a tree of them.
  ///
  /// Directories arrive in any order in ``Batch`` values. The builder holds them as columns in the
  /// order of the reader's numbers; ``makeTree(describing:)`` permutes one column after the other into
  /// canonical order, so that building needs little more memory than the tree.
  public struct Builder: Sendable {
    internal var parents: [UInt32] = []
    internal var nameStarts: [UInt64] = []
    internal var nameLengths: [UInt32] = []
    internal var names: [UInt8] = []
    internal var isDelivered: [Bool] = []
    internal var tree = FileTree()
    internal var summaries: Summaries = Summaries()
    internal var lateEntries: [Batch.LateEntry] = []
    /// The names of files with several hard links, as far as they were delivered.
    internal var links = HardLinks()
    /// The numbers of directories whose listings are to be asked for such names.
    internal var unaskedDirectories: [UInt32] = []
    /// The trees that directories are taken from, and the directories.
    internal let earlierTrees: [FileTree]
    internal var reused: [Batch.Reused] = []
    /// When something in or below each directory was modified last in the tree that it was taken from.
    ///
    /// `Int64.min` where that is known not to be in its listing, or its own sums say when; may be empty.
    internal var newestBounds: [Int64] = []
    private var fileSystems: [UInt64: UInt32] = [:]
    private var attributeRows: [Attributes: UInt32] = [:]
    private var lastFileSystem: (device: UInt64, index: UInt32)?
    private var lastAttributes: (row: Attributes, index: UInt32)?

    /// The directories that there is room for at first.
    private static let initialRows = 1 << 18
    /// The parent of a directory that was delivered before it was announced.
    internal static let unknownParent = UInt32.max

    /// Own sums of the directories, before they are added up.
    internal struct Summaries: Sendable {
      internal var files: [UInt32] = []
      internal var symbolicLinks: [UInt32] = []
      internal var others: [UInt32] = []
    }

    /// Creates a builder with nothing but the name of the top.
    ///
    /// - Parameters:
    ///   - rootPath: The absolute path of the top; empty for a group of several roots.
    ///   - trees: Earlier trees, whose directories ``Batch/reuse(_:ofTree:as:firstSubdirectory:device:)``
    ///     can deliver.
    public init(rootPath: [UInt8], reusing trees: [FileTree] = []) {
      earlierTrees = trees
      reused.reserveCapacity(trees.reduce(0) { $0 + $1.directoryCount })
      grow(to: 1)
      setName(of: 0, parent: 0, rootPath[...])
    }

    /// The number of directories delivered so far.
    public private(set) var directoryCount = 0

    /// Whether the top was delivered, so that there is a tree to make.
    public private(set) var hasTop = false

    /// Adds the directories of a batch; the batch can be emptied and filled again afterwards.
    ///
    /// - Complexity: O(*n*), amortized, where *n* is the number of directories of the batch.
    public mutating func insert(_ batch: Batch) {
      let chunk = UInt32(tree.chunks.count)
      if !batch.bytes.isEmpty { append(batch.bytes, codec: nil) }
      let packedChunk = UInt32(tree.chunks.count)
      if !batch.packed.isEmpty { append(batch.packed, codec: batch.codec) }
      announce(batch)
      deliver(batch.directories, chunk, packedChunk)
      for link in batch.links { links.append(link) }
      tree.issues.append(contentsOf: batch.issues)
      tree.exclusions.append(contentsOf: batch.exclusions)
      lateEntries.append(contentsOf: batch.lateEntries)
      reused.append(contentsOf: batch.reused)
      directoryCount += batch.directoryCount
      hasTop =
        hasTop || isDelivered[0] || batch.reused.contains { $0.number == 0 }
    }

    /// Makes the tree.
    ///
    /// It is the earlier tree if that is what was delivered, whole and with nothing else. Directories
    /// that were announced and not delivered, or not announced yet, are left out with everything below
    /// them.
    ///
    /// - Parameter describe: Gives what is known of the file system with a device number.
    /// - Returns: The tree in canonical order, with totals.
    /// - Precondition: ``hasTop``
    /// - Complexity: O(*n*) for names that arrive sorted, where *n* is the number of directories,
    ///   and the entries of listings with hard links.
    public consuming func makeTree(
      describing describe: (_ device: UInt64) -> FileSystem = { FileSystem(device: $0) }
    ) -> FileTree {
      if let unchanged = unchangedTree(describing: describe) { return unchanged }
      _ = build(describe, isPart: false) {}
      return tree
    }

    private mutating func append(_ bytes: [UInt8], codec: (any ListingCodec)?) {
      // Much room that is left over is not kept: it may be memory that was used before.
      let isFull = 2 * bytes.count >= bytes.capacity
      tree.chunks.append(Chunk(bytes: isFull ? bytes : Array(bytes[...]), codec: codec))
    }

    /// Makes the tree of what was delivered so far, for a look at it while there is more to come.
    ///
    /// Of trees that are made of ever more directories, no number is less than in the one before, nor
    /// than in the complete tree. So a file with hard links counts only when all of its names are
    /// there, and it is known which of them it is charged to.
    ///
    /// - Parameter isUnwanted: Asked now and then whether nobody wants the tree any more.
    /// - Returns: The tree, with file systems of which only the device is known; `nil` if it is not
    ///   wanted, or has no top yet.
    /// - Complexity: As of ``makeTree(describing:)``
    public consuming func makePartialTree(unless isUnwanted: () -> Bool = { false }) -> FileTree? {
      struct Unwanted: Error {}
      guard hasTop else { return nil }
      do throws(Unwanted) {
        _ = try build({ FileSystem(device: $0) }, isPart: true) { () throws(Unwanted) in
          if isUnwanted() { throw Unwanted() }
        }
        return tree
      } catch {
        return nil
      }
    }

    /// Returns a copy that has columns of its own.
    ///
    /// With a plain copy, it is this builder that would have to copy them when it goes on.
    ///
    /// - Complexity: O(*n*), where *n* is the number of directories.
    public func detached() -> Builder {
      var copy = self
      func detach<Value>(_ column: WritableKeyPath<Builder, [Value]>) {
        let values = self[keyPath: column]
        var own: [Value] = []
        own.reserveCapacity(values.count)
        own.append(contentsOf: values)
        copy[keyPath: column] = own
      }
      detach(\.parents)
      detach(\.nameStarts)
      detach(\.nameLengths)
      detach(\.reused)
      detach(\.unaskedDirectories)
      detach(\.names)
      detach(\.isDelivered)
      detach(\.tree.listings)
      detach(\.tree.inodes)
      detach(\.tree.allocatedSizes)
      detach(\.tree.modificationTimes)
      detach(\.tree.changeTimes)
      detach(\.tree.fileSystemIndices)
      detach(\.tree.attributeIndices)
      detach(\.tree.flags)
      detach(\.tree.totalAllocated)
      detach(\.tree.totalApparent)
      detach(\.tree.newestModifications)
      detach(\.tree.fileChanges)
      detach(\.summaries.files)
      detach(\.summaries.symbolicLinks)
      detach(\.summaries.others)
      return copy
    }

    /// Turns the columns into those of the finished tree; of no use afterwards if `check` throws.
    ///
    /// - Returns: The reader's numbers in the order of the tree.
    private mutating func build<Stop: Error>(
      _ describe: (_ device: UInt64) -> FileSystem,
      isPart: Bool,
      check: () throws(Stop) -> Void
    ) throws(Stop) -> [UInt32] {
      precondition(hasTop, "the top of a tree was read")
      try takeReused(check)
      applyLateEntries()
      let order = try canonicalOrder(check)
      try permute(order, check)
      tree.orderFileSystems(describe)
      try placeHardLinks(order, check)
      try tree.chargeHardLinks(links, isPart: isPart, check)
      tree.addUp(newestBounds)
      return order
    }

    internal mutating func grow(to count: Int) {
      guard count > parents.count else { return }
      // Rows that nothing is delivered for are left out in the end, so there may be too many.
      let rows = max(count, parents.count + 256)
      func extend<Value>(_ column: inout [Value], _ value: Value) {
        // Room that is not touched takes no memory, so there can be much, and few copies.
        if column.capacity < rows { column.reserveCapacity(max(4 * rows, Self.initialRows)) }
        column.append(contentsOf: repeatElement(value, count: rows - column.count))
      }
      extend(&parents, Self.unknownParent)
      extend(&nameStarts, 0)
      extend(&nameLengths, 0)
      extend(&isDelivered, false)
      extend(&tree.listings, ListingLocation())
      extend(&tree.inodes, 0)
      extend(&tree.allocatedSizes, 0)
      extend(&tree.modificationTimes, 0)
      extend(&tree.changeTimes, 0)
      extend(&tree.fileSystemIndices, 0)
      extend(&tree.attributeIndices, 0)
      extend(&tree.flags, [])
      extend(&tree.totalAllocated, 0)
      extend(&tree.totalApparent, 0)
      extend(&tree.newestModifications, 0)
      if !tree.fileChanges.isEmpty { extend(&tree.fileChanges, .max) }
      extend(&summaries.files, 0)
      extend(&summaries.symbolicLinks, 0)
      extend(&summaries.others, 0)
    }

    private mutating func setName(of number: Int, parent: Int, _ name: ArraySlice<UInt8>) {
      parents[number] = UInt32(parent)
      nameStarts[number] = UInt64(names.count)
      nameLengths[number] = UInt32(name.count)
      names.append(contentsOf: name)
    }

    /// Takes the names of a batch as they are, with what is between them.
    private mutating func announce(_ batch: Batch) {
      guard !batch.subdirectories.isEmpty else { return }
      let base = names.count
      names.append(contentsOf: batch.names)
      for group in batch.subdirectories {
        grow(to: group.first + group.nameStarts.count)
        let numbers = group.first..<group.first + group.nameStarts.count
        let starts = batch.nameStarts.span.extracting(group.nameStarts)
        Self.fill(&parents, numbers) { _ in UInt32(group.parent) }
        Self.fill(&nameStarts, numbers) { UInt64(base) + UInt64(starts[$0]) }
        Self.fill(&nameLengths, numbers) { index in
          let end = index + 1 < starts.count ? starts[index + 1] : UInt32(group.end)
          return end - 1 - starts[index]
        }
      }
    }

    /// Sets a part of one column.
    @inline(__always)
    private static func fill<Value>(
      _ column: inout [Value],
      _ rows: Range<Int>,
      _ value: (Int) -> Value
    ) {
      var column = column.mutableSpan
      for index in 0..<rows.count { column[rows.lowerBound + index] = value(index) }
    }

    /// Puts directories into the columns, one column after the other.
    private mutating func deliver(
      _ directories: [Batch.Directory],
      _ chunk: UInt32,
      _ packedChunk: UInt32
    ) {
      let rows = directories.span
      var end = 0
      for index in rows.indices { end = max(end, rows[index].number + 1) }
      grow(to: end)
      Self.put(rows, &isDelivered) { _ in true }
      Self.put(rows, &tree.listings) {
        ListingLocation(
          chunk: $0.isPacked ? packedChunk : chunk,
          start: UInt32($0.listing.lowerBound),
          length: UInt32($0.listing.count)
        )
      }
      Self.put(rows, &tree.inodes) { $0.details.inode }
      Self.put(rows, &tree.allocatedSizes) { $0.details.allocatedSize }
      Self.put(rows, &tree.modificationTimes) { $0.details.modificationTime }
      Self.put(rows, &tree.changeTimes) { $0.details.changeTime }
      Self.put(rows, &tree.flags) { $0.details.flags }
      Self.put(rows, &tree.totalAllocated) { $0.summary.allocatedSize }
      Self.put(rows, &tree.totalApparent) { $0.summary.apparentSize }
      Self.put(rows, &tree.newestModifications) { $0.summary.newestModification }
      Self.put(rows, &summaries.files) { $0.summary.files }
      Self.put(rows, &summaries.symbolicLinks) { $0.summary.symbolicLinks }
      Self.put(rows, &summaries.others) { $0.summary.others }
      if rows.indices.contains(where: { rows[$0].fileChange != .max }) { noteFileChanges() }
      if !tree.fileChanges.isEmpty { Self.put(rows, &tree.fileChanges) { $0.fileChange } }
      for index in rows.indices {
        let (number, details) = (rows[index].number, rows[index].details)
        let fileSystem = fileSystemIndex(details.device)
        let attributes = attributeIndex(
          Attributes(mode: details.mode, owner: details.owner, group: details.group)
        )
        tree.fileSystemIndices[number] = fileSystem
        tree.attributeIndices[number] = attributes
        let tellsLinks = rows[index].deliversLinks || rows[index].fileChange != .max
        if !tellsLinks, !rows[index].listing.isEmpty { unaskedDirectories.append(UInt32(number)) }
      }
    }

    /// Sets one column for some directories.
    @inline(__always)
    private static func put<Value>(
      _ rows: Span<Batch.Directory>,
      _ column: inout [Value],
      _ value: (borrowing Batch.Directory) -> Value
    ) {
      var column = column.mutableSpan
      for index in rows.indices { column[rows[index].number] = value(rows[index]) }
    }

    /// Begins to keep when the files of listings changed last.
    internal mutating func noteFileChanges() {
      guard tree.fileChanges.isEmpty else { return }
      tree.fileChanges = [Int64](repeating: .max, count: parents.count)
    }

    internal mutating func set(_ summary: ListingSummary, of number: Int) {
      tree.totalAllocated[number] = summary.allocatedSize
      tree.totalApparent[number] = summary.apparentSize
      tree.newestModifications[number] = summary.newestModification
      summaries.files[number] = summary.files
      summaries.symbolicLinks[number] = summary.symbolicLinks
      summaries.others[number] = summary.others
    }

    internal mutating func fileSystemIndex(_ device: UInt64) -> UInt32 {
      if let last = lastFileSystem, last.device == device { return last.index }
      let index = fileSystems[device] ?? UInt32(tree.fileSystems.count)
      if index == tree.fileSystems.count {
        tree.fileSystems.append(FileSystem(device: device))
        fileSystems[device] = index
      }
      lastFileSystem = (device, index)
      return index
    }

    internal mutating func attributeIndex(_ row: Attributes) -> UInt32 {
      if let last = lastAttributes, last.row == row { return last.index }
      let index = attributeRows[row] ?? UInt32(tree.attributes.count)
      if index == tree.attributes.count {
        tree.attributes.append(row)
        attributeRows[row] = index
      }
      lastAttributes = (row, index)
      return index
    }
  }
}

extension FileTree.Builder {
  /// Adds entries to listings that were delivered without them.
  private mutating func applyLateEntries() {
    guard !lateEntries.isEmpty else { return }
    let late = Set(lateEntries.map { UInt32($0.directory) })
    links.remove { late.contains($0) }
    unaskedDirectories.removeAll { late.contains($0) }
    unaskedDirectories.append(contentsOf: late)
    var groups: [Int: [FileTree.Batch.LateEntry]] = [:]
    for late in lateEntries { groups[late.directory, default: []].append(late) }
    var encoder = ListingEncoder()
    for (number, entries) in groups where number < parents.count && isDelivered[number] {
      var names: [UInt8] = []
      func append(_ entry: ListingEntry, _ name: [UInt8]) {
        names.append(contentsOf: name)
        encoder.append(entry, name: names.count - name.count..<names.count)
      }
      var cursor = tree.listing(of: DirectoryID(number)).makeCursor()
      while cursor.advance() { append(cursor.entry, cursor.name) }
      for late in entries { append(late.entry, late.name) }
      var bytes: [UInt8] = []
      let summary = encoder.encode(names: names.span, into: &bytes)
      tree.listings[number] = FileTree.ListingLocation(
        chunk: UInt32(tree.chunks.count),
        start: 0,
        length: UInt32(bytes.count)
      )
      tree.chunks.append(FileTree.Chunk(bytes: bytes))
      set(summary, of: number)
      if !tree.fileChanges.isEmpty { tree.fileChanges[number] = .max }
      if !newestBounds.isEmpty { newestBounds[number] = .min }
    }
    lateEntries = []
  }

  /// Completes the names of files with several hard links, by the positions of their directories.
  private mutating func placeHardLinks<Stop: Error>(
    _ order: [UInt32],
    _ check: () throws(Stop) -> Void
  ) throws(Stop) {
    var positions = [UInt32](repeating: .max, count: isDelivered.count)
    for (position, number) in order.enumerated() { positions[Int(number)] = UInt32(position) }
    links.move(to: positions, fileSystems: tree.fileSystemIndices)
    for number in unaskedDirectories where positions[Int(number)] != .max {
      try check()
      tree.appendHardLinks(in: DirectoryID(Int(positions[Int(number)])), to: &links)
    }
  }
}
