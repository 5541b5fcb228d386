import PlatCommands
import PlatTree
import Testing

struct CommandParsingTests {
  @Test(
    arguments: [
      ["--coats", "5", "north"], ["--coats=5", "north"], ["north", "--coats=5"], ["-n5", "north"],
      ["-n", "5", "north"], ["north", "-xn5"], ["-xn", "5", "north"], ["-n3", "north", "-n5"],
    ] as [[Argument]]
  )
  func `A value may follow its option or be joined to it`(words: [Argument]) throws {
    let command = try PaintCommand(parsing: words)
    #expect(command.coats == 5)
    #expect(command.walls == ["north"])
  }

  @Test func `Letters bundle, with common options among them`() throws {
    let command = try PaintCommand(parsing: ["-xqan2"])
    #expect(command.isRough)
    #expect(command.coats == 2)
    #expect(command.common.verbosity == .quiet)
    #expect(command.common.apparent)
  }

  @Test func `Two dashes end the options, and one is an operand`() throws {
    let command = try PaintCommand(parsing: ["-", "--", "--coats", "-x", "--"])
    #expect(command.walls == ["-", "--coats", "-x", "--"])
    #expect(!command.isRough)
  }

  @Test func `The word after an option is its value, whatever it looks like`() throws {
    let command = try PaintCommand(parsing: ["--list", "--", "--label=a=b", "-l", "-x", "1", "2"])
    #expect(command.list == Array("--".utf8))
    #expect(command.label.texts == ["a=b", "-x"])
    #expect(!command.isRough)
  }

  @Test func `Operands and paths are bytes`() throws {
    let bytes: [UInt8] = [0x2F, 0xFF, 0x0A, 0x3D]
    let command = try PaintCommand(parsing: [
      Argument(bytes), Argument("--list=".utf8 + bytes), Argument("--".utf8),
      Argument([0x2D, 0xFF]),
    ])
    #expect(command.walls == [Argument(bytes), Argument([0x2D, 0xFF])])
    #expect(command.list == bytes)
  }

  @Test func `Values have their types`() throws {
    let command = try PaintCommand(parsing: ["--finish", "satin", "--larger=10M", "--si", "--iec"])
    #expect(command.finish == .satin)
    #expect(command.larger == 10_485_760)
    #expect(command.common.sizes == .iec)
  }

  @Test(
    arguments: [
      (["--coats", "0"], "option '--coats' takes a count from 1 to 9, not '0'"),
      (["--coats=+x"], "option '--coats' takes a count from 1 to 9, not '+x'"),
      (
        ["-n99999999999999999999"],
        "option '--coats' takes a count from 1 to 9, not '99999999999999999999'"
      ),
      (["--coats="], "option '--coats' takes a count from 1 to 9, not ''"),
      (["--coats"], "option '--coats' needs a value: COUNT"),
      (["-xn"], "option '--coats' needs a value: COUNT"),
      (["--coat", "2"], "unknown option '--coat'; did you mean '--coats'?"),
      (["--caots=2"], "unknown option '--caots'; did you mean '--coats'?"),
      (["--fin", "matt"], "unknown option '--fin'; did you mean '--finish'?"),
      (["--wallpaper"], "unknown option '--wallpaper'"),
      (["--Coats"], "unknown option '--Coats'; did you mean '--coats'?"),
      (["---"], "unknown option '---'"),
      (["-xy"], "unknown option '-y'"),
      (["-é"], "unknown option '-é'"),
      (["--rough=yes"], "option '--rough' takes no value, not 'yes'"),
      (["--finish", "mat"], "option '--finish' takes gloss, matt or satin, not 'mat'"),
      (
        ["--larger", "big"],
        "option '--larger' takes a size such as 4096, 10M (MiB) or 10MB, below 16 EiB, not 'big'"
      ),
      (["--list", ""], "option '--list' takes a path, not ''"),
      (["--color=blue"], "option '--color' takes auto, always or never, not 'blue'"),
      (["--progress=x"], "option '--progress' takes auto, always, never or json, not 'x'"),
      (["--colour=red"], "option '--colour': sold out"),
      (["-lstripes"], "label 'stripes' is too long"),
      (["-la"], "there are more labels than walls"),
    ] as [([Argument], String)]
  )
  func `A bad command line says what would be right`(words: [Argument], message: String) {
    let error = #expect(throws: UsageError.self) { try PaintCommand(parsing: words) }
    #expect(error?.description == message)
  }

  @Test(arguments: [
    (Array("--a\n\u{1B}[31m".utf8), #"unknown option $'--a\n\033[31m'"#),
    ([0x2D, 0xFF], #"unknown option $'-\377'"#),
    ([0x2D, 0x01], #"unknown option $'-\001'"#),
    (Array("--label=".utf8) + [0xFF], #"option '--label' takes text in UTF-8, not $'\377'"#),
  ])
  func `What a message quotes is safe to show`(bytes: [UInt8], message: String) {
    let error = #expect(throws: UsageError.self) { try PaintCommand(parsing: [Argument(bytes)]) }
    #expect(error?.description == message)
  }

  @Test func `Help is given whatever else was typed after it`() throws {
    #expect(try PaintCommand(parsing: ["-h", "--nonsense"]).common.request == .help)
    #expect(try PaintCommand(parsing: ["-lx", "--version", "-n0"]).common.request == .version)
  }

  @Test func `A command without operands refuses one`() {
    let error = #expect(throws: UsageError.self) { try ListCommand(parsing: ["-l", "x"]) }
    #expect(error?.description == "unexpected operand 'x'")
  }

  @Test func `No two options of a command share a name or a letter`() {
    for command in CommandList.standard.commands + CommandList.sample.commands {
      let options = command.summaries
      #expect(Set(options.map(\.name)).count == options.count, "\(command.name)")
      let letters = options.compactMap(\.short).filter { !(command.name == "paint" && $0 == "l") }
      #expect(Set(letters).count == letters.count, "\(command.name)")
    }
  }
}
