import PlatTree

/// A screen as it is to be: a grid of cells.
///
/// A character of two columns takes its cell and the one after it, which is then its *tail*. What is
/// drawn over one half of it turns the other half into a blank, as in a terminal.
internal struct Surface: Equatable, Sendable {
  internal struct Cell: Equatable, Sendable {
    internal var character: Character = " "
    internal var style = CellStyle.plain
    /// Whether the cell is the second column of the character before it.
    internal var isTail = false
  }

  /// A place on the screen, from 0.
  internal struct Position: Hashable, Sendable {
    internal var row: Int
    internal var column: Int
  }

  internal let columns: Int
  internal let rows: Int
  internal private(set) var cells: [Cell]
  /// Where the terminal's own cursor is put, which screen readers and magnifiers follow.
  internal var cursor = Position(row: 0, column: 0)

  /// Creates a blank screen.
  internal init(columns: Int, rows: Int) {
    self.columns = max(columns, 1)
    self.rows = max(rows, 1)
    cells = Array(repeating: Cell(), count: self.columns * self.rows)
  }

  internal subscript(row: Int, column: Int) -> Cell { cells[row * columns + column] }

  /// Draws a part of another screen of the same size.
  internal mutating func copy(_ columns: Range<Int>, rows: Range<Int>, from other: Surface) {
    guard (other.columns, other.rows) == (self.columns, self.rows) else { return }
    for row in rows {
      let range = row * self.columns + columns.lowerBound..<row * self.columns + columns.upperBound
      cells.replaceSubrange(range, with: other.cells[range])
    }
  }

  /// Draws a character that takes one column; what is outside the screen is not drawn.
  internal mutating func set(
    _ character: Character,
    row: Int,
    column: Int,
    _ style: CellStyle
  ) {
    guard (0..<rows).contains(row), (0..<columns).contains(column) else { return }
    let index = row * columns + column
    clearHalves(at: index, column: column)
    cells[index] = Cell(character: character, style: style)
  }

  /// Draws text, as far as it fits.
  ///
  /// - Parameters:
  ///   - text: What to draw; characters without a column of their own are left out.
  ///   - row: The row.
  ///   - column: The column of the first character.
  ///   - end: The column before which the text ends; `nil` is the edge of the screen.
  ///   - style: How it looks.
  /// - Returns: The column after the text.
  @discardableResult
  internal mutating func put(
    _ text: some StringProtocol,
    row: Int,
    column: Int,
    before end: Int? = nil,
    _ style: CellStyle = .plain
  ) -> Int {
    guard (0..<rows).contains(row) else { return column }
    let end = min(end ?? columns, columns)
    var column = column
    for character in text {
      let width = character.isASCII ? 1 : ColumnWidth.of(character)
      guard width > 0 else { continue }
      guard column + width <= end else { break }
      if column >= 0 {
        set(character, row: row, column: column, style)
        if width == 2 { setTail(row: row, column: column + 1, style) }
      }
      column += width
    }
    return column
  }

  /// Fills cells of a row with blanks.
  internal mutating func fill(row: Int, _ columns: Range<Int>, _ style: CellStyle) {
    for column in columns { set(" ", row: row, column: column, style) }
  }

  /// Changes the style of what is drawn already.
  internal mutating func restyle(
    row: Int,
    _ range: Range<Int>,
    _ change: (inout CellStyle) -> Void
  ) {
    for column in range where (0..<columns).contains(column) {
      change(&cells[row * columns + column].style)
    }
  }

  private mutating func setTail(row: Int, column: Int, _ style: CellStyle) {
    let index = row * columns + column
    clearHalves(at: index, column: column, keepsHead: true)
    cells[index] = Cell(character: " ", style: style, isTail: true)
  }

  private mutating func clearHalves(at index: Int, column: Int, keepsHead: Bool = false) {
    if cells[index].isTail, !keepsHead, column > 0 { cells[index - 1].character = " " }
    if column + 1 < columns, cells[index + 1].isTail { cells[index + 1].isTail = false }
  }
}

extension Surface {
  /// The characters of a row, without their styles.
  internal func text(row: Int) -> String {
    var text = ""
    for cell in cells[row * columns..<(row + 1) * columns] where !cell.isTail {
      text.append(cell.character)
    }
    return text
  }

  /// The characters of all rows, each row ended by a newline.
  internal var text: String { (0..<rows).map { text(row: $0) + "\n" }.joined() }
}
