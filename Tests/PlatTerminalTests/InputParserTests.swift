import PlatTestSupport
import Testing

@testable import PlatTerminal

struct InputParserTests {
  private static let cases: [(String, [InputParser.Item])] = [
    ("q", [.input(.key(.character("q")))]), ("é", [.input(.key(.character("é")))]),
    ("\r", [.input(.key(.enter))]), ("\u{7F}", [.input(.key(.backspace))]),
    ("\u{03}", [.input(.key(.control("c")))]), ("\u{1B}[A", [.input(.key(.up))]),
    ("\u{1B}OB", [.input(.key(.down))]), ("\u{1B}[1;5C", [.input(.key(.right))]),
    ("\u{1B}[5~\u{1B}[6~", [.input(.key(.pageUp)), .input(.key(.pageDown))]),
    ("\u{1B}[H\u{1B}[4~", [.input(.key(.home)), .input(.key(.end))]),
    ("\u{1B}[Z", [.input(.key(.backTab))]),
    ("\u{1B}[12;40R", [.reply(.cursor(row: 11, column: 39))]),
    ("\u{1B}[?62;22c", [.reply(.attributes)]),
    ("\u{1B}]11;rgb:ffff/8080/0000\u{1B}\\", [.reply(.background(RGB(0xff8000)))]),
    ("\u{1B}]11;rgb:ff/80/00\u{07}", [.reply(.background(RGB(0xff8000)))]),
    (
      "\u{1B}[<0;5;3M\u{1B}[<0;5;3m",
      [
        .input(.mouse(MouseEvent(kind: .press, row: 2, column: 4))),
        .input(.mouse(MouseEvent(kind: .release, row: 2, column: 4))),
      ]
    ),
    ("\u{1B}[<65;1;1M", [.input(.mouse(MouseEvent(kind: .wheelDown, row: 0, column: 0)))]),
    (
      "\u{1B}[200~rm\u{1B}[31m -rf\n\u{1B}[201~q",
      [.input(.paste("rm[31m -rf")), .input(.key(.character("q")))]
    ),
    // Unknown sequences are nothing, and swallow nothing after them.
    ("\u{1B}[99~x\u{1B}[1;2Wy", [.input(.key(.character("x"))), .input(.key(.character("y")))]),
  ]

  @Test(arguments: cases)
  func `Bytes become keys, clicks and answers`(bytes: String, items: [InputParser.Item]) {
    var parser = InputParser()
    #expect(parser.take(bytes.utf8) == items)
    #expect(!parser.isWaiting)
  }

  @Test(arguments: cases)
  func `Bytes that arrive one by one mean the same`(bytes: String, items: [InputParser.Item]) {
    var parser = InputParser()
    #expect(bytes.utf8.flatMap { parser.take([$0]) } == items)
  }

  @Test func `An escape is a key when nothing follows it`() {
    var parser = InputParser()
    #expect(parser.take([0x1B]).isEmpty)
    #expect(parser.isWaiting)
    #expect(parser.flush() == [.input(.key(.escape))])
    #expect(
      parser.take([0x1B]) + parser.take([0x78]) == [
        .input(.key(.escape)), .input(.key(.character("x"))),
      ]
    )
  }

  @Test func `Noise never traps, and the next key is read`() {
    var generator = SplitMix64(seed: 9)
    for _ in 0..<3_000 {
      var parser = InputParser()
      let length = Int.random(in: 1...12, using: &generator)
      let noise = (0..<length).map { _ -> UInt8 in
        let common: [UInt8] = [0x1B, 0x5B, 0x5D, 0x3B, 0x3C, 0x4D, 0x30, 0xE5, 0xFF]
        return generator.oneIn(2)
          ? UInt8.random(in: 0...255, using: &generator)
          : common.randomElement(using: &generator) ?? 0
      }
      _ = parser.take(noise)
      _ = parser.flush()
      #expect(parser.isWaiting == false)
    }
  }
}
