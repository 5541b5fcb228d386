/// A ``LayoutMemory`` as bytes, to be kept with the tree that it is of.
///
/// The bytes consist of a *structure*, about half a byte for each rectangle once it is compressed,
/// and of *identities*, eight bytes each. The identities can be left out: a tree that is selected
/// for drawing as it was then, with the help of ``KeptNodes``, has them. They are needed where the tree
/// is not at hand, as for the next scan.
///
/// The format, with numbers in variable length (seven bits a byte, the lowest first) where no width
/// is given:
///
///     version, 1 byte: 1 · fingerprint, 8 · width, 8 · height, 8 (binary64) · directories
///     · bytes of structure · answers of `KeptNodes`, and these, 8 a byte, the lowest bit first
///     structure: for each directory
///       decoration | firstRowIsDiced << 2 | (rows - 1) << 3
///       for each row: (members - 1) << 1 | isDicedUnlikeTheRowBefore
///       until all members are there, by their rank:
///         0, all others follow by rank, or
///         n + 1, n members with the lowest free ranks, then one whose rank is
///         m + 1 above the lowest free one: m
///     identities, or nothing: for each directory, 8 bytes for itself and for each member by rank
///
/// Numbers of a fixed width have their lowest byte first.
public struct EncodedLayoutMemory: Hashable, Sendable {
  /// All bytes.
  public let bytes: [UInt8]
  /// The answers of ``KeptNodes`` in the selection of the tree.
  internal let keptAnswers: [Bool]

  /// The width of the picture, at scale 1.
  public let width: Double
  /// The height of the picture, at scale 1.
  public let height: Double
  private let fingerprint: UInt64
  private let directoryCount: Int
  private let structure: Range<Int>

  /// Reads what the bytes begin with.
  ///
  /// - Returns: `nil` if the bytes are no memory, or of a version that is not known.
  public init?(_ bytes: [UInt8]) {
    var reader = Reader(bytes, 0..<bytes.count)
    guard reader.byte() == Self.version, let fingerprint = reader.word(),
      let width = reader.word().map(Double.init(bitPattern:)), width > 0, width.isFinite,
      let height = reader.word().map(Double.init(bitPattern:)), height > 0, height.isFinite,
      let directoryCount = reader.count(), let structureLength = reader.count(),
      let answerCount = reader.count(), (answerCount + 7) / 8 <= reader.left
    else { return nil }
    var answers: [Bool] = []
    while answers.count < answerCount, let byte = reader.byte() {
      for bit in 0..<min(8, answerCount - answers.count) { answers.append(byte >> bit & 1 != 0) }
    }
    guard structureLength <= reader.left, directoryCount <= structureLength else { return nil }
    self.bytes = bytes
    keptAnswers = answers
    self.fingerprint = fingerprint
    self.width = width
    self.height = height
    self.directoryCount = directoryCount
    structure = reader.position..<reader.position + structureLength
  }

  /// Encodes a memory, with identities.
  ///
  /// - Parameters:
  ///   - memory: The memory.
  ///   - kept: What kept small nodes in the selection that the memory is of.
  public init(_ memory: LayoutMemory, kept: KeptNodes) {
    var structure = Writer()
    for record in memory.records { structure.append(memory.cells[record.cells], record.decoration) }
    var writer = Writer()
    writer.bytes.append(Self.version)
    writer.word(memory.fingerprint)
    writer.word(memory.width.bitPattern)
    writer.word(memory.height.bitPattern)
    writer.number(memory.directories.count)
    writer.number(structure.bytes.count)
    writer.bits(kept.answers)
    let start = writer.bytes.count
    writer.bytes += structure.bytes
    for (directory, record) in zip(memory.directories, memory.records) {
      writer.word(directory)
      let cells = memory.cells[record.cells]
      for cell in cells.sorted(by: { $0.rank < $1.rank }) { writer.word(cell.identity) }
    }
    bytes = writer.bytes
    keptAnswers = kept.answers
    fingerprint = memory.fingerprint
    width = memory.width
    height = memory.height
    directoryCount = memory.directories.count
    self.structure = start..<start + structure.bytes.count
  }

  private static let version: UInt8 = 1
}

extension EncodedLayoutMemory {
  /// The memory, or `nil` if the bytes have no identities, or make no sense.
  public var memory: LayoutMemory? {
    var reader = Reader(bytes, structure.upperBound..<bytes.count)
    return decode { count in
      guard let directory = reader.word(), count <= reader.left / 8 else { return nil }
      return (directory, (0..<count).map { _ in reader.word() ?? 0 })
    }
  }

  /// Returns the memory with the identities of the tree that it was made of.
  ///
  /// - Returns: `nil` if the tree does not fit.
  /// - Precondition: `identities` are of `tree`.
  public func memory(_ tree: LayoutTree, identities: NodeIdentities) -> LayoutMemory? {
    precondition(identities.fit(tree), "every node has an identity")
    var ranking = Ranking()
    var next = 0
    let memory = decode { count in
      while next < tree.count, tree.isLeaf(next) || tree.isAggregate(next) { next += 1 }
      guard next < tree.count, tree.children(of: next).count == count else { return nil }
      ranking.rank(next, of: tree)
      let children = ranking.order.map { child in
        tree.isAggregate(Int(child)) ? LayoutMemory.aggregate : identities.entries[Int(child)]
      }
      defer { next += 1 }
      return (identities.parents[next], children)
    }
    let isComplete = (next..<tree.count).allSatisfy { tree.isLeaf($0) || tree.isAggregate($0) }
    return isComplete ? memory : nil
  }

  /// The same memory without identities.
  public var withoutIdentities: EncodedLayoutMemory {
    EncodedLayoutMemory(Array(bytes[..<structure.upperBound])) ?? self
  }

  /// Decodes the structure; `identities` gives those of the next directory and of its children, by
  /// rank.
  private func decode(
    identities: (_ count: Int) -> (directory: UInt64, children: [UInt64])?
  ) -> LayoutMemory? {
    var reader = Reader(bytes, structure)
    var directories: [UInt64] = []
    var records: [LayoutMemory.Record] = []
    var cells: [LayoutMemory.Cell] = []
    for _ in 0..<directoryCount {
      guard let (decoration, starts) = reader.rows(),
        let (directory, children) = identities(starts.count),
        let ranks = reader.ranks(starts.count)
      else { return nil }
      let first = cells.count
      for (rank, start) in zip(ranks, starts) {
        let identity = children[rank]
        cells.append(
          LayoutMemory.Cell(
            identity: identity,
            rank: Int32(truncatingIfNeeded: rank),
            start: start
          )
        )
      }
      directories.append(directory)
      records.append(LayoutMemory.Record(decoration: decoration, cells: first..<cells.count))
    }
    guard reader.left == 0 else { return nil }
    return LayoutMemory(
      width: width,
      height: height,
      fingerprint: fingerprint,
      directories: directories,
      records: records,
      cells: cells
    )
  }
}

// MARK: Bytes

extension EncodedLayoutMemory {
  private struct Writer {
    var bytes: [UInt8] = []

    mutating func word(_ word: UInt64) {
      for shift in stride(from: 0 as UInt64, to: 64, by: 8) {
        bytes.append(UInt8(truncatingIfNeeded: word >> shift))
      }
    }

    mutating func number(_ number: Int) {
      var rest = UInt64(number)
      while rest >= 0x80 {
        bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
        rest >>= 7
      }
      bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    mutating func bits(_ bits: [Bool]) {
      number(bits.count)
      for start in stride(from: 0, to: bits.count, by: 8) {
        var byte: UInt8 = 0
        for bit in start..<min(start + 8, bits.count) where bits[bit] {
          byte |= 1 << UInt8(bit - start)
        }
        bytes.append(byte)
      }
    }

    /// Appends the rows of one directory.
    mutating func append(_ cells: ArraySlice<LayoutMemory.Cell>, _ decoration: Decoration) {
      var rows: [(isDiced: Bool, count: Int)] = []
      for cell in cells {
        if cell.start == .none, !rows.isEmpty {
          rows[rows.count - 1].count += 1
        } else {
          rows.append((cell.start == .diced, 1))
        }
      }
      guard var isDiced = rows.first?.isDiced else { return }
      number(Int(decoration.rawValue) | (isDiced ? 1 << 2 : 0) | (rows.count - 1) << 3)
      for row in rows {
        number((row.count - 1) << 1 | (row.isDiced == isDiced ? 0 : 1))
        isDiced = row.isDiced
      }
      append(ranks: cells.map { Int($0.rank) })
    }

    private mutating func append(ranks: [Int]) {
      var free = FreeRanks(ranks.count)
      var place = 0
      while place < ranks.count {
        var run = 0
        while place < ranks.count, ranks[place] == free.lowest {
          free.take(ranks[place])
          place += 1
          run += 1
        }
        if place == ranks.count { return number(0) }
        number(run + 1)
        number(ranks[place] - free.lowest - 1)
        free.take(ranks[place])
        place += 1
      }
    }
  }

  /// The ranks that no member has yet.
  private struct FreeRanks {
    private var isTaken: [Bool]
    private(set) var lowest = 0

    init(_ count: Int) { isTaken = Array(repeating: false, count: count) }

    func isFree(_ rank: Int) -> Bool { rank < isTaken.count && !isTaken[rank] }

    mutating func take(_ rank: Int) {
      isTaken[rank] = true
      while lowest < isTaken.count, isTaken[lowest] { lowest += 1 }
    }
  }

  private struct Reader {
    private let bytes: [UInt8]
    private(set) var position: Int
    private let end: Int

    init(_ bytes: [UInt8], _ range: Range<Int>) {
      self.bytes = bytes
      position = range.lowerBound
      end = range.upperBound
    }

    var left: Int { end - position }

    mutating func byte() -> UInt8? {
      guard position < end else { return nil }
      defer { position += 1 }
      return bytes[position]
    }

    mutating func word() -> UInt64? {
      guard left >= 8 else { return nil }
      defer { position += 8 }
      return bytes[position..<position + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Reads a number that counts something, and so is small.
    mutating func count() -> Int? {
      var value = 0
      for shift in stride(from: 0, to: 35, by: 7) {
        guard let byte = byte() else { return nil }
        value |= Int(byte & 0x7f) << shift
        if byte < 0x80 { return value <= Int(Int32.max) ? value : nil }
      }
      return nil
    }

    /// Reads the decoration of a directory, and how each member starts a row.
    mutating func rows() -> (Decoration, [TreemapRows.Start])? {
      guard let head = count(), let decoration = Decoration(rawValue: UInt8(head & 3)),
        head >> 3 < left
      else { return nil }
      var isDiced = head & 4 != 0
      var starts: [TreemapRows.Start] = []
      for _ in 0...head >> 3 {
        // No picture has so many rectangles: what claims more is no memory.
        guard let row = count(), starts.count + row >> 1 < 1 << 24 else { return nil }
        if row & 1 != 0 { isDiced.toggle() }
        starts.append(isDiced ? .diced : .sliced)
        starts.append(contentsOf: repeatElement(.none, count: row >> 1))
      }
      return (decoration, starts)
    }

    mutating func ranks(_ total: Int) -> [Int]? {
      var free = FreeRanks(total)
      var ranks: [Int] = []
      while ranks.count < total {
        guard let run = count(), run <= total - ranks.count else { return nil }
        for _ in 0..<(run == 0 ? total - ranks.count : run - 1) {
          ranks.append(free.lowest)
          free.take(free.lowest)
        }
        if run == 0 { return ranks }
        guard let jump = count(), free.isFree(free.lowest + jump + 1) else { return nil }
        ranks.append(free.lowest + jump + 1)
        free.take(free.lowest + jump + 1)
      }
      return ranks
    }
  }
}
