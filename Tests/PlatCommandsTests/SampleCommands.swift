import PlatCommands

/// The status of a command, for the testing library has a type of the same name.
typealias ExitStatus = PlatCommands.ExitStatus

/// A command with an option of every kind, which shows what it was given.
struct PaintCommand: Command {
  enum Finish: String, CaseIterable, Sendable { case gloss, matt, satin }

  static let name = "paint"
  static let abstract = "Paint a wall."
  static let operands = "[WALL...]"
  static let examples = [
    CommandExample("plat paint north", "paint one wall"),
    CommandExample("plat paint --coats=2 --finish=matt north south", "paint two walls twice"),
  ]
  static let discussion = """
    Paint covers what was there before. A wall that is wet is left alone, and is painted when it is \
    dry.

    Walls are painted in the order given.
    """
  static let options: [CommandOption<Self>] =
    [
      .flag("rough", short: "x", help: "Do not sand the wall first.") { $0.isRough = true },
      .value("coats", short: "n", .count(1...9), help: "Paint COUNT coats.") { $0.coats = $1 },
      .value("finish", .choice, help: "Choose a finish.") { $0.finish = $1 },
      .value("larger", .size, help: "Skip walls of up to SIZE.") { $0.larger = $1 },
      .value("list", .path(), help: "Read walls from FILE.") { $0.list = $1 },
      .value("colour", .text("NAME"), help: "Use the colour NAME.") { _, _ in throw SoldOut() },
    ] + CommandOption.group("Labels", LabelOptions.options.map { $0.lifted(to: \.label) })

  var common = CommonOptions()
  var isRough = false
  var coats = 1
  var finish = Finish.gloss
  var larger: UInt64?
  var list: [UInt8]?
  var label = LabelOptions()
  var walls: [Argument] = []

  init() {}

  mutating func accept(operand: Argument) throws(UsageError) { walls.append(operand) }

  func validate() throws(UsageError) {
    if label.texts.count > walls.count { throw UsageError("there are more labels than walls") }
  }

  func run(in context: CommandContext) async throws -> ExitStatus {
    for wall in walls { context.print("painted \(context.shown(wall.bytes))") }
    return .success
  }
}

/// An error of the kind that other modules throw.
private struct SoldOut: Error, CustomStringConvertible {
  let description = "sold out"
}

/// Options that several commands could share.
struct LabelOptions: Sendable {
  static let options: [CommandOption<Self>] = [
    .value("label", short: "l", .text("TEXT"), help: "Write TEXT on the wall.") { labels, text in
      guard text.count < 5 else { throw UsageError("label '\(text)' is too long") }
      labels.texts.append(text)
    }
  ]

  var texts: [String] = []
}

/// A command that ends in the way that its operand names.
struct FailCommand: Command {
  static let name = "test fail"
  static let abstract = "End badly."
  static let operands = "HOW"

  var common = CommonOptions()
  var how = ""

  init() {}

  mutating func accept(operand: Argument) throws(UsageError) { how = operand.text ?? "" }

  func run(in context: CommandContext) async throws -> ExitStatus {
    switch how {
    case "usage": throw UsageError("that is not how")
    case "missing": throw CommandFailure(.missing, "/srv: cannot read (No such file)", hint: "Go.")
    case "cancelled": throw CancellationError()
    case "other": throw Surprise()
    default: return .difference
    }
  }

  struct Surprise: Error, CustomStringConvertible {
    let description = "a surprise"
  }
}

/// The verb that is meant where none is given.
struct ListCommand: Command {
  static let name = "test list"
  static let abstract = "List the tests."
  static let options: [CommandOption<Self>] = [
    .flag("long", short: "l", help: "Show details.") { $0.isLong = true }
  ]

  var common = CommonOptions()
  var isLong = false

  init() {}

  func run(in context: CommandContext) async throws -> ExitStatus {
    context.print(isLong ? "long list" : "list")
    return .success
  }
}

/// A command below a group that has no default.
struct GateCommand: Command {
  static let name = "gate open"
  static let abstract = "Open the gate."

  var common = CommonOptions()

  init() {}

  func run(in context: CommandContext) async throws -> ExitStatus {
    context.print("open, json \(context.options.json)")
    return .success
  }
}

extension CommandList {
  static let sample = CommandList(
    abstract: "plat paints walls.",
    examples: [CommandExample("plat paint .", "paint what is here")],
    commands: [
      PaintCommand.self, FailCommand.self, ListCommand.self, GateCommand.self, HelpCommand.self,
    ],
    groups: [
      Group("test", "Try things.", defaultVerb: "list"), Group("gate", "Work the gate."),
    ]
  )
}

/// Runs a command line with the sample commands, and returns what it wrote and its status.
func runSample(
  _ words: [Argument],
  environment: [String: String] = [:],
  terminal: Terminal = Terminal(isTerminal: false)
) async -> (output: String, errors: String, status: ExitStatus) {
  let context = CommandContext.capturing(
    environment: environment,
    terminal: terminal,
    commands: .sample
  )
  let status = await Program.run(words, in: context)
  return (context.output.capturedText, context.errors.capturedText, status)
}
