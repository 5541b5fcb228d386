/// Walks through the entries of a listing, in order of their names.
///
/// A damaged listing never traps: the walk ends, and ``isDamaged`` is set.
public struct ListingCursor: Sendable {
  /// The entry in hand, after ``advance()`` has returned true.
  public private(set) var entry = ListingEntry()

  /// The name of the entry in hand.
  public private(set) var name: [UInt8] = []

  /// The position of the entry in hand, from 0.
  public private(set) var ordinal = -1

  /// Whether the walk ended because the bytes make no sense.
  public private(set) var isDamaged = false

  /// Whether the entry in hand may have other names, after ``advance(toSize:_:left:readingAttributes:)``.
  public private(set) var hasOtherNames = false

  /// The number of entries of the listing.
  public private(set) var count = 0

  /// The position of the entry whose name was read last.
  internal private(set) var namedOrdinal = -1
  private var bytes: [UInt8]
  private var uniform: UInt8 = 0
  private var sharedFlags: UInt8 = 0
  private var flags = ByteReader()
  private var sizes = ByteReader()
  private var blocks = ByteReader()
  private var modificationTimes = ByteReader()
  private var changeTimes = ByteReader()
  private var inodes = ByteReader()
  private var attributes = ByteReader()
  private var names = ByteReader()
  private var table: [(mode: UInt16, owner: UInt32, group: UInt32)] = []

  /// Creates a cursor before the first entry of the listing in a range of `bytes`.
  internal init(_ bytes: [UInt8], _ range: Range<Int>) {
    self.bytes = bytes
    readHead(in: range)
  }

  /// Reads what a listing begins with, and finds its columns.
  private mutating func readHead(in range: Range<Int>) {
    let bytes = bytes
    let end = range.upperBound - ListingFormat.checksumLength
    var reader = ByteReader(range.lowerBound, end: max(end, range.lowerBound))
    let count = range.isEmpty ? 0 : reader.varint(bytes)
    let uniform = range.isEmpty ? 0 : reader.byte(bytes)
    let sharedFlags = range.isEmpty ? 0 : reader.byte(bytes)
    var lengths: [6 of Int] = .init(repeating: 0)
    if !range.isEmpty {
      for column in lengths.indices { lengths[column] = reader.length(bytes) }
    }
    // Every entry has at least a byte of name header, so a count beyond the bytes is damage.
    if count > UInt64(range.count) { reader.fail() }
    self.count = reader.failed ? 0 : Int(clamping: count)
    self.uniform = uniform
    self.sharedFlags = sharedFlags
    let hasFlags = uniform & ListingFormat.Uniform.flags == 0
    flags = reader.take(hasFlags ? self.count : 0)
    sizes = reader.take(lengths[0])
    blocks = reader.take(lengths[1])
    modificationTimes = reader.take(lengths[2])
    changeTimes = reader.take(lengths[3])
    inodes = reader.take(lengths[4])
    attributes = reader.take(lengths[5])
    isDamaged = reader.failed
    names = reader
  }

  /// Moves before the first entry of another listing.
  ///
  /// That allocates nothing as a rule, where a cursor of its own would for each listing.
  public mutating func restart(in listing: Listing) {
    // Of most listings no name is read.
    if !name.isEmpty { name.removeAll(keepingCapacity: true) }
    if !table.isEmpty { table.removeAll(keepingCapacity: true) }
    (entry, ordinal, namedOrdinal, hasOtherNames) = (ListingEntry(), -1, -1, false)
    bytes = listing.storage
    readHead(in: listing.range)
  }

  /// Moves to the next entry.
  ///
  /// - Returns: Whether there is one.
  /// - Complexity: O(length of the name)
  public mutating func advance() -> Bool { advanceWithoutName() && readName() }

  /// Reads the name of the entry in hand, after ``advanceWithoutName()``.
  ///
  /// - Returns: Whether there is one; `false` ends the walk.
  /// - Complexity: O(*n*), where *n* is the length of the names since the last one that was read.
  @discardableResult
  public mutating func readName() -> Bool {
    if ordinal - namedOrdinal > Self.fewNames { return readPassedNames() }
    let bytes = bytes
    while namedOrdinal < ordinal {
      guard let (shared, suffix) = takeName(), shared <= name.count else {
        isDamaged = true
        return false
      }
      Self.replace(&name, from: shared, with: suffix, of: bytes)
      namedOrdinal += 1
    }
    return true
  }

  /// How many names are put together one after the other.
  private static let fewNames = 4

  /// Reads all names up to that of the entry in hand, and copies what is left of them in that one.
  private mutating func readPassedNames() -> Bool {
    let bytes = bytes
    var pieces = NamePieces(length: name.count)
    var names = names
    for _ in namedOrdinal..<ordinal {
      guard
        let (shared, suffix) = names.shortName(bytes.span)
          ?? Self.takeName(from: &names, of: bytes),
        shared <= pieces.length
      else {
        isDamaged = true
        return false
      }
      if pieces.areFull { pieces.move(to: &name, from: bytes) }
      pieces.replace(from: shared, with: suffix)
    }
    pieces.move(to: &name, from: bytes)
    self.names = names
    namedOrdinal = ordinal
    return true
  }

  /// Keeps the start of a name, and sets what follows: byte by byte, as it is short.
  @inline(__always)
  private static func replace(
    _ name: inout [UInt8],
    from shared: Int,
    with suffix: Range<Int>,
    of bytes: [UInt8]
  ) {
    let missing = shared + suffix.count - name.count
    if missing > 0 {
      name.append(contentsOf: repeatElement(0, count: missing))
    } else if missing < 0 {
      name.removeLast(-missing)
    }
    let added = bytes.span.extracting(suffix)
    var target = name.mutableSpan
    for index in added.indices { target[shared + index] = added[index] }
  }

  /// Reads what the next name has in common with the one before, and where the rest of it is.
  @inline(__always)
  private mutating func takeName() -> (shared: Int, suffix: Range<Int>)? {
    Self.takeName(from: &names, of: bytes)
  }

  @inline(__always)
  private static func takeName(
    from names: inout ByteReader,
    of bytes: [UInt8]
  ) -> (shared: Int, suffix: Range<Int>)? {
    let head = Int(names.byte(bytes))
    var shared = head >> 5
    var added = head & ListingFormat.suffixEscape
    if shared == ListingFormat.prefixEscape { shared += names.length(bytes) }
    if added == ListingFormat.suffixEscape { added += names.length(bytes) }
    guard let suffix = names.range(added) else { return nil }
    return (shared, suffix)
  }

  /// Reads the next name ahead of the entry that has it; not to be mixed with ``readName()``.
  ///
  /// - Parameter buffer: Has the name before, and then the next one.
  /// - Returns: Whether there is one.
  internal mutating func advanceName(in buffer: inout NameBuffer) -> Bool {
    guard namedOrdinal + 1 < count, !isDamaged else { return false }
    guard let (shared, suffix) = takeName(), shared <= buffer.count else {
      isDamaged = true
      return false
    }
    buffer.replace(from: shared, with: suffix, of: bytes)
    namedOrdinal += 1
    return true
  }

  /// Appends the name of the entry in hand to some bytes.
  public func appendName(to bytes: inout [UInt8]) { bytes.append(contentsOf: name) }

  /// Moves to the next entry without reading its name, for which ``name`` is not to be asked unless
  /// ``readName()`` has read it.
  ///
  /// - Returns: Whether there is one.
  /// - Complexity: O(1)
  public mutating func advanceWithoutName() -> Bool {
    guard let flag = readSizes() else { return false }
    readModificationTime()
    readChangeTime()
    entry.inode &+= UInt64(bitPattern: unzigzag(inodes.varint(bytes)))
    return readLinksAndAttributes(flag)
  }

  /// Reads the rest of an entry, and returns whether it makes sense.
  @inline(__always)
  private mutating func readLinksAndAttributes(_ flag: UInt8) -> Bool {
    entry.linkCount =
      flag & ListingFormat.Flag.manyLinks == 0
      ? 1 : UInt32(truncatingIfNeeded: attributes.varint(bytes))
    if ordinal == 0 || flag & ListingFormat.Flag.newAttributes != 0 { readAttributes() }
    isDamaged =
      flags.failed || sizes.failed || blocks.failed || modificationTimes.failed
      || changeTimes.failed || inodes.failed || attributes.failed || isDamaged
      || entry.kind == .directory
    return !isDamaged
  }

  /// Moves to the next entry and reads its kind, sizes and modification time only; not to be mixed
  /// with the other ways to advance.
  internal mutating func advanceSizes() -> Bool {
    guard readSizes() != nil else { return false }
    readModificationTime()
    isDamaged =
      flags.failed || sizes.failed || blocks.failed || modificationTimes.failed
      || entry.kind == .directory
    return !isDamaged
  }

  /// Moves to the next entry that has at least a size, or other names, and reads its kind and sizes, and
  /// its attributes and modification time if asked to; not to be mixed with the other ways to advance.
  ///
  /// - Parameters:
  ///   - least: The size.
  ///   - measure: Which size counts.
  ///   - left: The bytes that are left, from which the sizes of what is passed over are taken, unless
  ///     it is the largest number, which stands for more. The walk ends when there are fewer than
  ///     `least`.
  ///   - readingAttributes: Whether attributes and modification times are read.
  /// - Returns: Whether there is one.
  /// - Complexity: O(*n*), where *n* is the number of entries that are passed over.
  public mutating func advance(
    toSize least: UInt64,
    _ measure: SizeMeasure,
    left: inout UInt64,
    readingAttributes: Bool
  ) -> Bool {
    while true {
      if !readingAttributes {
        passFiles(below: least, measure, &left)
        if left < least { return false }
      }
      guard let flag = readSizes() else { return false }
      if readingAttributes {
        readModificationTime()
        _ = readLinksAndAttributes(flag)
      } else {
        isDamaged = flags.failed || sizes.failed || blocks.failed || entry.kind == .directory
      }
      if isDamaged { return false }
      hasOtherNames = flag & ListingFormat.Flag.manyLinks != 0
      let size = entry.size(measure)
      if size >= least || hasOtherNames { return true }
      if left == .max { continue }
      left -= min(size, left)
      if left < least { return false }
    }
  }

  /// Passes over files that are below a size, have no other names, and as many blocks as they need.
  ///
  /// That is nearly all of a large directory, so they are read to variables alone. It ends at anything
  /// else, or that takes longer to read.
  private mutating func passFiles(
    below least: UInt64,
    _ measure: SizeMeasure,
    _ left: inout UInt64
  ) {
    let unusual =
      ListingFormat.Flag.kind | ListingFormat.Flag.explicitBlocks | ListingFormat.Flag.manyLinks
    let hasFlags = uniform & ListingFormat.Uniform.flags == 0
    if isDamaged || (!hasFlags && sharedFlags & unusual != 0) { return }
    let bytes = bytes
    let (flagColumn, sizeColumn) = (
      bytes.span.extracting(flags.unread), bytes.span.extracting(sizes.unread)
    )
    let end = min(count - ordinal - 1, hasFlags ? flagColumn.count : .max)
    let lastPlace = sizeColumn.count - 3
    // What a file occupies is its length, up to whole pages.
    let rounding: UInt64 = measure == .allocated ? 4095 : 0
    // Sizes of three bytes never add up to the largest number.
    var (passed, place, rest) = (0, 0, left)
    while passed < end, place <= lastPlace {
      if hasFlags, flagColumn[passed] & unusual != 0 { break }
      var size = UInt64(sizeColumn[place])
      var length = 1
      if size >= 0x80 {
        let second = UInt64(sizeColumn[place &+ 1])
        size = size & 0x7f | (second & 0x7f) << 7
        length = 2
        if second >= 0x80 {
          let third = UInt64(sizeColumn[place &+ 2])
          if third >= 0x80 { break }
          size |= third << 14
          length = 3
        }
      }
      size = (size &+ rounding) & ~rounding
      if size >= least { break }
      passed &+= 1
      place &+= length
      rest &-= min(size, rest)
      if rest < least { break }
    }
    if left != .max { left = rest }
    ordinal += passed
    sizes.skip(place)
    if hasFlags { flags.skip(passed) }
  }

  /// Moves to the next entry and reads its kind, sizes and times only; not to be mixed with the other
  /// ways to advance.
  internal mutating func advanceSizesAndTimes() -> Bool {
    guard advanceSizes() else { return false }
    readChangeTime()
    isDamaged = changeTimes.failed
    return !isDamaged
  }

  /// Moves to the next entry, reads its kind and sizes, and returns its flags.
  @inline(__always)
  private mutating func readSizes() -> UInt8? {
    guard ordinal + 1 < count, !isDamaged else { return nil }
    ordinal += 1
    let flag = uniform & ListingFormat.Uniform.flags == 0 ? flags.byte(bytes) : sharedFlags
    entry.kind = EntryKind(rawValue: flag & ListingFormat.Flag.kind) ?? .other
    entry.isUnreadable = flag & ListingFormat.Flag.unreadable != 0
    entry.size = sizes.varint(bytes)
    entry.blocks =
      flag & ListingFormat.Flag.explicitBlocks == 0 ? entry.expectedBlocks : blocks.varint(bytes)
    return flag
  }

  @inline(__always)
  private mutating func readModificationTime() {
    if ordinal == 0 || uniform & ListingFormat.Uniform.modificationTime == 0 {
      entry.modificationTime &+= unzigzag(modificationTimes.varint(bytes))
      if ordinal == 0 { entry.changeTime = entry.modificationTime }
    }
  }

  @inline(__always)
  private mutating func readChangeTime() {
    if ordinal == 0 || uniform & ListingFormat.Uniform.changeTime == 0 {
      entry.changeTime &+= unzigzag(changeTimes.varint(bytes))
    }
  }

  private mutating func readAttributes() {
    let index = attributes.varint(bytes)
    if index == UInt64(table.count) {
      table.append(
        (
          UInt16(truncatingIfNeeded: attributes.varint(bytes)),
          UInt32(truncatingIfNeeded: attributes.varint(bytes)),
          UInt32(truncatingIfNeeded: attributes.varint(bytes))
        )
      )
    }
    guard index < UInt64(table.count) else {
      isDamaged = true
      return
    }
    (entry.mode, entry.owner, entry.group) = table[Int(index)]
  }

  /// Whether every column was used up: what a sound listing leaves after the last entry.
  internal var isAtEnd: Bool {
    !isDamaged && ordinal == count - 1
      && [flags, sizes, blocks, modificationTimes, changeTimes, inodes, attributes, names]
        .allSatisfy(\.isAtEnd)
  }
}

/// Reads numbers from a part of a byte string; fails for good at the end, and never traps.
internal struct ByteReader: Sendable {
  private var position = 0
  private var end = 0
  internal private(set) var failed = false

  /// Creates a reader of nothing.
  internal init() {}

  internal init(_ start: Int, end: Int) {
    self.position = start
    self.end = end
  }

  internal var isAtEnd: Bool { position == end && !failed }

  internal mutating func fail() { failed = true }

  @inline(__always)
  internal mutating func byte(_ bytes: [UInt8]) -> UInt8 {
    guard position < end else {
      failed = true
      return 0
    }
    defer { position += 1 }
    return bytes[position]
  }

  @inline(__always)
  internal mutating func varint(_ bytes: [UInt8]) -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while position < end {
      let byte = bytes[position]
      position += 1
      value |= UInt64(byte & 0x7f) << shift
      if byte < 0x80 { return value }
      shift += 7
      if shift > 63 { break }
    }
    failed = true
    return 0
  }

  /// Reads what the next name has in common with the one before, and where the rest of it is; `nil`,
  /// and nothing is read, where that takes numbers of two bytes, or is near the end.
  @inline(__always)
  internal mutating func shortName(_ bytes: Span<UInt8>) -> (shared: Int, suffix: Range<Int>)? {
    guard end &- position >= 3, !failed else { return nil }
    // What a processor cannot guess is chosen by a condition, and not by a branch.
    let head = Int(bytes[position])
    var (shared, added) = (head >> 5, head & ListingFormat.suffixEscape)
    let (isLong, isSuffixLong) = (
      shared == ListingFormat.prefixEscape, added == ListingFormat.suffixEscape
    )
    let moreShared = isLong ? Int(bytes[position &+ 1]) : 0
    var start = position &+ (isLong ? 2 : 1)
    let moreAdded = isSuffixLong ? Int(bytes[start]) : 0
    start &+= isSuffixLong ? 1 : 0
    shared &+= moreShared
    added &+= moreAdded
    if moreShared | moreAdded >= 0x80 || added > end &- start { return nil }
    position = start &+ added
    return (shared, start..<position)
  }

  /// Reads a number that is a length; one beyond the bytes that are left is cut down to fail later.
  @inline(__always)
  internal mutating func length(_ bytes: [UInt8]) -> Int {
    // Most are of one byte.
    if position < end, bytes[position] < 0x80 {
      defer { position += 1 }
      return Int(bytes[position])
    }
    return Int(min(varint(bytes), UInt64(bytes.count)))
  }

  /// Where the bytes are that are left.
  internal var unread: Range<Int> { position..<end }

  /// Passes over bytes, of which there are so many.
  internal mutating func skip(_ count: Int) { position += count }

  /// Takes a range of bytes, or fails and returns `nil`.
  @inline(__always)
  internal mutating func range(_ length: Int) -> Range<Int>? {
    guard length <= end - position, !failed else {
      failed = true
      return nil
    }
    defer { position += length }
    return position..<position + length
  }

  /// Takes a number of bytes as a reader of their own.
  internal mutating func take(_ length: Int) -> ByteReader {
    guard let range = range(length) else { return ByteReader(position, end: position) }
    return ByteReader(range.lowerBound, end: range.upperBound)
  }
}
