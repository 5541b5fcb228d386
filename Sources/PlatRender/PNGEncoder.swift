import CPlatZlib

/// Writes pictures as PNG, the Portable Network Graphics of ISO/IEC 15948.
///
/// A picture of at most 256 colours is written with a palette, any other with 24 bits a pixel. Rows
/// are not filtered: the shades of tiles are few, so that pixels repeat exactly, and that is what
/// zlib is good at. For a picture of /usr the filter Up makes the file larger by a third, and trying
/// all five filters, as other encoders do, takes four times as long. Matches are as long as they can
/// be: the shades of a large tile repeat row after row, and the first match of 32 bytes, with which
/// zlib is content at this level, makes its file larger by half.
internal struct PNGEncoder: Sendable {
  /// How hard zlib tries, from 1 (fastest) to 9 (smallest).
  internal var level = 3

  /// The most bytes of one chunk of compressed data.
  private static let chunkCapacity = 65_536

  internal init() {}

  /// Returns a picture as the bytes of a file.
  ///
  /// - Parameters:
  ///   - pixels: The rows from top to bottom, each pixel as `0x00RRGGBB`; the topmost 8 bits are
  ///     ignored.
  ///   - size: The width and height.
  ///   - rowLength: The number of elements from the start of one row to that of the next.
  /// - Returns: The file, complete.
  /// - Throws: ``RenderError/outOfMemory`` or ``RenderError/zlib(code:)``.
  internal func encode(
    _ pixels: Span<UInt32>,
    size: PixelSize,
    rowLength: Int
  ) throws(RenderError) -> [UInt8] {
    let palette = Palette(of: pixels, size: size, rowLength: rowLength)
    var file: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
    file += header(size, isIndexed: palette != nil)
    if let palette {
      file += chunk("PLTE", palette.colors.flatMap { [$0.red, $0.green, $0.blue] })
    }

    var deflater = try Deflater(
      level: level,
      capacity: Self.chunkCapacity,
      searchesFully: true
    )
    var row = [UInt8](repeating: 0, count: 1 + size.width * (palette == nil ? 3 : 1))
    for y in 0..<size.height {
      let start = y * rowLength
      pack(pixels.extracting(start..<start + size.width), palette, into: &row)
      try deflater.compress(row) { file += chunk("IDAT", $0) }
    }
    try deflater.finish { file += chunk("IDAT", $0) }
    return file + chunk("IEND", [])
  }

  /// Writes the pixels of a row behind the number of its filter, which is 0 for none.
  private func pack(_ pixels: Span<UInt32>, _ palette: Palette?, into row: inout [UInt8]) {
    var bytes = row.mutableSpan
    if let palette {
      for x in pixels.indices { bytes[1 + x] = palette.index(of: pixels[x]) }
      return
    }
    var position = 1
    for x in pixels.indices {
      let pixel = pixels[x]
      bytes[position] = UInt8(truncatingIfNeeded: pixel >> 16)
      bytes[position + 1] = UInt8(truncatingIfNeeded: pixel >> 8)
      bytes[position + 2] = UInt8(truncatingIfNeeded: pixel)
      position += 3
    }
  }

  /// The chunk with size and format: 8 bits a sample, no interlacing.
  private func header(_ size: PixelSize, isIndexed: Bool) -> [UInt8] {
    let colorType: UInt8 = isIndexed ? 3 : 2
    return chunk(
      "IHDR",
      bigEndian(size.width) + bigEndian(size.height) + [8, colorType, 0, 0, 0]
    )
  }

  /// A chunk: its length, its type, its data, and the checksum of the last two.
  private func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
    let body = Array(type.utf8) + data
    let checksum = crc32(0, body, uInt(body.count))
    return bigEndian(data.count) + body + bigEndian(Int(checksum))
  }

  private func bigEndian(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
}

extension PNGEncoder {
  /// The colours of a picture that has few of them.
  internal struct Palette: Sendable {
    /// The colours, in the order in which the picture first shows them.
    internal private(set) var colors: [Color] = []
    // A hash table with open addressing, twice as large as the most colours: slots hold a pixel and
    // its index.
    private var slots = [UInt64](repeating: .max, count: 512)

    /// Collects the colours of a picture; `nil` if there are more than 256.
    internal init?(of pixels: Span<UInt32>, size: PixelSize, rowLength: Int) {
      var last: UInt32?
      for y in 0..<size.height {
        let row = pixels.extracting(y * rowLength..<y * rowLength + size.width)
        for x in row.indices {
          let pixel = row[x] & 0xff_ffff
          if pixel == last { continue }
          last = pixel
          let slot = slot(of: pixel)
          if slots[slot] == .max {
            if colors.count == 256 { return nil }
            slots[slot] = UInt64(pixel) << 8 | UInt64(colors.count)
            colors.append(Color(hex: pixel))
          }
        }
      }
    }

    /// Returns the index of a colour of the picture.
    internal func index(of pixel: UInt32) -> UInt8 {
      UInt8(truncatingIfNeeded: slots[slot(of: pixel & 0xff_ffff)])
    }

    private func slot(of pixel: UInt32) -> Int {
      var slot = Int((pixel &* 0x9e37_79b1) >> 23)
      while slots[slot] != .max, slots[slot] >> 8 != UInt64(pixel) { slot = (slot + 1) & 511 }
      return slot
    }
  }
}
