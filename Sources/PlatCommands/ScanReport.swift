package import PlatScan
package import PlatTree

/// What `plat scan` says about a scan.
package struct ScanReport: Sendable {
  /// The scan.
  package var result: ScanResult
  /// Which size is shown and sorted by.
  package var measure: SizeMeasure
  /// The most directories shown.
  package var count: Int
  /// How many levels below the root are shown; `nil` for all.
  package var depth: Int?
  /// Where the snapshot is, if one was kept.
  package var snapshot: StoredSnapshot?
  /// What the file systems of which all was scanned say is in use.
  package var fileSystems: [FileSystemUse] = []

  /// A snapshot that was kept.
  package struct StoredSnapshot: Hashable, Sendable {
    /// Its number in the database.
    package var id: Int
    /// The path of the database.
    package var database: [UInt8]
  }

  private var tree: FileTree { result.tree }
  private var totals: Totals { tree.totals(of: tree.root) }

  /// Creates a report.
  package init(
    _ result: ScanResult,
    measure: SizeMeasure,
    count: Int,
    depth: Int? = nil,
    snapshot: StoredSnapshot? = nil
  ) {
    self.result = result
    self.measure = measure
    self.count = count
    self.depth = depth
    self.snapshot = snapshot
  }

  private var largest: [DirectoryID] {
    tree.largestDirectories(count, depth: depth, by: measure)
  }
}

// MARK: For people

extension ScanReport {
  private static let barColumns = 16

  /// Writes the largest directories as a tree, and what a person has to know about the scan.
  package func print(in context: CommandContext) {
    context.print(treeTable(in: context))
    context.print()
    for line in summaryLines(in: context) { context.print(line) }
  }

  /// The root and the largest directories below it, each under the one that holds it.
  private func treeTable(in context: CommandContext) -> TextTable {
    var table = TextTable(.trailing(), .leading(), .trailing(), .leading())
    // A directory is no smaller than what it holds, so the largest ones form a tree.
    var children: [DirectoryID: [DirectoryID]] = [:]
    for directory in largest {
      if let parent = tree.parent(of: directory) { children[parent, default: []].append(directory) }
    }
    append(tree.root, name: rootName(in: context), guide: "", to: &table, in: context)
    var open = (children[tree.root] ?? []).reversed().map { ($0, guide: "") }
    while let (directory, guide) = open.popLast() {
      let isLast = open.last.map { tree.parent(of: $0.0) != tree.parent(of: directory) } ?? true
      let (branch, below) = guides(isLast: isLast, ascii: context.usesASCII)
      let name = context.shown(tree.name(of: directory))
      append(directory, name: name, guide: guide + branch, to: &table, in: context)
      let next = guide + below
      open.append(contentsOf: (children[directory] ?? []).reversed().map { ($0, guide: next) })
    }
    return table
  }

  private func guides(isLast: Bool, ascii: Bool) -> (branch: String, below: String) {
    switch (isLast, ascii) {
    case (false, false): ("├─ ", "│  ")
    case (true, false): ("└─ ", "   ")
    case (false, true): ("|- ", "|  ")
    case (true, true): ("`- ", "   ")
    }
  }

  private func append(
    _ directory: DirectoryID,
    name: String,
    guide: String,
    to table: inout TextTable,
    in context: CommandContext
  ) {
    let size = tree.size(of: directory, measure)
    let whole = totals.size(measure)
    let bar = Bar.text(size, of: whole, columns: Self.barColumns, ascii: context.usesASCII)
    table.append([
      TextTable.Cell(context.shown(size: size)),
      TextTable.Cell(bar, .blue),
      TextTable.Cell(NumberFormat.share(size, of: whole)),
      TextTable.Cell(guide + name, guide.isEmpty ? .bold : nil),
    ])
  }

  private func rootName(in context: CommandContext) -> String {
    tree.isGroup ? "total" : context.shown(tree.name(of: tree.root))
  }

  private func summaryLines(in context: CommandContext) -> [String] {
    let totals = totals
    var parts = [
      NumberFormat.counted(totals.files, "file"),
      NumberFormat.counted(totals.directories, "directory", plural: "directories"),
    ]
    if totals.symbolicLinks > 0 {
      parts.append(NumberFormat.counted(totals.symbolicLinks, "symbolic link"))
    }
    if totals.others > 0 { parts.append(NumberFormat.counted(totals.others, "other")) }
    let seconds = result.elapsed.seconds
    let rate = UInt64(Double(totals.entries) / max(seconds, 0.001))
    let size = context.shown(size: totals.size(measure))
    let kind = measure == .allocated ? "on disk" : "apparent"
    let time = DurationFormat.elapsed(seconds: seconds)
    var lines = [
      "\(size) \(kind): " + parts.joined(separator: ", "),
      "\(word) in \(time), \(NumberFormat.grouped(rate)) entries a second",
    ]
    if totals.size(measure) == .max {
      lines.append("the sizes add up to more than that, the largest number there is")
    }
    if result.level == .fast { lines.append(unverifiedLine(in: context)) }
    if tree.countedElsewhereCount > 0 {
      let names = NumberFormat.counted(tree.countedElsewhereCount, "more name")
      lines.append("\(names) of hard-linked files, whose space is counted once")
    }
    if !tree.exclusions.isEmpty { lines.append(exclusionLine) }
    if !tree.issues.isEmpty {
      lines.append(
        "\(NumberFormat.counted(tree.issues.count, "entry", plural: "entries")) not read"
      )
    }
    for use in fileSystems { lines += use.lines(unread: tree.issues.count, in: context) }
    if let snapshot {
      lines.append("snapshot \(snapshot.id) in \(context.shown(snapshot.database))")
    }
    return lines
  }

  /// What was done, after which the time follows.
  private var word: String {
    switch result.level {
    case .full: "scanned"
    case .verified: "rescanned, verified"
    case .fast: "rescanned, fast"
    }
  }

  private func unverifiedLine(in context: CommandContext) -> String {
    let unverified = result.unverified
    guard unverified.files > 0 else { return "every file was looked at" }
    var line = "not looked at: \(NumberFormat.counted(unverified.files, "file"))"
    line += ", \(context.shown(size: unverified.allocatedSize))"
    if let count = unverified.oldestScanCount {
      line += ", last seen at most \(NumberFormat.counted(count, "scan")) ago"
    }
    let change = context.shown(change: unverified.growthInSample)
    let sample = NumberFormat.counted(unverified.sampledFiles, "such file")
    line += "; of a sample of \(sample) \(NumberFormat.grouped(unverified.changedInSample))"
    return line + " had changed (\(change))"
  }

  private var exclusionLine: String {
    let reasons = Exclusion.Reason.allCases.compactMap { reason -> String? in
      let count = tree.exclusions.count { $0.reason == reason }
      return count > 0 ? "\(NumberFormat.grouped(count)) \(reason.explanation)" : nil
    }
    return "left out: " + reasons.joined(separator: ", ")
  }
}

// MARK: For programs

extension ScanReport {
  /// Writes the report as a JSON document of schema `plat/scan/1`.
  package func printJSON(in context: CommandContext) {
    context.printJSON { json in
      json.object {
        json.member("schema", "plat/scan/1")
        json.array("roots") {
          for root in result.roots { json.element(NameDisplay.dataText(root).text) }
        }
        if result.roots.contains(where: { !NameDisplay.dataText($0).isExact }) {
          json.array("roots_base64") {
            for root in result.roots { json.element(Base64.encode(root)) }
          }
        }
        json.member("level", result.level.rawValue)
        json.member("complete", true)
        json.time("started_at", secondsSince1970: result.startedAt / 1_000_000_000)
        json.member("seconds", (result.elapsed.seconds * 1000).rounded() / 1000)
        writeUnverified(to: json)
        json.totals(totals)
        json.member("entries", totals.entries)
        json.member("hard_linked_names", tree.countedElsewhereCount)
        json.member("excluded", tree.exclusions.count)
        json.issues(of: tree)
        writeSnapshot(to: json)
        json.array("file_systems") {
          for use in fileSystems { use.write(to: json) }
        }
        json.array("top") {
          for directory in largest { writeTop(directory, to: json) }
        }
      }
    }
  }

  private func writeSnapshot(to json: JSONWriter) {
    guard let snapshot else { return json.member("snapshot", String?.none) }
    json.object("snapshot") {
      json.member("id", snapshot.id)
      json.name("database", snapshot.database)
      json.member("unverified_files", result.unverified.files)
    }
  }

  private func writeUnverified(to json: JSONWriter) {
    guard result.level == .fast else { return json.member("unverified", String?.none) }
    let unverified = result.unverified
    json.object("unverified") {
      json.member("files", unverified.files)
      json.member("allocated_size", unverified.allocatedSize)
      if let oldest = unverified.oldestObservation {
        json.time("oldest_observed_at", secondsSince1970: oldest.secondsFromNanoseconds)
      } else {
        json.member("oldest_observed_at", String?.none)
      }
      json.member("oldest_scans", unverified.oldestScanCount)
      json.member("sampled_files", unverified.sampledFiles)
      json.member("sampled_changes", unverified.changedInSample)
      json.member("sampled_growth", unverified.growthInSample)
    }
  }

  private func writeTop(_ directory: DirectoryID, to json: JSONWriter) {
    let part = tree.totals(of: directory)
    let whole = totals.size(measure)
    json.object {
      json.name("path", tree.path(of: directory))
      json.member("kind", "directory")
      json.member("allocated_size", part.allocatedSize)
      json.member("apparent_size", part.apparentSize)
      json.member("files", part.files)
      json.member("share", ratio(part.size(measure), of: whole))
    }
  }
}

/// Returns a part as a number from 0 to 1, to six places; 0 of nothing.
internal func ratio(_ part: UInt64, of whole: UInt64) -> Double {
  whole == 0 ? 0 : (Double(part) / Double(whole) * 1_000_000).rounded() / 1_000_000
}

extension JSONWriter {
  /// Writes sizes and counts as members.
  internal func totals(_ totals: Totals) {
    member("apparent_size", totals.apparentSize)
    member("allocated_size", totals.allocatedSize)
    member("files", totals.files)
    member("directories", totals.directories)
    member("symbolic_links", totals.symbolicLinks)
    member("others", totals.others)
  }

  /// Writes what could not be read as members.
  internal func issues(of tree: FileTree) {
    member("issue_count", tree.issues.count)
    array("issues") {
      for issue in tree.issues {
        object {
          name("path", tree.path(of: issue))
          member("call", issue.call)
          member("errno", issue.code)
          member("reason", message(forErrno: issue.code))
        }
      }
    }
  }
}

extension Exclusion.Reason {
  /// What a person reads after the number of entries that were left out.
  internal var explanation: String {
    switch self {
    case .pattern: "by pattern"
    case .otherFileSystem: "on other file systems"
    case .kernelFileSystem: "of the kernel's own file systems"
    case .countedElsewhere: "counted elsewhere already"
    case .gitignore: "by .gitignore"
    case .cache: "by CACHEDIR.TAG"
    }
  }
}

extension Duration {
  /// The duration in seconds.
  internal var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}

extension CommandContext {
  /// Writes a message for each thing of a tree that could not be read; see ``printErrors(_:message:)``.
  internal func printIssues(of tree: FileTree) {
    printErrors(tree.issues) { issue in
      "\(shown(tree.path(of: issue))): \(issue.call) (\(message(forErrno: issue.code)))"
    }
  }
}
