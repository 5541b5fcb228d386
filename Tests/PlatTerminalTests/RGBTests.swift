import PlatRender
import PlatTestSupport
import PlatTree
import Testing

@testable import PlatTerminal

struct RGBTests {
  @Test func `The colours of kinds are those of pictures`() {
    for category in FileCategory.allCases {
      let color = category.color(in: .dark)
      let fill = ScreenTheme.fills[Int(category.rawValue)]
      #expect(RGB(color.red, color.green, color.blue) == fill, "\(category)")
    }
  }

  @Test func `The nearest of 240 colours is nearest`() {
    var generator = SplitMix64(seed: 4)
    func distance(_ one: RGB, _ two: RGB) -> Int {
      func square(_ path: KeyPath<RGB, UInt8>) -> Int {
        let step = Int(one[keyPath: path]) - Int(two[keyPath: path])
        return step * step
      }
      return 2 * square(\.red) + 4 * square(\.green) + 3 * square(\.blue)
    }
    for _ in 0..<500 {
      let color = RGB(UInt32.random(in: 0...0xffffff, using: &generator))
      let best = (UInt8(16)...255).map { distance(RGB(paletteIndex: $0), color) }.min()
      #expect(distance(RGB(paletteIndex: color.paletteIndex), color) == best)
    }
  }

  @Test func `Text on any colour has a contrast of 4.5 or more`() {
    var generator = SplitMix64(seed: 5)
    let fills = (0..<10_000).map { _ in RGB(UInt32.random(in: 0...0xffffff, using: &generator)) }
    #expect(fills.allSatisfy { $0.label.contrast(with: $0) >= 4.5 })
  }

  @Test func `The luminance of grey is that of the standard`() {
    // WCAG 2.1: #777777 on white has a contrast of 4.48.
    #expect(abs(RGB(0x777777).contrast(with: .white) - 4.48) < 0.01)
    #expect(RGB.white.contrast(with: .black) == 21)
  }

  @Test(arguments: [
    (["TERM": "xterm-256color", "COLORTERM": "truecolor"], ColorDepth.full),
    (["TERM": "xterm-kitty"], .full), (["TERM": "tmux-256color"], .palette),
    (["TERM": "linux"], .basic), (["TERM": "vt220"], .none), ([:], .none),
  ])
  func `The names of a terminal tell its colours`(
    environment: [String: String],
    depth: ColorDepth
  ) {
    #expect(ColorDepth { environment[$0] } == depth)
  }
}
