package import PlatRender
import PlatStore
import PlatTree

/// `plat history`: the size of a directory over time, how fast it grows, and when the disk is full.
package struct HistoryCommand: Command {
  package static let name = "history"
  package static let abstract = "Show the size of a directory over time, and when the disk is full."
  package static let operands = "[DIR]"

  package static let examples = [
    CommandExample("plat history /srv", "a line for each snapshot, and the rate of growth"),
    CommandExample("plat history /srv/lib --plot lib.svg", "the same as a picture"),
    CommandExample("plat history --json /srv | jq .full_in_days", "for a program"),
  ]

  package static let discussion = """
    DIR may be inside a directory that was scanned. The rate is the median of the slopes between all \
    pairs of snapshots that are shown, so that a few odd ones do not bend it; less than an hour tells \
    none. The file system is full when the space that it had left at the last snapshot is used up at \
    that rate.

    --json writes schema plat/history/1: "directory" with its "path", "snapshots" (as "snapshot" of \
    plat query, with sizes and counts, which are null where DIR was not there, and "apparent_change", \
    "allocated_change" and "files_change" since the snapshot before), "rate" ("allocated_per_day", \
    "apparent_per_day", "days": from the first to the last snapshot), "file_system" ("available_size", \
    "size"), "full_in_days" and "full_at"; what is not known is null.
    """

  package static let options: [CommandOption<Self>] = [
    .value("count", short: "n", .count(1...Int.max), help: "Use the newest COUNT snapshots only.") {
      $0.count = $1
    },
    .value(
      "plot",
      .path(),
      help: "Draw a picture in place of the table: FILE ends in .png or .svg."
    ) {
      $0.plot = $1
    },
    .value(
      "size",
      OptionValue("WIDTHxHEIGHT", "a size such as 1200x600") { PictureSize($0) },
      help: "Draw WIDTHxHEIGHT pixels (default: 1200x600)."
    ) {
      $0.picture.width = $1.width
      $0.picture.height = $1.height
    },
    .value(
      "scale",
      OptionValue("FACTOR", "a number from 0.25 to 16") { $0.text.flatMap { Double($0) } },
      help: "Draw everything FACTOR times as large, text too."
    ) { $0.picture.scale = $1 },
    .value("theme", .choice, placeholder: "THEME", help: "Use the dark, light or print theme.") {
      $0.picture.theme = $1
    },
    .value("title", .text("TEXT"), help: "Write TEXT above the picture, in place of the path.") {
      $0.title = $1
    },
    .flag("csv", help: "Write comma-separated values (RFC 4180).") { $0.csv = true },
  ]

  /// What a picture is written as.
  private enum Format: String {
    case png, svg

    /// Tells by the end of a name.
    init?(nameOfFile path: [UInt8]) {
      let suffix = path.split(separator: UInt8(ascii: ".")).last ?? []
      self.init(rawValue: String(decoding: suffix, as: UTF8.self).lowercased())
    }
  }

  package var common = CommonOptions()
  package var directory: [UInt8]?
  package var count: Int?
  package var plot: [UInt8]?
  package var picture = HistoryPlot.Options()
  package var title: String?
  package var csv = false

  package init() {}

  package mutating func accept(operand: Argument) throws(UsageError) {
    guard directory == nil else { throw UsageError("only one DIR can be asked for") }
    directory = try operand.directoryPath()
  }

  package func validate() throws(UsageError) {
    guard let plot, Format(nameOfFile: plot) == nil else { return }
    throw UsageError("the name of \(Argument(plot).quoted) does not end in .png or .svg")
  }

  package func run(in context: CommandContext) async throws -> ExitStatus {
    let (store, path) = try context.openSnapshots(of: directory)
    let report = try usingStore { () throws(StoreError) in
      let (path, entries) = try store.history(atPath: path)
      return HistoryReport(
        path: path,
        entries: count.map { Array(entries.suffix($0)) } ?? entries,
        earlier: count.flatMap { entries.dropLast($0).last },
        measure: common.apparent ? .apparent : .allocated
      )
    }
    if let plot { try draw(report, to: plot, in: context) }
    if plot == nil || csv || common.json { try report.write(asCSV: csv, in: context) }
    return .success
  }

  private func draw(
    _ report: HistoryReport,
    to path: [UInt8],
    in context: CommandContext
  ) throws {
    var picture = picture
    picture.sizes = common.sizes
    let plot = HistoryPlot(
      title: NameDisplay.label(title.map { Array($0.utf8) } ?? report.path),
      segments: report.segments,
      trend: report.trend,
      fileSystemSize: report.space?.size,
      options: picture
    )
    let bytes: [UInt8]
    do throws(RenderError) {
      bytes = Format(nameOfFile: path) == .png ? try plot.png() : try plot.svg()
    } catch {
      throw CommandFailure(error)
    }
    try AtomicFile.write(to: path, in: context) { $0.write(bytes) }
  }
}
