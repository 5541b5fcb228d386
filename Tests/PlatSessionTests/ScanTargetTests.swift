import PlatScan
import PlatSession
import Testing

struct ScanTargetTests {
  struct Case: CustomTestStringConvertible {
    var first: [String]
    var second: [String]
    var isSame: Bool

    var testDescription: String { "\(first) \(isSame ? "is" : "is not") \(second)" }
  }

  static let cases = [
    Case(first: ["/a"], second: ["/a/"], isSame: true),
    Case(first: ["/a/b"], second: ["//a/.///b/."], isSame: true),
    Case(first: ["/"], second: ["//"], isSame: true),
    Case(first: ["a"], second: ["/home/here/a"], isSame: true),
    Case(first: ["."], second: ["/home/here"], isSame: true),
    Case(first: ["./a/"], second: ["a"], isSame: true),
    Case(first: ["/a", "/b"], second: ["/a/", "/b/"], isSame: true),
    Case(first: ["/a"], second: ["/A"], isSame: false),
    Case(first: ["/a"], second: ["/a/.."], isSame: false),
    Case(first: ["/.a"], second: ["/a"], isSame: false),
    Case(first: ["/a", "/b"], second: ["/a"], isSame: false),
    Case(first: ["/a/b"], second: ["/a", "b"], isSame: false),
    Case(first: [""], second: ["."], isSame: false),
    Case(first: [""], second: ["/"], isSame: false),
  ]

  @Test(arguments: cases)
  func `Targets are the same if their paths are, however spelled`(example: Case) {
    #expect((target(example.first).id == target(example.second).id) == example.isSame)
  }

  @Test func `Other options make another target`() {
    var options = DirectoryScanner.Options()
    options.crossesFileSystems = false
    #expect(ScanTarget("/a").id != ScanTarget("/a", options: options).id)
    #expect(ScanTarget("/a", options: options).id == ScanTarget("/a/", options: options).id)
  }

  @Test func `Without a working directory a relative path is not an absolute one`() {
    #expect(ScanTarget("a").id == ScanTarget("./a/").id)
    #expect(ScanTarget("a").id != ScanTarget("/a").id)
    #expect(ScanTarget(".").id != ScanTarget("/").id)
  }

  @Test func `Roots are kept as they were given, bytes that are no text too`() {
    let roots: [[UInt8]] = [Array("./a//".utf8), [0x2F, 0xFF, 0x0A]]
    #expect(ScanTarget(roots, workingDirectory: Array("/b".utf8)).roots == roots)
  }

  private func target(_ paths: [String]) -> ScanTarget {
    ScanTarget(paths.map { Array($0.utf8) }, workingDirectory: Array("/home/here".utf8))
  }
}
