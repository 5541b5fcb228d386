import Foundation
import PlatTestSupport
import PlatTree
import Testing

struct NameDisplayTests {
  struct Case: CustomTestStringConvertible {
    var testDescription: String
    var bytes: [UInt8]
    var shown: String
    var label: String

    init(_ description: String, _ bytes: [UInt8], _ shown: String, label: String) {
      (testDescription, self.bytes, self.shown, self.label) = (description, bytes, shown, label)
    }

    init(_ description: String, _ name: String, _ shown: String, label: String) {
      self.init(description, Array(name.utf8), shown, label: label)
    }

    /// A name that is shown as it is.
    init(plain name: String) { self.init(name, name, name, label: name) }
  }

  static let plain = [
    "notes.txt", "two words", "it's", "$HOME;rm -rf *", #"back\slash"#, "café", "日本語",
    "naïve e\u{301}",
    "Ω", "файл", "שלום", "a\u{3000}b", "a$'b", "👩🏽\u{200D}💻", "❤\u{FE0F}", "❤\u{FE0F}\u{200D}🔥",
    "1\u{FE0F}\u{20E3}", "می\u{200C}خواهم", "क्\u{200D}ष", "\u{F8FF}", "🇸🇪", "",
  ].map(Case.init(plain:))

  static let quoted = [
    Case("a newline", "two\nlines.iso", #"$'two\nlines.iso'"#, label: "two\u{FFFD}lines.iso"),
    Case(
      "every short escape",
      "\u{7}\u{8}\t\n\u{B}\u{C}\r",
      #"$'\a\b\t\n\v\f\r'"#,
      label: String(repeating: "\u{FFFD}", count: 7)
    ),
    Case("ESC, then a digit", "\u{1B}[31m1\u{1}2", #"$'\033[31m1\0012'"#, label: "�[31m1�2"),
    Case("DEL", "a\u{7F}", #"$'a\177'"#, label: "a�"),
    Case("C1, a sequence of one character", "\u{9B}31m", #"$'\u009B31m'"#, label: "�31m"),
    Case("quotes and backslashes", "a'b\\\n", #"$'a\'b\\\n'"#, label: "a'b\\�"),
    Case("invalid UTF-8", [0x63, 0xE9, 0x37], #"$'c\3517'"#, label: "c�7"),
    Case("UTF-8 cut short", [0xE2, 0x82], #"$'\342\202'"#, label: "��"),
    Case("a surrogate in UTF-8", [0xED, 0xA0, 0x80], #"$'\355\240\200'"#, label: "���"),
    Case("reversed text", "a\u{202E}gnp.exe", #"$'a\u202Egnp.exe'"#, label: "a�gnp.exe"),
    Case("an isolate", "\u{2066}a\u{2069}", #"$'\u2066a\u2069'"#, label: "�a�"),
    Case("marks of direction", "\u{200E}\u{200F}\u{61C}", #"$'\u200E\u200F\u061C'"#, label: "���"),
    Case("a zero-width space", "pay\u{200B}pal", #"$'pay\u200Bpal'"#, label: "pay�pal"),
    Case("a joiner between letters", "pay\u{200D}pal", #"$'pay\u200Dpal'"#, label: "pay�pal"),
    Case("a byte order mark", "\u{FEFF}a", #"$'\uFEFFa'"#, label: "�a"),
    Case("a soft hyphen", "a\u{AD}b", #"$'a\u00ADb'"#, label: "a�b"),
    Case("a filler", "\u{3164}", #"$'\u3164'"#, label: "�"),
    Case("a tag", "a\u{E0041}", #"$'a\U000E0041'"#, label: "a�"),
    Case("a selector after a letter", "a\u{FE0F}b", #"$'a\uFE0Fb'"#, label: "a�b"),
    Case("two selectors", "❤\u{FE0F}\u{FE0F}", #"$'❤️\uFE0F'"#, label: "❤️�"),
    Case("a line separator", "a\u{2028}b", #"$'a\u2028b'"#, label: "a�b"),
    Case("a mark on nothing", "\u{301}a", #"$'\u0301a'"#, label: "�a"),
    Case("a mark on a slash", "a/\u{338}b", #"$'a/\u0338b'"#, label: "a/�b"),
    Case("a mark on an escape", "\n\u{301}", #"$'\n\u0301'"#, label: "��"),
    Case("an unassigned character", "\u{378}", #"$'\u0378'"#, label: "�"),
    Case("a no-break space", "a\u{A0}b", #"$'a\u00A0b'"#, label: "a b"),
    Case("blank braille", "\u{2800}", #"$'\u2800'"#, label: " "),
    Case("a space at the end", "a ", "$'a '", label: "a "),
    Case("a space at the start", " é", "$' é'", label: " é"),
    Case("what looks quoted", "$'a'", #"$'$\'a\''"#, label: "$'a'"),
  ]

  @Test(arguments: plain + quoted)
  func `A name is shown exactly or in quotes`(example: Case) {
    #expect(NameDisplay.terminalText(example.bytes) == example.shown)
    #expect(NameDisplay.label(example.bytes) == example.label)
  }

  @Test func `Where only ASCII can be shown, the rest is escaped`() {
    let shown = NameDisplay.terminalText("café 😀'".utf8, asciiOnly: true)
    #expect(shown == #"$'caf\u00E9 \U0001F600\''"#)
    #expect(NameDisplay.terminalText("a b".utf8, asciiOnly: true) == "a b")
  }

  @Test func `Text for data is exact, or says that it is not`() {
    #expect(NameDisplay.dataText("a\n\u{202E}".utf8) == ("a\n\u{202E}", true))
    #expect(NameDisplay.dataText([0x61, 0xFF, 0x62]) == ("a\u{FFFD}b", false))
  }

  @Test func `No bytes bring a control character or a hidden one to the screen`() {
    var generator = SplitMix64(seed: 1)
    for _ in 0..<20_000 {
      let name = hostileName(using: &generator)
      for asciiOnly in [false, true] {
        let shown = NameDisplay.terminalText(name, asciiOnly: asciiOnly)
        #expect(shown.unicodeScalars.allSatisfy { isHarmless($0, in: shown) }, "\(name)")
        if asciiOnly { #expect(shown.utf8.allSatisfy { (0x20...0x7E).contains($0) }, "\(name)") }
      }
      let label = NameDisplay.label(name)
      #expect(label.unicodeScalars.allSatisfy { isHarmless($0, in: label) }, "\(name)")
    }
  }

  @Test func `Bash reads quoted names back as the exact bytes`() throws {
    var generator = SplitMix64(seed: 2)
    var names = Self.quoted.map(\.bytes)
    for _ in 0..<500 { names.append(hostileName(using: &generator)) }
    for asciiOnly in [false, true] {
      let shown = names.map { NameDisplay.terminalText($0, asciiOnly: asciiOnly) }
      let quoted = zip(names, shown).filter { $0.1.hasPrefix("$'") }
      #expect(quoted.count > 100)
      let script = "printf '%s\\0' \(quoted.map(\.1).joined(separator: " "))"
      let output = try #require(try bash(script))
      let expected: [UInt8] = quoted.flatMap { name, _ in name + [0] }
      #expect(output == expected)
    }
  }
}

/// Returns random bytes that are rich in what goes wrong: controls, pieces of UTF-8, odd characters.
private func hostileName(using generator: inout SplitMix64) -> [UInt8] {
  let odd = Array(
    "\u{202E}\u{2066}\u{200B}\u{200D}\u{FE0F}\u{301}\u{9B}\u{E0041}👩é$'\\ ".unicodeScalars
  )
  var name: [UInt8] = []
  for _ in 0..<Int.random(in: 1...12, using: &generator) {
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: name.append(UInt8.random(in: 1...255, using: &generator))
    case 1: name.append(UInt8.random(in: 0x20...0x7E, using: &generator))
    case 2:
      let value = UInt32.random(in: 1...0x10FFFF, using: &generator)
      name += Array(String(Unicode.Scalar(value) ?? "x").utf8)
    default: name += Array(String(odd[Int.random(in: odd.indices, using: &generator)]).utf8)
    }
  }
  return name
}

/// Returns whether a character may be on a screen, by rules written apart from the product's.
private func isHarmless(_ scalar: Unicode.Scalar, in text: String) -> Bool {
  switch scalar.value {
  case 0..<0x20, 0x7F..<0xA0, 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069, 0x061C: false
  case 0x200B, 0x2028...0x2029, 0x2060...0x206F, 0xAD, 0xFEFF, 0xE0000...0xE007F, 0xA0: false
  case 0x200C...0x200D, 0xFE0E...0xFE0F: text.unicodeScalars.first != scalar
  default: true
  }
}

/// Runs a script with bash in a UTF-8 locale, and returns its output.
private func bash(_ script: String) throws -> [UInt8]? {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/bin/bash")
  process.arguments = ["-s"]
  process.environment = ["LC_ALL": "C.UTF-8"]
  let input = Pipe()
  let output = Pipe()
  process.standardInput = input
  process.standardOutput = output
  try process.run()
  // The script fits into the pipe's buffer only in part; bash reads while this writes.
  try input.fileHandleForWriting.write(contentsOf: Data(script.utf8))
  try input.fileHandleForWriting.close()
  let data = try output.fileHandleForReading.readToEnd()
  process.waitUntilExit()
  return data.map { Array($0) }
}
