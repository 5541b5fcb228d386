public import PlatTree

/// A way to show a picture in a terminal.
public enum TerminalGraphics: String, CaseIterable, Hashable, Sendable {
  /// The graphics protocol of kitty, which takes PNG.
  case kitty
  /// The sixels of the VT340, in rows of six pixels with at most 256 colours.
  case sixel
  /// Half blocks in 24-bit colours: two pixels a character, on any terminal with as many colours.
  case halfBlocks
}

extension TreemapRenderer {
  /// Returns a picture as what a terminal has to be sent to show it, with a newline at the end.
  ///
  /// A pixel of the picture is one of the window; of half blocks it is half a character, the upper or
  /// the lower one.
  ///
  /// - Parameters:
  ///   - graphics: The way to show it.
  ///   - tree: The tree.
  ///   - top: The directory to draw with all below it; `nil` is the top of the tree.
  ///   - sixelColors: The most colours of sixels, from 2 to 256: a terminal may have fewer registers.
  /// - Returns: The bytes to write.
  /// - Throws: ``RenderError``; before anything is allocated, if the size or scale is impossible.
  /// - Precondition: `top` came from `tree`.
  public func terminalPicture(
    _ graphics: TerminalGraphics,
    of tree: FileTree,
    from top: DirectoryID? = nil,
    sixelColors: Int = 256
  ) throws(RenderError) -> [UInt8] {
    if graphics == .kitty { return KittyWriter.sequence(showing: try png(of: tree, from: top)) }
    let canvas = try draw(tree, from: top)
    let (size, rowLength) = (canvas.size, canvas.rowLength)
    return canvas.withPixels { pixels in
      graphics == .sixel
        ? SixelWriter(pixels.span, size: size, rowLength: rowLength, colors: sixelColors).sequence()
        : HalfBlockWriter.lines(of: pixels.span, size: size, rowLength: rowLength)
    }
  }
}

/// Shows a PNG by the graphics protocol of kitty: <https://sw.kovidgoyal.net/kitty/graphics-protocol/>.
internal enum KittyWriter {
  /// The most bytes of one piece, which the protocol says.
  private static let pieceLength = 4_096

  /// Returns the escape sequences, which the terminal does not answer.
  internal static func sequence(showing png: [UInt8]) -> [UInt8] {
    let text = Array(Base64.encode(png).utf8)
    var output: [UInt8] = []
    for start in stride(from: 0, to: text.count, by: pieceLength) {
      let end = min(start + pieceLength, text.count)
      let control = start == 0 ? "a=T,f=100,q=2," : ""
      output += "\u{1B}_G\(control)m=\(end < text.count ? 1 : 0);".utf8
      output += text[start..<end]
      output += "\u{1B}\\".utf8
    }
    return output + "\n".utf8
  }
}

/// Shows pixels as half blocks.
internal enum HalfBlockWriter {
  /// Returns a line of text for every two rows of pixels.
  internal static func lines(
    of pixels: Span<UInt32>,
    size: PixelSize,
    rowLength: Int
  ) -> [UInt8] {
    var output: [UInt8] = []
    for y in stride(from: 0, to: size.height, by: 2) {
      var last: (upper: UInt32, lower: UInt32?)?
      for x in 0..<size.width {
        let upper = pixels[y * rowLength + x] & 0xff_ffff
        let lower = y + 1 < size.height ? pixels[(y + 1) * rowLength + x] & 0xff_ffff : nil
        if last?.upper != upper { output += code(38, upper) }
        if let lower, last?.lower != lower { output += code(48, lower) }
        last = (upper, lower)
        output += "▀".utf8
      }
      output += "\u{1B}[0m\n".utf8
    }
    return output
  }

  private static func code(_ ground: Int, _ pixel: UInt32) -> String.UTF8View {
    let color = Color(hex: pixel)
    return "\u{1B}[\(ground);2;\(color.red);\(color.green);\(color.blue)m".utf8
  }
}
