import Glibc
import PlatTestSupport
import PlatTree
import Testing

@testable import PlatScan

struct DirectoryReaderTests {
  @Test(arguments: [0, 1, 300, 5000])
  func `What is read without asking for the end is all there is`(count: Int) async throws {
    try await withTemporaryTree([]) { root in
      let directory = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      defer { close(directory) }
      let expected = (0..<count).map { "name-\($0)" }
      for name in expected {
        close(openat(directory, name, O_CREAT | O_WRONLY | O_CLOEXEC, 0o644))
      }
      for isOneBlock in [false, true] {
        try #require(lseek(directory, 0, SEEK_SET) == 0)
        var reader = DirectoryReader()
        try #require(reader.read(directory, isOneBlock: isOneBlock) { false } == 0)
        var names: [String] = []
        while let record = reader.next() { names.append(String(cString: record.name)) }
        #expect(names.sorted() == expected.sorted())
      }
    }
  }

  @Test func `The end of a directory is asked for where that is not known to be needless`() {
    let types = ["ext4", "xfs", "btrfs", "tmpfs", "overlay", "fuse.sshfs", "nfs4", ""]
    let whole = types.filter { FileSystem(device: 1, type: $0).readsBlocksWhole }
    #expect(whole == ["ext4"])
  }
}
