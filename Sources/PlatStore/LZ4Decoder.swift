internal import PlatTree

/// Unpacks LZ4 blocks behind one dictionary; ``LZ4Encoder`` tells of the format.
///
/// Whatever a block holds, nothing outside of it, of the dictionary and of what was unpacked is read.
internal struct LZ4Decoder: Sendable {
  /// The dictionary, and after it ``slack``.
  private let dictionary: [UInt8]
  private let dictionaryCount: Int

  /// Room beyond the end of what is copied, so that short copies need not be exact.
  private static let slack = 16
  /// A byte of a block stands for at most 255.
  private static let mostExpansion = 255

  /// What became of a block.
  private enum Outcome {
    case end(Int)
    case noRoom
    case malformed
  }

  /// Prepares a dictionary: that which the blocks were made with.
  internal init(dictionary: [UInt8]) {
    dictionaryCount = dictionary.count
    self.dictionary = dictionary + [UInt8](repeating: 0, count: Self.slack)
  }

  /// Unpacks a block.
  ///
  /// - Parameter block: What ``LZ4Encoder/encode(_:)`` gave.
  /// - Returns: The bytes, or `nil` if the block is malformed.
  /// - Complexity: O(*n*), where *n* is the number of bytes unpacked, at most 255 times those of the
  ///   block.
  internal func decode(_ block: UnsafeRawBufferPointer) -> [UInt8]? {
    // Listings are seldom packed to less than a third.
    var room = 3 * block.count + 64
    while true {
      var outcome = Outcome.malformed
      let bytes = [UInt8](unsafeUninitializedCapacity: room + Self.slack) { output, count in
        outcome = decode(block, into: UnsafeMutableRawBufferPointer(output))
        if case .end(let end) = outcome { count = end }
      }
      switch outcome {
      case .end: return bytes
      case .noRoom where room <= Self.mostExpansion * block.count: room *= 4
      case .noRoom, .malformed: return nil
      }
    }
  }

  private func decode(
    _ block: UnsafeRawBufferPointer,
    into output: UnsafeMutableRawBufferPointer
  ) -> Outcome {
    let dictionaryCount = dictionaryCount
    return dictionary.withUnsafeBytes { dictionary in
      let limit = output.count - Self.slack
      var source = 0
      var target = 0
      while source < block.count {
        let token = Int(block[source])
        source += 1
        var literals = token >> 4
        if literals == 15 {
          guard let rest = Self.readRest(block, &source) else { return .malformed }
          literals += rest
        }
        guard literals <= block.count - source else { return .malformed }
        guard target + literals <= limit else { return .noRoom }
        copyForward(literals, from: block, source, to: output, target)
        source += literals
        target += literals
        // The last sequence has no copy.
        if source == block.count { return token & 15 == 0 ? .end(target) : .malformed }
        guard source + 2 <= block.count else { return .malformed }
        let distance = Int(block[source]) | Int(block[source + 1]) << 8
        source += 2
        var length = token & 15
        if length == 15 {
          guard let rest = Self.readRest(block, &source) else { return .malformed }
          length += rest
        }
        length += LZ4Encoder.minimumCopy
        guard distance > 0, distance <= target + dictionaryCount else { return .malformed }
        guard target + length <= limit else { return .noRoom }
        if distance > target {
          // The copy begins in the dictionary, and may go on at the start of what was unpacked.
          let known = min(length, distance - target)
          copyForward(
            known,
            from: dictionary,
            dictionaryCount + target - distance,
            to: output,
            target
          )
          target += known
          length -= known
        }
        if length > 0 {
          repeatBytes(length, distance, in: output, target)
          target += length
        }
      }
      return .malformed
    }
  }
}

extension LZ4Decoder {
  /// Reads the rest of a length whose four bits are all set; `nil` if the block ends in it.
  @inline(__always)
  private static func readRest(_ block: UnsafeRawBufferPointer, _ source: inout Int) -> Int? {
    var sum = 0
    while source < block.count {
      let byte = block[source]
      source += 1
      sum += Int(byte)
      if byte < 255 { return sum }
    }
    return nil
  }
}

extension LZ4Decoder: ListingCodec {
  /// Returns a listing, or `nil` if the bytes are no block.
  internal func unpack(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
    bytes.withUnsafeBytes { decode($0) }
  }
}

/// Copies bytes between buffers; the caller has checked that there are as many in both.
@inline(__always)
private func copyForward(
  _ count: Int,
  from source: UnsafeRawBufferPointer,
  _ start: Int,
  to target: UnsafeMutableRawBufferPointer,
  _ place: Int
) {
  if count <= 16, start + 16 <= source.count, place + 16 <= target.count {
    let bytes = source.loadUnaligned(fromByteOffset: start, as: SIMD16<UInt8>.self)
    target.storeBytes(of: bytes, toByteOffset: place, as: SIMD16<UInt8>.self)
  } else {
    UnsafeMutableRawBufferPointer(rebasing: target[place..<place + count])
      .copyMemory(from: UnsafeRawBufferPointer(rebasing: source[start..<start + count]))
  }
}

/// Copies bytes from a distance before a place; if that is less than their number, they are repeated.
///
/// The caller has checked that they are there, and that there is room for 16 more.
@inline(__always)
private func repeatBytes(
  _ count: Int,
  _ distance: Int,
  in buffer: UnsafeMutableRawBufferPointer,
  _ place: Int
) {
  if distance >= 16 {
    var done = 0
    while done < count {
      let bytes = buffer.loadUnaligned(
        fromByteOffset: place - distance + done,
        as: SIMD16<UInt8>.self
      )
      buffer.storeBytes(of: bytes, toByteOffset: place + done, as: SIMD16<UInt8>.self)
      done += 16
    }
  } else {
    for index in place..<place + count { buffer[index] = buffer[index - distance] }
  }
}
