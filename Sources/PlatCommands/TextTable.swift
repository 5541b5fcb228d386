import PlatTree

/// Rows of text in aligned columns.
///
/// The last column ends its line without padding, which is where names belong: they may be long, and a
/// terminal may disagree on their width.
///
/// ```swift
/// var table = TextTable(.trailing("SIZE"), .leading(""), .leading("NAME"))
/// table.append([.init("6.3 GiB"), .init(bar), .init("lib/", .bold)])
/// context.print(table)
/// ```
package struct TextTable: Sendable {
  /// A column: its heading, and the side that text stands on.
  package struct Column: Hashable, Sendable {
    package let heading: String
    package let isTrailing: Bool

    /// A column of text, which starts on the left.
    package static func leading(_ heading: String = "") -> Column {
      Column(heading: heading, isTrailing: false)
    }

    /// A column of numbers, which end on the right.
    package static func trailing(_ heading: String = "") -> Column {
      Column(heading: heading, isTrailing: true)
    }
  }

  /// A piece of text in a row.
  package struct Cell: Hashable, Sendable {
    package let text: String
    package let style: TextStyle?

    /// Creates a cell.
    ///
    /// - Parameters:
    ///   - text: Text without control characters; names are made so by ``NameDisplay``.
    ///   - style: How the text is set off, where colour is used.
    package init(_ text: String, _ style: TextStyle? = nil) {
      self.text = text
      self.style = style
    }
  }

  /// The columns, from left to right.
  package let columns: [Column]
  /// The rows, from top to bottom.
  package private(set) var rows: [[Cell]] = []
  /// Whether the headings are still to be shown, if there are any.
  package private(set) var showsHeadings = true
  /// The columns that each column has at least.
  private var leastWidths: [Int]

  private static let gap = 2
  /// The least that is left of the last column, so that a row is never without its name.
  private static let minimumLastWidth = 10

  /// Creates a table without rows.
  ///
  /// Its headings are shown if one of them is not empty.
  package init(_ columns: Column...) {
    self.columns = columns
    leastWidths = [Int](repeating: 0, count: columns.count)
  }

  /// Drops the rows, for others to come below them: these have no headings, and stay aligned with them
  /// unless they need more room.
  package mutating func continueBelow() {
    leastWidths = widths(of: allRows)
    rows.removeAll(keepingCapacity: true)
    showsHeadings = false
  }

  /// The rows, below the headings if there are any to show.
  private var allRows: [[Cell]] {
    guard showsHeadings, columns.contains(where: { !$0.heading.isEmpty }) else { return rows }
    return [columns.map { Cell($0.heading, .muted) }] + rows
  }

  /// The columns that each column needs; names at the end of a line need none.
  private func widths(of rows: [[Cell]]) -> [Int] {
    let lastColumn = columns.count - 1
    return columns.indices.map { column in
      column == lastColumn && !columns[column].isTrailing
        ? 0
        : rows.reduce(leastWidths[column]) { max($0, ColumnWidth.of($1[column].text)) }
    }
  }

  /// Adds a row.
  ///
  /// - Precondition: There is a cell for each column.
  package mutating func append(_ row: [Cell]) {
    precondition(row.count == columns.count, "a row has a cell for each column")
    rows.append(row)
  }

  /// Adds a row of plain text.
  ///
  /// - Precondition: There is a text for each column.
  package mutating func append(_ row: String...) {
    append(row.map { Cell($0) })
  }

  /// Returns the lines of the table, without newlines.
  ///
  /// - Parameters:
  ///   - maximumWidth: The columns of the terminal. Text in the last column that does not fit loses its
  ///     middle. If it is `nil`, nothing is cut.
  ///   - styled: Whether cells have their style.
  ///   - ascii: Whether only ASCII is drawn.
  /// - Returns: The headings, if there are any, and then the rows.
  package func lines(
    maximumWidth: Int? = nil,
    styled: Bool = false,
    ascii: Bool = false
  ) -> [String] {
    let rows = allRows
    let widths = widths(of: rows)
    let before = widths.dropLast().reduce(0) { $0 + $1 + Self.gap }
    let lastWidth = maximumWidth.map { max(Self.minimumLastWidth, $0 - before) }
    let ellipsis = ascii ? "~" : "…"
    return rows.map { row in
      var row = row
      if let lastWidth, let last = row.popLast() {
        let text = ColumnWidth.truncatingMiddle(of: last.text, to: lastWidth, ellipsis: ellipsis)
        row.append(Cell(text, last.style))
      }
      return line(of: row, widths: widths, styled: styled)
    }
  }

  /// Returns a row as a line, without spaces at its end.
  private func line(of row: [Cell], widths: [Int], styled: Bool) -> String {
    var line = ""
    for (column, cell) in row.enumerated() {
      let missing = max(0, widths[column] - ColumnWidth.of(cell.text))
      let padding = String(repeating: " ", count: missing)
      let text = styled ? cell.styledText : cell.text
      line += columns[column].isTrailing ? padding + text : text + padding
      if column + 1 < row.count { line += String(repeating: " ", count: Self.gap) }
    }
    while line.last == " " { line.removeLast() }
    return line
  }
}

extension TextTable.Cell {
  fileprivate var styledText: String {
    guard let style, !text.isEmpty else { return text }
    return style.applied(to: text)
  }
}
