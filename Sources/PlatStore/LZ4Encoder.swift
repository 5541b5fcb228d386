/// Packs byte strings into LZ4 blocks behind one dictionary.
///
/// The format is that of the *LZ4 Block Format Description* (Yann Collet,
/// <https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md>): sequences of literal bytes and a
/// copy of bytes at most 65,535 before, which may be bytes of the dictionary. Short listings of
/// directories have little in common with themselves, and much with each other.
///
/// So only the dictionary is searched for what a short one may copy: the last place there with the
/// same five bytes. For a long one also the last place in itself is compared, and the longer copy is
/// taken.
internal struct LZ4Encoder {
  internal static let minimumCopy = 4
  /// A block ends with at least this many literals, and no copy begins later than 12 bytes before
  /// its end: decoders may rely on it.
  private static let lastLiterals = 5
  private static let lastStart = 12
  private static let window = 65_535
  /// The largest dictionary: most of it is in reach of any listing.
  internal static let mostDictionary = 1 << 15
  /// A dictionary is so many times as long as what is searched there alone.
  private static let shortRatio = 16
  private static let knownBits = 16
  private static let recentBits = 13

  /// The dictionary, after it the bytes that are being packed, and ``BlockWriter/slack``.
  private var bytes: [UInt8]
  private let dictionaryCount: Int
  /// The last place of the dictionary with each hash; 0, as good as any, where there is none.
  private var known: [UInt16]
  /// The last place with each hash of what is packed, plus ``origin``; less is of an earlier packing.
  private var recent: [UInt32]
  private var origin: UInt32 = 1
  /// Room for the block.
  private var block: [UInt8] = []

  /// Prepares a dictionary.
  ///
  /// - Parameter dictionary: Bytes that what is packed is expected to have parts of: at most
  ///   ``mostDictionary``.
  internal init(dictionary: [UInt8]) {
    precondition(dictionary.count <= Self.mostDictionary, "the dictionary is too large")
    bytes = dictionary
    bytes.extend(to: dictionary.count + BlockWriter.slack)
    dictionaryCount = dictionary.count
    known = [UInt16](repeating: 0, count: 1 << Self.knownBits)
    recent = [UInt32](repeating: 0, count: 1 << Self.recentBits)
    bytes.withUnsafeBytes { bytes in
      for place in 0..<max(0, dictionary.count - Self.minimumCopy) {
        let hash = Self.hash(Self.word(bytes, place))
        known[Int(hash >> (64 - Self.knownBits))] = UInt16(truncatingIfNeeded: place)
      }
    }
  }

  /// Packs bytes.
  ///
  /// - Parameter content: The bytes.
  /// - Returns: The block, or `nil` if it would not be smaller.
  /// - Complexity: O(*n*)
  internal mutating func encode(_ content: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    bytes.extend(to: dictionaryCount + content.count + BlockWriter.slack)
    block.extend(to: BlockWriter.mostCount(packing: content.count))
    if UInt32.max - origin < UInt32(clamping: content.count) {
      for index in recent.indices { recent[index] = 0 }
      origin = 1
    }
    let (start, origin) = (dictionaryCount, origin)
    self.origin += UInt32(clamping: content.count)
    let count = bytes.withUnsafeMutableBytes { buffer in
      content.withUnsafeBytes {
        UnsafeMutableRawBufferPointer(rebasing: buffer[start...]).copyMemory(from: $0)
      }
      return block.withUnsafeMutableBytes { block in
        let bytes = UnsafeRawBufferPointer(buffer)
        let writer = BlockWriter(block, bytes, start: start, end: start + content.count)
        return known.withUnsafeBufferPointer { known in
          recent.withUnsafeMutableBufferPointer { recent in
            content.count < start / Self.shortRatio
              ? Self.packShort(writer, known) : Self.packLong(writer, known, recent, origin)
          }
        }
      }
    }
    return count < content.count ? block[..<count] : nil
  }

  /// Packs bytes that may copy from the dictionary, and returns the number of bytes of the block.
  ///
  /// All of the dictionary is in reach, and before the first byte.
  private static func packShort(
    _ writer: BlockWriter,
    _ known: UnsafeBufferPointer<UInt16>
  ) -> Int {
    var writer = writer
    let bytes = writer.bytes
    var place = writer.anchor
    let last = writer.end - lastStart
    while place <= last {
      let word = word(bytes, place)
      let far = Int(known[Int(hash(word) >> (64 - knownBits))])
      let difference = Self.word(bytes, far) ^ word
      guard UInt32(truncatingIfNeeded: difference) == 0 else {
        place &+= 1
        continue
      }
      // The first eight bytes are before the last literals.
      let length =
        difference == 0
        ? copyLength(bytes, far, place, upTo: writer.end - lastLiterals)
        : difference.trailingZeroBitCount / 8
      writer.append(place, from: far, length)
      place &+= length
    }
    return writer.finish()
  }

  /// Packs bytes that may copy from the dictionary and from themselves, and returns the number of
  /// bytes of the block.
  private static func packLong(
    _ writer: BlockWriter,
    _ known: UnsafeBufferPointer<UInt16>,
    _ recent: UnsafeMutableBufferPointer<UInt32>,
    _ origin: UInt32
  ) -> Int {
    var writer = writer
    let (bytes, start) = (writer.bytes, writer.anchor)
    var place = start
    let last = writer.end - lastStart
    while place <= last {
      let word = word(bytes, place)
      let hash = hash(word)
      let far = Int(known[Int(hash >> (64 - knownBits))])
      let spot = Int(hash >> (64 - recentBits))
      // What is of an earlier packing stands for the place itself, where there is nothing to copy.
      let age = recent[spot]
      let near = age < origin ? place : start &+ Int(age &- origin)
      recent[spot] = origin &+ UInt32(truncatingIfNeeded: place &- start)
      let end = writer.end &- lastLiterals
      let nearLength = copyLength(bytes, near, place, word, upTo: end)
      let farLength = copyLength(bytes, far, place, word, upTo: end)
      let length = max(nearLength, farLength)
      if length > 0 {
        writer.append(place, from: nearLength == length ? near : far, length)
        place &+= length
      } else {
        place &+= 1
      }
    }
    return writer.finish()
  }

  /// Fibonacci hashing of the first five bytes of a word (Knuth, *The Art of Computer Programming*,
  /// section 6.4); the upper bits are those to use.
  @inline(__always)
  private static func hash(_ word: UInt64) -> UInt64 { (word << 24) &* 0x9e37_79b9_7f4a_7c15 }

  @inline(__always)
  private static func word(_ bytes: UnsafeRawBufferPointer, _ place: Int) -> UInt64 {
    UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
  }

  /// Returns how many bytes can be copied from a place to another with a word, or 0 if too few.
  @inline(__always)
  private static func copyLength(
    _ bytes: UnsafeRawBufferPointer,
    _ first: Int,
    _ second: Int,
    _ word: UInt64,
    upTo end: Int
  ) -> Int {
    let difference = Self.word(bytes, first) ^ word
    guard UInt32(truncatingIfNeeded: difference) == 0, first < second, second &- first <= window
    else { return 0 }
    return copyLength(bytes, first, second, upTo: end)
  }

  /// Returns how many bytes are equal from two places on, if the second goes on to an end.
  @inline(__always)
  private static func copyLength(
    _ bytes: UnsafeRawBufferPointer,
    _ first: Int,
    _ second: Int,
    upTo end: Int
  ) -> Int {
    var length = 0
    while second &+ length < end {
      let difference = word(bytes, first &+ length) ^ word(bytes, second &+ length)
      if difference != 0 {
        return min(length &+ difference.trailingZeroBitCount / 8, end &- second)
      }
      length &+= 8
    }
    return end &- second
  }
}

/// Writes the sequences of a block into room that is large enough for any.
private struct BlockWriter {
  /// Room beyond what is packed, and beyond the block, so that short copies need not be exact.
  static let slack = 16

  let bytes: UnsafeRawBufferPointer
  /// Where the literals of the next sequence begin.
  private(set) var anchor: Int
  /// Where what is packed ends.
  let end: Int
  private let block: UnsafeMutableRawBufferPointer
  private var count = 0

  init(
    _ block: UnsafeMutableRawBufferPointer,
    _ bytes: UnsafeRawBufferPointer,
    start: Int,
    end: Int
  ) {
    self.block = block
    self.bytes = bytes
    anchor = start
    self.end = end
  }

  /// The room for a block that a number of bytes are packed into: at most nothing but literals.
  static func mostCount(packing count: Int) -> Int { count + count / 255 + 16 + slack }

  /// Appends the literals before a place, and then the copy that stands for what is there.
  @inline(__always)
  mutating func append(_ place: Int, from start: Int, _ length: Int) {
    let rest = length &- LZ4Encoder.minimumCopy
    appendLiterals(upTo: place, token: min(rest, 15))
    let distance = UInt16(truncatingIfNeeded: place &- start)
    block.storeBytes(of: distance.littleEndian, toByteOffset: count, as: UInt16.self)
    count &+= 2
    if rest >= 15 { append(rest: rest &- 15) }
    anchor = place &+ length
  }

  /// Appends the last literals, and returns the number of bytes of the block.
  mutating func finish() -> Int {
    appendLiterals(upTo: end, token: 0)
    return count
  }

  @inline(__always)
  private mutating func appendLiterals(upTo place: Int, token: Int) {
    let literals = place &- anchor
    append(UInt8(truncatingIfNeeded: min(literals, 15) << 4 | token))
    if literals >= 15 { append(rest: literals &- 15) }
    var done = 0
    repeat {
      let some = bytes.loadUnaligned(fromByteOffset: anchor &+ done, as: SIMD16<UInt8>.self)
      block.storeBytes(of: some, toByteOffset: count &+ done, as: SIMD16<UInt8>.self)
      done &+= SIMD16<UInt8>.scalarCount
    } while done < literals
    count &+= literals
  }

  @inline(__always)
  private mutating func append(_ byte: UInt8) {
    block[count] = byte
    count &+= 1
  }

  /// Appends what does not fit into the four bits of a length.
  private mutating func append(rest length: Int) {
    var rest = length
    while rest >= 255 {
      append(255)
      rest &-= 255
    }
    append(UInt8(truncatingIfNeeded: rest))
  }
}

extension [UInt8] {
  /// Makes an array have at least a number of bytes.
  fileprivate mutating func extend(to count: Int) {
    guard self.count < count else { return }
    append(contentsOf: repeatElement(0, count: count - self.count))
  }
}
