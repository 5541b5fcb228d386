import Testing

@testable import PlatRender

struct TextRulerTests {
  @Test(arguments: ["sans", "@cairo:"], [9.5, 10.5, 15, 34])
  func `A width is what Cairo moves the pen by`(family: String, size: Double) throws {
    var ruler = try TextRuler(family: family)
    let canvas = try Canvas(size: PixelSize(width: 1, height: 1), fontFamily: family)
    let texts = ["libclang-cpp.so.14", "", "W", "iiii"] + (family == "sans" ? ["Größe, 図"] : [])
    for text in texts {
      for font in [Font(size), Font(size, isBold: true)] {
        let drawn = canvas.advance(of: text, font)
        let measured = ruler.width(of: text, font)
        #expect(abs(measured - drawn) <= 0.01 * drawn + 0.05, "\(text)")
      }
    }
  }

  @Test func `A text that fits is left alone`() throws {
    var ruler = try TextRuler(family: "@cairo:")
    let font = Font(11)
    let width = ruler.width(of: "terraform", font)
    #expect(ruler.fit("terraform", font, into: width, fewestLeft: 6) == "terraform")
  }

  @Test func `A shortened text fits, and keeps two thirds from the head`() throws {
    var ruler = try TextRuler(family: "@cairo:")
    let font = Font(11)
    let name = "abcdefghijklmnopqrstuvwxyz0123456789"
    let whole = ruler.width(of: name, font)
    for share in stride(from: 0.3, to: 1, by: 0.05) {
      let fitted = ruler.fit(name, font, into: whole * share, fewestLeft: 6)
      let text = try #require(fitted)
      let width = ruler.width(of: text, font)
      #expect(width <= whole * share)
      let parts = text.split(separator: "...")
      try #require(parts.count == 2)
      #expect(name.hasPrefix(parts[0]) && name.hasSuffix(parts[1]))
      #expect(abs(parts[0].count - 2 * parts[1].count) <= 2)
    }
  }

  @Test func `A text of which too little would be left is not drawn`() throws {
    var ruler = try TextRuler(family: "@cairo:")
    let font = Font(11)
    let name = "abcdefghijklmnopqrstuvwxyz"
    let room = ruler.width(of: "abcd...yz", font) + 1
    let kept = [6, 8].map { ruler.fit(name, font, into: room, fewestLeft: $0) }
    #expect(kept == ["abcd...yz", nil])
    let nothing = ruler.fit(name, font, into: -5, fewestLeft: 0)
    #expect(nothing == nil)
  }

  @Test func `A character of several scalars is never cut`() throws {
    var ruler = try TextRuler(family: "sans")
    let font = Font(11)
    let name = String(repeating: "e\u{301}", count: 40)
    let room = ruler.width(of: name, font) / 2
    let fitted = ruler.fit(name, font, into: room, fewestLeft: 6)
    let text = try #require(fitted)
    for part in text.split(separator: "…") { #expect(part.allSatisfy { $0 == "e\u{301}" }) }
  }
}
