import PlatTree
import Testing

struct FileCategoryTests {
  struct Case: CustomTestStringConvertible {
    var name: String
    var category: FileCategory
    var isExecutable = false
    var isManualPage = false
    var testDescription: String { name }
  }

  static let cases = [
    Case(name: "main.swift", category: .code),
    Case(name: "PHOTO.JPG", category: .image),
    Case(name: "archive.tar.gz", category: .archive),
    Case(name: "notes.txt.1", category: .configuration),
    Case(name: "photo.jpg.unknown", category: .image),
    Case(name: "libz.so.1.3", category: .program),
    Case(name: "libz.so.backup.gz", category: .program),
    Case(name: "kubectl.1.33", category: .program, isExecutable: true),
    Case(name: "kubectl.1.33", category: .other),
    Case(name: "python3", category: .program, isExecutable: true),
    Case(name: "python3", category: .other),
    Case(name: "README", category: .other),
    Case(name: "copyright", category: .configuration),
    Case(name: "LICENSE", category: .configuration, isExecutable: true),
    Case(name: "film.unknown", category: .other, isExecutable: true),
    Case(name: ".profile", category: .other),
    Case(name: ".config.yaml", category: .configuration),
    Case(name: ".so", category: .other),
    Case(name: "Foo.swiftinterface", category: .code),
    Case(name: "a.swiftinterfaces", category: .other),
    Case(name: "part.crdownload", category: .log),
    Case(name: "ls.1.gz", category: .document, isManualPage: true),
    Case(name: "ls.1.gz", category: .archive),
    Case(name: "x.", category: .other),
    Case(name: "..", category: .other),
    Case(name: "", category: .other),
    Case(name: "1", category: .program, isExecutable: true),
    Case(name: "a.12345678901234567", category: .other, isExecutable: true),
  ]

  @Test(arguments: cases)
  func `The last known extension that is no number decides`(example: Case) {
    let category = FileCategory(
      name: Array(example.name.utf8).span,
      isExecutable: example.isExecutable,
      isManualPage: example.isManualPage
    )
    #expect(category == example.category)
  }

  @Test func `Every extension of every category is found, in any case`() {
    for category in FileCategory.allCases {
      for text in category.extensions {
        let names = ["file.\(text)", "FILE.\(text.uppercased())", "file.\(text).2"]
        for name in names {
          #expect(FileCategory(name: Array(name.utf8).span, isExecutable: false) == category)
        }
      }
    }
  }

  @Test func `An extension belongs to one category`() {
    let all = FileCategory.allCases.flatMap(\.extensions)
    #expect(Set(all).count == all.count)
    #expect(all.count > 200)
  }

  @Test(arguments: [
    ("man1", true), ("man3pm", true), ("mann", true), ("man", false), ("manual", false),
    ("mans", false), ("many", false), ("nam1", false), ("", false),
  ])
  func `Manual pages are known by their directory`(name: String, holds: Bool) {
    #expect(FileCategory.holdsManualPages(directoryNamed: name.utf8) == holds)
  }

  @Test func `Bytes that are no text are no extension`() {
    let name: [UInt8] = [0x61, 0x2e, 0xff, 0xfe, 0x00]
    #expect(FileCategory(name: name.span, isExecutable: true) == .other)
  }
}
