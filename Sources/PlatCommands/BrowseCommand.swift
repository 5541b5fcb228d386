import Glibc
import Observation
package import PlatScan
import PlatSession
package import PlatTerminal
import PlatTree

/// `plat browse`: a screen with a list and a map, which shows a scan while it grows.
package struct BrowseCommand: Command {
  package static let name = "browse"
  package static let abstract = "Browse a directory on the screen, as a list and as a treemap."
  package static let operands = "[DIR]"

  package static let examples = [
    CommandExample("plat browse", "the working directory"),
    CommandExample("plat browse -x --read-only /", "look, and delete nothing"),
    CommandExample("plat browse -0 /srv | xargs -0 ls -ld", "mark, and press p"),
  ]

  package static let discussion = """
    The newest snapshot is shown at once, and DIR is scanned again behind it; without one, the scan is \
    shown as it grows. The keys are those of ncdu, gdu and vi: ? lists them. Marked paths are printed \
    with p; d moves to the trash, and D deletes for good after a question.

    Colours are found out from TERM and COLORTERM; NO_COLOR, --color=never and \
    --theme=mono draw lines instead. \
    Keys are read from standard input, which has to be a terminal, but with --plain: there a line is a \
    command, and help lists them.
    """

  package static let options: [CommandOption<Self>] = [
    .flag("one-file-system", short: "x", help: "Stay on the file system of DIR.") {
      $0.scanOptions.crossesFileSystems = false
    },
    .flag("null", short: "0", help: "End each path that is printed with NUL.") {
      $0.endsWithNUL = true
    },
    .flag("read-only", help: "Delete nothing.") { $0.screen.isReadOnly = true },
    .value("theme", .choice, placeholder: "THEME", help: "Use the auto, dark, light or mono theme.")
    {
      $0.theme = $1
    },
    .flag("no-mouse", help: "Leave the mouse to the terminal.") { $0.screen.usesMouse = false },
    .flag("show-cursor", help: "Show the cursor of the terminal, on the selected row.") {
      $0.screen.showsCursor = true
    },
    .flag("plain", help: "Read commands and write lines, for screen readers and dumb terminals.") {
      $0.isPlain = true
    },
    .flag("slow", help: "Draw fewer frames, and no animation, for a slow line.") {
      $0.screen.isSlow = true
    },
  ]

  /// The colours of the ground.
  package enum Theme: String, CaseIterable, Sendable {
    /// As the terminal says.
    case auto
    case dark, light
    /// No colour but that of the terminal's own text, for the highest contrast.
    case mono
  }

  package var common = CommonOptions()
  package var directory: [UInt8]?
  package var scanOptions = DirectoryScanner.Options()
  package var theme = Theme.auto
  package var isPlain = false
  package var endsWithNUL = false
  package var screen = BrowseOptions()

  package init() {}

  package mutating func accept(operand: Argument) throws(UsageError) {
    guard directory == nil else { throw UsageError("only one DIR can be browsed") }
    directory = try operand.directoryPath()
  }

  package func run(in context: CommandContext) async throws -> ExitStatus {
    guard !common.json else { throw UsageError("browse has no JSON; see plat query") }
    let term = context.environment["TERM"] ?? ""
    let browsing = Browsing(command: self, context: context)
    let summary: BrowseSummary
    if isPlain || term == "dumb" {
      summary = try await browsing.runPlain()
    } else if term.isEmpty {
      throw CommandFailure(
        .usage,
        "TERM is not set: browse needs a terminal that can be drawn on",
        hint: "Set TERM, or use --plain."
      )
    } else {
      summary = try await browsing.run()
    }
    report(summary, in: context)
    switch summary.end {
    case .normal: return .success
    case .interrupted: return .interrupted
    case .terminated: return .terminated
    case .hungUp, .lost: return .hungUp
    }
  }

  private func report(_ summary: BrowseSummary, in context: CommandContext) {
    for path in summary.paths {
      if endsWithNUL || summary.endsWithNUL {
        context.output.write(path + [0])
      } else if context.outputTerminal.isTerminal {
        context.print(context.shown(path))
      } else {
        context.output.write(path + [UInt8(ascii: "\n")])
      }
    }
    guard common.verbosity == .verbose else { return }
    context.printError(
      "\(NumberFormat.counted(summary.frames, "frame")), \(summary.lateFrames) late, "
        + "longest delay \(summary.longestDelay) ms, longest work \(summary.longestWork) ms, "
        + NumberFormat.counted(summary.bytes, "byte")
    )
  }

  /// How the screen is to look, as far as the command line and the environment tell.
  package func screenOptions(in context: CommandContext) -> BrowseOptions {
    var options = screen
    let environment = context.environment
    options.depth = ColorDepth { environment[$0] }
    switch common.color {
    case .never: options.depth = ColorDepth.none
    case .always: options.depth = max(options.depth ?? .basic, .basic)
    case .auto: if environment["NO_COLOR"] != nil { options.depth = ColorDepth.none }
    }
    if theme == .mono { options.depth = ColorDepth.none }
    switch theme {
    case .auto, .mono: options.isLight = lightGround(environment["COLORFGBG"])
    case .dark: options.isLight = false
    case .light: options.isLight = true
    }
    options.showsUTF8 = environment.usesUTF8
    options.usesASCII = common.ascii || !environment.usesUTF8
    options.isConsole = environment["TERM"] == "linux"
    options.sizes = common.sizes
    options.measure = common.apparent ? .apparent : .allocated
    options.ownerNames = AccountNames.users()
    options.groupNames = AccountNames.groups()
    return options
  }

  /// Whether the ground is light, as some terminals say in `COLORFGBG`; `nil` if they do not.
  private func lightGround(_ text: String?) -> Bool? {
    guard let ground = text?.split(separator: ";").last.flatMap({ Int($0) }) else { return nil }
    return ground == 7 || ground == 15
  }
}

/// The names of users and groups, as the files of the system list them.
internal enum AccountNames {
  internal static func users() -> [UInt32: String] { read("/etc/passwd") }
  internal static func groups() -> [UInt32: String] { read("/etc/group") }

  private static func read(_ path: String) -> [UInt32: String] {
    guard let file = fopen(path, "re") else { return [:] }
    defer { fclose(file) }
    var names: [UInt32: String] = [:]
    var line = [CChar](repeating: 0, count: 4096)
    while fgets(&line, Int32(line.count), file) != nil {
      let text = line.prefix { $0 != 0 && $0 != 10 }.map(UInt8.init(bitPattern:))
      let fields = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
      guard fields.count > 2, let id = UInt32(String(decoding: fields[2], as: UTF8.self)),
        names[id] == nil
      else { continue }
      names[id] = NameDisplay.terminalText(fields[0])
    }
    return names
  }
}
