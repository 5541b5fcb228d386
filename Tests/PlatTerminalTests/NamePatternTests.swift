import Glibc
import PlatTestSupport
import Testing

@testable import PlatTerminal

struct NamePatternTests {
  @Test(arguments: [
    ("llvm", "libLLVM-15.so", true), ("", "anything", true), ("b.c", "abc", false),
    ("*.ISO", "image.iso", true), ("?", "é", false), ("[a-c]x", "Bx", true), ("[!a]x", "ax", false),
    ("[", "a[b", true), ("\\*", "a*b", true), ("a*b*c", "aXbXbXc", true), ("a*b*c", "aXbX", false),
  ])
  func `A pattern finds what it says`(pattern: String, name: String, isFound: Bool) {
    #expect(NamePattern(pattern).matches(Array(name.utf8)) == isFound)
  }

  @Test func `Patterns match what fnmatch(3) matches`() {
    var generator = SplitMix64(seed: 6)
    let letters = Array("ab.*?[]-".utf8)
    for _ in 0..<4_000 {
      let pattern = (0..<Int.random(in: 1...6, using: &generator)).compactMap { _ in
        letters.randomElement(using: &generator)
      }
      // A range that ends before it starts has no meaning that all agree on.
      guard pattern.contains(where: { $0 == 0x2A || $0 == 0x3F }), !pattern.contains(0x2D) else {
        continue
      }
      let name = (0..<Int.random(in: 0...5, using: &generator)).map { _ in
        UInt8.random(in: 0x61...0x62, using: &generator)
      }
      let text = String(decoding: pattern, as: UTF8.self)
      let expected = fnmatch(text, String(decoding: name, as: UTF8.self), 0) == 0
      #expect(NamePattern(text).matches(name) == expected, "\(text) and \(name)")
    }
  }
}
