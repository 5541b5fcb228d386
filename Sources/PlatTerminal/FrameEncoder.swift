import PlatTree

/// Turns screens into the bytes that change a terminal from one to the next.
///
/// Only cells that differ are sent, and of their styles only what differs from the cell before. No
/// sequence is used whose effect depends on how a terminal fills cells that it clears.
internal struct FrameEncoder {
  private var shown: Surface?
  private var style = CellStyle.plain
  /// Where the terminal's cursor is, if that is known.
  private var position: Surface.Position?
  private var bytes: [UInt8] = []

  internal init() {}

  /// Forgets what the terminal shows: the next screen is sent whole.
  internal mutating func forget() {
    shown = nil
    position = nil
  }

  /// Returns the bytes that bring a screen onto the terminal: none if it is there already.
  internal mutating func encode(_ next: Surface) -> [UInt8] {
    bytes.removeAll(keepingCapacity: true)
    if let shown, shown.columns == next.columns, shown.rows == next.rows {
      guard shown != next else { return [] }
      drawChanges(from: shown, to: next)
    } else {
      bytes.append(contentsOf: "\u{1B}[0m\u{1B}[2J".utf8)
      style = .plain
      position = nil
      drawChanges(from: Surface(columns: next.columns, rows: next.rows), to: next)
    }
    move(to: next.cursor)
    shown = next
    return Array("\u{1B}[?2026h".utf8) + bytes + Array("\u{1B}[?2026l".utf8)
  }

  private mutating func drawChanges(from old: Surface, to next: Surface) {
    for row in 0..<next.rows {
      let range = row * next.columns..<(row + 1) * next.columns
      guard old.cells[range] != next.cells[range] else { continue }
      for column in 0..<next.columns {
        let cell = next[row, column]
        guard !cell.isTail else { continue }
        // A tail that changes was drawn over, or its character changes with it.
        let hasNewTail =
          column + 1 < next.columns && next[row, column + 1].isTail
          && !old[row, column + 1].isTail
        guard cell != old[row, column] || hasNewTail else { continue }
        move(to: Surface.Position(row: row, column: column), over: next)
        draw(cell, at: Surface.Position(row: row, column: column), of: next)
      }
    }
  }

  // MARK: Cursor

  /// Moves the cursor, by writing again what lies between if that is shorter.
  private mutating func move(to target: Surface.Position, over surface: Surface? = nil) {
    defer { position = target }
    guard let position, position.row == target.row else {
      if let position, position.row + 1 == target.row, target.column == 0 {
        bytes.append(contentsOf: "\r\n".utf8)
      } else {
        control("\(target.row + 1);\(target.column + 1)H")
      }
      return
    }
    let gap = target.column - position.column
    if gap == 0 { return }
    if let surface, gap > 0, gap <= 3 {
      let between = (position.column..<target.column).map { surface[target.row, $0] }
      if between.allSatisfy({ $0.character.isASCII && $0.style == style && !$0.isTail }) {
        for cell in between { bytes.append(cell.character.asciiValue ?? 0x20) }
        return
      }
    }
    if gap > 0 {
      control(gap == 1 ? "C" : "\(gap)C")
    } else {
      control("\(target.column + 1)G")
    }
  }

  // MARK: Cells

  private mutating func draw(
    _ cell: Surface.Cell,
    at place: Surface.Position,
    of surface: Surface
  ) {
    var cell = cell
    var wanted = cell.style
    switch cell.character {
    case " " where wanted.attributes.isDisjoint(with: [.underline, .reverse]):
      // Nothing of a blank has the colour of the text.
      wanted.foreground = style.foreground
      wanted.attributes = style.attributes.intersection(.bold)
    case "▀" where style.foreground == wanted.background && style.background == wanted.foreground:
      cell.character = "▄"
      swap(&wanted.foreground, &wanted.background)
    default: break
    }
    select(wanted)
    bytes.append(contentsOf: cell.character.utf8)
    let isWide = place.column + 1 < surface.columns && surface[place.row, place.column + 1].isTail
    let next = place.column + (isWide ? 2 : 1)
    // The terminal may count the columns of a character otherwise; and the last column keeps the
    // cursor.
    position =
      cell.character.hasCertainWidth && next < surface.columns
      ? Surface.Position(row: place.row, column: next) : nil
    if position == nil, next < surface.columns {
      control("\(next + 1)G")
      position = Surface.Position(row: place.row, column: next)
    }
  }

  private mutating func select(_ wanted: CellStyle) {
    guard wanted != style else { return }
    var codes: [String] = []
    let removed = style.attributes.subtracting(wanted.attributes)
    let added = wanted.attributes.subtracting(style.attributes)
    if removed.contains(.bold) { codes.append("22") }
    if removed.contains(.underline) { codes.append("24") }
    if removed.contains(.reverse) { codes.append("27") }
    if added.contains(.bold) { codes.append("1") }
    if added.contains(.underline) { codes.append("4") }
    if added.contains(.reverse) { codes.append("7") }
    if wanted.foreground != style.foreground {
      codes.append(Self.code(wanted.foreground, isBackground: false))
    }
    if wanted.background != style.background {
      codes.append(Self.code(wanted.background, isBackground: true))
    }
    if wanted == .plain { codes = [""] }
    control(codes.joined(separator: ";") + "m")
    style = wanted
  }

  private static func code(_ color: TerminalColor, isBackground: Bool) -> String {
    switch color {
    case .standard: isBackground ? "49" : "39"
    case .basic(let index):
      "\(Int(index & 7) + (isBackground ? 40 : 30) + (index >= 8 ? 60 : 0))"
    case .palette(let index): isBackground ? "48;5;\(index)" : "38;5;\(index)"
    case .rgb(let color):
      (isBackground ? "48;2;" : "38;2;") + "\(color.red);\(color.green);\(color.blue)"
    }
  }

  private mutating func control(_ sequence: String) {
    bytes.append(contentsOf: [0x1B, 0x5B])
    bytes.append(contentsOf: sequence.utf8)
  }
}

extension Character {
  /// Whether every terminal agrees on the columns: ASCII, and the characters that screens are drawn
  /// with.
  fileprivate var hasCertainWidth: Bool {
    if isASCII { return true }
    let scalars = unicodeScalars
    guard let scalar = scalars.first, scalars.count == 1 else { return false }
    switch scalar.value {
    case 0xB7, 0x2026, 0x203A, 0x2190...0x2193, 0x2212, 0x2265, 0x2500...0x25FF: return true
    default: return false
    }
  }
}
