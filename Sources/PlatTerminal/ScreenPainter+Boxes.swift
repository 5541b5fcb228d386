import PlatScan
import PlatTree

// Boxes over the screen.
extension ScreenPainter {
  /// A line of a box: pieces of text with their styles.
  internal struct BoxLine {
    internal var pieces: [(text: String, style: CellStyle)]
    internal init(_ text: String = "", _ style: CellStyle = .plain) { pieces = [(text, style)] }
    internal init(_ pieces: [(text: String, style: CellStyle)]) { self.pieces = pieces }
  }

  internal func paint(_ box: Box, on surface: inout Surface) {
    switch box {
    case .help(let scroll): paintHelp(scroll, on: &surface)
    case .info: frame("Information", theme.muted, width: 70, infoLines(), on: &surface)
    case .columns(let selected): paintColumnMenu(selected, on: &surface)
    case .quit:
      let count = NumberFormat.counted(browser.marks.count, "mark")
      frame(
        "Quit",
        theme.warning,
        width: 44,
        [BoxLine(), BoxLine("  \(count) would be lost. Quit? [y/N]"), BoxLine()],
        on: &surface
      )
    case .failure(let error): paintFailure(error, on: &surface)
    case .confirm(let removal, let typed):
      removal.isPermanent
        ? paintDelete(removal, typed, on: &surface) : paintTrash(removal, on: &surface)
    case .removing(let progress, let total): paintRemoving(progress, total, on: &surface)
    case .failures(let outcome): paintFailures(outcome, on: &surface)
    }
  }

  /// Draws a box in the middle of the screen; lines that do not fit are left out from the end, but
  /// for the last two.
  internal func frame(
    _ title: String,
    _ border: CellStyle,
    width wanted: Int,
    _ lines: [BoxLine],
    keeping last: Int = 2,
    on surface: inout Surface
  ) {
    let width = min(wanted, layout.columns - 2)
    var lines = lines
    let room = max(layout.rows - 3, 1)
    // Blank lines go first.
    while lines.count > room, let blank = lines.lastIndex(where: \.isBlank) {
      lines.remove(at: blank)
    }
    if lines.count > room, lines.count > last {
      lines.removeSubrange(max(room - last, 0)..<lines.count - last)
    }
    lines = Array(lines.suffix(room))
    let left = (layout.columns - width) / 2
    let first = max((layout.rows - lines.count - 2) / 2, layout.rows > 4 ? 1 : 0)
    let edge = border.on(theme.box)
    let corners = glyphs.corners
    let bar = glyphs.isASCII ? "-" : "─"
    let head = title.isEmpty ? "" : "\(bar) \(fitted(title, width - 6)) "
    let top =
      head + String(repeating: bar, count: max(width - 2 - ColumnWidth.of(head), 0))
    surface.put("\(corners[0])\(top)\(corners[1])", row: first, column: left, edge)
    for (offset, line) in lines.enumerated() {
      let row = first + 1 + offset
      surface.fill(row: row, left..<left + width, theme.box)
      surface.set(glyphs.side, row: row, column: left, edge)
      surface.set(glyphs.side, row: row, column: left + width - 1, edge)
      var column = left + 1
      for piece in line.pieces {
        let room = left + width - 1 - column
        var style = piece.style
        if style.background == .standard { style = style.on(theme.box) }
        column = surface.put(fitted(piece.text, room), row: row, column: column, style)
      }
    }
    let bottom = String(repeating: bar, count: max(width - 2, 0))
    surface.put(
      "\(corners[2])\(bottom)\(corners[3])",
      row: first + lines.count + 1,
      column: left,
      edge
    )
  }

  // MARK: Help

  private func paintHelp(_ scroll: Int, on surface: inout Surface) {
    func line(_ entry: (keys: String, effect: String), _ gap: Int) -> [(String, CellStyle)] {
      let keys = glyphs.isASCII ? asciiKeys(entry.keys) : entry.keys
      let padding = max(gap - ColumnWidth.of(keys), 1)
      return [
        ("  " + keys, theme.key), (String(repeating: " ", count: padding), .plain),
        (entry.effect, theme.muted),
      ]
    }
    func padded(_ pieces: [(String, CellStyle)], _ width: Int) -> [(String, CellStyle)] {
      let used = pieces.reduce(0) { $0 + ColumnWidth.of($1.0) }
      return pieces + [(String(repeating: " ", count: max(width - used, 0)), .plain)]
    }
    var lines: [BoxLine] = []
    if layout.columns >= 78 {
      for (left, right) in [(HelpPage.move, HelpPage.show), (HelpPage.act, HelpPage.scan)] {
        if !lines.isEmpty { lines.append(BoxLine()) }
        lines.append(
          BoxLine(
            padded([(" " + left.title, theme.strong)], 38) + [(right.title, theme.strong)]
          )
        )
        for index in 0..<max(left.lines.count, right.lines.count) {
          let one = index < left.lines.count ? line(left.lines[index], 16) : []
          let two = index < right.lines.count ? line(right.lines[index], 11) : []
          lines.append(BoxLine(padded(one, 37) + two))
        }
      }
    } else {
      for entry in HelpPage.singleColumn {
        lines.append(
          entry.isTitle
            ? BoxLine(" " + entry.keys, theme.strong)
            : BoxLine(line((entry.keys, entry.effect), 17))
        )
      }
    }
    let room = max(layout.rows - 3, 1)
    let start = min(scroll, max(lines.count - room, 0))
    frame(
      "Keys",
      theme.muted,
      width: 78,
      Array(lines[start...].prefix(room)),
      keeping: 0,
      on: &surface
    )
  }

  private func asciiKeys(_ keys: String) -> String {
    switch keys {
    case "↑ ↓ j k": "up down j k"
    case "→ l Enter": "right l Enter"
    case "← h Backspace <": "left h Bksp <"
    default: keys
    }
  }

  // MARK: Information

  private func infoLines() -> [BoxLine] {
    guard let tree = browser.tree, let row = browser.selectedRow else {
      return [BoxLine("  Nothing is selected.")]
    }
    func line(_ title: String, _ text: String) -> BoxLine {
      let padding = String(repeating: " ", count: max(11 - title.utf8.count, 1))
      return BoxLine([("  " + title + padding, theme.muted), (text, .plain)])
    }
    var lines = [BoxLine(), line("Path", browser.text(browser.selectedPath))]
    guard let id = row.id else {
      return lines + [line("Kind", "left out of the scan"), BoxLine()]
    }
    let facts = EntryFacts(row, id, in: tree, of: browser)
    lines += [line("Kind", facts.kind), BoxLine()]
    lines += [
      line("On disk", facts.size(.allocated)), line("Apparent", facts.size(.apparent)),
      line("Share", share(of: row, in: tree)),
    ]
    if let larger = browser.largerCount {
      let kind = row.isDirectory ? "directory" : "file"
      let root = browser.text(tree.name(of: tree.root))
      lines.append(line("Rank", "\(RankRequest.words(larger: larger)) \(kind) below \(root)"))
    }
    if row.isDirectory { lines.append(line("Holds", facts.contents)) }
    lines.append(BoxLine())
    let age = DurationFormat.age(of: facts.modified, at: browser.now)
    lines.append(line("Changed", "\(browser.settings.clock.long(facts.modified))   (\(age))"))
    if let links = facts.links { lines.append(line("Links", links)) }
    lines.append(line("Inode", facts.inode))
    return lines + [BoxLine()]
  }

  private func share(of row: Row, in tree: FileTree) -> String {
    func text(_ whole: UInt64) -> String {
      NumberFormat.share(row.size, of: whole, withDecimal: true)
    }
    let parent = text(tree.size(of: browser.directory, browser.measure))
    let whole = text(tree.size(of: tree.root, browser.measure))
    return "\(parent) of its directory, \(whole) of \(browser.text(tree.name(of: tree.root)))"
  }

  // MARK: A scan that failed

  private func paintFailure(_ error: ScanError, on surface: inout Surface) {
    let date = browser.settings.clock.long(browser.shown.checkedAt)
    frame(
      "Refresh failed",
      theme.bad,
      width: 68,
      [
        BoxLine(), BoxLine("  \(error)", theme.strong), BoxLine(),
        BoxLine("  What you see is of \(date); it was not changed."),
        BoxLine("  Nothing of the failed scan was stored."), BoxLine(),
        hints([
          ("r", "try again"), ("e", "issues"), ("o", "another root"), ("Esc", "go on with this"),
        ]),
      ],
      on: &surface
    )
  }

  internal func hints(_ hints: [(String, String)]) -> BoxLine {
    var pieces: [(text: String, style: CellStyle)] = []
    for (key, word) in hints {
      pieces += [("  ", .plain), (key, theme.key), (" " + word, theme.muted)]
    }
    return BoxLine(pieces)
  }
}

extension ScreenPainter.BoxLine {
  internal var isBlank: Bool { pieces.allSatisfy { $0.text.allSatisfy { $0 == " " } } }
}
