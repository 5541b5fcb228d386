import PlatScan
import PlatTree

/// Shows the progress of a scan on standard error: as a line that is written over, or as JSON.
///
/// The line appears after 200 ms and is erased in the end, so that a quick scan shows none. Below it are
/// the largest directories so far, where the terminal has room for them.
internal struct ProgressLine: ~Copyable {
  private let context: CommandContext
  private let shape: Shape
  /// About how many entries the scan will see.
  private let expectedEntries: Int?
  private var isShown = false
  private var largest: LargestSoFar

  private enum Shape {
    case none, line, json
  }

  private static let delay = Duration.milliseconds(200)

  /// Creates the line of a scan that will see about `expectedEntries` entries, if that is known.
  internal init(in context: CommandContext, expectedEntries: Int? = nil) {
    self.context = context
    self.expectedEntries = expectedEntries
    largest = LargestSoFar(in: context)
    shape =
      switch context.options.progress {
      case .json: .json
      case .never: .none
      case .always: .line
      case .auto:
        context.errorsTerminal.isTerminal && context.options.verbosity != .quiet ? .line : .none
      }
  }

  /// Whether trees are of use that a scan has found in part.
  internal var wantsPartialTrees: Bool { shape == .line && largest.hasRoom }

  /// Takes the tree that a scan has found so far.
  internal mutating func take(_ tree: FileTree?, revision: Int?) {
    largest.update(tree, revision: revision)
  }

  /// Shows how far a scan has come.
  internal mutating func show(_ progress: ScanProgress) {
    switch shape {
    case .none: break
    case .json: writeEvent(progress)
    case .line where progress.elapsed >= Self.delay:
      isShown = true
      // The cursor goes back to the line, below which everything is written anew.
      let below = largest.lines.map { "\n" + $0 }.joined()
      let back = largest.lines.isEmpty ? "" : "\u{1B}[\(largest.lines.count)A"
      context.errors.write("\r\u{1B}[J\(line(progress))\(below)\(back)\r")
    case .line: break
    }
  }

  /// Takes the line away.
  internal mutating func erase() {
    if isShown { context.errors.write("\r\u{1B}[J") }
    isShown = false
  }

  /// Writes how far a scan has come as a line that stays, whatever the shape of progress is.
  internal mutating func state(_ progress: ScanProgress) {
    erase()
    context.printError(line(progress))
  }

  /// The part that is done, from 0 to 1; never quite 1, for the expectation may be too low.
  private func share(_ progress: ScanProgress) -> Double? {
    expectedEntries.map { min(0.99, Double(progress.entries) / Double(max($0, 1))) }
  }

  private func secondsLeft(_ progress: ScanProgress) -> Double? {
    guard let share = share(progress), share > 0.01 else { return nil }
    return progress.elapsed.seconds * (1 - share) / share
  }

  private func line(_ progress: ScanProgress) -> String {
    let rate = Double(progress.entries) / max(progress.elapsed.seconds, 0.001)
    var line = ""
    if let share = share(progress) { line += "\(Int(share * 100))%  " }
    if let left = secondsLeft(progress) {
      line += DurationFormat.elapsed(seconds: left) + " left  "
    }
    line +=
      NumberFormat.counted(progress.entries, "entry", plural: "entries")
      + "  " + context.shown(size: progress.allocatedSize)
      + "  " + NumberFormat.grouped(UInt64(rate)) + "/s"
    if progress.issues > 0 { line += "  \(NumberFormat.grouped(progress.issues)) not read" }
    // One column stays free: a terminal may wrap after the last.
    let columns = (context.errorsTerminal.columns ?? context.width) - 1
    let room = columns - ColumnWidth.of(line) - 2
    if room >= 10, !progress.path.isEmpty {
      let ellipsis = context.usesASCII ? "~" : "…"
      line +=
        "  "
        + ColumnWidth.truncatingMiddle(
          of: context.shown(progress.path),
          to: room,
          ellipsis: ellipsis
        )
    }
    return ColumnWidth.truncatingMiddle(of: line, to: columns, ellipsis: "~")
  }

  private func writeEvent(_ progress: ScanProgress) {
    let json = JSONWriter(layout: .line) { [errors = context.errors] in errors.write($0) }
    json.object {
      json.member("event", "progress")
      json.member("entries", progress.entries)
      json.member("directories", progress.directories)
      json.member("allocated_size", progress.allocatedSize)
      json.member("issue_count", progress.issues)
      json.member("seconds", (progress.elapsed.seconds * 1000).rounded() / 1000)
      json.member("share", share(progress).map { ($0 * 1000).rounded() / 1000 })
      json.member("seconds_left", secondsLeft(progress).map { ($0 * 10).rounded() / 10 })
      json.name("path", progress.path)
    }
    json.finish()
  }
}
