/// Shows pixels as sixels: columns of six pixels, one colour after the other.
///
/// The format is that of DEC's *VT330/VT340 Programmer Reference Manual*, volume 2, chapter 14.
internal struct SixelWriter {
  private let size: PixelSize
  /// The number of the colour of each pixel, row by row.
  private var numbers: [UInt8] = []
  private var palette: [Color] = []

  /// Finds the colours: if there are too many, the most frequent after rounding to 5 bits a channel.
  ///
  /// - Parameters:
  ///   - pixels: Rows of pixels, as `0xRRGGBB`.
  ///   - size: The size of the picture.
  ///   - rowLength: The number of pixels from one row to the next.
  ///   - colors: The most colours, from 1 to 256.
  internal init(_ pixels: Span<UInt32>, size: PixelSize, rowLength: Int, colors: Int = 256) {
    self.size = size
    var counts = [Int](repeating: 0, count: 1 << 15)
    for y in 0..<size.height {
      for x in 0..<size.width { counts[Self.bin(of: pixels[y * rowLength + x])] += 1 }
    }
    let bins = counts.indices.filter { counts[$0] > 0 }
      .sorted { (counts[$0], $1) > (counts[$1], $0) }
    palette = bins.prefix(colors).map(Self.color(ofBin:))
    var numberOfBin = [UInt8](repeating: 0, count: counts.count)
    for (rank, bin) in bins.enumerated() {
      numberOfBin[bin] = UInt8(rank < palette.count ? rank : nearest(to: Self.color(ofBin: bin)))
    }
    numbers.reserveCapacity(size.width * size.height)
    for y in 0..<size.height {
      for x in 0..<size.width {
        numbers.append(numberOfBin[Self.bin(of: pixels[y * rowLength + x])])
      }
    }
  }

  private static func bin(of pixel: UInt32) -> Int {
    Int(pixel >> 19 & 31) << 10 | Int(pixel >> 11 & 31) << 5 | Int(pixel >> 3 & 31)
  }

  private static func color(ofBin bin: Int) -> Color {
    func channel(_ shift: Int) -> UInt8 { UInt8((bin >> shift & 31) * 255 / 31) }
    return Color(red: channel(10), green: channel(5), blue: channel(0))
  }

  private func nearest(to color: Color) -> Int {
    func distance(_ other: Color) -> Int {
      let (red, green, blue) = (
        Int(color.red) - Int(other.red), Int(color.green) - Int(other.green),
        Int(color.blue) - Int(other.blue)
      )
      return 2 * red * red + 4 * green * green + blue * blue
    }
    return palette.indices.min { distance(palette[$0]) < distance(palette[$1]) } ?? 0
  }
}

// MARK: Writing

extension SixelWriter {
  /// Returns the device control string.
  internal func sequence() -> [UInt8] {
    // Square pixels, all of which are drawn; then the size.
    var output = Array("\u{1B}P0;1;0q\"1;1;\(size.width);\(size.height)".utf8)
    for (number, color) in palette.enumerated() {
      let percents = [color.red, color.green, color.blue].map { (Int($0) * 100 + 127) / 255 }
      output += "#\(number);2;\(percents[0]);\(percents[1]);\(percents[2])".utf8
    }
    for top in stride(from: 0, to: size.height, by: 6) {
      writeBand(from: top, into: &output)
      output.append(UInt8(ascii: "-"))
    }
    return output + "\u{1B}\\\n".utf8
  }

  /// Writes six rows, for each colour the columns that it is in.
  private func writeBand(from top: Int, into output: inout [UInt8]) {
    let rows = top..<min(top + 6, size.height)
    var masks = [[UInt8]?](repeating: nil, count: palette.count)
    for y in rows {
      for x in 0..<size.width {
        let number = Int(numbers[y * size.width + x])
        if masks[number] == nil { masks[number] = [UInt8](repeating: 0, count: size.width) }
        masks[number]?[x] |= 1 << UInt8(y - top)
      }
    }
    var isFirst = true
    for (number, columns) in masks.enumerated() {
      guard let columns else { continue }
      if !isFirst { output.append(UInt8(ascii: "$")) }
      isFirst = false
      output += "#\(number)".utf8
      writeRuns(of: columns, into: &output)
    }
  }

  private func writeRuns(of columns: [UInt8], into output: inout [UInt8]) {
    var start = 0
    while start < columns.count {
      let mask = columns[start]
      let end = columns[start...].firstIndex { $0 != mask } ?? columns.count
      // What is empty up to the end needs no words.
      if mask == 0, end == columns.count { return }
      let sixel = UInt8(ascii: "?") + mask
      if end - start > 3 {
        output += "!\(end - start)".utf8
        output.append(sixel)
      } else {
        output += [UInt8](repeating: sixel, count: end - start)
      }
      start = end
    }
  }
}
