import Foundation
import Testing

@testable import PlatRender

struct TerminalGraphicsTests {
  static var options: RenderOptions {
    var options = TreemapRendererTests.small
    options.width = 301
    options.height = 203
    return options
  }

  func shown(_ graphics: TerminalGraphics) throws -> String {
    let renderer = TreemapRenderer(options: Self.options)
    let bytes = try renderer.terminalPicture(graphics, of: smallTree)
    #expect(bytes.last == UInt8(ascii: "\n"))
    return try #require(String(validating: bytes, as: UTF8.self))
  }

  @Test func `For kitty a picture is its PNG in pieces of at most 4096 bytes`() throws {
    var rest = Substring(try shown(.kitty))
    var data = ""
    var isLast = false
    while let match = rest.prefixMatch(of: /\u{1B}_G(a=T,f=100,q=2,)?m=([01]);([^\u{1B}]*)\u{1B}\\/)
    {
      #expect(!isLast && match.3.utf8.count <= 4_096)
      #expect((match.1 != nil) == data.isEmpty)
      data += match.3
      isLast = match.2 == "0"
      rest = rest[match.range.upperBound...]
    }
    #expect(isLast && rest == "\n")
    let png = try TreemapRenderer(options: Self.options).png(of: smallTree)
    #expect(Data(base64Encoded: data) == Data(png))
  }

  @Test func `Half blocks are the pixels, two a character`() throws {
    let picture = try DecodedPicture(png: TreemapRenderer(options: Self.options).png(of: smallTree))
    let lines = try shown(.halfBlocks).split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 103)
    for (row, line) in lines.dropLast().enumerated() {
      var grounds: [String: UInt32] = [:]
      var column = 0
      for part in line.split(separator: "\u{1B}[", omittingEmptySubsequences: true) {
        let words = part.split(separator: "m", maxSplits: 1, omittingEmptySubsequences: false)
        let numbers = words[0].split(separator: ";").compactMap { UInt32($0) }
        if numbers.count == 5 {
          grounds["\(numbers[0])"] = numbers[2] << 16 | numbers[3] << 8 | numbers[4]
        }
        for _ in words[1] {
          #expect(grounds["38"] == picture.pixels[2 * row * picture.width + column])
          if 2 * row + 1 < picture.height {
            #expect(grounds["48"] == picture.pixels[(2 * row + 1) * picture.width + column])
          }
          column += 1
        }
      }
      #expect(column == picture.width)
    }
  }

  /// Draws sixels as a terminal does.
  func decodeSixels(_ text: String) throws -> (width: Int, pixels: [UInt32]) {
    let start = try #require(text.prefixMatch(of: /\u{1B}P0;1;0q"1;1;(\d+);(\d+)/))
    let (width, height) = (try #require(Int(start.1)), try #require(Int(start.2)))
    var pixels = [UInt32](repeating: 0xff00_0000, count: width * height)
    var palette: [Int: UInt32] = [:]
    var (x, y, color) = (0, 0, UInt32(0))
    var rest = text[start.range.upperBound...]
    while let character = rest.first, character != "\u{1B}" {
      if let match = rest.prefixMatch(of: /#(\d+);2;(\d+);(\d+);(\d+)/) {
        let channels = [match.2, match.3, match.4].compactMap { UInt32($0) }
        palette[Int(match.1) ?? 0] = channels.reduce(0) { $0 << 8 | ($1 * 255 + 50) / 100 }
        rest = rest[match.range.upperBound...]
      } else if let match = rest.prefixMatch(of: /#(\d+)/) {
        color = try #require(palette[Int(match.1) ?? -1])
        rest = rest[match.range.upperBound...]
      } else if character == "$" || character == "-" {
        x = 0
        if character == "-" { y += 6 }
        rest.removeFirst()
      } else if let match = rest.prefixMatch(of: /(?:!(\d+))?([?-~])/) {
        let mask = try #require(match.2.utf8.first) - 63
        for _ in 0..<(match.1.flatMap { Int($0) } ?? 1) {
          for bit in 0..<6 where mask >> bit & 1 == 1 { pixels[(y + bit) * width + x] = color }
          x += 1
        }
        rest = rest[match.range.upperBound...]
      } else {
        Issue.record("no sixel: \(rest.prefix(10))")
        break
      }
    }
    #expect(rest == "\u{1B}\\\n")
    return (width, pixels)
  }

  @Test func `Sixels are the pixels in the nearest of 256 colours`() throws {
    let picture = try DecodedPicture(png: TreemapRenderer(options: Self.options).png(of: smallTree))
    let shown = try decodeSixels(self.shown(.sixel))
    #expect(shown.width == picture.width && shown.pixels.count == picture.pixels.count)
    let far = zip(picture.pixels, shown.pixels).filter { one, two in
      two > 0xff_ffff
        || [16, 8, 0].contains { abs(Int(one >> $0 & 255) - Int(two >> $0 & 255)) > 12 }
    }
    #expect(far.count < picture.pixels.count / 100)
    #expect(shown.pixels.allSatisfy { $0 <= 0xff_ffff })
  }

  @Test(arguments: TerminalGraphics.allCases)
  func `An impossible size is refused`(graphics: TerminalGraphics) {
    var options = RenderOptions()
    options.width = 0
    #expect(throws: RenderError.self) {
      try TreemapRenderer(options: options).terminalPicture(graphics, of: smallTree)
    }
  }
}
