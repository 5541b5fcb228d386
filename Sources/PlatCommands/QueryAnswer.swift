import Glibc
import PlatStore
import PlatTree

/// What the answer to a query is about, and how it is written.
internal struct QueryAnswer: Sendable {
  /// The verb of the query, which names the schema.
  internal var verb: String
  internal var snapshot: SnapshotInfo
  internal var directory: StoredDirectory
  /// Which sizes count.
  internal var measure: SizeMeasure

  internal init(_ verb: String, about subject: QuerySubject) {
    self.verb = verb
    snapshot = subject.snapshot
    directory = subject.directory
    measure = subject.measure
  }

  /// Gives rows one by one, until none is wanted any more.
  internal typealias RowProducer = (_ take: (QueryRow) -> Bool) throws -> Void
}

extension QueryAnswer {
  /// Writes the answer as the command line asks for, row by row.
  ///
  /// - Throws: ``OutputError`` if nobody takes it, and what `produce` throws.
  internal func write(
    _ options: QueryOptions,
    in context: CommandContext,
    _ produce: RowProducer
  ) throws {
    // No row is written before there is one, or none: until then it can turn out that there is no
    // answer, of which JSON and CSV would be a wrong beginning.
    if context.options.json {
      try writeJSON(in: context) { json in
        try produce { row in
          write(row, to: json)
          return context.output.isTaken
        }
      }
    } else if options.csv {
      try writeCSV(in: context, produce)
    } else if options.endsWithNUL {
      tellAge(in: context)
      try produce { row in
        context.output.write(relative(row) + [0])
        return context.output.isTaken
      }
    } else {
      tellAge(in: context)
      var lines = RowTable(self, in: context)
      try produce { row in
        lines.append(row)
        return context.output.isTaken
      }
      lines.finish()
    }
    try context.output.check()
  }

  /// Says on standard error how old the snapshot is, to a person.
  internal func tellAge(in context: CommandContext) {
    guard !context.options.json, context.options.verbosity != .quiet else { return }
    let seconds = snapshot.startedSecond
    let age = DurationFormat.age(of: seconds, at: Int64(time(nil)))
    let date = CivilDate.timestamp(secondsSince1970: seconds)
    context.printError(
      "snapshot \(snapshot.id) of \(date)" + (age == "now" ? "" : ", \(age) old")
    )
  }

  /// The path of a row relative to the directory that was asked for.
  internal func relative(_ row: QueryRow) -> [UInt8] {
    relativePath(row.path, to: directory.path)
  }

  private func writeCSV(in context: CommandContext, _ produce: RowProducer) throws {
    tellAge(in: context)
    let columns = "path,kind,allocated_size,apparent_size,entries,modified_at,counted_elsewhere"
    var hasHeader = false
    func writeHeader() {
      if !hasHeader { context.output.write(columns + "\r\n") }
      hasHeader = true
    }
    try produce { row in
      writeHeader()
      var line = CSV.quoted(row.path)
      line += ",\(row.kind.word),\(row.allocatedSize),\(row.apparentSize),\(row.entries),".utf8
      line += CivilDate.timestamp(secondsSince1970: row.modificationTime).utf8
      line += ",\(row.isCountedElsewhere)".utf8
      context.output.write(line + CSV.lineEnd)
      return context.output.isTaken
    }
    writeHeader()
  }

  /// Writes a document whose rows `body` writes.
  ///
  /// - Throws: What `body` throws.
  internal func writeJSON(
    in context: CommandContext,
    _ body: (JSONWriter) throws -> Void
  ) throws {
    try context.printJSON { (json) throws in
      try json.object { () throws in
        json.member("schema", "plat/query/\(verb)/1")
        json.object("snapshot") { snapshot.write(to: json) }
        json.object("directory") {
          json.name("path", directory.path)
          json.totals(directory.totals)
          json.member("issue_count", directory.issueCount)
        }
        try json.array("rows") { () throws in try body(json) }
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

extension Output {
  /// Whether somebody takes what is written.
  internal var isTaken: Bool { (try? check()) != nil }
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
