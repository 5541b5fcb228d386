import Testing

@testable import PlatScan

struct MountTableTests {
  private func table(_ lines: String...) -> MountTable {
    MountTable(parsing: lines.joined(separator: "\n").utf8)
  }

  private func id(_ table: MountTable, at path: String) -> UInt64? {
    table.mount(at: PathComponents(Array(path.utf8)))?.id
  }

  @Test func `A line is read as proc_pid_mountinfo(5) says`() {
    let table = table(
      #"36 35 98:5 /mnt1 /mnt2 rw,noatime master:1 shared:7 - ext3 /dev/root rw,errors=continue"#,
      #"37 36 0:70 / /with\040space\011tab\012line\134back rw - fuse.sshfs  rw"#,
      #"38 36 1048575:1048575 / /x rw unbindable - tmpfs - rw"#
    )
    #expect(table.mounts.map(\.id) == [36, 37, 38])
    #expect(table.mounts.map(\.type) == ["ext3", "fuse.sshfs", "tmpfs"])
    #expect(table.mounts[0].root == Array("/mnt1".utf8))
    #expect(table.mounts[0].device == 98 << 8 | 5)
    #expect(table.mounts[1].mountPoint == Array("/with space\ttab\nline\\back".utf8))
    // glibc: major bits 12 to 31 at 44, 0 to 11 at 8; minor bits 8 to 31 at 20, 0 to 7 at 0.
    #expect(table.mounts[2].device == 0xff << 44 | 0xfff << 8 | 0xfff << 20 | 0xff)
  }

  @Test(arguments: [
    "", "36", "36 35 98:5 /a /b rw", "x 35 98:5 / /b rw - ext4 /dev/x rw",
    "36 35 98 / /b rw - ext4 /dev/x rw", "36 35 98:5 / /b rw shared:1 ext4 /dev/x rw",
    "36 35 98:5 / /b rw shared:1 master:2 unbindable -", "\u{0}\u{ff}  -  - - - - - - - -",
  ])
  func `A line that makes no sense is left out`(line: String) {
    let table = table(line, "1 0 8:1 / / rw - ext4 /dev/vda rw", line)
    #expect(table.mounts.map(\.id) == [1])
  }

  @Test func `An escape that is cut short stays as it is`() {
    let table = table(#"1 0 8:1 /a\04 /b\9 rw - ext4 \ rw"#)
    #expect(table.mounts[0].root == Array(#"/a\04"#.utf8))
    #expect(table.mounts[0].mountPoint == Array(#"/b\9"#.utf8))
  }

  @Test func `A path leads into the deepest mount on its way`() {
    let table = table(
      "1 0 8:1 / / rw - ext4 a rw",
      "2 1 8:2 / /home rw - ext4 b rw",
      "3 2 8:3 / /home/me/x rw - ext4 c rw"
    )
    #expect(id(table, at: "/") == 1)
    #expect(id(table, at: "/homes") == 1)
    #expect(id(table, at: "/home") == 2)
    #expect(id(table, at: "/home/me") == 2)
    #expect(id(table, at: "/home/me/x/y") == 3)
  }

  @Test func `A mount on a mount hides it`() {
    let table = table(
      "1 0 8:1 / / rw - ext4 a rw",
      "2 1 8:2 / /m rw - ext4 b rw",
      "3 2 8:3 / /m rw - ext4 c rw",
      "4 3 8:4 / /m/n rw - ext4 d rw"
    )
    #expect(id(table, at: "/m") == 3)
    #expect(id(table, at: "/m/n") == 4)
  }

  @Test func `A mount above hides what was mounted below before`() {
    let table = table(
      "1 0 8:1 / / rw - ext4 a rw",
      "2 1 8:2 / /m/n rw - ext4 b rw",
      "3 1 8:3 / /m rw - tmpfs c rw"
    )
    #expect(id(table, at: "/m") == 3)
    #expect(id(table, at: "/m/n") == 3)
    #expect(id(table, at: "/m/n/o") == 3)
  }

  @Test func `The order of lines does not matter, only what is mounted on what`() {
    // As after `mount --move`: the mount below /m is listed before the one it is on.
    let table = table(
      "9 1 8:1 / / rw - ext4 a rw",
      "4 7 8:2 / /m/n rw - ext4 b rw",
      "7 9 8:3 / /m rw - ext4 c rw"
    )
    #expect(id(table, at: "/m/n") == 4)
    #expect(id(table, at: "/m") == 7)
    #expect(id(table, at: "/x") == 9)
  }

  @Test func `An empty table has no mount`() {
    #expect(id(table(""), at: "/") == nil)
  }

  @Test func `This machine has a root and its processes`() {
    let table = MountTable()
    // In a changed root, / may be a plain directory.
    #expect(id(table, at: "/proc") != nil)
    #expect(id(table, at: "/proc") != id(table, at: "/"))
  }
}
