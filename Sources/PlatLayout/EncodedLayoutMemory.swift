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
      let width = reader.word().map(Double.init(bitPattern:)), Self.sides.contains(width),
      let height = reader.word().map(Double.init(bitPattern:)), Self.sides.contains(height),
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
    let cells = memory.cells.span
    for record in memory.records {
      structure.append(cells.extracting(record.cells), record.decoration)
    }
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
    writer.append(identitiesOf: memory)
    bytes = writer.bytes
    keptAnswers = kept.answers
    fingerprint = memory.fingerprint
    width = memory.width
    height = memory.height
    directoryCount = memory.directories.count
    self.structure = start..<start + structure.bytes.count
  }

  private static let version: UInt8 = 1
  /// No picture has sides beyond these: what says so is no memory.
  private static let sides = 1e-3...1e6
}

extension EncodedLayoutMemory {
  /// The memory, or `nil` if the bytes have no identities, or make no sense.
  public var memory: LayoutMemory? {
    var reader = Reader(bytes, structure.upperBound..<bytes.count)
    return decode { count, identities in
      guard let directory = reader.word(), count <= reader.left / 8 else { return nil }
      for _ in 0..<count { identities.append(reader.word() ?? 0) }
      return directory
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
    let memory = decode { count, children in
      while next < tree.count, tree.isLeaf(next) || tree.isAggregate(next) { next += 1 }
      guard next < tree.count, tree.children(of: next).count == count else { return nil }
      ranking.rank(next, of: tree)
      for child in ranking.order {
        let isAggregate = tree.isAggregate(Int(child))
        children.append(isAggregate ? LayoutMemory.aggregate : identities.entries[Int(child)])
      }
      defer { next += 1 }
      return identities.parents[next]
    }
    let isComplete = (next..<tree.count).allSatisfy { tree.isLeaf($0) || tree.isAggregate($0) }
    return isComplete ? memory : nil
  }

  /// The same memory without identities.
  public var withoutIdentities: EncodedLayoutMemory {
    EncodedLayoutMemory(Array(bytes[..<structure.upperBound])) ?? self
  }

  /// Decodes the structure.
  ///
  /// `identities` appends those of the children of the next directory, by rank, and returns its own.
  private func decode(
    identities: (_ count: Int, _ children: inout [UInt64]) -> UInt64?
  ) -> LayoutMemory? {
    var reader = Reader(bytes, structure)
    var directories: [UInt64] = []
    var records: [LayoutMemory.Record] = []
    var cells: [LayoutMemory.Cell] = []
    // All have storage for all directories, one after the other.
    var children: [UInt64] = []
    var ranks = FreeRanks()
    for _ in 0..<directoryCount {
      let first = cells.count
      children.removeAll(keepingCapacity: true)
      guard let decoration = reader.rows(into: &cells),
        let directory = identities(cells.count - first, &children),
        reader.ranks(into: &cells, from: first, &ranks)
      else { return nil }
      for place in first..<cells.count {
        cells[place].identity = children[Int(cells[place].rank)]
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
    private var free = FreeRanks()

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

    /// Appends the identities of all directories and their members, the members by rank.
    mutating func append(identitiesOf memory: LayoutMemory) {
      let words = memory.directories.count + memory.cells.count
      let start = bytes.count
      bytes.append(contentsOf: repeatElement(0, count: 8 * words))
      var target = bytes.mutableSpan
      let cells = memory.cells.span
      var offset = start
      for (index, directory) in memory.directories.enumerated() {
        Self.set(directory, at: offset, in: &target)
        offset += 8
        let members = memory.records[index].cells
        for member in members {
          let place = offset + 8 * Int(cells[member].rank)
          Self.set(cells[member].identity, at: place, in: &target)
        }
        offset += 8 * members.count
      }
    }

    @inline(__always)
    private static func set(_ word: UInt64, at offset: Int, in bytes: inout MutableSpan<UInt8>) {
      for index in 0..<8 {
        bytes[offset + index] = UInt8(truncatingIfNeeded: word >> UInt64(8 * index))
      }
    }

    /// Appends the rows of one directory.
    mutating func append(_ cells: Span<LayoutMemory.Cell>, _ decoration: Decoration) {
      if cells.isEmpty { return }
      var isDiced = cells[0].start == .diced
      var rows = 1
      for place in 1..<cells.count where cells[place].start != .none { rows += 1 }
      number(Int(decoration.rawValue) | (isDiced ? 1 << 2 : 0) | (rows - 1) << 3)
      var place = 0
      while place < cells.count {
        let first = place
        repeat { place += 1 } while place < cells.count && cells[place].start == .none
        let isDicedNow = cells[first].start == .diced
        number((place - first - 1) << 1 | (isDicedNow == isDiced ? 0 : 1))
        isDiced = isDicedNow
      }
      append(ranks: cells)
    }

    private mutating func append(ranks cells: Span<LayoutMemory.Cell>) {
      var place = 0
      while place < cells.count, Int(cells[place].rank) == place { place += 1 }
      if place == cells.count { return number(0) }
      free.reset(cells.count)
      place = 0
      while place < cells.count {
        var run = 0
        while place < cells.count, Int(cells[place].rank) == free.lowest {
          free.takeLowest()
          place += 1
          run += 1
        }
        if place == cells.count { return number(0) }
        let rank = Int(cells[place].rank)
        number(run + 1)
        number(rank - free.lowest - 1)
        free.take(rank)
        place += 1
      }
    }
  }

  /// The ranks that no member has yet.
  private struct FreeRanks {
    private var isTaken: [Bool] = []
    private(set) var lowest = 0

    mutating func reset(_ count: Int) {
      isTaken.removeAll(keepingCapacity: true)
      isTaken.append(contentsOf: repeatElement(false, count: count))
      lowest = 0
    }

    func isFree(_ rank: Int) -> Bool { rank < isTaken.count && !isTaken[rank] }

    /// Takes a rank above the lowest.
    mutating func take(_ rank: Int) { isTaken[rank] = true }

    mutating func takeLowest() {
      repeat { lowest += 1 } while lowest < isTaken.count && isTaken[lowest]
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
      var word: UInt64 = 0
      for offset in 0..<8 { word |= UInt64(bytes[position + offset]) << UInt64(8 * offset) }
      position += 8
      return word
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

    /// Reads the decoration of a directory, and appends its members, of which only how they start
    /// rows is known.
    mutating func rows(into cells: inout [LayoutMemory.Cell]) -> Decoration? {
      guard let head = count(), let decoration = Decoration(rawValue: UInt8(head & 3)),
        head >> 3 < left
      else { return nil }
      var isDiced = head & 4 != 0
      for _ in 0...head >> 3 {
        // No picture has so many rectangles: what claims more is no memory.
        guard let row = count(), cells.count + row >> 1 < 1 << 24 else { return nil }
        if row & 1 != 0 { isDiced.toggle() }
        var cell = LayoutMemory.Cell(identity: 0, rank: 0, start: isDiced ? .diced : .sliced)
        cells.append(cell)
        cell.start = .none
        for _ in 0..<row >> 1 { cells.append(cell) }
      }
      return decoration
    }

    /// Reads the ranks of the members from a place on, and returns whether they make sense.
    mutating func ranks(
      into cells: inout [LayoutMemory.Cell],
      from first: Int,
      _ free: inout FreeRanks
    ) -> Bool {
      free.reset(cells.count - first)
      var place = first
      while place < cells.count {
        guard let run = count(), run <= cells.count - place else { return false }
        for _ in 0..<(run == 0 ? cells.count - place : run - 1) {
          cells[place].rank = Int32(truncatingIfNeeded: free.lowest)
          free.takeLowest()
          place += 1
        }
        if run == 0 { return true }
        guard let jump = count(), free.isFree(free.lowest + jump + 1) else { return false }
        let rank = free.lowest + jump + 1
        cells[place].rank = Int32(truncatingIfNeeded: rank)
        free.take(rank)
        place += 1
      }
      return true
    }
  }
}
