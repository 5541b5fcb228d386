import PlatTree
import Testing

@testable import PlatCommands
@testable import PlatScan

struct FileSystemReportTests {
  private static let megabyte: UInt64 = 1 << 20

  /// A file system of 1000 MiB, of which 500 MiB are in use, and a scan that found some of them.
  private func use(found: UInt64) throws -> FileSystemUse {
    let space = try #require(FileSystemSpace(at: Array("/".utf8)))
    var use = FileSystemUse(
      mountPoint: Array("/srv".utf8),
      type: "ext4",
      space: space,
      found: found * Self.megabyte,
      deletedFiles: DeletedFiles(),
      hiddenDirectories: []
    )
    (use.space.total, use.space.used) = (1000 * Self.megabyte, 500 * Self.megabyte)
    return use
  }

  private func file(_ path: String, _ size: UInt64, _ process: String) -> DeletedFiles.File {
    DeletedFiles.File(
      path: Array(path.utf8),
      allocatedSize: size * Self.megabyte,
      processID: 7,
      processName: Array(process.utf8)
    )
  }

  @Test func `A total that is what df says needs one line`() throws {
    let context = CommandContext.capturing()
    #expect(
      try use(found: 500).lines(unread: 0, in: context) == [
        "df: 500 MiB of 1000 MiB in use on /srv, as was found"
      ]
    )
  }

  @Test func `Deleted files and hidden directories are told one by one, the largest first`() throws
  {
    var use = try use(found: 300)
    use.deletedFiles.files = [
      file("/srv/log\u{1B}[2J", 60, "a\nb"), file("/srv/b", 50, "d"), file("/srv/c", 5, "d"),
      file("/srv/d", 4, "d"),
    ]
    use.hiddenDirectories = [
      HiddenDirectory(path: Array("/srv/m".utf8), entryCount: 9, allocatedSize: 70 << 20)
    ]
    use.hiddenDirectories[0].isComplete = false
    #expect(
      use.lines(unread: 2, in: .capturing()) == [
        "df: 500 MiB of 1000 MiB in use on /srv, 200 MiB more than was found",
        "  119 MiB in 4 deleted files that are still open:",
        #"    60.0 MiB $'/srv/log\033[2J', by $'a\nb' 7"#,
        "    50.0 MiB /srv/b, by d 7",
        "    5.0 MiB /srv/c, by d 7",
        "    and 1 more",
        "  at least 70.0 MiB hidden below the mount point /srv/m",
        "  11.0 MiB elsewhere: 2 entries not read, or records of the file system itself",
      ]
    )
  }

  @Test func `Less in use than was found is explained, and no sum overflows`() throws {
    #expect(
      try use(found: 600).lines(unread: 0, in: .capturing()) == [
        "df: 500 MiB of 1000 MiB in use on /srv, 100 MiB less than was found",
        "  100 MiB less, as files share it or are compressed, or have changed meanwhile",
      ]
    )
    var vast = try use(found: 0)
    vast.deletedFiles.files = [file("/a", 1, "p"), file("/b", 1, "p")]
    for index in 0..<2 { vast.deletedFiles.files[index].allocatedSize = .max }
    vast.hiddenDirectories = [HiddenDirectory(path: [0x2F], allocatedSize: .max)]
    #expect(vast.lines(unread: 0, in: .capturing()).count > 3)
  }
}
