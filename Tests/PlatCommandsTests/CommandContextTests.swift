import PlatCommands
import PlatTerminal
import PlatTree
import Testing

struct CommandContextTests {
  struct ColorCase: CustomTestStringConvertible {
    var testDescription: String
    var environment: [String: String]
    var choice = CommonOptions.Color.auto
    var isTerminal = true
    var usesColor: Bool
  }

  static let colorCases = [
    ColorCase(testDescription: "a terminal", environment: ["TERM": "xterm"], usesColor: true),
    ColorCase(
      testDescription: "a pipe",
      environment: ["TERM": "xterm"],
      isTerminal: false,
      usesColor: false
    ),
    ColorCase(testDescription: "a dumb terminal", environment: ["TERM": "dumb"], usesColor: false),
    ColorCase(testDescription: "no TERM", environment: [:], usesColor: false),
    ColorCase(
      testDescription: "NO_COLOR",
      environment: ["TERM": "xterm", "NO_COLOR": "0"],
      usesColor: false
    ),
    ColorCase(
      testDescription: "NO_COLOR, empty",
      environment: ["TERM": "xterm", "NO_COLOR": ""],
      usesColor: true
    ),
    ColorCase(
      testDescription: "FORCE_COLOR",
      environment: ["FORCE_COLOR": "1"],
      isTerminal: false,
      usesColor: true
    ),
    ColorCase(
      testDescription: "CLICOLOR_FORCE",
      environment: ["CLICOLOR_FORCE": "1"],
      isTerminal: false,
      usesColor: true
    ),
    ColorCase(
      testDescription: "FORCE_COLOR=0",
      environment: ["FORCE_COLOR": "0"],
      isTerminal: false,
      usesColor: false
    ),
    ColorCase(
      testDescription: "NO_COLOR against FORCE_COLOR",
      environment: ["NO_COLOR": "1", "FORCE_COLOR": "1", "TERM": "xterm"],
      usesColor: false
    ),
    ColorCase(
      testDescription: "--color=always against NO_COLOR",
      environment: ["NO_COLOR": "1"],
      choice: .always,
      isTerminal: false,
      usesColor: true
    ),
    ColorCase(
      testDescription: "--color=never against FORCE_COLOR",
      environment: ["FORCE_COLOR": "1", "TERM": "xterm"],
      choice: .never,
      usesColor: false
    ),
  ]

  @Test(arguments: colorCases)
  func `Colour follows the option, the environment, then the terminal`(example: ColorCase) {
    var options = CommonOptions()
    options.color = example.choice
    let context = CommandContext.capturing(
      environment: example.environment,
      terminal: Terminal(isTerminal: example.isTerminal),
      options: options
    )
    #expect(context.usesColor == example.usesColor)
  }

  @Test(
    arguments: [
      (120, "90", 120), (nil, "90", 90), (nil, "", 80), (nil, "0", 80), (nil, "-5", 80),
      (nil, "wide", 80), (nil, nil, 80),
    ] as [(Int?, String?, Int)]
  )
  func `The width is the terminal's, else COLUMNS, else 80`(
    columns: Int?,
    variable: String?,
    width: Int
  ) {
    let context = CommandContext.capturing(
      environment: variable.map { ["COLUMNS": $0] } ?? [:],
      terminal: Terminal(isTerminal: columns != nil, columns: columns)
    )
    #expect(context.width == width)
  }

  @Test(arguments: [
    (["LANG": "en_US.UTF-8"], true), (["LC_ALL": "C.utf8"], true), (["LANG": "C"], false),
    ([:], false),
    (["LC_ALL": "C", "LANG": "en_US.UTF-8"], false), (["LC_ALL": "", "LANG": "de_DE.UTF-8"], true),
  ])
  func `A terminal without UTF-8 is given ASCII`(
    environment: [String: String],
    showsUTF8: Bool
  ) {
    let terminal = CommandContext.capturing(
      environment: environment,
      terminal: Terminal(isTerminal: true)
    )
    #expect(terminal.usesASCII == !showsUTF8)
    #expect(terminal.shown("é".utf8) == (showsUTF8 ? "é" : #"$'\u00E9'"#))

    let pipe = CommandContext.capturing(environment: environment)
    #expect(!pipe.usesASCII)
    #expect(pipe.shown("é".utf8) == "é")
  }

  @Test func `--ascii changes what is drawn, not names`() {
    var options = CommonOptions()
    options.ascii = true
    let context = CommandContext.capturing(options: options)
    #expect(context.usesASCII)
    #expect(context.shown("é".utf8) == "é")
  }

  @Test func `Ten errors are shown, and the others counted`() {
    let context = CommandContext.capturing()
    context.printErrors(1...1_011) { "/srv/\($0): cannot read" }
    let lines = context.errors.capturedText.split(separator: "\n")
    #expect(lines.count == 11)
    #expect(lines[0] == "plat: /srv/1: cannot read")
    #expect(lines[10] == "plat: and 1,001 more (--verbose lists all)")

    var options = CommonOptions()
    options.verbosity = .verbose
    let verbose = CommandContext.capturing(options: options)
    verbose.printErrors(1...11) { "\($0)" }
    #expect(verbose.errors.capturedText.hasSuffix("plat: 10\nplat: 11\n"))
  }

  @Test func `The option beats the variable that names the snapshots`() {
    var options = CommonOptions()
    let environment = ["PLAT_DATABASE": "/var"]
    #expect(CommandContext.capturing().database == nil)
    #expect(CommandContext.capturing(environment: ["PLAT_DATABASE": ""]).database == nil)
    #expect(CommandContext.capturing(environment: environment).database == Array("/var".utf8))
    options.database = [0xFF]
    let context = CommandContext.capturing(environment: environment, options: options)
    #expect(context.database == [0xFF])
  }

  @Test func `Sizes and JSON follow the options`() {
    var options = CommonOptions()
    options.sizes = .si
    let context = CommandContext.capturing(options: options)
    context.print(context.shown(size: 1_000))
    context.printJSON { json in json.object { json.member("size", 1) } }
    #expect(context.output.capturedText == "1.0 kB\n{\"size\":1}\n")
  }
}

struct TextTableTests {
  private static var table: TextTable {
    var table = TextTable(.trailing("SIZE"), .leading(), .leading("NAME"))
    table.append([.init("6.3 GiB"), .init("█▍"), .init("日本語/", .bold)])
    table.append("12 B", "", "a-file-with-a-long-name.txt")
    table.append("0 B", "日", "")
    return table
  }

  @Test func `Columns are aligned, and lines end without spaces`() {
    #expect(
      Self.table.lines() == [
        "   SIZE      NAME", "6.3 GiB  █▍  日本語/", "   12 B      a-file-with-a-long-name.txt",
        "    0 B  日",
      ]
    )
  }

  @Test func `The last column is cut to the terminal`() {
    let lines = Self.table.lines(maximumWidth: 30)
    #expect(lines[2] == "   12 B      a-file-with…e.txt")
    #expect(Self.table.lines(maximumWidth: 30, ascii: true)[2] == "   12 B      a-file-with~e.txt")
    #expect(
      Self.table.lines(maximumWidth: 3)[2] == "   12 B      a-file…txt"
    )
  }

  @Test func `Styles do not move a column`() {
    let lines = Self.table.lines(styled: true)
    #expect(lines[1] == "6.3 GiB  █▍  \u{1B}[1m日本語/\u{1B}[0m")
    #expect(lines[2] == Self.table.lines()[2])
  }

  @Test func `A table of numbers alone is aligned too`() {
    var table = TextTable(.leading(), .trailing())
    table.append("a", "1")
    table.append("bb", "100")
    #expect(table.lines() == ["a     1", "bb  100"])
    #expect(TextTable(.leading()).lines().isEmpty)
  }

  @Test func `A row of another length stops the process`() async {
    await #expect(processExitsWith: .failure) {
      var table = TextTable(.leading())
      table.append("a", "b")
    }
  }
}

struct BarTests {
  @Test(
    arguments: [
      (0, 100, ""), (1, 0, ""), (100, 100, "████████"), (50, 100, "████"), (53, 100, "████▎"),
      (1, 1_000_000, "▏"), (999, 1000, "████████"), (200, 100, "████████"),
      (.max, .max, "████████"),
    ] as [(UInt64, UInt64, String)]
  )
  func `A bar has eighths of columns`(part: UInt64, whole: UInt64, bar: String) {
    #expect(Bar.text(part, of: whole, columns: 8) == bar)
  }

  @Test(
    arguments: [(0, ""), (1, "#"), (50, "####"), (57, "#####"), (100, "########")]
      as [(UInt64, String)]
  )
  func `In ASCII a bar has whole columns`(part: UInt64, bar: String) {
    #expect(Bar.text(part, of: 100, columns: 8, ascii: true) == bar)
  }

  @Test(
    arguments: [
      (.auto, .full, true), (.dark, .full, false), (.light, .full, true),
      (.mono, ColorDepth.none, true),
    ] as [(BrowseCommand.Theme, ColorDepth, Bool)]
  )
  func `A theme is the ground's, or has no colours`(
    theme: BrowseCommand.Theme,
    depth: ColorDepth,
    isLight: Bool
  ) {
    let context = CommandContext.capturing(
      environment: ["TERM": "xterm", "COLORTERM": "truecolor", "COLORFGBG": "0;15"],
      terminal: Terminal(isTerminal: true)
    )
    var command = BrowseCommand()
    command.theme = theme
    let options = command.screenOptions(in: context)
    #expect(options.depth == depth)
    #expect(options.isLight == isLight)
  }
}
