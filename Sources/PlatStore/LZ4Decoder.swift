/// Unpacks LZ4 blocks behind one dictionary; ``LZ4Encoder`` tells of the format.
///
/// Whatever a block holds, nothing outside of it, of the dictionary and of what was unpacked is read.
internal struct LZ4Decoder {
  /// The dictionary, and after it room for what is unpacked.
  private var buffer: [UInt8]
  private let dictionaryCount: Int

  /// Room beyond the end of what is unpacked, so that short copies need not be exact.
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
    buffer = dictionary + [UInt8](repeating: 0, count: 1 << 16)
  }

  /// Unpacks a block.
  ///
  /// - Parameters:
  ///   - block: What ``LZ4Encoder/encode(_:)`` gave.
  ///   - output: What the bytes are appended to.
  /// - Returns: Whether the block was well-formed; if not, nothing is appended.
  /// - Complexity: O(*n*), where *n* is the number of bytes unpacked, at most 255 times those of the
  ///   block.
  internal mutating func decode(
    _ block: UnsafeRawBufferPointer,
    appendingTo output: inout [UInt8]
  ) -> Bool {
    while true {
      switch decode(block) {
      case .end(let end):
        output.append(contentsOf: buffer[dictionaryCount..<end])
        return true
      case .noRoom where buffer.count - dictionaryCount <= Self.mostExpansion * block.count:
        buffer.append(contentsOf: repeatElement(0, count: buffer.count))
      case .noRoom, .malformed: return false
      }
    }
  }

  private mutating func decode(_ block: UnsafeRawBufferPointer) -> Outcome {
    let dictionaryCount = dictionaryCount
    return buffer.withUnsafeMutableBytes { buffer in
      let limit = buffer.count - Self.slack
      var source = 0
      var target = dictionaryCount
      /// The rest of a length whose four bits are all set; `nil` if the block ends in it.
      func rest() -> Int? {
        var sum = 0
        while source < block.count {
          let byte = block[source]
          source += 1
          sum += Int(byte)
          if byte < 255 { return sum }
        }
        return nil
      }
      while source < block.count {
        let token = Int(block[source])
        source += 1
        var literals = token >> 4
        if literals == 15 {
          guard let rest = rest() else { return .malformed }
          literals += rest
        }
        guard literals <= block.count - source else { return .malformed }
        guard target + literals <= limit else { return .noRoom }
        copyForward(literals, from: block, source, to: buffer, target)
        source += literals
        target += literals
        // The last sequence has no copy.
        if source == block.count { return token & 15 == 0 ? .end(target) : .malformed }
        guard source + 2 <= block.count else { return .malformed }
        let distance = Int(block[source]) | Int(block[source + 1]) << 8
        source += 2
        var length = token & 15
        if length == 15 {
          guard let rest = rest() else { return .malformed }
          length += rest
        }
        length += LZ4Encoder.minimumCopy
        guard distance > 0, distance <= target else { return .malformed }
        guard target + length <= limit else { return .noRoom }
        repeatBytes(length, distance, in: buffer, target)
        target += length
      }
      return .malformed
    }
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
