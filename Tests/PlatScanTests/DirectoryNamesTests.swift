import PlatTestSupport
import Testing

@testable import PlatScan

struct DirectoryNamesTests {
  @Test func `Directories and links to them are found by how their names begin`() async throws {
    let odd: [UInt8] = Array("do".utf8) + [0xFF, 0x0A]
    try await withTemporaryTree([
      .directory("docs", []), .directory(FileName(odd), []), .directory("down", []),
      .directory("other", []), .file("dot", size: 1), .symbolicLink("dolink", to: "docs"),
      .symbolicLink("dofile", to: "dot"), .symbolicLink("dogone", to: "nothing"),
    ]) { root in
      let folder = Array(root.utf8)
      let names = directoryNames(in: folder, startingWith: Array("do".utf8)[...])
      #expect(names == ["docs", "dolink", "down"].map { Array($0.utf8) } + [odd])
      #expect(directoryNames(in: folder, startingWith: []).count == 5)
      #expect(directoryNames(in: folder, startingWith: [], isCancelled: { true }).isEmpty)
      let missing = folder + Array("/nothing".utf8)
      #expect(directoryNames(in: missing, startingWith: []).isEmpty)
    }
  }
}
