import PlatTree

@testable import PlatTerminal

/// A terminal, as far as screens use it: what bytes make of a grid of cells.
///
/// It knows nothing of how the bytes were made, and traps on every sequence that is not in its list.
struct ScreenEmulator {
  let columns: Int
  let rows: Int
  private(set) var cells: [Surface.Cell]
  private(set) var row = 0
  private(set) var column = 0
  private var style = CellStyle.plain

  init(columns: Int, rows: Int) {
    (self.columns, self.rows) = (columns, rows)
    cells = Array(repeating: Surface.Cell(), count: columns * rows)
  }

  mutating func feed(_ bytes: [UInt8]) {
    var text = String(decoding: bytes, as: UTF8.self)[...]
    while let character = text.first {
      if character == "\u{1B}" {
        text = text.dropFirst()
        precondition(text.first == "[", "only control sequences are used")
        let end = text.dropFirst().firstIndex { ("@"..."~").contains($0) } ?? text.startIndex
        control(String(text[text.index(after: text.startIndex)..<end]), text[end])
        text = text[text.index(after: end)...]
      } else {
        text = text.dropFirst()
        draw(character)
      }
    }
  }

  private mutating func draw(_ character: Character) {
    switch character {
    case "\n", "\r\n":
      precondition(row + 1 < rows, "the screen would scroll")
      row += 1
      if character == "\r\n" { column = 0 }
      return
    case "\r": return column = 0
    case "\u{8}": return column = max(column - 1, 0)
    default: break
    }
    let width = ColumnWidth.of(character)
    cells[row * columns + column] = Surface.Cell(character: character, style: style)
    if width == 2, column + 1 < columns {
      cells[row * columns + column + 1] = Surface.Cell(character: " ", style: style, isTail: true)
    }
    column = min(column + width, columns - 1)
  }

  private mutating func control(_ parameters: String, _ final: Character) {
    let numbers = parameters.split(separator: ";", omittingEmptySubsequences: false)
      .map { Int($0) ?? 0 }
    switch final {
    case "h", "l": break
    case "J": cells = Array(repeating: Surface.Cell(), count: columns * rows)
    case "H": (row, column) = (max(numbers[0], 1) - 1, (numbers.count > 1 ? numbers[1] : 1) - 1)
    case "C": column += max(numbers.first ?? 1, 1)
    case "G": column = max(numbers.first ?? 1, 1) - 1
    case "m": select(numbers)
    default: preconditionFailure("the sequence \(parameters)\(final) is not one that is used")
    }
  }

  private mutating func select(_ numbers: [Int]) {
    var index = 0
    while index < numbers.count {
      let number = numbers[index]
      switch number {
      case 0: style = .plain
      case 1: style.attributes.insert(.bold)
      case 4: style.attributes.insert(.underline)
      case 7: style.attributes.insert(.reverse)
      case 22: style.attributes.remove(.bold)
      case 24: style.attributes.remove(.underline)
      case 27: style.attributes.remove(.reverse)
      case 30...37: style.foreground = .basic(UInt8(number - 30))
      case 90...97: style.foreground = .basic(UInt8(number - 82))
      case 39: style.foreground = .standard
      case 40...47: style.background = .basic(UInt8(number - 40))
      case 100...107: style.background = .basic(UInt8(number - 92))
      case 49: style.background = .standard
      case 38, 48:
        let color: TerminalColor
        if numbers[index + 1] == 5 {
          color = .palette(UInt8(numbers[index + 2]))
          index += 2
        } else {
          color = .rgb(
            RGB(UInt8(numbers[index + 2]), UInt8(numbers[index + 3]), UInt8(numbers[index + 4]))
          )
          index += 4
        }
        if number == 38 { style.foreground = color } else { style.background = color }
      default: preconditionFailure("the attribute \(number) is not one that is used")
      }
      index += 1
    }
  }

  /// Whether a cell looks as one of a surface is to look.
  func shows(_ surface: Surface) -> Bool {
    guard surface.columns == columns, surface.rows == rows else { return false }
    return cells.indices.allSatisfy {
      Self.appearance(cells[$0]) == Self.appearance(surface.cells[$0])
    }
  }

  /// What of a cell can be seen: a blank has no foreground, a full block no ground, and an upper half of
  /// one colour is a lower half of the other.
  private static func appearance(_ cell: Surface.Cell) -> Surface.Cell {
    var cell = cell
    let hasLines = !cell.style.attributes.isDisjoint(with: [.underline, .reverse])
    if cell.character == " ", !hasLines, !cell.isTail {
      cell.style.foreground = .standard
      cell.style.attributes = []
    }
    if cell.character == "█", !cell.style.attributes.contains(.reverse) {
      cell.style.background = .standard
    }
    if cell.character == "▄" {
      cell.character = "▀"
      swap(&cell.style.foreground, &cell.style.background)
    }
    return cell
  }
}
