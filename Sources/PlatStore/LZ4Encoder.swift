/// Packs byte strings into LZ4 blocks behind one dictionary.
///
/// The format is that of the *LZ4 Block Format Description* (Yann Collet,
/// <https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md>): sequences of literal bytes and a
/// copy of bytes at most 65,535 before, which may be bytes of the dictionary. Short listings of
/// directories have little in common with themselves, and much with each other.
///
/// For each place two others with the same four bytes are compared, the last one before it and the
/// last one of the dictionary, and the longer copy is taken. To compare more saves a twentieth, and
/// takes half as long again.
internal struct LZ4Encoder {
  internal static let minimumCopy = 4
  /// A block ends with at least this many literals, and no copy begins later than 12 bytes before
  /// its end: decoders may rely on it.
  private static let lastLiterals = 5
  private static let lastStart = 12
  private static let window = 65_535
  /// The largest dictionary: most of it is in reach of any listing.
  internal static let mostDictionary = 1 << 15
  private static let hashBits: UInt32 = 14

  /// The dictionary, and after it the bytes that are being packed.
  private var bytes: [UInt8]
  private let dictionaryCount: Int
  /// The last place of the dictionary with each hash, or −1.
  private var known: [Int16]
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
    dictionaryCount = dictionary.count
    known = [Int16](repeating: -1, count: 1 << Self.hashBits)
    recent = [UInt32](repeating: 0, count: 1 << Self.hashBits)
    dictionary.withUnsafeBytes { bytes in
      for place in 0..<max(0, bytes.count - Self.minimumCopy + 1) {
        known[Self.hash(Self.word(bytes, place))] = Int16(truncatingIfNeeded: place)
      }
    }
  }

  /// Packs bytes.
  ///
  /// - Parameter content: The bytes.
  /// - Returns: The block, or `nil` if it would not be smaller.
  /// - Complexity: O(*n*)
  internal mutating func encode(_ content: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    bytes.removeSubrange(dictionaryCount...)
    bytes.append(contentsOf: content)
    let room = BlockWriter.mostCount(packing: content.count)
    if block.count < room { block = [UInt8](repeating: 0, count: room) }
    if UInt32.max - origin < UInt32(clamping: content.count) {
      for index in recent.indices { recent[index] = 0 }
      origin = 1
    }
    let count = encode()
    origin += UInt32(clamping: content.count)
    return count < content.count ? block[..<count] : nil
  }

  /// Packs the bytes after the dictionary into ``block``, and returns the number of bytes there.
  private mutating func encode() -> Int {
    let (start, origin) = (dictionaryCount, origin)
    return bytes.withUnsafeBytes { bytes in
      known.withUnsafeBufferPointer { known in
        recent.withUnsafeMutableBufferPointer { recent in
          block.withUnsafeMutableBytes { block in
            var writer = BlockWriter(block, bytes, anchor: start)
            var place = start
            while place + Self.lastStart <= bytes.count {
              let word = Self.word(bytes, place)
              let hash = Self.hash(word)
              let last = recent[hash]
              recent[hash] = origin + UInt32(truncatingIfNeeded: place - start)
              let near = last < origin ? -1 : start + Int(last - origin)
              let nearLength = Self.copyLength(bytes, near, place, word)
              let far = Int(known[hash])
              let farLength = Self.copyLength(bytes, far, place, word)
              let length = max(nearLength, farLength)
              if length > 0 {
                writer.append(place, from: nearLength == length ? near : far, length)
                place += length
              } else {
                place += 1
              }
            }
            return writer.finish()
          }
        }
      }
    }
  }

  /// Fibonacci hashing of four bytes (Knuth, *The Art of Computer Programming*, section 6.4).
  @inline(__always)
  private static func hash(_ word: UInt32) -> Int {
    Int((word &* 2_654_435_769) >> (32 - hashBits))
  }

  @inline(__always)
  private static func word(_ bytes: UnsafeRawBufferPointer, _ place: Int) -> UInt32 {
    bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)
  }

  /// Returns how many bytes are equal from two places on, or 0 if it is too few for a copy.
  ///
  /// The first place is before the second, or negative, and `word` is at the second.
  @inline(__always)
  private static func copyLength(
    _ bytes: UnsafeRawBufferPointer,
    _ first: Int,
    _ second: Int,
    _ word: UInt32
  ) -> Int {
    guard first >= 0, second - first <= window, Self.word(bytes, first) == word else { return 0 }
    let most = bytes.count - lastLiterals - second
    var length = minimumCopy
    while length + 8 <= most {
      let difference =
        bytes.loadUnaligned(fromByteOffset: first + length, as: UInt64.self)
        ^ bytes.loadUnaligned(fromByteOffset: second + length, as: UInt64.self)
      if difference != 0 { return length + difference.littleEndian.trailingZeroBitCount / 8 }
      length += 8
    }
    while length < most, bytes[first + length] == bytes[second + length] { length += 1 }
    return length
  }
}

/// Writes the sequences of a block into room that is large enough for any.
private struct BlockWriter {
  private let block: UnsafeMutableRawBufferPointer
  private let bytes: UnsafeRawBufferPointer
  /// Where the literals of the next sequence begin.
  private var anchor: Int
  private var count = 0

  init(_ block: UnsafeMutableRawBufferPointer, _ bytes: UnsafeRawBufferPointer, anchor: Int) {
    self.block = block
    self.bytes = bytes
    self.anchor = anchor
  }

  /// The most bytes of a block that a number of bytes are packed into: nothing but literals.
  static func mostCount(packing count: Int) -> Int { count + count / 255 + 16 }

  /// Appends the literals before a place, and then the copy that stands for what is there.
  mutating func append(_ place: Int, from start: Int, _ length: Int) {
    let rest = length - LZ4Encoder.minimumCopy
    appendLiterals(upTo: place, token: min(rest, 15))
    append(UInt8((place - start) & 0xff))
    append(UInt8((place - start) >> 8))
    append(rest: rest)
    anchor = place + length
  }

  /// Appends the last literals, and returns the number of bytes of the block.
  mutating func finish() -> Int {
    appendLiterals(upTo: bytes.count, token: 0)
    return count
  }

  private mutating func appendLiterals(upTo end: Int, token: Int) {
    let literals = end - anchor
    append(UInt8(min(literals, 15) << 4 | token))
    append(rest: literals)
    UnsafeMutableRawBufferPointer(rebasing: block[count..<count + literals])
      .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[anchor..<end]))
    count += literals
  }

  private mutating func append(_ byte: UInt8) {
    block[count] = byte
    count += 1
  }

  /// Appends what does not fit into the four bits of a length.
  private mutating func append(rest length: Int) {
    guard length >= 15 else { return }
    var rest = length - 15
    while rest >= 255 {
      append(255)
      rest -= 255
    }
    append(UInt8(rest))
  }
}
