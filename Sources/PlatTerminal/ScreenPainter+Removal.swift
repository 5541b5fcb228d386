import PlatTree

// Marks, and the boxes around removing.
extension ScreenPainter {
  // MARK: The list of marks

  internal func paintMarks(_ selected: Int, on surface: inout Surface) {
    let columns = layout.mapColumns ?? 0..<layout.columns
    let first = layout.mapColumns == nil ? layout.body.lowerBound : layout.mapRows.lowerBound
    let last = layout.body.upperBound
    for row in first..<last { surface.fill(row: row, columns, .plain) }
    let (left, right) = (columns.lowerBound, columns.upperBound - 1)
    let marks = browser.marks.marks
    let total = marks.reduce(UInt64(0)) { $0.addingSaturated($1.size) }
    surface.put(
      "Marked: \(marks.count)",
      row: first,
      column: left,
      before: right,
      theme.strong
    )
    let freed = browser.marksEstimate.map { "\(sizes.string($0.freed)) would be freed" }
    let size = freed ?? "\(sizes.string(total)) on disk"
    surface.put(size, row: first, column: right - ColumnWidth.of(size), theme.good)
    for column in left..<right {
      surface.set(glyphs.rule, row: first + 1, column: column, theme.rule)
    }
    let room = max(last - first - 2 - 8, 1)
    let top = max(0, selected - room + 1)
    var row = first + 2
    for index in top..<min(top + room, marks.count) where row < last {
      let mark = marks[index]
      let isSelected = index == selected
      let ground = isSelected ? theme.selection : theme.plain
      if isSelected {
        surface.fill(row: row, left..<right, ground)
        surface.set(glyphs.cursor, row: row, column: left, theme.warning.on(ground))
      }
      surface.set(glyphs.mark, row: row, column: left + 1, theme.warning.on(ground))
      let size = sizes.string(mark.size)
      surface.put(
        fitted(browser.text(mark.path), right - left - 3 - 10),
        row: row,
        column: left + 3,
        ground
      )
      surface.put(size, row: row, column: right - ColumnWidth.of(size), ground)
      row += 1
    }
    row += 1
    if let estimate = browser.marksEstimate, estimate.keptFiles > 0 {
      paintShared(estimate, columns: left + 1..<right, row: &row, before: last, on: &surface)
    }
    let hints = [
      ("d", "move all to the trash"), ("D", "delete all for good"),
      ("p", "quit and print the paths (0 ends each with NUL)"), ("u", "unmark"),
      ("U", "unmark all"), ("m Esc", "back to the map"),
    ]
    for (keys, effect) in hints where row < last {
      surface.put(keys, row: row, column: left + 1, theme.key)
      surface.put(fitted(effect, right - left - 8), row: row, column: left + 8, theme.muted)
      row += 1
    }
  }

  // MARK: Before removing

  private func targetLines(_ removal: Removal) -> [BoxLine] {
    if removal.count > 1 {
      let count = NumberFormat.counted(removal.count, "entry", plural: "entries")
      return [BoxLine("  \(count)", theme.strong)]
    }
    // The whole path is shown, on as many lines as it takes.
    let text = Array(browser.text((removal.targets.first?.path ?? removal.paths.first) ?? []))
    let width = max(min(74, layout.columns - 2) - 6, 1)
    return stride(from: 0, to: text.count, by: width).map { start in
      BoxLine("  " + String(text[start..<min(start + width, text.count)]), theme.strong)
    }
  }

  internal func paintTrash(_ removal: Removal, on surface: inout Surface) {
    var lines = [BoxLine()] + targetLines(removal) + [BoxLine()]
    if let estimate = removal.estimate {
      lines += [
        BoxLine("  \(NumberFormat.counted(estimate.items, "item"))"),
        BoxLine("  \(sizes.string(estimate.onDisk)) on disk"),
      ]
    } else {
      lines.append(BoxLine("  counting\(glyphs.ellipsis)", theme.muted))
    }
    lines += [
      BoxLine("  frees nothing until the trash is emptied", theme.muted), BoxLine(),
      BoxLine([
        ("  ", .plain), ("[ No ]", theme.selection.bold), ("   ", .plain), ("y", theme.key),
        (" Yes", theme.muted),
      ]),
    ]
    frame("Move to trash", theme.warning, width: 74, lines, on: &surface)
  }

  internal func paintDelete(_ removal: Removal, _ typed: String, on surface: inout Surface) {
    var lines = [BoxLine()] + targetLines(removal) + [BoxLine()]
    if let estimate = removal.estimate {
      lines += estimateLines(estimate)
    } else {
      lines.append(BoxLine("  counting\(glyphs.ellipsis)", theme.muted))
    }
    lines += [
      BoxLine(), BoxLine("  This cannot be undone. Links are not followed, other"),
      BoxLine("  file systems are not entered."), BoxLine(),
    ]
    let password = removal.password ?? glyphs.ellipsis
    let padding = String(repeating: " ", count: max(12 - typed.count, 0))
    let question =
      layout.columns < 60 ? "  Type \(password): " : "  Type  \(password)  to confirm: "
    lines.append(
      BoxLine([
        (question, .plain), (typed, theme.bad.bold.on(theme.input)),
        (String(glyphs.caret), theme.bad.on(theme.input)), (padding, theme.input),
      ])
    )
    lines.append(
      BoxLine([
        ("  ", .plain), ("Esc", theme.key), (" No, keep it (default)   ", theme.muted),
        ("t", theme.key), (" move to the trash instead", theme.muted),
      ])
    )
    frame("Delete for good", theme.bad, width: 74, lines, on: &surface)
  }

  private func estimateLines(_ estimate: Removal.Estimate) -> [BoxLine] {
    func exact(_ size: UInt64) -> String {
      let text = sizes.string(size)
      return String(repeating: " ", count: max(11 - ColumnWidth.of(text), 0)) + "  " + text
    }
    let items = NumberFormat.counted(estimate.items, "item")
    let folders =
      estimate.directories == 0
      ? ""
      : " in "
        + NumberFormat.counted(estimate.directories, "directory", plural: "directories")
    var lines = [
      BoxLine("      \(items)\(folders)"), BoxLine("\(exact(estimate.onDisk)) on disk"),
      BoxLine("\(exact(estimate.freed)) will really be freed", theme.good),
    ]
    if estimate.keptFiles > 0 {
      let files = NumberFormat.counted(estimate.keptFiles, "file")
      let verb = estimate.keptFiles == 1 ? "has another hard link" : "have other hard links"
      lines.append(
        BoxLine("\(exact(estimate.kept)) stay: \(files) \(verb)", theme.warning)
      )
      for path in estimate.keptPaths {
        lines.append(BoxLine("             \(browser.text(path))", theme.muted))
      }
    }
    return lines
  }

  /// Says below the marks what other hard links keep.
  private func paintShared(
    _ estimate: Removal.Estimate,
    columns: Range<Int>,
    row: inout Int,
    before last: Int,
    on surface: inout Surface
  ) {
    let verb = estimate.keptFiles == 1 ? "has" : "have"
    let links = estimate.keptFiles == 1 ? "another hard link" : "other hard links"
    var lines = [
      "\(sizes.string(estimate.kept)) would stay: \(NumberFormat.counted(estimate.keptFiles, "file")) "
        + "\(verb) \(links)"
    ]
    lines += estimate.keptPaths.prefix(1).map { "  " + browser.text($0) }
    for (index, line) in lines.enumerated() where row < last {
      let style = index == 0 ? theme.warning : theme.muted
      surface.put(fitted(line, columns.count), row: row, column: columns.lowerBound, style)
      row += 1
    }
    row += 1
  }

  // MARK: While and after removing

  internal func paintRemoving(
    _ progress: Removal.Progress,
    _ total: Int?,
    on surface: inout Surface
  ) {
    let of = total.map { " of \(NumberFormat.grouped($0))" } ?? ""
    let done = NumberFormat.grouped(progress.items)
    frame(
      "Removing",
      theme.warning,
      width: 60,
      [
        BoxLine(),
        BoxLine(
          "  \(done)\(of)\(glyphs.between)\(sizes.string(progress.freed)) freed\(glyphs.between)Esc stops"
        ), BoxLine(),
      ],
      on: &surface
    )
  }

  internal func paintFailures(_ outcome: Removal.Outcome, on surface: inout Surface) {
    let count = NumberFormat.grouped(outcome.failures.count)
    let done = NumberFormat.counted(outcome.progress.items, "item")
    let verb = outcome.isPermanent ? "deleted" : "moved to the trash"
    var lines = [
      BoxLine(), BoxLine("  \(count) could not be \(verb)", theme.bad),
      BoxLine("  \(done) \(outcome.progress.items == 1 ? "was" : "were") \(verb)"), BoxLine(),
    ]
    // Each takes two lines: the reason is whole.
    let room = max((layout.rows - 10) / 2, 1)
    for failure in outcome.failures.prefix(room) {
      lines.append(BoxLine("  " + fitted(browser.text(failure.path), 84)))
      lines.append(BoxLine("    " + failure.reason, theme.bad))
    }
    if outcome.failures.count > room {
      let more = NumberFormat.grouped(outcome.failures.count - room)
      lines.append(BoxLine("  and \(more) more", theme.muted))
    }
    frame(
      "Not everything was removed",
      theme.bad,
      width: 90,
      lines + [BoxLine(), hints([("any key", "back")])],
      on: &surface
    )
  }

  // MARK: What could not be read

  internal func paintIssues(_ selected: Int, on surface: inout Surface) {
    guard let tree = browser.tree else { return }
    let issues = tree.issues
    let first = layout.headRow ?? layout.body.lowerBound
    let verb = issues.count == 1 ? "place could not be read" : "places could not be read"
    let text =
      issues.isEmpty
      ? "Everything could be read."
      : "\(NumberFormat.grouped(issues.count)) \(verb); sizes above them are lower bounds"
    surface.put(fitted(text, layout.columns - 3), row: first, column: 2, theme.warning)
    guard !issues.isEmpty else { return }
    surface.put("Path", row: first + 1, column: 2, theme.muted)
    let room = max(layout.body.upperBound - first - 2, 1)
    let top = max(0, selected - room + 1)
    let reasonWidth = layout.columns >= 60 ? 30 : 0
    for index in top..<min(top + room, issues.count) {
      let row = first + 2 + index - top
      let issue = issues[index]
      let isSelected = index == selected
      let ground = isSelected ? theme.selection : theme.plain
      if isSelected {
        surface.fill(row: row, 0..<layout.columns, ground)
        surface.set(glyphs.cursor, row: row, column: 0, theme.warning.on(ground))
      }
      surface.set("!", row: row, column: 1, theme.bad.on(ground))
      let path = fitted(
        browser.text(tree.path(of: issue)),
        layout.columns - reasonWidth - 3
      )
      surface.put(path, row: row, column: 2, ground)
      if reasonWidth > 0 {
        let call = "\(issue.call)".padded(to: 7)
        surface.put(
          "\(call)\(browser.settings.reason(issue.code))",
          row: row,
          column: layout.columns - reasonWidth,
          isSelected ? ground : theme.muted
        )
      }
    }
    paintAdvice(issues, after: first + 2 + min(room, issues.count), on: &surface)
  }

  /// Says below the issues what a person can do about them, if there is room.
  private func paintAdvice(_ issues: [Issue], after row: Int, on surface: inout Surface) {
    let denied = issues.count { [1, 13].contains($0.code) }  // EPERM, EACCES
    var lines = [
      "r looks again. In the list they have a !, and what holds them a dot before the name."
    ]
    if denied > 0 {
      let count = NumberFormat.grouped(denied)
      lines.insert(
        "Permission denied: \(count). Run plat as a user who may read them.",
        at: 0
      )
    }
    guard row + 1 + lines.count <= layout.body.upperBound else { return }
    for (offset, line) in lines.enumerated() {
      surface.put(
        fitted(line, layout.columns - 3),
        row: row + 1 + offset,
        column: 2,
        theme.muted
      )
    }
  }
}

extension String {
  /// Returns the text with blanks after it, up to a number of characters; one blank at least.
  internal func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(width - count, 1))
  }
}
