import Foundation
import PlatTree
import Testing

struct TimeReferenceTests {
  @Test(
    arguments: [
      ("0s", 0), ("90s", 90), ("5min", 300), ("12h", 43_200), ("30d", 2_592_000),
      ("30 d", 2_592_000),
      ("2w", 1_209_600), ("6mo", 15_552_000), ("1y", 31_536_000), ("007d", 604_800),
      ("9223372036854775807s", .max),
    ] as [(String, Int64)]
  )
  func `An age is a number and a unit`(text: String, seconds: Int64) {
    #expect(TimeReference(text) == .ago(seconds: seconds))
  }

  @Test(arguments: [
    "", "d", "30", "30m", "30D", "-1d", "+1d", "1.5d", "1 d ", " 1d", "1  d", "1dd", "٣d",
    "9223372036854775808s", "106751991167301d", "1ｄ",
  ])
  func `What is no age, or longer than 64 bits of seconds, is refused`(text: String) {
    #expect(TimeReference(text) == nil)
  }

  @Test(
    arguments: [
      ("1970-01-01", 0...86_399), ("2000-02-29", 951_782_400...951_868_799),
      ("2026-11-30", 1_795_996_800...1_796_083_199),
      ("0000-01-01", -62_167_219_200...(-62_167_132_801)),
      ("2026-11-30T04:00", 1_796_011_200...1_796_011_259),
      ("2026-11-30 04:00", 1_796_011_200...1_796_011_259),
      ("2026-11-30T04:00Z", 1_796_011_200...1_796_011_259),
      ("2026-11-30T04:00:07", 1_796_011_207...1_796_011_207),
      ("2026-11-30T04:00:07Z", 1_796_011_207...1_796_011_207),
      ("2026-11-30T04:00:07.5Z", 1_796_011_207...1_796_011_207),
      ("2026-11-30T05:00:07+01:00", 1_796_011_207...1_796_011_207),
      ("2026-11-29T22:30:07-05:30", 1_796_011_207...1_796_011_207),
    ] as [(String, ClosedRange<Int64>)]
  )
  func `A date is all of what it names`(text: String, seconds: ClosedRange<Int64>) {
    #expect(TimeReference(text) == .during(seconds))
  }

  @Test(arguments: [
    "2026-02-29", "2026-04-31", "2026-13-01", "2026-00-01", "2026-01-00", "2026-1-1", "26-01-01",
    "2026-01-01T", "2026-01-01T24:00", "2026-01-01T04:60", "2026-01-01T04:00:60", "2026-01-01T4:00",
    "2026-01-01T04:00:00.", "2026-01-01T04:00z", "2026-01-01T04:00+1:00", "2026-01-01T04:00+01",
    "2026-01-01T04:00+24:00", "2026-01-01Z", "2026-01-01x", "20260101", "2026-01-01T04:00Z ",
    "+026-01-01", "2026-+1-01",
  ])
  func `What is no day of the calendar is refused`(text: String) {
    #expect(TimeReference(text) == nil)
  }

  @Test func `Foundation reads a time with an offset as the same second`() throws {
    for text in ["1999-12-31T23:59:59+14:00", "2024-02-29T00:00:00-11:00", "2026-07-01T12:34:56Z"] {
      let date = try Date(text, strategy: .iso8601)
      let second = Int64(date.timeIntervalSince1970)
      #expect(TimeReference(text) == .during(second...second))
    }
  }

  @Test func `A time that every output shows can be read again`() {
    for second: Int64 in [0, -1, 951_782_400, 1_796_011_207, 253_402_300_799] {
      let text = CivilDate.timestamp(secondsSince1970: second)
      #expect(TimeReference(text) == .during(second...second))
    }
  }

  @Test func `An age counts back from now, and a date does not`() {
    #expect(TimeReference.ago(seconds: 60).seconds(now: 100) == 40...40)
    #expect(TimeReference.ago(seconds: .max).seconds(now: -100) == Int64.min...Int64.min)
    #expect(TimeReference.during(1...5).seconds(now: 100) == 1...5)
  }
}
