import PlatStore
import PlatTree

/// Writes rows as a table, some hundred at a time, so that any number can go by.
internal struct RowTable {
  private let answer: QueryAnswer
  private let context: CommandContext
  private let whole: UInt64
  private var table: TextTable

  private static let blockSize = 512

  internal init(_ answer: QueryAnswer, in context: CommandContext) {
    self.answer = answer
    self.context = context
    whole = answer.directory.totals.size(answer.measure)
    table = TextTable(
      .trailing("SIZE"),
      .leading(),
      .trailing("SHARE"),
      .trailing("ITEMS"),
      .leading("MODIFIED"),
      .leading("NAME")
    )
  }

  /// Takes a row.
  internal mutating func append(_ row: QueryRow) {
    let size = row.size(answer.measure)
    let isDirectory = row.kind == .directory
    table.append([
      TextTable.Cell(row.isUnreadable ? "?" : context.shown(size: size)),
      TextTable.Cell(Bar.text(size, of: whole, columns: 10, ascii: context.usesASCII), .blue),
      TextTable.Cell(NumberFormat.share(size, of: whole)),
      TextTable.Cell(isDirectory ? NumberFormat.grouped(row.entries) : ""),
      TextTable.Cell(CivilDate.date(secondsSince1970: row.modificationTime), .muted),
      TextTable.Cell(
        context.shown(answer.relative(row)) + (isDirectory ? "/" : "") + note(on: row),
        isDirectory ? .bold : nil
      ),
    ])
    if table.rows.count == Self.blockSize { print() }
  }

  /// Writes what is left.
  internal mutating func finish() {
    if !table.rows.isEmpty || table.showsHeadings { print() }
  }

  private mutating func print() {
    context.print(table)
    table.continueBelow()
  }

  private func note(on row: QueryRow) -> String {
    if row.isUnreadable { return "  (not read)" }
    return row.isCountedElsewhere ? "  (a hard link, counted elsewhere)" : ""
  }
}
