import PlatTree

/// Turns screens into the bytes that change a terminal from one to the next.
///
/// Only cells that differ are sent, and of their styles only what differs from the cell before, in an
/// order that costs few bytes. No sequence is used whose effect depends on how a terminal fills
/// cells that it clears.
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
    var pieces = (0..<next.rows).flatMap { changes(in: $0, from: old, to: next) }
    // Where nearly everything changes there is always something near by.
    let window = pieces.count <= 512 ? 512 : 32
    var first = 0
    while first < pieces.count {
      let end = min(first + window, pieces.count)
      let best = cheapest(of: pieces[first..<end])
      let piece = pieces[best]
      draw(piece.columns, row: piece.row, of: next)
      // The others stay in their order.
      for index in (first..<best).reversed() { pieces[index + 1] = pieces[index] }
      first += 1
    }
  }

  /// A stretch of a row that is to be drawn, in one style.
  private struct Piece {
    var row: Int
    var columns: Range<Int>
    /// How its first cell looks.
    var style: CellStyle
    var glyph: Glyph
  }

  /// What may be sent in another style than it has, and look the same.
  private enum Glyph {
    case blank, fullBlock, upperHalf, other

    init(_ cell: Surface.Cell) {
      switch cell.character {
      case " " where cell.style.attributes.isDisjoint(with: [.underline, .reverse]): self = .blank
      case "█" where !cell.style.attributes.contains(.reverse): self = .fullBlock
      case "▀": self = .upperHalf
      default: self = .other
      }
    }
  }

  /// Returns the stretches of a row that are to be drawn.
  private func changes(in row: Int, from old: Surface, to next: Surface) -> [Piece] {
    let range = row * next.columns..<(row + 1) * next.columns
    guard old.cells[range] != next.cells[range] else { return [] }
    var pieces: [Piece] = []
    var style = CellStyle.plain
    for column in 0..<next.columns {
      let cell = next[row, column]
      // A tail that changes was drawn over, or its character changes with it.
      let hasNewTail =
        column + 1 < next.columns && next[row, column + 1].isTail
        && !old[row, column + 1].isTail
      guard cell != old[row, column] || hasNewTail else { continue }
      let glyph = Glyph(cell)
      if let last = pieces.last, last.columns.upperBound == column,
        cell.isTail || adapted(cell.style, glyph, to: style).style == style
      {
        pieces[pieces.count - 1].columns = last.columns.lowerBound..<column + 1
      } else {
        pieces.append(
          Piece(row: row, columns: column..<column + 1, style: cell.style, glyph: glyph)
        )
        style = cell.style
      }
    }
    return pieces
  }

  /// Returns which stretch is drawn with the fewest bytes: near by, or in colours that are in use.
  ///
  /// A move costs less than a colour, so that a column of bars is drawn colour by colour, and an outline
  /// along its sides. The first of equal ones is taken.
  private func cheapest(of pieces: ArraySlice<Piece>) -> Int {
    var (best, bestCost) = (pieces.startIndex, Int.max)
    for index in pieces.indices {
      let (row, column) = (pieces[index].row, pieces[index].columns.lowerBound)
      var cost = cost(ofMoveTo: Surface.Position(row: row, column: column))
      guard cost < bestCost else { continue }
      cost += adapted(pieces[index].style, pieces[index].glyph, to: style).cost
      if cost < bestCost { (best, bestCost) = (index, cost) }
      if cost == 0 { break }
    }
    return best
  }

  /// About how many bytes it takes to move the cursor.
  private func cost(ofMoveTo target: Surface.Position) -> Int {
    guard let position, (0...3).contains(target.row - position.row) else { return 7 }
    let gap = target.column - position.column
    let down = target.row - position.row
    return min(down + ((-3...3).contains(gap) ? abs(gap) : 5), 7)
  }

  /// About how many bytes it takes to change the style.
  private func cost(of wanted: CellStyle, after style: CellStyle) -> Int {
    guard wanted != style else { return 0 }
    var cost = 2
    if wanted.attributes != style.attributes { cost += 3 }
    if wanted.foreground != style.foreground { cost += wanted.foreground.cost }
    if wanted.background != style.background { cost += wanted.background.cost }
    return cost
  }

  private mutating func draw(_ columns: Range<Int>, row: Int, of surface: Surface) {
    for column in columns where !surface[row, column].isTail {
      let place = Surface.Position(row: row, column: column)
      bytes += steps(to: place, over: surface)
      position = place
      draw(surface[row, column], at: place, of: surface)
    }
  }

  // MARK: Cursor

  private mutating func move(to target: Surface.Position) {
    bytes += steps(to: target)
    position = target
  }

  /// Returns the shortest bytes that move the cursor, which may write again what lies between.
  private func steps(to target: Surface.Position, over surface: Surface? = nil) -> [UInt8] {
    if position == target { return [] }
    var shortest = Self.control("\(target.row + 1);\(target.column + 1)H")
    guard let position else { return shortest }
    // Without its translation a newline is a step down.
    let down = target.row - position.row
    guard (0...3).contains(down) else { return shortest }
    let newlines = [UInt8](repeating: 0x0A, count: down)
    let gap = target.column - position.column
    var ways = [Self.control("\(target.column + 1)G")]
    if gap == 0 { ways = [[]] }
    if gap > 0 { ways.append(Self.control(gap == 1 ? "C" : "\(gap)C")) }
    if (-3...(-1)).contains(gap) { ways.append([UInt8](repeating: 0x08, count: -gap)) }
    if target.column == 0 { ways.append([0x0D]) }
    if let surface, down == 0, (1...3).contains(gap) {
      let between = (position.column..<target.column).map { surface[target.row, $0] }
      if between.allSatisfy({ $0.character.isASCII && $0.style == style && !$0.isTail }) {
        ways.append(between.map { $0.character.asciiValue ?? 0x20 })
      }
    }
    for way in ways where newlines.count + way.count < shortest.count {
      shortest = newlines + way
    }
    return shortest
  }

  // MARK: Cells

  /// Returns the style in which to send something: one that looks the same, and is not another than that
  /// in use if that can be had.
  ///
  /// - Returns: The style, about how many bytes it takes to change to it, and whether upper and lower half
  ///   change places.
  private func adapted(
    _ wanted: CellStyle,
    _ glyph: Glyph,
    to style: CellStyle
  ) -> (style: CellStyle, cost: Int, isTurned: Bool) {
    var wanted = wanted
    switch glyph {
    case .blank:
      // Nothing of a blank has the colour of the text.
      wanted.foreground = style.foreground
      wanted.attributes = style.attributes.intersection(.bold)
    case .fullBlock:
      // Nothing of the ground is seen.
      wanted.background = style.background
    case .upperHalf:
      var turned = wanted
      swap(&turned.foreground, &turned.background)
      let (cost, other) = (cost(of: wanted, after: style), cost(of: turned, after: style))
      return other < cost ? (turned, other, true) : (wanted, cost, false)
    case .other: break
    }
    return (wanted, cost(of: wanted, after: style), false)
  }

  private mutating func draw(
    _ cell: Surface.Cell,
    at place: Surface.Position,
    of surface: Surface
  ) {
    let adapted = adapted(cell.style, Glyph(cell), to: style)
    bytes += codes(for: adapted.style)
    style = adapted.style
    let character: Character = adapted.isTurned ? "▄" : cell.character
    bytes.append(contentsOf: character.utf8)
    let isWide = place.column + 1 < surface.columns && surface[place.row, place.column + 1].isTail
    let next = place.column + (isWide ? 2 : 1)
    // The terminal may count the columns of a character otherwise; and the last column keeps the
    // cursor.
    position =
      character.hasCertainWidth && next < surface.columns
      ? Surface.Position(row: place.row, column: next) : nil
    if position == nil, next < surface.columns {
      bytes += Self.control("\(next + 1)G")
      position = Surface.Position(row: place.row, column: next)
    }
  }

  /// Returns the bytes that lead from the style in use to another.
  private func codes(for wanted: CellStyle) -> [UInt8] {
    guard wanted != style else { return [] }
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
    return Self.control(codes.joined(separator: ";") + "m")
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

  private static func control(_ sequence: String) -> [UInt8] { [0x1B, 0x5B] + sequence.utf8 }
}

extension TerminalColor {
  /// About how many bytes it takes to ask for the colour.
  fileprivate var cost: Int {
    switch self {
    case .standard, .basic: 3
    case .palette: 9
    case .rgb: 17
    }
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
