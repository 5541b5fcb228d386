package import PlatTree

/// The options that every command has.
package struct CommonOptions: Hashable, Sendable {
  /// Something that a command line asks for in place of running the command.
  package enum Request: Hashable, Sendable {
    case help, version
  }

  /// How much a command says beside its result.
  package enum Verbosity: Hashable, Sendable {
    /// No progress and no summary.
    case quiet
    case normal
    /// More detail, on standard error.
    case verbose
  }

  /// When progress is shown.
  package enum Progress: String, CaseIterable, Sendable {
    /// If standard error is a terminal.
    case auto
    case always, never
    /// As one JSON event a line.
    case json
  }

  /// When colour is used.
  package enum Color: String, CaseIterable, Sendable {
    /// If the stream is a terminal and the environment does not object.
    case auto
    case always, never
  }

  /// What to do in place of running the command.
  package var request: Request?
  /// Whether the result is a JSON document.
  package var json = false
  /// How much is said beside the result.
  package var verbosity = Verbosity.normal
  /// When progress is shown.
  package var progress = Progress.auto
  /// When colour is used.
  package var color = Color.auto
  /// How sizes are written.
  package var sizes = SizeFormat.iec
  /// Whether sizes are apparent ones instead of allocated ones.
  package var apparent = false
  /// The path of the snapshots, if `--database` gives one.
  package var database: [UInt8]?
  /// Whether only ASCII is drawn.
  package var ascii = false

  /// Creates the defaults.
  package init() {}

  /// The table of these options.
  package static let options = CommandOption<Self>.group(
    "Options of every command",
    [
      .flag("help", short: "h", help: "Show this help.") { $0.request = .help },
      .flag("version", short: "V", help: "Show the name and the version.") {
        $0.request = .version
      },
      .flag("json", help: "Write one JSON document and nothing else.") { $0.json = true },
      .flag("quiet", short: "q", help: "Show no progress and no summary.") {
        $0.verbosity = .quiet
      },
      .flag("verbose", short: "v", help: "Show more detail on standard error.") {
        $0.verbosity = .verbose
      },
      .value(
        "progress",
        .choice,
        placeholder: "WHEN",
        help: "Show progress on standard error: auto, always, never, or json (an event a line)."
      ) { $0.progress = $1 },
      .value("color", .choice, placeholder: "WHEN", help: "Use colour: auto, always or never.") {
        $0.color = $1
      },
      .flag("bytes", help: "Write sizes as exact bytes.") { $0.sizes = .bytes },
      .flag("si", help: "Write sizes in powers of 1000: kB, MB, GB.") { $0.sizes = .si },
      .flag("iec", help: "Write sizes in powers of 1024: KiB, MiB, GiB (the default).") {
        $0.sizes = .iec
      },
      .flag("apparent", short: "a", help: "Use lengths of files instead of space on disk.") {
        $0.apparent = true
      },
      .value("database", .path(), help: "Keep snapshots in FILE, which may be a folder.") {
        $0.database = $1
      },
      .flag("ascii", help: "Draw with ASCII characters only.") { $0.ascii = true },
    ]
  )
}
