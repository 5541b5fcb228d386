import PlatStore
import PlatTree

/// `plat query types`, `ages` or `owners`: a table of what the entries of each class add up to.
package struct QueryClassesCommand<Classes: QueryClasses>: Command {
  package static var name: String { "query \(Classes.verb)" }
  package static var abstract: String { Classes.abstract }
  package static var operands: String { "[DIR]" }
  package static var examples: [CommandExample] { Classes.examples }

  package static var discussion: String {
    """
    Answers from the newest snapshot that holds DIR, without a look at the disk. DIR itself counts, \
    and a hard link at the name that it is charged to, so that all rows together are the total of DIR. \
    \(Classes.meaning)

    With filters only what they let through counts; a directory by itself is as large as its own \
    blocks.

    \(QueryRequest.explanation)
    """
  }

  package static var options: [CommandOption<Self>] {
    QueryRequest.tableOptionTable.map { $0.lifted(to: \.request) }
  }

  package var common = CommonOptions()
  package var request = QueryRequest()

  package init() {}

  package mutating func accept(operand: Argument) throws(UsageError) {
    try request.accept(operand)
  }

  package func run(in context: CommandContext) async throws -> ExitStatus {
    let subject = try request.subject(in: context)
    let rows = arranged(try sums(of: subject), by: subject.measure)
    let answer = QueryAnswer(Classes.verb, about: subject)
    if context.options.json {
      try answer.writeJSON(in: context) { json in
        for row in rows { row.write(to: json, of: subject) }
      }
    } else {
      answer.tellAge(in: context)
      if request.options.csv {
        writeCSV(rows, in: context)
      } else {
        context.print(table(rows, of: subject, in: context))
      }
    }
    return .success
  }

  private func sums(of subject: QuerySubject) throws(CommandFailure) -> [ClassRow<Classes>] {
    var sums = SumsByClass()
    let now = subject.snapshot.startedSecond
    try usingStore { () throws(StoreError) in
      try subject.store.forEachEntry(
        below: subject.directory,
        depth: request.filter.depth,
        includesTop: true,
        meeting: subject.criteria,
        by: subject.measure
      ) { entry in
        if subject.criteria.matches(entry, size: entry.ownSize(subject.measure)) {
          sums.add(entry, to: Classes.number(of: entry, now: now))
        }
        return true
      }
    }
    return sums.all.map { ClassRow(number: $0.number, sums: $0.sums) }
  }

  /// Sorts and cuts the rows.
  private func arranged(
    _ rows: [ClassRow<Classes>],
    by measure: SizeMeasure
  ) -> [ClassRow<Classes>] {
    func precedes(_ first: ClassRow<Classes>, _ second: ClassRow<Classes>) -> Bool {
      let (one, two) = (first.sums, second.sums)
      let key = request.options.sortKey ?? (Classes.areOrdered ? nil : .size)
      switch key {
      case .size where one.size(measure) != two.size(measure):
        return one.size(measure) > two.size(measure)
      case .count where one.count != two.count: return one.count > two.count
      case .time where one.newest != two.newest: return one.newest > two.newest
      case .name where first.labels.title != second.labels.title:
        return first.labels.title.lexicographicallyPrecedes(second.labels.title)
      default: return first.number < second.number
      }
    }
    let isReversed = request.options.isReversed
    let sorted = rows.sorted { isReversed ? precedes($1, $0) : precedes($0, $1) }
    return Array(sorted.prefix(request.options.count ?? .max))
  }

  private func table(
    _ rows: [ClassRow<Classes>],
    of subject: QuerySubject,
    in context: CommandContext
  ) -> TextTable {
    var table = TextTable(
      .trailing("SIZE"),
      .leading(),
      .trailing("SHARE"),
      .trailing("ITEMS"),
      .leading("LATEST"),
      .leading(Classes.verb.dropLast().uppercased())
    )
    let whole = subject.directory.totals.size(subject.measure)
    for row in rows {
      let size = row.sums.size(subject.measure)
      let latest = CivilDate.date(secondsSince1970: row.sums.newest)
      table.append([
        TextTable.Cell(context.shown(size: size)),
        TextTable.Cell(Bar.text(size, of: whole, columns: 10, ascii: context.usesASCII), .blue),
        TextTable.Cell(NumberFormat.share(size, of: whole)),
        TextTable.Cell(NumberFormat.grouped(row.sums.count)),
        TextTable.Cell(String(latest), .muted),
        TextTable.Cell(context.shown(row.labels.title)),
      ])
    }
    return table
  }

  private func writeCSV(_ rows: [ClassRow<Classes>], in context: CommandContext) {
    let names = Classes.labels(of: 0).values.map(\.name)
    let columns = names + ["count", "allocated_size", "apparent_size", "modified_at"]
    context.output.write(columns.joined(separator: ",") + "\r\n")
    for row in rows { context.output.write(row.csvLine) }
  }
}

/// What the entries of a class add up to.
private struct ClassSums {
  var count = 0
  var totals = Totals()
  /// When one of them was modified last, in seconds since 1970.
  var newest = Int64.min

  func size(_ measure: SizeMeasure) -> UInt64 { totals.size(measure) }

  /// Adds an entry by itself.
  mutating func add(_ entry: WalkedEntry) {
    count += 1
    if !entry.isUnreadable || entry.kind == .directory {
      newest = max(newest, entry.modificationTime)
    }
    guard !entry.isCountedElsewhere else { return }
    var sizes = Totals()
    sizes.allocatedSize = entry.ownSize(.allocated)
    sizes.apparentSize = entry.ownSize(.apparent)
    totals += sizes
  }
}

/// The sums of all classes.
private struct SumsByClass {
  /// Those of the classes with the first numbers.
  private var first: [ClassSums] = []
  private var others: [Int: ClassSums] = [:]

  /// The most numbers that have a place of their own, those of most users among them.
  private static let firstCount = 2048

  mutating func add(_ entry: WalkedEntry, to number: Int) {
    guard number < Self.firstCount else {
      others[number, default: ClassSums()].add(entry)
      return
    }
    if number >= first.count {
      first += repeatElement(ClassSums(), count: number + 1 - first.count)
    }
    first[number].add(entry)
  }

  /// The classes that have anything in them.
  var all: [(number: Int, sums: ClassSums)] {
    first.enumerated().filter { $0.element.count > 0 }.map { ($0.offset, $0.element) }
      + others.map { ($0.key, $0.value) }
  }
}

/// A class with its sums.
private struct ClassRow<Classes: QueryClasses> {
  let number: Int
  let sums: ClassSums
  let labels: ClassLabels

  init(number: Int, sums: ClassSums) {
    self.number = number
    self.sums = sums
    labels = Classes.labels(of: number)
  }

  func write(to json: JSONWriter, of subject: QuerySubject) {
    let measure = subject.measure
    json.object {
      for (name, value) in labels.values {
        switch value {
        case .text(let text): json.name(name, text)
        case .number(let number): json.member(name, number)
        case .unknown: json.member(name, Int?.none)
        }
      }
      json.member("count", sums.count)
      json.member("apparent_size", sums.totals.apparentSize)
      json.member("allocated_size", sums.totals.allocatedSize)
      json.time("modified_at", secondsSince1970: sums.newest)
      json.member("share", ratio(sums.size(measure), of: subject.directory.totals.size(measure)))
    }
  }

  var csvLine: [UInt8] {
    var line: [UInt8] = []
    for (_, value) in labels.values {
      switch value {
      case .text(let text): line += CSV.quoted(text)
      case .number(let number): line += String(number).utf8
      case .unknown: break
      }
      line.append(UInt8(ascii: ","))
    }
    line += "\(sums.count),\(sums.totals.allocatedSize),\(sums.totals.apparentSize),".utf8
    line += "\(CivilDate.timestamp(secondsSince1970: sums.newest))\r\n".utf8
    return line
  }
}
