import Glibc
import PlatTestSupport
import PlatTree
import Testing

struct NamePatternTests {
  private func random(_ letters: String, upTo length: Int, _ generator: inout SplitMix64) -> [UInt8]
  {
    let letters = Array(letters.utf8)
    return (0..<Int.random(in: 1...length, using: &generator)).map { _ in
      letters[Int.random(in: 0..<letters.count, using: &generator)]
    }
  }

  @Test(arguments: 0..<10)
  func `A pattern matches what fnmatch matches`(seed: Int) throws {
    var generator = SplitMix64(seed: UInt64(900 + seed))
    var matches = 0
    for _ in 0..<2_000 {
      let pattern = random("aab.*?", upTo: 6, &generator)
      let name = random("aab.", upTo: 6, &generator)
      let expected = fnmatch(
        pattern.map(CChar.init(bitPattern:)) + [0],
        name.map(CChar.init(bitPattern:)) + [0],
        FNM_PATHNAME
      )
      let found = try #require(NamePattern(glob: pattern)).matches(name)
      let text = String(decoding: pattern + [0x20] + name, as: UTF8.self)
      #expect(found == (expected == 0), "\(text)")
      matches += found ? 1 : 0
    }
    #expect(matches > 100)
  }

  @Test(arguments: 0..<10)
  func `A pattern matches letters in either case as fnmatch does`(seed: Int) throws {
    let foldsCase: CInt = 1 << 4  // FNM_CASEFOLD
    var generator = SplitMix64(seed: UInt64(600 + seed))
    var matches = 0
    for _ in 0..<2_000 {
      var pattern = random("aAbB.*?Z", upTo: 5, &generator)
      if Bool.random(using: &generator) { pattern += Array("[!Ab-y]".utf8) }
      let name = random("aAbBzZ.", upTo: 5, &generator)
      let text = String(decoding: pattern + [0x20] + name, as: UTF8.self)
      let expected = fnmatch(
        pattern.map(CChar.init(bitPattern:)) + [0],
        name.map(CChar.init(bitPattern:)) + [0],
        FNM_PATHNAME | foldsCase
      )
      let found = try #require(NamePattern(glob: pattern, ignoresCase: true)).matches(name)
      #expect(found == (expected == 0), "\(text)")
      matches += found ? 1 : 0
    }
    #expect(matches > 50)
  }

  @Test(arguments: [
    ("llvm", "libLLVM-15.so", true), ("", "anything", true), ("b.c", "abc", false),
    ("*.ISO", "image.iso", true), ("?", "é", false), ("[a-c]x", "Bx", true), ("[!a]x", "Ax", false),
    ("[[:upper:]]x", "ax", true), ("[", "a[b", true), ("a*b*c", "aXbXbXc", true),
    ("a*b*c", "aXbX", false), ("a*c", "a/c", false),
  ])
  func `What is typed finds what it says`(text: String, name: String, isFound: Bool) {
    #expect(NamePattern(typed: Array(text.utf8)).matches(Array(name.utf8)[...]) == isFound)
  }

  @Test func `A part is found wherever it stands, and as it stands`() {
    let part = NamePattern(part: Array("a*b".utf8))
    for (name, isMatch) in [
      ("a*b", true), ("xa*b", true), ("aa*bx", true), ("axb", false), ("A*B", false), ("a*", false),
      ("", false),
    ] {
      #expect(part.matches(Array(name.utf8)) == isMatch, "\(name)")
    }
    #expect(NamePattern(part: []).matches([]))
  }

  @Test(arguments: ["[a", "a[", #"a\"#, ""])
  func `A pattern that can match nothing is none`(pattern: String) {
    #expect(NamePattern(glob: Array(pattern.utf8)) == nil)
  }

  @Test func `A class of ages ends with its last second`() {
    let day: Int64 = 86_400
    for (age, title) in [
      (0, "1 day"), (day, "1 day"), (day + 1, "1 week"), (7 * day + 1, "1 month"),
      (1461 * day, "4 years"), (1461 * day + 1, "older"), (-5 * day, "1 day"),
    ] {
      #expect(AgeClass(modificationTime: 10_000 * day - age, now: 10_000 * day).title == title)
    }
    #expect(AgeClass(modificationTime: .min, now: .max) == .older)
    #expect(AgeClass(modificationTime: .max, now: .min) == .day)
    #expect(AgeClass(modificationTime: .min, now: 0) == .older)
  }

  @Test func `A type is a category or an ending`() {
    #expect(FileType(Array("video".utf8)) == .category(.video))
    #expect(FileType(Array(".Tar.GZ".utf8)) == .suffix(Array(".tar.gz".utf8)))
    for nothing in ["Video", "mp4", ".", ""] { #expect(FileType(Array(nothing.utf8)) == nil) }
  }
}
