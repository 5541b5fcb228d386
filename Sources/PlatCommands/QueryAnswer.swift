import Glibc
import PlatStore
import PlatTree

/// A row of an answer: a directory or another entry of a snapshot.
internal struct QueryRow: Hashable, Sendable {
  internal var path: [UInt8]
  internal var name: [UInt8]
  internal var kind: EntryKind
  internal var allocatedSize: UInt64
  internal var apparentSize: UInt64
  internal var modificationTime: Int64
  /// The number of entries: 1, and for a directory what is below it as well.
  internal var entries: Int
  /// The number of files in and below a directory; 1 for a file.
  internal var files: Int
  internal var isCountedElsewhere = false
  internal var isUnreadable = false
}

/// The answer to a query: the snapshot, the directory that was asked for, and rows.
internal struct QueryAnswer: Sendable {
  /// The verb of the query, which names the schema.
  internal var verb: String
  internal var snapshot: SnapshotInfo
  internal var directory: StoredDirectory
  internal var rows: [QueryRow]
  /// What a person reads in the column of names: paths relative to the directory, or names.
  internal var measure: SizeMeasure

  /// Sorts and cuts the rows.
  internal mutating func arrange(_ options: QueryOptions) {
    rows.sort { first, second in
      switch options.sortKey {
      case .size where first.size(measure) != second.size(measure):
        first.size(measure) > second.size(measure)
      case .count where first.entries != second.entries: first.entries > second.entries
      case .time where first.modificationTime != second.modificationTime:
        first.modificationTime > second.modificationTime
      default: first.path.lexicographicallyPrecedes(second.path)
      }
    }
    if options.isReversed { rows.reverse() }
    if let count = options.count { rows = Array(rows.prefix(count)) }
  }
}

extension QueryRow {
  internal func size(_ measure: SizeMeasure) -> UInt64 {
    measure == .allocated ? allocatedSize : apparentSize
  }
}

// MARK: Writing

extension QueryAnswer {
  /// Writes the answer as the command line asks for.
  ///
  /// - Throws: ``OutputError`` if nobody takes it.
  internal func write(_ options: QueryOptions, in context: CommandContext) throws {
    tellAge(in: context)
    if context.options.json {
      writeJSON(in: context)
    } else if options.csv {
      try writeCSV(in: context)
    } else if options.endsWithNUL {
      for row in rows {
        context.output.write(relativePath(row.path, to: directory.path) + [0])
        try context.output.check()
      }
    } else {
      context.print(table(in: context))
    }
  }

  /// Says on standard error how old the snapshot is, to a person.
  private func tellAge(in context: CommandContext) {
    guard !context.options.json, context.options.verbosity != .quiet else { return }
    let seconds = snapshot.scan.startedAt / 1_000_000_000
    let age = DurationFormat.age(seconds: Int64(time(nil)) - seconds)
    let date = CivilDate.timestamp(secondsSince1970: seconds)
    context.printError(
      "snapshot \(snapshot.id) of \(date)" + (age == "now" ? "" : ", \(age) old")
    )
  }

  private func table(in context: CommandContext) -> TextTable {
    var table = TextTable(
      .trailing("SIZE"),
      .leading(),
      .trailing("SHARE"),
      .trailing("ITEMS"),
      .leading("MODIFIED"),
      .leading("NAME")
    )
    let whole = directory.totals.size(measure)
    for row in rows {
      let size = row.size(measure)
      let isDirectory = row.kind == .directory
      table.append([
        TextTable.Cell(row.isUnreadable ? "?" : context.shown(size: size)),
        TextTable.Cell(Bar.text(size, of: whole, columns: 10, ascii: context.usesASCII), .blue),
        TextTable.Cell(NumberFormat.share(size, of: whole)),
        TextTable.Cell(isDirectory ? NumberFormat.grouped(row.entries) : ""),
        TextTable.Cell(
          String(CivilDate.timestamp(secondsSince1970: row.modificationTime).prefix(10)),
          .muted
        ),
        TextTable.Cell(
          context.shown(relativePath(row.path, to: directory.path)) + (isDirectory ? "/" : "")
            + note(on: row),
          isDirectory ? .bold : nil
        ),
      ])
    }
    return table
  }

  private func note(on row: QueryRow) -> String {
    if row.isUnreadable { return "  (not read)" }
    return row.isCountedElsewhere ? "  (a hard link, counted elsewhere)" : ""
  }

  private func writeCSV(in context: CommandContext) throws {
    context.output.write(
      "path,kind,allocated_size,apparent_size,entries,modified_at\r\n"
    )
    for row in rows {
      var line = CSV.quoted(row.path)
      line += ",\(row.kind.word),\(row.allocatedSize),\(row.apparentSize),\(row.entries),".utf8
      line += CivilDate.timestamp(secondsSince1970: row.modificationTime).utf8
      context.output.write(line + CSV.lineEnd)
      try context.output.check()
    }
  }

  private func writeJSON(in context: CommandContext) {
    context.printJSON { json in
      json.object {
        json.member("schema", "plat/query/\(verb)/1")
        json.object("snapshot") { snapshot.write(to: json) }
        json.object("directory") {
          json.name("path", directory.path)
          json.totals(directory.totals)
          json.member("issue_count", directory.issueCount)
        }
        json.array("rows") {
          for row in rows { write(row, to: json) }
        }
      }
    }
  }

  private func write(_ row: QueryRow, to json: JSONWriter) {
    json.object {
      json.name("path", row.path)
      json.name("name", row.name)
      json.member("kind", row.kind.word)
      json.member("apparent_size", row.apparentSize)
      json.member("allocated_size", row.allocatedSize)
      json.member("files", row.files)
      json.time("modified_at", secondsSince1970: row.modificationTime)
      json.member("share", ratio(row.size(measure), of: directory.totals.size(measure)))
      if row.isCountedElsewhere { json.member("counted_elsewhere", true) }
      if row.isUnreadable { json.member("unreadable", true) }
    }
  }
}

extension SnapshotInfo {
  /// Writes what is known of the snapshot as members.
  internal func write(to json: JSONWriter) {
    json.member("id", id)
    scan.write(to: json)
  }
}

extension ScanDescription {
  /// Writes what is known of the scan as members.
  internal func write(to json: JSONWriter) {
    json.time("started_at", secondsSince1970: startedAt.secondsFromNanoseconds)
    json.member("level", level)
    json.member("complete", isComplete)
    json.member("unverified_files", unverifiedFiles)
  }
}

extension EntryKind {
  /// The word for the kind in JSON and CSV.
  internal var word: String {
    switch self {
    case .file: "file"
    case .directory: "directory"
    case .symbolicLink: "link"
    case .other: "other"
    }
  }
}
