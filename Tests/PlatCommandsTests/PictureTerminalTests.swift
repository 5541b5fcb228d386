import Glibc
import PlatCommands
import PlatRender
import PlatTestSupport
import Testing

struct PictureTerminalTests {
  @Test(
    arguments: [
      ("\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?62;c", .kitty),
      ("\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?62;4;22c", .kitty),
      ("\u{1B}_Gi=31;EINVAL:no\u{1B}\\\u{1B}[?62;4;22c", .sixel),
      ("\u{1B}[?62;22;4c", .sixel), ("\u{1B}[?62;22c", nil), ("\u{1B}[?4;6c", nil),
      ("\u{1B}[?62;44c", nil), ("\u{1B}[?62;4", nil), ("", nil), ("q\u{1B}[A", nil),
    ] as [(String, TerminalGraphics?)]
  )
  func `A terminal says how it shows pictures`(answer: String, graphics: TerminalGraphics?) {
    #expect(TerminalAnswers(Array(answer.utf8)).graphics == graphics)
  }

  @Test func `A terminal tells the largest picture by sixels, and its colours`() {
    let answers = TerminalAnswers(
      Array("\u{1B}_Gi=31;EINVAL\u{1B}\\\u{1B}[?1;0;64S\u{1B}[?2;0;1000;960S\u{1B}[?63;1;4c".utf8)
    )
    #expect(answers.graphics == .sixel)
    #expect(answers.colorRegisters == 64)
    #expect(answers.sixelLimit.map { [$0.width, $0.height] } == [1000, 960])
    for refusal in [
      "\u{1B}[?1;3;0S\u{1B}[?2;1S", "\u{1B}[?1;0;S\u{1B}[?2;0;0;0S", "\u{1B}[?1;0;9", "",
    ] {
      let answers = TerminalAnswers(Array((refusal + "\u{1B}[?62;4c").utf8))
      #expect(answers.graphics == .sixel, "\(refusal.debugDescription)")
      #expect(answers.colorRegisters == nil)
      #expect(answers.sixelLimit == nil)
    }
  }

  @Test(
    arguments: [
      (.sixel, [1200, 760]), (.kitty, [1190, 760]), (.halfBlocks, [120, 76]),
    ] as [(TerminalGraphics, [Int])]
  )
  func `A picture leaves two lines of the window, and by kitty's protocol a column`(
    graphics: TerminalGraphics,
    expected: [Int]
  ) {
    let window = winsize(ws_row: 40, ws_col: 120, ws_xpixel: 1200, ws_ypixel: 800)
    let size = TerminalWindow(window).pictureSize(by: graphics, limit: nil)
    #expect([size.width, size.height] == expected)
  }

  @Test func `A window of unknown or tiny size has a picture, too`() {
    for graphics in TerminalGraphics.allCases {
      let unknown = TerminalWindow(winsize()).pictureSize(by: graphics, limit: nil)
      #expect(unknown.width >= 79 && unknown.height >= 44)
      let tiny = winsize(ws_row: 1, ws_col: 1, ws_xpixel: 8, ws_ypixel: 16)
      let size = TerminalWindow(tiny).pictureSize(by: graphics, limit: nil)
      #expect(size.width >= 1 && size.height >= 1)
    }
  }

  @Test func `A picture by sixels is at most as large as the terminal shows`() {
    let size = TerminalWindow(winsize()).pictureSize(by: .sixel, limit: (300, 200))
    #expect([size.width, size.height] == [300, 200])
  }

  @Test func `Without a terminal a picture needs a file, and nothing is written`() async throws {
    try await withSandbox([.file("a", size: 5_000)]) { box in
      let outcome = await box.run(["render", box.tree])
      #expect(outcome.status == 2)
      #expect(outcome.errors.hasPrefix("plat: option '-o' is needed"))
      #expect(outcome.output.isEmpty)
    }
  }
}
