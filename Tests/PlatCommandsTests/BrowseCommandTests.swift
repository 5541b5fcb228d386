import Foundation
import Glibc
import PlatCommands
import PlatTestSupport
import Testing

/// `plat browse` as people use it: in a terminal, with keys.
@Suite(.serialized, .enabled("tmux is not installed") { Tmux.isInstalled })
struct BrowseCommandTests {
  private static let items: [TreeItem] = [
    .directory(
      "big",
      [.directory("inner", [.file("a.iso", size: 900_000)]), .file("b.txt", size: 60_000)]
    ),
    .directory("small", [.file("c.swift", size: 20_000)]), .file("two\nlines", size: 5_000),
    .file("\u{202E}gnp.exe", size: 4_000), .file(FileName([0xFF, 0xFE]), size: 3_000),
  ]

  /// Whether a screen shows a complete scan, and none goes on; windows below 60 columns do not tell.
  private static func isAtRest(_ screen: String) -> Bool {
    let title = screen.prefix { $0 != "\n" }
    return title.contains(" just now") || title.contains(" ago")
  }

  /// Browses a tree in a terminal; `body` begins when the scan is complete, and has to leave the program.
  private func browse(
    columns: Int = 80,
    rows: Int = 24,
    _ options: String = "",
    environment: [String: String] = [:],
    _ body: (Tmux, _ root: String, _ folder: String) async throws -> Void
  ) async throws {
    try await withTemporaryTree([]) { folder in
      try await withTemporaryTree(Self.items) { root in
        let terminal = try await Tmux(
          columns: columns,
          rows: rows,
          in: folder,
          environment: environment.merging(["ROOT": root]) { given, _ in given }
        )
        let command = "bash -c 'echo $$ >pid; exec plat browse \(options) \"$ROOT\"'"
        try terminal.type("stty -g >before; \(command); echo status $?; stty -g >after")
        try terminal.send("Enter")
        try await terminal.wait(for: "the complete scan") {
          $0.contains("big/") && (columns < 60 || Self.isAtRest($0))
        }
        try await body(terminal, root, folder)
        let before = try String(contentsOfFile: folder + "/before", encoding: .utf8)
        try await terminal.wait(for: "the settings of the terminal") { _ in
          (try? String(contentsOfFile: folder + "/after", encoding: .utf8))?.hasSuffix("\n") == true
        }
        #expect(try String(contentsOfFile: folder + "/after", encoding: .utf8) == before)
      }
    }
  }

  @Test func `Keys lead into directories and back, and the terminal is as it was afterwards`()
    async throws
  {
    try await browse { terminal, _, _ in
      try terminal.send("Enter")
      try await terminal.wait("inner/", "b.txt")
      try terminal.send("Left")
      try await terminal.wait("small/", #"$'two\nlines'"#)
      try terminal.send("/")
      try terminal.type("iso")
      try await terminal.wait("big/inner/a.iso", "Find iso")
      try terminal.send("Enter")
      try await terminal.wait("› inner")
      try terminal.send("q")
      try await terminal.wait("status 0", without: "inner")
    }
  }

  @Test func `Another root is completed from the disk`() async throws {
    try await browse { terminal, _, _ in
      try terminal.send("o")
      try terminal.type("/")
      try terminal.send("Tab")
      try await terminal.wait("big  small")
      try terminal.type("b")
      try terminal.send("Tab")
      try await terminal.wait("/big/▏")
      try terminal.send("Enter")
      try await terminal.wait("inner/", "b.txt", without: "small/")
      try terminal.send("q")
      try await terminal.wait("status 0", without: "inner")
    }
  }

  @Test(arguments: [
    ("C-c", "status 130"), ("TERM", "status 143"), ("HUP", "status 129"), ("SEGV", "status 139"),
  ])
  func `However it ends, the terminal is as it was`(end: String, status: String) async throws {
    try await browse { terminal, _, folder in
      if end == "C-c" {
        try terminal.send(end)
      } else {
        let process = try String(contentsOfFile: folder + "/pid", encoding: .utf8)
        _ = try run(["kill", "-\(end)", process.trimmingCharacters(in: .whitespacesAndNewlines)])
      }
      try await terminal.wait(status, without: "small/")
    }
  }

  @Test func `After a stop and a start the screen is there again`() async throws {
    try await browse { terminal, _, _ in
      try terminal.send("C-z")
      // The shell goes on with the rest of the line.
      try await terminal.wait("Stopped", "status 148", without: "small/")
      try terminal.type("fg; echo end $?")
      try terminal.send("Enter")
      try await terminal.wait("small/")
      try terminal.send("q")
      try await terminal.wait("end 0", without: "small/")
    }
  }

  @Test func `After a storm of sizes the screen is that of the last size`() async throws {
    // The age of the scan and the root's name differ, and tiles lie where the growing scan put them.
    func list(_ screen: String) -> [Substring] {
      screen.split(separator: "\n").dropFirst().dropLast(2).map { $0.prefix(45) }
    }
    try await browse(columns: 90, rows: 20) { fresh, _, _ in
      try await browse(columns: 40, rows: 10) { terminal, _, _ in
        for (columns, rows) in [(20, 4), (3, 2), (1, 1), (200, 60), (18, 3), (72, 12), (90, 20)] {
          try terminal.resize(columns: columns, rows: rows)
        }
        try await terminal.wait(for: "the screen of a start at that size") {
          list($0) == list(try fresh.screen())
        }
        try terminal.send("q")
      }
      try fresh.send("q")
    }
  }

  @Test(arguments: [(18, 3), (1, 1)])
  func `A window that is too small says so, and q still quits`(columns: Int, rows: Int) async throws
  {
    try await browse { terminal, _, _ in
      try terminal.resize(columns: columns, rows: rows)
      if columns > 4 { try await terminal.wait("too small", "q quits") }
      try terminal.send("q")
      try terminal.resize(columns: 80, rows: 24)
      try await terminal.wait("status 0")
    }
  }

  @Test(arguments: [["NO_COLOR": "1"], ["TERM": "vt100", "COLORTERM": ""], ["LC_ALL": "C"]])
  func `With fewer means the same is shown with fewer`(environment: [String: String]) async throws {
    try await browse(environment: environment) { terminal, _, _ in
      let screen = try await terminal.wait("big/", "small/", "q quit")
      if environment["LC_ALL"] == "C" { #expect(screen.utf8.allSatisfy { $0 < 0x80 }) }
      try terminal.send("q")
    }
  }

  @Test func `Files that come and go are found by another scan, and the place is kept`()
    async throws
  {
    try await browse { terminal, root, _ in
      try terminal.send("Enter")
      try await terminal.wait("b.txt")
      try Data(count: 300_000).write(to: URL(filePath: root + "/big/new.bin"))
      try FileManager.default.removeItem(atPath: root + "/big/b.txt")
      try terminal.send("r")
      try await terminal.wait("new.bin", "inner/", without: "b.txt")
      try terminal.send("q")
    }
  }

  @Test func `What is marked is printed, and what is deleted is gone from disk and screen`()
    async throws
  {
    try await browse("--theme dark") { terminal, root, _ in
      try terminal.send("Down", "D")
      try await terminal.wait("delete 2")
      try terminal.type("delete 3")
      try terminal.send("Enter", "C-u")
      #expect(access(root + "/small/c.swift", F_OK) == 0)
      try terminal.type("delete 2")
      try terminal.send("Enter")
      try await terminal.wait("Deleted 2 items", without: "small/")
      #expect(access(root + "/small", F_OK) == -1)
      try terminal.send("g", "Space", "p")
      // A long path takes more than one line.
      try await terminal.wait(for: "the path and the status") {
        $0.replacing("\n", with: "").contains("\(root)/bigstatus 0")
      }
    }
  }

  @Test func `With --read-only nothing is deleted`() async throws {
    try await browse("--read-only") { terminal, root, _ in
      try terminal.send("D")
      try await terminal.wait("nothing can be deleted")
      #expect(access(root + "/big", F_OK) == 0)
      try terminal.send("q")
    }
  }
}

struct TerminalAnswerTests {
  /// A terminal that says how many columns it moved for the character that it was asked about.
  ///
  /// To all other questions it says that the cursor is in the corner. It prints the bytes of the last
  /// whole frame, and of those after it.
  private static let script = """
    import fcntl, os, pty, struct, sys, termios
    process, end = pty.fork()
    if process == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 100, 0, 0))
        os.execvp("plat", ["plat", "browse", "--theme=dark", "--read-only"] + sys.argv[2:])
    received, answers, is_asked_to_end = b"", 0, False
    while True:
        try:
            data = os.read(end, 65536)
        except OSError:
            break
        received += data
        while received.count(b"\\x1b[6n") > answers:
            os.write(end, b"\\x1b[1;%dR" % (1 + int(sys.argv[1]) if answers == 0 else 1))
            answers += 1
        # The title says so once the scan is complete; then there was an answer to a frame.
        if answers > 2 and b"just now" in received and not is_asked_to_end:
            is_asked_to_end = True
            os.write(end, b"q")
    os.waitpid(process, 0)
    sys.stdout.buffer.write(received.split(b"\\x1b[2J")[-1])
    """

  @Test(arguments: [(1, true), (2, false)])
  func `Where a character takes two columns that has one elsewhere, ASCII is drawn`(
    width: Int,
    isUnicode: Bool
  ) async throws {
    try await withTemporaryTree([
      .directory("big", [.file("a.iso", size: 90_000)]), .file("写真", size: 50_000),
    ]) { root in
      try await withTemporaryTree([]) { folder in
        let outcome = try Program.shell(
          #"python3 -c "$SCRIPT" \#(width) "$1""#,
          [root],
          environment: [
            "XDG_STATE_HOME": folder, "LC_ALL": "C.UTF-8", "TERM": "xterm-256color",
            "SCRIPT": Self.script,
          ]
        )
        #expect(outcome.errors == "")
        let text = outcome.text
        #expect(text.contains("写") && text.contains("真"))
        // Names are shown as they are; the root's may be anything.
        let drawn = text.filter { !"写真\(root)".contains($0) || $0.isASCII }
        #expect(drawn.contains("█") == isUnicode)
        #expect(drawn.utf8.allSatisfy { $0 < 0x80 } == !isUnicode)
      }
    }
  }

  @Test func `On a slow line there are no more than 256 colours`() async throws {
    try await withTemporaryTree([.directory("big", [.file("a.iso", size: 90_000)])]) { root in
      try await withTemporaryTree([]) { folder in
        func frames(_ options: String) throws -> String {
          try Program.shell(
            #"python3 -c "$SCRIPT" 1 \#(options) "$1""#,
            [root],
            environment: [
              "XDG_STATE_HOME": folder, "LC_ALL": "C.UTF-8", "TERM": "xterm-256color",
              "COLORTERM": "truecolor", "SCRIPT": Self.script,
            ]
          ).text
        }
        #expect(try frames("").contains("8;2;"))
        let slow = try frames("--slow")
        #expect(slow.contains("8;5;") && !slow.contains("8;2;"))
      }
    }
  }
}

struct BrowseWithoutTerminalTests {
  @Test(arguments: [
    ("TERM=xterm plat browse", "plat: browse needs a terminal on standard input\n"),
    (
      "env -u TERM plat browse",
      "plat: TERM is not set: browse needs a terminal that can be drawn on\n"
    ),
  ])
  func `Without a terminal it says what it needs`(script: String, message: String) throws {
    let outcome = try Program.shell(script)
    #expect(outcome.status == 2)
    #expect(outcome.errors.hasPrefix(message))
    #expect(outcome.output.isEmpty)
  }

  @Test func `Line by line the same is there in words`() async throws {
    try await withTemporaryTree([
      .directory("big", [.file("a.iso", size: 90_000)]), .file("two\nlines", size: 5_000),
    ]) { root in
      try await withTemporaryTree([]) { state in
        let outcome = try Program.shell(
          """
          printf '%s\\n' 'open 1' 'up' 'find iso' 'mark 2' 'delete 1' 'no' 'delete 1' 'delete 2' print \
          | plat browse --plain "$1"
          """,
          [root],
          environment: ["XDG_STATE_HOME": state, "LC_ALL": "C.UTF-8"]
        )
        #expect(outcome.status == 0)
        #expect(outcome.errors == "")
        let text = outcome.text
        #expect(text.contains("1  big/  "))
        #expect(text.contains(#"2  $'two\nlines'  8.0 KiB"#))
        #expect(text.contains("1  a.iso  "))
        #expect(text.contains("1 name found, the largest first"))
        #expect(text.contains("Type delete 2 to confirm; anything else keeps it."))
        #expect(text.contains("Nothing was removed."))
        #expect(text.contains("Deleted 2 items"))
        #expect(access(root + "/big", F_OK) == -1)
      }
    }
  }

  @Test func `Line by line a snapshot is compared with, and marks are printed with NUL`()
    async throws
  {
    try await withTemporaryTree([
      .directory("big", [.file("a.iso", size: 90_000)]), .file("old", size: 5_000),
    ]) { root in
      try await withTemporaryTree([]) { state in
        let outcome = try Program.shell(
          """
          plat scan -q "$1"
          rm "$1/old"
          head -c 50000 /dev/zero >"$1/big/new"
          sleep 1
          printf '%s\\n' 'refresh all' 'compare newer' compare 'open 1' up 'compare off' 'mark 1' print \
          | plat browse -0 --plain "$1"
          """,
          [root],
          environment: ["XDG_STATE_HOME": state, "LC_ALL": "C.UTF-8"]
        )
        #expect(outcome.errors == "")
        let text = outcome.text
        #expect(text.contains("Nothing is compared with."))
        #expect(text.contains("Changes since "))
        #expect(text.contains("big/") && text.contains("grew by 52.0 KiB"))
        #expect(text.contains("old  0 B  gone, it had 8.0 KiB"))
        #expect(text.contains("1  new  52.0 KiB  new"))
        #expect(text.hasSuffix("\(root)/big\0"))
      }
    }
  }

  @Test func `Line by line a list is sorted by whatever the screen sorts by, and tells it`()
    async throws
  {
    try await withTemporaryTree([
      .file("long", size: 5_000), .file("short", size: 4_000), .file("open", size: 6_000),
    ]) { root in
      try await withTemporaryTree([]) { state in
        let outcome = try Program.shell(
          """
          cd "$1"
          chmod 640 long
          chmod 600 short
          chmod 666 open
          touch -d @1000000000 short
          touch -d @1100000000 open
          printf '%s\\n' 'sort mode' 'sort mode' 'sort other' 'sort time' 'sort owner' 'sort size' \
            'sort weight' | plat browse --plain .
          """,
          [root],
          environment: ["XDG_STATE_HOME": state, "LC_ALL": "C.UTF-8", "TZ": "UTC"]
        )
        #expect(outcome.errors == "")
        let orders = outcome.text.split(separator: "\(root): ").map { listing in
          listing.split(separator: "\n").filter { $0.first?.isNumber == true && $0.contains("B  ") }
            .map { $0.split(separator: " ")[1] }
        }
        #expect(
          orders.dropFirst(2) == [
            ["short", "long", "open"], ["open", "long", "short"], ["open", "long", "short"],
            ["long", "open", "short"], ["long", "open", "short"], ["long", "open", "short"],
          ]
        )
        #expect(outcome.text.contains("mode 666") && outcome.text.contains("owner "))
        #expect(outcome.text.contains("5.9 KiB apparent"))
        #expect(outcome.text.contains("09 Sep 2001 01:46"))
        #expect(outcome.text.contains("Sort by size, other (size), name"))
      }
    }
  }

  @Test func `Line by line a directory, or everything, is looked at again`() async throws {
    try await withTemporaryTree([.directory("big", [.file("a.iso", size: 90_000)])]) { root in
      try await withTemporaryTree([]) { state in
        let outcome = try Program.shell(
          """
          mkfifo commands
          plat browse --plain "$1" <commands &
          exec 3>commands
          echo 'open 1' >&3
          head -c 50000 /dev/zero >"$1/big/new"
          echo refresh >&3
          echo 'refresh all' >&3
          exec 3>&-
          wait $!
          """,
          [root],
          in: state,
          environment: ["XDG_STATE_HOME": state, "LC_ALL": "C.UTF-8"]
        )
        #expect(outcome.status == 0)
        #expect(outcome.errors == "")
        #expect(outcome.text.matches(of: /Scanning\./).count == 2)
        let listings = outcome.text.split(separator: "\(root)/big: ")
        #expect(listings.count == 4)
        #expect(listings.suffix(2).allSatisfy { $0.contains("2  new  ") })
      }
    }
  }
}
