import PlatScan
import PlatTestSupport
import PlatTree
import Testing

struct HostileNameTests {
  static let names: [[UInt8]] = [
    [0x0a], [0x20], [0x2d, 0x2d], [0x1b, 0x5b, 0x32, 0x4a], [0xff], [0xff, 0xfe, 0x80],
    [0xc3], [0xe2, 0x80, 0xae, 0x67, 0x70, 0x6a], [0x5c, 0x6e], [0x2a], [0x2e, 0x2e, 0x2e],
    [0x2e, 0x20], [0x01], [0x7f], [0x27, 0x22], Array(repeating: 0x78, count: 255),
    Array(repeating: 0xff, count: 255),
  ]

  @Test func `Names are bytes and come through as they are`() async throws {
    let files = Self.names.map { TreeItem.file(FileName($0), size: 10) }
    let directories = Self.names.map { TreeItem.directory(FileName($0), files) }
    try await withTemporaryTree([.directory("files", files), .directory("dirs", directories)]) {
      root in
      let tree = try await scan(root).tree
      try expectAgreement(tree, root)
      #expect(tree.totals(of: tree.root).files == Self.names.count * (Self.names.count + 1))
    }
  }

  @Test func `A root is bytes`() async throws {
    let name = FileName([0x0a, 0xff, 0x20])
    try await withTemporaryTree([.directory(name, [.file("f", size: 1)])]) { root in
      let path = Array(root.utf8) + [0x2f] + name.bytes
      let result = try await DirectoryScanner().scan([path])
      #expect(result.roots == [path])
      #expect(Array(result.tree.name(of: result.tree.root)) == path)
      #expect(result.tree.totals(of: result.tree.root).files == 1)
    }
  }
}
