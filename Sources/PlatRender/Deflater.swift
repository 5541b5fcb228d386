import CPlatZlib

/// A stream that compresses bytes by zlib, freed when its owner goes away.
@safe
internal struct Deflater: ~Copyable {
  // Safety: `stream` is initialised from `init` to `deinit`, stays at one address, as zlib demands,
  // and only methods of this type use it. Input and output are set for one call of `deflate` each.
  private let stream: UnsafeMutablePointer<z_stream>
  /// What is compressed and not yet handed over, in the first `count` bytes.
  private var output: [UInt8]
  private var count = 0

  /// The length of the longest match of the format.
  private static let longestMatch: CInt = 258

  /// Starts a stream.
  ///
  /// - Parameters:
  ///   - level: How hard to try, from 1 (fastest) to 9 (smallest).
  ///   - capacity: The size of the pieces that the stream hands over.
  ///   - searchesFully: Whether a match is not taken before the longest is found, whatever the level.
  /// - Throws: ``RenderError/outOfMemory`` or ``RenderError/zlib(code:)``.
  internal init(
    level: Int,
    capacity: Int,
    searchesFully: Bool = false
  ) throws(RenderError) {
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    let size = CInt(MemoryLayout<z_stream>.size)
    let code = deflateInit_(stream, CInt(level), ZLIB_VERSION, size)
    guard code == Z_OK else {
      stream.deinitialize(count: 1)
      stream.deallocate()
      throw code == Z_MEM_ERROR ? .outOfMemory : .zlib(code: Int(code))
    }
    if searchesFully {
      // All but the length of a match that is good enough is as it is at level 3.
      deflateTune(stream, 4, 6, Self.longestMatch, 32)
    }
    self.stream = stream
    output = [UInt8](repeating: 0, count: capacity)
  }

  deinit {
    deflateEnd(stream)
    stream.deinitialize(count: 1)
    stream.deallocate()
  }

  /// Compresses bytes, and calls `emit` with each piece that is full.
  internal mutating func compress(
    _ input: [UInt8],
    emit: ([UInt8]) -> Void
  ) throws(RenderError) {
    var offset = 0
    while offset < input.count {
      offset += try advance(input, from: offset, flush: Z_NO_FLUSH)
      if count == output.count {
        emit(output)
        count = 0
      }
    }
  }

  /// Ends the stream, and calls `emit` with what is left.
  internal consuming func finish(
    emit: ([UInt8]) -> Void
  ) throws(RenderError) {
    var isFull: Bool
    repeat {
      _ = try advance([], from: 0, flush: Z_FINISH)
      isFull = count == output.count
      if count > 0 { emit(Array(output[..<count])) }
      count = 0
    } while isFull
  }

  /// Lets zlib work once, and returns how much of the input it took.
  private mutating func advance(
    _ input: [UInt8],
    from start: Int,
    flush: CInt
  ) throws(RenderError) -> Int {
    let room = output.count - count
    let code = input.withUnsafeBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        // zlib reads the input only, whatever the type of the pointer says.
        stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)?
          .advanced(by: start)
        stream.pointee.avail_in = uInt(input.count - start)
        stream.pointee.next_out = output.baseAddress?.advanced(by: count)
        stream.pointee.avail_out = uInt(room)
        return deflate(stream, flush)
      }
    }
    guard code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR else {
      throw .zlib(code: Int(code))
    }
    count += room - Int(stream.pointee.avail_out)
    return input.count - start - Int(stream.pointee.avail_in)
  }
}
