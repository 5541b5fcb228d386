import PlatScan
import PlatTree

// The lines above and below the body: title, rule, detail and keys.
extension ScreenPainter {
  // MARK: Title

  internal func paintTitle(on surface: inout Surface) {
    surface.fill(row: 0, 0..<layout.columns, theme.title)
    let pieces = titlePieces()
    var column = layout.columns - width(of: pieces)
    for piece in pieces {
      column = surface.put(piece.text, row: 0, column: column, piece.style)
    }
    paintPath(on: &surface)
  }

  /// The columns for the path; the characters of a theme do not matter.
  internal var pathRoom: Int { layout.columns - width(of: titlePieces()) - 2 }

  private func width(of pieces: [Piece]) -> Int {
    pieces.reduce(1) { $0 + ColumnWidth.of($1.text) }
  }

  private typealias Piece = (text: String, style: CellStyle)

  /// The total, the items and what the session is doing, as much as there is room for.
  private func titlePieces() -> [Piece] {
    let chip = chip()
    let isNarrow = layout.columns < 30
    guard let tree = browser.tree else { return chip.map { [$0] } ?? [] }
    let totals = tree.totals(of: browser.directory)
    let isLowerBound =
      browser.shown.isPartial || browser.treeMarks.isTroubled(browser.directory)
    let size = totals.size(browser.measure)
    let bound = isLowerBound ? (isNarrow ? "\(glyphs.atLeast.prefix(1))" : glyphs.atLeast) : ""
    let text = isNarrow ? sizes.compactString(size) : sizes.string(size)
    var pieces = [(bound + text, theme.titleStrong)]
    if layout.columns >= 60 {
      pieces.append(("  " + NumberFormat.counted(totals.entries, "item"), theme.titleStrong))
    }
    if let chip, !isNarrow { pieces += [("  ", theme.title), chip] }
    return pieces
  }

  /// What the session is doing, in a few words.
  private func chip() -> Piece? {
    let shown = browser.shown
    let isWide = layout.columns >= 100
    let isMiddle = layout.columns >= 60
    if let comparison = browser.comparison {
      return ("since \(browser.settings.clock.short(comparison.takenAt))", theme.titleAccent)
    }
    if browser.filter != nil, isMiddle, shown.progress == nil {
      return ("filtered", theme.titleAccent)
    }
    if shown.progress != nil {
      return (progressText(shown, isWide: isWide, isMiddle: isMiddle), theme.titleAccent)
    }
    if shown.failure != nil {
      return (shown.tree == nil ? "scan failed" : "refresh failed", theme.titleBad)
    }
    if shown.isPartial { return ("stopped", theme.titleAccent) }
    guard isMiddle, shown.tree != nil else { return nil }
    if shown.isStale {
      return ("from \(browser.settings.clock.short(shown.checkedAt))", theme.titleAccent)
    }
    let age = DurationFormat.age(of: shown.checkedAt, at: browser.now)
    let text = age == "now" || age == "future" ? "just now" : "\(age) ago"
    if shown.uncheckedFiles > 0 {
      let count = NumberFormat.grouped(shown.uncheckedFiles)
      let rest = isWide ? "checked \(text) but for \(count) files" : "\(text), \(count) not"
      return (rest, theme.titleAccent)
    }
    return (isWide ? "checked \(text)" : text, theme.titleMuted)
  }

  private func progressText(_ shown: ShownState, isWide: Bool, isMiddle: Bool) -> String {
    let percent = shown.share.map { "\(Int($0 * 100))%" }
    let left = shown.secondsLeft.map { "  \(shortTime($0)) left" } ?? ""
    if shown.tree != nil, !shown.isPartial {
      guard isMiddle else { return "old \(percent ?? "")" }
      let date = isWide ? "\(browser.settings.clock.short(shown.checkedAt)), " : ""
      return "\(glyphs.refresh) \(date)checking \(percent ?? "")\(left)"
    }
    let spinner = glyphs.spinner[browser.spin % glyphs.spinner.count]
    guard let percent else {
      return "\(spinner) \(NumberFormat.grouped(shown.progress?.entries ?? 0)) items"
    }
    return "\(spinner) \(percent)\(isMiddle ? left : "")"
  }

  private func shortTime(_ seconds: Int) -> String {
    seconds < 100 ? "\(seconds) s" : "\(seconds / 60) min"
  }

  private func paintPath(on surface: inout Surface) {
    let room = pathRoom
    let crumbs = browser.breadcrumb(room: room, ellipsis: glyphs.ellipsis)
    let end = room + 1
    var column = 1
    for (index, crumb) in crumbs.enumerated() {
      if index > 0 {
        column = surface.put(
          " \(glyphs.separator) ",
          row: 0,
          column: column,
          before: end,
          theme.titleSeparator
        )
      }
      let isLast = index + 1 == crumbs.count
      column = surface.put(
        fitted(crumb.text, end - column),
        row: 0,
        column: column,
        before: end,
        isLast ? theme.titleStrong : theme.titleMuted
      )
    }
  }

  // MARK: Rule

  internal func paintRule(on surface: inout Surface) {
    guard let row = layout.ruleRow else { return }
    let done = browser.shown.share.map { Int($0 * Double(layout.columns)) } ?? 0
    for column in 0..<layout.columns {
      let isDone = column < done
      surface.set(
        isDone ? glyphs.progress : glyphs.rule,
        row: row,
        column: column,
        isDone ? theme.warning : theme.rule
      )
    }
  }

  // MARK: Detail

  internal func paintDetail(on surface: inout Surface) {
    guard let row = layout.detailRow ?? replacementRow else { return }
    if row == layout.keyRow { surface.fill(row: row, 0..<layout.columns, .plain) }
    switch browser.mode {
    case .searching(let search): paintSearchLine(search, row: row, on: &surface)
    case .typing(let prompt): paintPrompt(prompt, row: row, on: &surface)
    default:
      if let message = browser.message {
        surface.put(
          fitted(message, layout.columns - 2),
          row: row,
          column: 1,
          theme.strong
        )
      } else if layout.detailRow != nil {
        paintFacts(row: row, on: &surface)
      }
    }
  }

  /// The row for what is typed or said where there is no detail line.
  private var replacementRow: Int? {
    switch browser.mode {
    case .searching, .typing: layout.keyRow ?? layout.rows - 1
    default: browser.message == nil ? nil : layout.keyRow ?? layout.rows - 1
    }
  }

  private func paintFacts(row: Int, on surface: inout Surface) {
    if case .issues = browser.mode { return }
    if let progress = browser.shown.progress, browser.shown.tree == nil || browser.shown.isPartial {
      surface.put(
        fitted(counters(progress), layout.columns - 2),
        row: row,
        column: 1,
        theme.muted
      )
      return
    }
    guard browser.tree != nil else { return }
    if let comparison = browser.comparison {
      surface.put(
        fitted(comparisonText(comparison), layout.columns - 2),
        row: row,
        column: 1,
        theme.muted
      )
      return
    }
    let path = browser.text(browser.selectedPath)
    var right = facts()
    let room = layout.columns - 3
    if ColumnWidth.of(right) + min(ColumnWidth.of(path), 24) > room { right = "" }
    let left = fitted(path, room - ColumnWidth.of(right))
    surface.put(left, row: row, column: 1, theme.path)
    surface.put(
      right,
      row: row,
      column: layout.columns - 1 - ColumnWidth.of(right),
      theme.muted
    )
  }

  private func counters(_ progress: ScanProgress) -> String {
    let seconds =
      Double(progress.elapsed.components.seconds)
      + Double(progress.elapsed.components.attoseconds) * 1e-18
    let rate = Int(Double(progress.entries) / max(seconds, 0.001))
    let parts = [
      NumberFormat.counted(progress.entries, "item"),
      NumberFormat.counted(progress.directories, "directory", plural: "directories"),
      "\(NumberFormat.grouped(rate)) items/s",
      "now \(browser.text(progress.path))",
    ]
    return parts.joined(separator: glyphs.between)
  }

  /// The other size of the selected row, and when it was changed.
  private func facts() -> String {
    guard browser.tree != nil, let row = browser.selectedRow, row.id != nil else { return "" }
    let word = browser.measure.other == .apparent ? "apparent" : "on disk"
    let changed =
      row.modified == .min
      ? "" : "\(glyphs.between)changed \(browser.settings.clock.long(row.modified))"
    return "\(sizes.string(row.otherSize)) \(word)\(changed)"
  }

  private func comparisonText(_ comparison: Comparison) -> String {
    guard let tree = browser.tree else { return "" }
    let clock = browser.settings.clock
    let net = comparison.net(of: browser.directory, in: tree, browser.measure)
    return "\(clock.long(comparison.takenAt))  to  \(clock.long(browser.shown.checkedAt))"
      + "\(glyphs.between)\(signed(net)) net" + countsText(comparison)
  }

  private func countsText(_ comparison: Comparison) -> String {
    guard let counts = comparison.counts else { return "" }
    let parts = [(counts.added, "added"), (counts.removed, "removed"), (counts.moved, "moved")]
    let text = parts.map { "\(NumberFormat.grouped($0.0)) \($0.1)" }.joined(separator: ", ")
    return glyphs.between + text
  }

  /// Returns a change of size with its sign.
  internal func signed(_ change: RowChange) -> String {
    if change.grown > 0 { return "+" + sizes.string(change.grown) }
    return change.shrunk > 0 ? glyphs.minus + sizes.string(change.shrunk) : sizes.string(0)
  }

  private func paintSearchLine(_ search: Search, row: Int, on surface: inout Surface) {
    var column = surface.put("Find ", row: row, column: 1, theme.accent)
    column = surface.put(
      fitted(browser.text(search.request.text.utf8), layout.columns / 2),
      row: row,
      column: column,
      theme.strong
    )
    surface.set(glyphs.caret, row: row, column: column, theme.warning)
    var hint = search.request.usesPath ? "Tab: name" : "Tab: whole path"
    hint = "* ? [ ] glob\(glyphs.between)\(hint)\(glyphs.between)here and below"
    if let result = search.result, !search.request.text.isEmpty {
      let matches = NumberFormat.grouped(result.matches)
      hint = "\(matches) of \(NumberFormat.counted(result.names, "name"))\(glyphs.between)\(hint)"
    }
    surface.put(
      fitted(hint, layout.columns - column - 4),
      row: row,
      column: column + 3,
      theme.muted
    )
    surface.cursor = Surface.Position(row: row, column: min(column, layout.columns - 1))
  }

  private func paintPrompt(_ prompt: Prompt, row: Int, on surface: inout Surface) {
    var column = surface.put(prompt.title + " ", row: row, column: 1, theme.accent)
    // A long line leaves half of the room to what is said about it.
    let room = layout.columns - column - 4
    let answer = prompt.complaint ?? prompt.choices ?? ""
    column = surface.put(
      fitted(browser.text(prompt.line), max(room / 2, room - ColumnWidth.of(answer))),
      row: row,
      column: column,
      theme.strong
    )
    surface.set(glyphs.caret, row: row, column: column, theme.warning)
    surface.put(
      fitted(prompt.complaint ?? prompt.choices ?? prompt.hint, layout.columns - column - 4),
      row: row,
      column: column + 3,
      prompt.complaint == nil ? theme.muted : theme.bad
    )
  }

  // MARK: Keys

  internal func paintKeys(on surface: inout Surface) {
    guard let row = layout.keyRow, row != replacementRow || layout.detailRow != nil else { return }
    var column = 1
    for (index, hint) in keyHints().enumerated() {
      if index > 0 { column += 2 }
      column = surface.put(hint.keys, row: row, column: column, theme.key)
      column = surface.put(hint.word, row: row, column: column + 1, theme.muted)
    }
  }

  private typealias Hint = (keys: String, word: String, rank: Int)

  /// The hints that fit: the most useful ones, in their usual order.
  private func keyHints() -> [Hint] {
    let hints = allHints()
    var room = layout.columns - 1
    var chosen: Set<Int> = []
    for index in hints.indices.sorted(by: { hints[$0].rank < hints[$1].rank }) {
      let width = ColumnWidth.of(hints[index].keys) + 1 + ColumnWidth.of(hints[index].word)
      guard width <= room else { break }
      room -= width + 2
      chosen.insert(index)
    }
    return hints.indices.filter(chosen.contains).map { hints[$0] }
  }

  private func allHints() -> [Hint] {
    func ranked(_ hints: [(String, String)]) -> [Hint] {
      hints.enumerated().map { ($1.0, $1.1, $0) }
    }
    let (arrows, open, up) =
      glyphs.isASCII ? ("arrows", "Enter", "Bksp") : ("↑↓", "→", "←")
    switch browser.mode {
    case .box(.help): return ranked([("any key", "back")])
    case .searching:
      return ranked([
        ("Esc", "leave"), ("Enter", "go to it"), (arrows, "choose"),
      ])
    case .typing: return ranked([("Esc", "leave"), ("Enter", "done")])
    case .issues:
      return ranked([
        ("Enter", "show in the tree"), ("r", "try again"), ("p", "print paths"), ("Esc", "back"),
        ("q", "quit"),
      ])
    default: break
    }
    if browser.comparison != nil {
      return ranked([
        ("[ ]", "older/newer snapshot"), ("x", "leave"), ("s", "sort"), ("Enter", "open"),
        ("?", "help"), ("q", "quit"),
      ])
    }
    if browser.shown.progress != nil, browser.shown.tree == nil || browser.shown.isPartial {
      return ranked([
        ("Esc", "stop, keep what is seen"), (arrows, "move"), ("Enter", "open"), ("?", "help"),
        ("q", "quit"),
      ])
    }
    return [
      ("?", "help", 0), (arrows, "move", 1), (open, "open", 2), (up, "up", 3), ("/", "find", 4),
      ("space", "mark", 6), ("d", "trash", 7), ("x", "compare", 8), ("c", "colour", 9),
      ("r", "rescan", 10), ("q", "quit", 5),
    ]
  }
}
