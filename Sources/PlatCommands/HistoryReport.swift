import PlatScan
import PlatStore
import PlatTree

/// What `plat history` tells.
internal struct HistoryReport {
  /// The directory.
  internal let path: [UInt8]
  private let entries: [HistoryEntry]
  /// The entry before the first, if there is one that is not shown.
  private let earlier: HistoryEntry?
  /// The room on the file system, if it is known.
  internal let space: Space?
  private let measure: SizeMeasure
  /// How the directory has grown, if there are snapshots of times far enough apart.
  internal let trend: Trend?

  private static let secondsPerDay = 86_400.0
  /// The shortest time that says anything about a day, in seconds.
  private static let shortestSpan = 3_600.0

  internal init(
    path: [UInt8],
    entries: [HistoryEntry],
    earlier: HistoryEntry?,
    measure: SizeMeasure
  ) {
    self.path = path
    self.entries = entries
    self.earlier = earlier
    space = Space(entries.last?.snapshot) ?? Space(now: path)
    self.measure = measure
    let points = Self.points(of: entries, measure)
    trend = Self.span(of: points) < Self.shortestSpan ? nil : Trend(points)
  }

  /// The sizes over time.
  private var points: [Trend.Point] { Self.points(of: entries, measure) }

  /// The sizes over time, in parts between the snapshots that do not have the directory.
  internal var segments: [[Trend.Point]] {
    entries.split { $0.totals == nil }.map { Self.points(of: Array($0), measure) }
  }

  private static func points(of entries: [HistoryEntry], _ measure: SizeMeasure) -> [Trend.Point] {
    entries.compactMap { entry in
      entry.totals.map {
        Trend.Point(
          time: Double(entry.snapshot.scan.startedAt) / 1e9,
          value: Double($0.size(measure))
        )
      }
    }
  }

  /// The entries, each with the one before it.
  private var pairs: [(entry: HistoryEntry, before: Totals?)] {
    zip(entries, [earlier] + entries.map { $0 }).map { ($0, $1?.totals) }
  }

  /// The seconds from the first snapshot of the directory to the last.
  private var span: Double { Self.span(of: points) }

  private static func span(of points: [Trend.Point]) -> Double {
    let times = points.map(\.time)
    guard let first = times.min(), let last = times.max() else { return 0 }
    return last - first
  }

  /// After how many days from now the file system is full.
  private var daysLeft: Double? {
    guard let trend, let space, trend.slope > 0 else { return nil }
    let seconds = Double(space.available) / trend.slope - Double(currentSecond() - space.second)
    return max(0, seconds / Self.secondsPerDay)
  }

  /// How much room there was on a file system at a time.
  internal struct Space {
    internal let available: UInt64
    internal let size: UInt64
    /// When that was, in seconds since 1970.
    internal let second: Int64

    /// What a snapshot knows.
    fileprivate init?(_ snapshot: SnapshotInfo?) {
      guard let scan = snapshot?.scan, let free = scan.freeSpace, let total = scan.totalSpace else {
        return nil
      }
      (available, size) = (free, total)
      second = scan.finishedAt.secondsFromNanoseconds
    }

    /// What the kernel knows, if the directory is there.
    fileprivate init?(now path: [UInt8]) {
      guard let space = FileSystemSpace(at: path) else { return nil }
      (available, size) = (space.free, space.total)
      second = currentSecond()
    }
  }

  /// Writes the report.
  ///
  /// - Throws: ``OutputError`` if nobody takes it.
  internal func write(asCSV: Bool, in context: CommandContext) throws {
    if context.options.json {
      writeJSON(in: context)
    } else if asCSV {
      try writeCSV(in: context)
    } else {
      context.print(table(in: context))
      if context.options.verbosity != .quiet { printSummary(in: context) }
    }
  }
}

// MARK: For a person

extension HistoryReport {
  private func table(in context: CommandContext) -> TextTable {
    var table = TextTable(
      .trailing("ID"),
      .leading("STARTED"),
      .trailing("SIZE"),
      .trailing("CHANGE"),
      .trailing("FILES"),
      .leading()
    )
    let largest = entries.compactMap { $0.totals?.size(measure) }.max() ?? 0
    let room = min(max(context.width - 62, 10), 40)
    for (entry, before) in pairs {
      let id = String(entry.snapshot.id)
      let date = CivilDate.timestamp(secondsSince1970: entry.snapshot.startedSecond)
      guard let totals = entry.totals else {
        table.append(id, date, "-", "", "", "(not there)")
        continue
      }
      let change = before.map { totals.growth(since: $0, measure) }
      let style: TextStyle? = change.map { $0 > 0 ? .red : $0 < 0 ? .green : .muted }
      let size = totals.size(measure)
      table.append([
        TextTable.Cell(id),
        TextTable.Cell(date),
        TextTable.Cell(context.shown(size: size)),
        TextTable.Cell(change.map { context.shown(change: $0) } ?? "", style),
        TextTable.Cell(NumberFormat.grouped(totals.files)),
        TextTable.Cell(
          Bar.text(size, of: largest, columns: room, ascii: context.usesASCII),
          .blue
        ),
      ])
    }
    return table
  }

  private func printSummary(in context: CommandContext) {
    context.print()
    guard let trend else {
      let count = NumberFormat.counted(points.count, "snapshot")
      let time = DurationFormat.elapsed(seconds: span)
      let lack = points.count < 2 ? "too few" : "within \(time), too close"
      let separator = points.count < 2 ? "," : ""
      context.print(
        "\(context.shown(path)): \(count)\(separator) \(lack) to tell how fast it grows"
      )
      return
    }
    let perDay = Int64(clamping: trend.slope * Self.secondsPerDay)
    let span = DurationFormat.elapsed(seconds: span)
    let count = NumberFormat.counted(points.count, "snapshot")
    context.print(
      "\(context.shown(path)): \(context.shown(change: perDay)) a day, from \(count) over \(span)"
    )
    guard let space else { return }
    var line = "\(context.shown(size: space.available)) of \(context.shown(size: space.size)) left"
    if let daysLeft {
      let days = NumberFormat.counted(Int(clamping: daysLeft), "day")
      line += daysLeft < 36_500 ? ": full in \(days) at this rate" : ": not full in 100 years"
      if let date = fullDate { line += ", on \(date)" }
    }
    context.print(line)
  }

  /// The day on which the file system is full, if that can be said.
  private var fullDate: CivilDate? {
    fullSecond.map { CivilDate(daysSince1970: $0 / 86_400) }
  }

  /// When the file system is full, in seconds since 1970.
  private var fullSecond: Int64? {
    guard let daysLeft, daysLeft < 36_500 else { return nil }
    return currentSecond() + Int64(daysLeft * Self.secondsPerDay)
  }
}

extension Totals {
  /// Returns by how many bytes a size is larger than it was.
  fileprivate func growth(since other: Totals, _ measure: SizeMeasure) -> Int64 {
    var diff = TreeDiff()
    (diff.before, diff.after) = (other, self)
    return diff.growth(measure)
  }
}

// MARK: For a program

extension HistoryReport {
  private func writeCSV(in context: CommandContext) throws {
    context.output.write(
      "id,started_at,allocated_size,apparent_size,files,allocated_change,apparent_change\r\n"
    )
    for (entry, before) in pairs {
      let date = CivilDate.timestamp(secondsSince1970: entry.snapshot.startedSecond)
      var fields = [String(entry.snapshot.id), date]
      if let totals = entry.totals {
        fields += [
          String(totals.allocatedSize), String(totals.apparentSize), String(totals.files),
        ]
        fields += [.allocated, .apparent].map { measure in
          before.map { String(totals.growth(since: $0, measure)) } ?? ""
        }
      } else {
        fields += ["", "", "", "", ""]
      }
      context.output.write(fields.joined(separator: ",") + "\r\n")
      try context.output.check()
    }
  }

  private func writeJSON(in context: CommandContext) {
    context.printJSON { json in
      json.object {
        json.member("schema", "plat/history/1")
        json.object("directory") { json.name("path", path) }
        json.array("snapshots") {
          for (entry, before) in pairs {
            json.object {
              entry.snapshot.write(to: json)
              write(entry.totals, before, to: json)
            }
          }
        }
        writeRate(to: json)
        if let space {
          json.object("file_system") {
            json.member("available_size", space.available)
            json.member("size", space.size)
          }
        } else {
          json.member("file_system", Int?.none)
        }
        json.member("full_in_days", daysLeft.map { ($0 * 10).rounded() / 10 })
        json.member(
          "full_at",
          fullSecond.map { CivilDate.timestamp(secondsSince1970: $0) }
        )
      }
    }
  }

  private func write(_ totals: Totals?, _ before: Totals?, to json: JSONWriter) {
    json.member("apparent_size", totals?.apparentSize)
    json.member("allocated_size", totals?.allocatedSize)
    json.member("files", totals?.files)
    json.member("directories", totals?.directories)
    json.member("symbolic_links", totals?.symbolicLinks)
    json.member("others", totals?.others)
    let pair = totals.flatMap { totals in before.map { (totals, $0) } }
    json.member("apparent_change", pair.map { $0.growth(since: $1, .apparent) })
    json.member("allocated_change", pair.map { $0.growth(since: $1, .allocated) })
    json.member("files_change", pair.map { $0.files - $1.files })
  }

  private func writeRate(to json: JSONWriter) {
    guard trend != nil else { return json.member("rate", Int?.none) }
    func perDay(_ measure: SizeMeasure) -> Double? {
      Trend(Self.points(of: entries, measure)).map { ($0.slope * Self.secondsPerDay).rounded() }
    }
    json.object("rate") {
      json.member("allocated_per_day", perDay(.allocated))
      json.member("apparent_per_day", perDay(.apparent))
      json.member("days", (span / Self.secondsPerDay * 1000).rounded() / 1000)
    }
  }
}
