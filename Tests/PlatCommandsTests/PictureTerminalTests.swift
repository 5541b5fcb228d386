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

  @Test func `Without a terminal a picture needs a file, and nothing is written`() async throws {
    try await withSandbox([.file("a", size: 5_000)]) { box in
      let outcome = await box.run(["render", box.tree])
      #expect(outcome.status == 2)
      #expect(outcome.errors.hasPrefix("plat: option '-o' is needed"))
      #expect(outcome.output.isEmpty)
    }
  }
}
