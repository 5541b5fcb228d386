import PlatTree
import Testing

struct SizeFormatTests {
  @Test(
    arguments: [
      (0, "0 B"), (1, "1 B"), (1023, "1023 B"), (1024, "1.0 KiB"), (4096, "4.0 KiB"),
      (1_075, "1.0 KiB"), (1_076, "1.1 KiB"), (104_755_200, "99.9 MiB"), (104_805_171, "99.9 MiB"),
      (104_805_172, "100 MiB"), (861_929_472, "822 MiB"), (1_048_063, "1023 KiB"),
      (1_048_064, "1.0 MiB"), (6_764_573_491, "6.3 GiB"), (.max, "16.0 EiB"),
    ] as [(UInt64, String)]
  )
  func `Sizes have a decimal below 100, rounded to the nearest`(size: UInt64, text: String) {
    #expect(SizeFormat.iec.string(size) == text)
  }

  @Test(
    arguments: [
      (0, "0 B"), (999, "999 B"), (1_000, "1.0 kB"), (999_499, "999 kB"), (999_500, "1.0 MB"),
      (6_764_573_491, "6.8 GB"), (.max, "18.4 EB"),
    ] as [(UInt64, String)]
  )
  func `Powers of 1000 have units of their own`(size: UInt64, text: String) {
    #expect(SizeFormat.si.string(size) == text)
  }

  @Test(
    arguments: [
      (0, "0 B"), (1, "+1 B"), (-1, "-1 B"), (1_288_490_189, "+1.2 GiB"), (-4096, "-4.0 KiB"),
      (.min, "-8.0 EiB"), (.max, "+8.0 EiB"),
    ] as [(Int64, String)]
  )
  func `A change has a sign`(change: Int64, text: String) {
    #expect(SizeFormat.iec.string(change: change) == text)
  }

  @Test func `Exact bytes are digits alone`() {
    #expect(SizeFormat.bytes.string(.max) == "18446744073709551615")
    #expect(SizeFormat.bytes.compactString(1024) == "1024")
  }

  @Test(arguments: [
    (0, "0B"), (5_261_334_938, "4.9G"), (1_047_552, "1023K"), (861_929_472, "822M"),
  ])
  func `A narrow column has one letter for the unit`(size: UInt64, text: String) {
    #expect(SizeFormat.iec.compactString(size) == text)
  }

  @Test func `Neighbours of every power stay within 8 characters and in order`() {
    for bits in 0..<64 {
      let power = UInt64(1) << bits
      for size in [power - 1, power, power + 1] {
        let text = SizeFormat.iec.string(size)
        #expect(text.count <= 8, "\(size)")
        let read = SizeFormat.parse(text) ?? 0
        #expect(max(read, size) - min(read, size) <= size / 20, "\(size) was written \(text)")
      }
    }
  }

  @Test(
    arguments: [
      ("0", 0), ("4096", 4096), ("10B", 10), ("10K", 10_240), ("10k", 10_240), ("10M", 10_485_760),
      ("10MB", 10_000_000), ("10MiB", 10_485_760), ("10 mib", 10_485_760), ("1.5G", 1_610_612_736),
      ("0.5KB", 500), ("1.0 KiB", 1024), ("15E", 17_293_822_569_102_704_640), ("2.5kB", 2500),
      ("18446744073709551615", .max), ("15.999999999E", 18_446_744_072_556_630_111),
    ] as [(String, UInt64)]
  )
  func `A size can be written with any unit`(text: String, size: UInt64) {
    #expect(SizeFormat.parse(text) == size)
  }

  @Test(arguments: [
    "", "M", "-1", "+1", "1.5", "1.", ".5K", "1..5K", "1.2.3K", "10 ", "10  M", " 10", "10X",
    "10Mi",
    "10MM", "1e3", "0x10", "1,5K", "16E", "18446744073709551616", "99999999999999999999K", "١٠",
    "18.5EB", "1.0000000001K", "10M\n",
  ])
  func `What is no size, or too large for one, is refused`(text: String) {
    #expect(SizeFormat.parse(text) == nil)
  }
}

struct NumberFormatTests {
  @Test(
    arguments: [
      (0, "0"), (999, "999"), (1000, "1,000"), (149_646, "149,646"), (-1_234_567, "-1,234,567"),
      (.min, "-9,223,372,036,854,775,808"),
    ] as [(Int, String)]
  )
  func `Digits stand in groups of three`(number: Int, text: String) {
    #expect(NumberFormat.grouped(number) == text)
  }

  @Test func `A noun agrees with its count`() {
    #expect(NumberFormat.counted(1, "file") == "1 file")
    #expect(NumberFormat.counted(0, "file") == "0 files")
    #expect(NumberFormat.counted(1_200, "directory", plural: "directories") == "1,200 directories")
  }

  @Test(
    arguments: [
      (0, 0, "0%", "0.0%"), (0, 9, "0%", "0.0%"), (1, 0, "0%", "0.0%"), (1, 1, "100%", "100.0%"),
      (39, 100, "39%", "39.0%"), (1, 3, "33%", "33.3%"), (2, 3, "67%", "66.7%"),
      (1, 1000, "<1%", "0.1%"), (1, 3000, "<1%", "<0.1%"), (5, 1000, "1%", "0.5%"),
      (.max - 1, .max, "100%", "100.0%"), (9, 3, "100%", "100.0%"), (1, .max, "<1%", "<0.1%"),
    ] as [(UInt64, UInt64, String, String)]
  )
  func `A share is rounded, and never 0 for something`(
    part: UInt64,
    whole: UInt64,
    text: String,
    precise: String
  ) {
    #expect(NumberFormat.share(part, of: whole) == text)
    #expect(NumberFormat.share(part, of: whole, withDecimal: true) == precise)
  }
}

struct DurationFormatTests {
  @Test(
    arguments: [
      (0, "0 ms"), (0.0124, "12 ms"), (0.9994, "999 ms"), (0.9996, "1.00 s"), (1.02, "1.02 s"),
      (9.99, "9.99 s"), (9.996, "10.0 s"), (12.34, "12.3 s"), (59.96, "1 min"), (123, "2 min 3 s"),
      (3600, "1 h"), (3_900, "1 h 5 min"), (259_200, "3 d"), (273_600, "3 d 4 h"),
      (-1, "0 ms"), (.nan, "0 ms"), (.infinity, "11574074074 d 1 h"),
    ] as [(Double, String)]
  )
  func `Measured time has three digits or two units`(seconds: Double, text: String) {
    #expect(DurationFormat.elapsed(seconds: seconds) == text)
  }

  @Test(
    arguments: [
      (-61, "future"), (-60, "now"), (0, "now"), (59, "now"), (60, "1 min"), (3_599, "59 min"),
      (18_000, "5 h"), (86_400, "1 d"), (59 * 86_400, "59 d"), (60 * 86_400, "2 mo"),
      (729 * 86_400, "24 mo"), (730 * 86_400, "2 y"), (.max, "292471208677 y"), (.min, "future"),
    ] as [(Int64, String)]
  )
  func `An age has one unit`(seconds: Int64, text: String) {
    #expect(DurationFormat.age(of: 0, at: seconds) == text)
  }

  @Test func `An age may be longer than any number of seconds`() {
    for now in [0, 1_767_225_600, .max] as [Int64] {
      #expect(DurationFormat.age(of: .min, at: now) == "292471208677 y")
    }
    #expect(DurationFormat.age(of: .max, at: -2) == "future")
    #expect(DurationFormat.age(of: .max, at: .min) == "future")
  }
}
