import PlatStore
import PlatTree

/// What `plat diff` tells.
package struct DiffReport: Sendable {
  /// What changes are sorted by.
  package enum SortKey: String, CaseIterable, Sendable {
    /// What has grown most first, what has shrunk most last.
    case growth
    /// The largest first, as they are afterwards, or were if they are gone.
    case size
    /// Bytewise by path.
    case name
  }

  /// How the changes are written.
  package enum Format: Sendable {
    case table, json, csv
    /// As paths relative to the directory, each ended by NUL.
    case paths
  }

  /// What is different.
  internal let diff: TreeDiff
  private let from: SnapshotInfo
  /// The snapshot afterwards, or `nil` for the disk.
  private let to: SnapshotInfo?
  private let toScan: ScanDescription
  /// The directory.
  private let path: [UInt8]
  internal var sortKey = SortKey.growth
  internal var isReversed = false
  internal var count: Int?
  internal var depth = Int.max

  /// How many changes a person is shown who does not say.
  private static let defaultCount = 20

  /// Creates the report on two snapshots.
  internal init(_ diff: TreeDiff, from: SnapshotInfo, to: SnapshotInfo, path: [UInt8]) {
    self.diff = diff
    self.from = from
    self.to = to
    self.toScan = to.scan
    self.path = path
  }

  /// Creates the report on a snapshot and a scan that is not stored.
  internal init(_ diff: TreeDiff, from: SnapshotInfo, toScan: ScanDescription, path: [UInt8]) {
    self.diff = diff
    self.from = from
    self.to = nil
    self.toScan = toScan
    self.path = path
  }

  /// Writes the report.
  ///
  /// - Throws: ``OutputError`` if nobody takes it.
  internal func write(_ format: Format, in context: CommandContext) throws {
    warnOfOptions(in: context)
    let measure: SizeMeasure = context.options.apparent ? .apparent : .allocated
    let isTable = if case .table = format { true } else { false }
    let all =
      isTable
      ? diff.condensed(depth: depth, below: path)
      : diff.changes.filter { $0.depth(below: path) <= depth }
    let total = all.count
    let changes = order(of: all, by: measure)
      .prefix(count ?? (isTable ? Self.defaultCount : .max)).map { all[$0] }
    switch format {
    case .table: print(changes, of: total, measure, in: context)
    case .json: writeJSON(changes, of: total, in: context)
    case .csv: try writeCSV(changes, in: context)
    case .paths:
      for change in changes {
        context.output.write(relativePath(change.path, to: path) + [0])
        try context.output.check()
      }
    }
  }

  /// Tells a person that the two sides do not select the same entries.
  private func warnOfOptions(in context: CommandContext) {
    guard from.scan.options != toScan.options else { return }
    context.printError(
      "the snapshots were made with other options; some changes may be what one left out"
    )
  }

  /// Returns the positions of changes, which are in order of their paths, as they are sorted.
  private func order(of changes: [TreeDiff.Change], by measure: SizeMeasure) -> [Int] {
    func sorted(by keys: [some Comparable]) -> [Int] {
      keys.indices.sorted { keys[$0] != keys[$1] ? keys[$0] > keys[$1] : $0 < $1 }
    }
    let order =
      switch sortKey {
      case .growth: sorted(by: changes.map { $0.growth(measure) })
      case .size: sorted(by: changes.map { $0.shownTotals.size(measure) })
      case .name: Array(changes.indices)
      }
    return isReversed ? order.reversed() : order
  }
}

extension TreeDiff.Change {
  /// The sizes and counts afterwards, or before if it is gone.
  fileprivate var shownTotals: Totals { kind == .removed ? before : after }

  fileprivate var filesChange: Int { after.files - before.files }
}

// MARK: For a person

extension DiffReport {
  private func print(
    _ changes: [TreeDiff.Change],
    of total: Int,
    _ measure: SizeMeasure,
    in context: CommandContext
  ) {
    if context.options.verbosity != .quiet {
      for line in heading(measure, in: context) { context.print(line) }
      if !changes.isEmpty { context.print() }
    }
    guard !changes.isEmpty || total > 0 else { return }
    if !changes.isEmpty { context.print(table(of: changes, measure, in: context)) }
    if changes.count < total, context.options.verbosity != .quiet {
      let more = NumberFormat.counted(total - changes.count, "more change")
      context.printError("\(more) (-n COUNT shows more)")
    }
  }

  private func heading(_ measure: SizeMeasure, in context: CommandContext) -> [String] {
    let arrow = context.usesASCII ? "->" : "→"
    func date(_ scan: ScanDescription) -> String {
      CivilDate.timestamp(secondsSince1970: scan.startedAt.secondsFromNanoseconds)
    }
    let after = to.map { "snapshot \($0.id) of \(date(toScan))" } ?? "now, \(date(toScan))"
    var sums = [
      "\(context.shown(size: diff.before.size(measure))) \(arrow) "
        + context.shown(size: diff.after.size(measure)),
      context.shown(change: diff.growth(measure)),
    ]
    let parts = [
      ("file", "files", diff.after.files - diff.before.files),
      ("directory", "directories", diff.after.directories - diff.before.directories),
    ]
    for (noun, plural, change) in parts where change != 0 {
      let noun = change.magnitude == 1 ? noun : plural
      sums.append("\(NumberFormat.grouped(change: change)) \(noun)")
    }
    if diff.changes.isEmpty { sums.append("nothing is different") }
    return [
      "\(context.shown(path)): snapshot \(from.id) of \(date(from.scan)) \(arrow) \(after)",
      sums.joined(separator: ", "),
    ]
  }

  private func table(
    of changes: [TreeDiff.Change],
    _ measure: SizeMeasure,
    in context: CommandContext
  ) -> TextTable {
    var table = TextTable(
      .trailing("CHANGE"),
      .trailing("SIZE"),
      .trailing("FILES"),
      .leading("WHAT"),
      .leading("NAME")
    )
    for change in changes {
      let growth = change.growth(measure)
      let style: TextStyle? = growth > 0 ? .red : growth < 0 ? .green : .muted
      let files = change.filesChange
      table.append([
        TextTable.Cell(context.shown(change: growth), style),
        TextTable.Cell(context.shown(size: change.shownTotals.size(measure))),
        TextTable.Cell(files == 0 ? "" : NumberFormat.grouped(change: files)),
        TextTable.Cell(change.kind.rawValue, style),
        TextTable.Cell(
          name(of: change, in: context),
          change.entryKind == .directory ? .bold : nil
        ),
      ])
    }
    return table
  }

  private func name(of change: TreeDiff.Change, in context: CommandContext) -> String {
    let mark = change.entryKind == .directory ? "/" : ""
    var name = context.shown(relativePath(change.path, to: path)) + mark
    if let former = change.formerPath {
      let arrow = context.usesASCII ? "<-" : "←"
      name += " \(arrow) \(context.shown(relativePath(former, to: path)))\(mark)"
    }
    if let former = change.formerEntryKind {
      name += "  (a \(change.entryKind.word), was a \(former.word))"
    }
    if change.isUnreadable { name += "  (not all was read)" }
    if change.isHardLink { name += "  (a hard link)" }
    return name
  }
}

// MARK: For a program

extension DiffReport {
  private func writeCSV(_ changes: [TreeDiff.Change], in context: CommandContext) throws {
    context.output.write(
      "path,former_path,change,kind,allocated_size,apparent_size,files,allocated_change,"
        + "apparent_change,files_change\r\n"
    )
    for change in changes {
      var line = CSV.quoted(change.path)
      line += [UInt8(ascii: ",")] + (change.formerPath.map { CSV.quoted($0) } ?? [])
      line += ",\(change.kind.rawValue),\(change.entryKind.word)".utf8
      line += ",\(change.after.allocatedSize),\(change.after.apparentSize)".utf8
      line += ",\(change.after.files),\(change.growth(.allocated)),\(change.growth(.apparent))".utf8
      line += ",\(change.filesChange)".utf8
      context.output.write(line + CSV.lineEnd)
      try context.output.check()
    }
  }

  private func writeJSON(
    _ changes: [TreeDiff.Change],
    of total: Int,
    in context: CommandContext
  ) {
    context.printJSON { json in
      json.object {
        json.member("schema", "plat/diff/1")
        json.object("from") { from.write(to: json) }
        json.object("to") { writeEnd(to: json) }
        json.object("directory") {
          json.name("path", path)
          json.object("before") { json.totals(diff.before) }
          json.object("after") { json.totals(diff.after) }
          json.member("apparent_change", diff.growth(.apparent))
          json.member("allocated_change", diff.growth(.allocated))
          json.member("files_change", diff.after.files - diff.before.files)
        }
        json.member("change_count", total)
        json.array("changes") {
          for change in changes { write(change, to: json) }
        }
      }
    }
  }

  private func writeEnd(to json: JSONWriter) {
    if let to {
      to.write(to: json)
    } else {
      json.member("id", Int?.none)
      toScan.write(to: json)
    }
  }

  private func write(_ change: TreeDiff.Change, to json: JSONWriter) {
    json.object {
      json.name("path", change.path)
      json.member("change", change.kind.rawValue)
      json.member("kind", change.entryKind.word)
      json.member("apparent_size", change.after.apparentSize)
      json.member("allocated_size", change.after.allocatedSize)
      json.member("files", change.after.files)
      json.member("apparent_change", change.growth(.apparent))
      json.member("allocated_change", change.growth(.allocated))
      json.member("files_change", change.filesChange)
      if let former = change.formerPath { json.name("former_path", former) }
      if let former = change.formerEntryKind { json.member("former_kind", former.word) }
      if change.isHardLink { json.member("hard_link", true) }
      if change.isUnreadable { json.member("unreadable", true) }
    }
  }
}
