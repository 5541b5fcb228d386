import Foundation
import Glibc
import PlatCommands
import Testing

struct OutputTests {
  private let directory = FileManager.default.temporaryDirectory
    .appending(path: "plat-\(UUID().uuidString)", directoryHint: .isDirectory)

  init() throws {
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  }

  /// Runs a test, and removes the directory.
  private func inDirectory(_ body: () throws -> Void) throws {
    defer { try? FileManager.default.removeItem(at: directory) }
    try body()
  }

  private func path(_ name: String) -> [UInt8] {
    Array((directory.path + "/" + name).utf8)
  }

  private func text(_ name: String) throws -> String {
    try String(contentsOf: directory.appending(path: name), encoding: .utf8)
  }

  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() }
  }

  private func mode(_ name: String) throws -> mode_t {
    var status = stat()
    try #require(stat(directory.path + "/" + name, &status) == 0)
    return status.st_mode & 0o7777
  }

  private func write(_ text: String, to path: [UInt8]) throws {
    try AtomicFile.write(to: path, in: .capturing()) { $0.write(text) }
  }

  // MARK: Streams

  @Test func `A full disk is an error of the stream, once`() throws {
    let output = Output(descriptor: open("/dev/full", O_WRONLY), name: "standard output")
    output.write("x")
    try output.check()
    #expect(throws: OutputError.self) { try output.flush() }
    output.write(String(repeating: "x", count: 1_000_000))
    let error = #expect(throws: OutputError.self) { try output.close() }
    #expect(error?.description == "standard output: cannot write (No space left on device)")
    #expect(error?.status == .unwritable)
  }

  @Test func `A large write is noticed before the end`() throws {
    let output = Output(descriptor: open("/dev/full", O_WRONLY), name: "x")
    output.write(String(repeating: "x", count: 100_000))
    #expect(throws: OutputError.self) { try output.check() }
    #expect(throws: OutputError.self) { try output.close() }
  }

  @Test func `A closed pipe is no fault`() throws {
    signal(SIGPIPE, SIG_IGN)
    let pipe = Pipe()
    try pipe.fileHandleForReading.close()
    let output = Output(descriptor: dup(pipe.fileHandleForWriting.fileDescriptor), name: "x")
    output.write("x")
    let error = #expect(throws: OutputError.self) { try output.close() }
    #expect(error?.isClosedPipe == true)
    #expect(error?.status == .pipeClosed)
  }

  @Test func `A closed descriptor is an error only if it is used`() throws {
    try Output(descriptor: 999, name: "x").close()
    let output = Output(descriptor: 999, name: "x")
    output.write("x")
    let error = #expect(throws: OutputError.self) { try output.close() }
    #expect(error?.description == "x: cannot write (Bad file descriptor)")
  }

  @Test func `Everything is written to a slow pipe that does not block`() throws {
    let pipe = Pipe()
    let descriptor = dup(pipe.fileHandleForWriting.fileDescriptor)
    try pipe.fileHandleForWriting.close()
    #expect(fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0)
    let count = 3_000_000
    let thread = Thread {
      let output = Output(descriptor: descriptor, name: "x")
      output.write([UInt8](repeating: 0x78, count: count))
      try? output.close()
    }
    thread.start()
    let data = try #require(try pipe.fileHandleForReading.readToEnd())
    #expect(data.count == count)
  }

  // MARK: Files

  @Test func `A new file follows the umask`() throws {
    try inDirectory {
      try write("new", to: path("a.svg"))
      #expect(try text("a.svg") == "new")
      try "".write(to: directory.appending(path: "plain"), atomically: false, encoding: .utf8)
      #expect(try mode("a.svg") == mode("plain"))
      #expect(try names == ["a.svg", "plain"])
    }
  }

  @Test func `An old file is replaced, and its mode kept`() throws {
    try inDirectory {
      try write("old", to: path("a"))
      try #require(chmod(directory.path + "/a", 0o640) == 0)
      try #require(link(directory.path + "/a", directory.path + "/b") == 0)
      try write("new", to: path("a"))
      #expect(try text("a") == "new")
      #expect(try text("b") == "old")
      #expect(try mode("a") == 0o640)
    }
  }

  @Test func `An error leaves the old file and nothing else`() throws {
    struct Stop: Error {}
    try inDirectory {
      try write("old", to: path("a"))
      for name in ["a", "b"] {
        #expect(throws: Stop.self) {
          try AtomicFile.write(to: path(name), in: .capturing()) { output in
            output.write(String(repeating: "half", count: 100_000))
            throw Stop()
          }
        }
      }
      #expect(try text("a") == "old")
      #expect(try names == ["a"])
    }
  }

  @Test func `A link stays, and what it leads to is replaced`() throws {
    try inDirectory {
      try FileManager.default.createDirectory(
        at: directory.appending(path: "d"),
        withIntermediateDirectories: false
      )
      try write("old", to: path("d/real"))
      try #require(symlink("d/one", directory.path + "/link") == 0)
      try #require(symlink("real", directory.path + "/d/one") == 0)
      try #require(symlink("d/later", directory.path + "/dangling") == 0)
      try write("new", to: path("link"))
      try write("first", to: path("dangling"))
      #expect(try text("d/real") == "new")
      #expect(try text("d/later") == "first")
      #expect(try names == ["d", "dangling", "link"])
    }
  }

  @Test func `A name may be any bytes`() throws {
    try inDirectory {
      let name = path("") + [0xFF, 0x0A]
      try write("x", to: name)
      #expect(access(name.map(CChar.init(bitPattern:)) + [0], R_OK) == 0)
    }
  }

  @Test func `A dash is standard output`() throws {
    let context = CommandContext.capturing()
    for path in ["-", "/dev/stdout"] {
      try AtomicFile.write(to: Array(path.utf8), in: context) { $0.write(path) }
    }
    #expect(context.output.capturedText == "-/dev/stdout")
  }

  @Test func `A device is written to as it is`() throws {
    try write("x", to: Array("/dev/null".utf8))
    let error = #expect(throws: OutputError.self) { try write("x", to: Array("/dev/full".utf8)) }
    #expect(error?.description == "/dev/full: cannot write (No space left on device)")
    var status = stat()
    #expect(stat("/dev/full", &status) == 0)
    #expect(status.st_mode & S_IFMT == S_IFCHR)
  }

  @Test func `What a descriptor's path leads to is not replaced`() throws {
    try inDirectory {
      try write("a longer old text", to: path("a"))
      let descriptor = open(directory.path + "/a", O_RDWR)
      defer { close(descriptor) }
      for directory in ["/proc/self/fd", "/dev/fd"] {
        try write(directory, to: Array("\(directory)/\(descriptor)".utf8))
        #expect(try text("a") == directory)
      }
      var before = stat()
      var after = stat()
      #expect(fstat(descriptor, &before) == 0)
      #expect(stat(directory.path + "/a", &after) == 0)
      #expect(before.st_ino == after.st_ino)
    }
  }

  @Test(arguments: [
    ("", "cannot write (Is a directory)"),
    ("none/a", "cannot create a file in its directory (No such file or directory)"),
    ("loop", "cannot write (Too many levels of symbolic links)"),
    (
      String(repeating: "x", count: 300),
      "cannot write (File name too long)"
    ),
  ])
  func `A path that cannot be written says why`(name: String, reason: String) throws {
    try inDirectory {
      try #require(symlink("loop", directory.path + "/loop") == 0)
      let error = #expect(throws: OutputError.self) { try write("x", to: path(name)) }
      #expect(error?.description == "\(directory.path)/\(name): \(reason)")
      #expect(try names == ["loop"])
    }
  }

  @Test(.disabled(if: geteuid() == 0, "root writes everything"))
  func `A file that must not be written is not replaced`() throws {
    try inDirectory {
      try write("old", to: path("a"))
      try #require(chmod(directory.path + "/a", 0o444) == 0)
      let error = #expect(throws: OutputError.self) { try write("new", to: path("a")) }
      #expect(error?.errno == EACCES)
      #expect(try text("a") == "old")
    }
  }
}
