import PlatTree

/// A browser of lines: what the screen shows and does, in words, for screen readers and dumb terminals.
///
/// A line goes in, and lines come out; nothing is drawn over. The state is the same as that of the screen.
internal struct PlainBrowser {
  /// What a line led to.
  internal struct Answer {
    internal var lines: [String] = []
    internal var effects: [BrowserEffect] = []
    /// Whether the directory is to be listed next.
    internal var listsDirectory = false
  }

  /// The rows that are listed at a time.
  internal static let page = 20

  internal var browser: Browser
  private var first = 0
  /// A removal that waits for its confirmation.
  private var removal: Removal?

  internal init(_ browser: Browser) { self.browser = browser }

  private var sizes: SizeFormat { browser.settings.sizes }

  // MARK: Listing

  /// Returns the directory that is shown, from the first row of the page.
  internal func listing() -> [String] {
    guard let tree = browser.tree else { return ["Nothing is open."] }
    let totals = tree.totals(of: browser.directory)
    let path = browser.text(tree.path(of: browser.directory))
    let size = sizes.string(totals.size(browser.measure))
    let bound = browser.treeMarks.isTroubled(browser.directory) ? "at least " : ""
    var lines = ["\(path): \(bound)\(size), \(NumberFormat.counted(totals.entries, "item"))"]
    if let comparison = browser.comparison {
      lines.append("Changes since \(browser.settings.clock.long(comparison.takenAt))")
    }
    if browser.list.rows.isEmpty {
      lines.append(browser.comparison == nil ? "Nothing is here." : "Nothing has changed in size.")
    }
    let end = min(first + Self.page, browser.list.rows.count)
    for index in min(first, end)..<end {
      lines.append(line(index, of: totals.size(browser.measure)))
    }
    if end < browser.list.rows.count {
      lines.append("\(NumberFormat.grouped(browser.list.rows.count - end)) more: type more")
    }
    return lines
  }

  private func line(_ index: Int, of whole: UInt64) -> String {
    let row = browser.list.rows[index]
    let name = browser.text(browser.list.name(at: index)) + (row.isDirectory ? "/" : "")
    var parts = ["\(index + 1)", name, sizes.string(row.size)]
    if let change = row.change {
      parts.append(change.words(browser.settings.sizes))
    } else {
      parts.append(NumberFormat.share(row.size, of: whole))
    }
    if row.isDirectory { parts.append(NumberFormat.counted(row.items, "item")) }
    if row.id != nil, let words = sortedBy(row) { parts.append(words) }
    if let flag = row.flag { parts.append(flag.words) }
    if browser.marks.contains(browser.path(ofRow: index)) { parts.append("marked") }
    return parts.joined(separator: "  ")
  }

  /// Returns what the list is sorted by, if nothing else on the line tells it.
  private func sortedBy(_ row: Row) -> String? {
    switch browser.order.key {
    case .size, .name, .items: nil
    case .otherSize:
      sizes.string(row.otherSize) + (browser.measure == .allocated ? " apparent" : " on disk")
    case .time: row.modified == .min ? nil : browser.settings.clock.long(row.modified)
    case .owner: "owner \(browser.settings.ownerNames[row.owner] ?? "\(row.owner)")"
    case .mode: "mode \(String(row.mode, radix: 8))"
    }
  }

  // MARK: Commands

  internal static let help = [
    "open N: show directory N", "up: show the directory above", "list, more: list, go on listing",
    "find TEXT: find names here and below", "filter WORDS: *.iso >1G >90d; alone: all",
    "sort size, other, name, items, time, owner, mode: the same once more turns it round",
    "apparent: the other of the two sizes", "info N: about entry N",
    "mark N, unmark N, marks: mark entries, list marks",
    "trash N, delete N: remove; alone: the marks",
    "issues: what could not be read",
    "compare, compare older, compare newer: with a snapshot; compare off",
    "refresh: look at this directory again; refresh all: everything",
    "root PATH: show another root",
    "print: quit and print the marks; print0: with NUL after each", "quit",
  ]

  /// Does what a line says.
  internal mutating func run(_ line: String) -> Answer {
    if let removal {
      self.removal = nil
      return confirm(removal, line)
    }
    let words = line.split(separator: " ", maxSplits: 1)
    guard let command = words.first else { return Answer() }
    let rest = words.count > 1 ? String(words[1]) : ""
    switch command {
    case "open": return open(rest)
    case "up": return move { $0.goUp() }
    case "list":
      first = 0
      return Answer(listsDirectory: true)
    case "more": return more()
    case "find": return find(rest)
    case "filter": return filter(rest)
    case "sort": return sort(rest)
    case "apparent":
      let effects = browser.toggleMeasure()
      return Answer(lines: [browser.message ?? ""], effects: effects, listsDirectory: true)
    case "info": return info(rest)
    case "mark", "unmark": return mark(rest, isMarked: command == "mark")
    case "marks": return Answer(lines: markLines())
    case "trash": return remove(rest, isPermanent: false)
    case "delete": return remove(rest, isPermanent: true)
    case "issues": return Answer(lines: issueLines())
    case "refresh":
      let effects = browser.refresh(everything: rest == "all")
      guard effects.isEmpty else { return Answer(lines: ["Scanning."], effects: effects) }
      return Answer(
        lines: ["A scan is under way already; waiting for its end."],
        effects: [.refresh(nil)]
      )
    case "root": return rest.isEmpty ? unknown() : Answer(effects: [.open(Array(rest.utf8))])
    case "compare": return compare(rest)
    case "print": return Answer(effects: [.end(.printMarks(endedByNUL: false))])
    case "print0": return Answer(effects: [.end(.printMarks(endedByNUL: true))])
    case "quit", "q", "exit": return Answer(effects: [.end(.normal)])
    case "help", "?": return Answer(lines: Self.help)
    default: return unknown()
    }
  }

  private func unknown() -> Answer { Answer(lines: ["Type help for the commands."]) }

  /// Returns the row with a number.
  private func row(_ text: String) -> Int? {
    guard let number = Int(text), browser.list.rows.indices.contains(number - 1) else { return nil }
    return number - 1
  }

  private mutating func move(_ change: (inout Browser) -> Void) -> Answer {
    let before = browser.directory
    change(&browser)
    guard browser.directory != before else { return Answer(lines: ["There is no way."]) }
    first = 0
    return Answer(listsDirectory: true)
  }

  private mutating func open(_ rest: String) -> Answer {
    guard let row = row(rest) else { return Answer(lines: ["There is no entry \(rest)."]) }
    guard browser.list.rows[row].isDirectory else { return Answer(lines: ["It is no directory."]) }
    return move {
      $0.select(row)
      $0.openSelected()
    }
  }

  private mutating func more() -> Answer {
    guard first + Self.page < browser.list.rows.count else {
      return Answer(lines: ["That was all."])
    }
    first += Self.page
    return Answer(listsDirectory: true)
  }

  private func find(_ text: String) -> Answer {
    guard let tree = browser.tree, !text.isEmpty else { return unknown() }
    let request = Search.Request(
      text: text,
      directory: browser.directory,
      revision: browser.shown.revision,
      measure: browser.measure
    )
    guard let result = request.run(in: tree) else { return Answer() }
    var lines = ["\(NumberFormat.counted(result.matches, "name")) found, the largest first"]
    for hit in result.hits.prefix(Self.page) {
      lines.append(
        "\(browser.text(hit.path))\(hit.isDirectory ? "/" : "")  \(sizes.string(hit.size))"
      )
    }
    return Answer(lines: lines)
  }

  private mutating func filter(_ text: String) -> Answer {
    switch ListFilter.parse(text) {
    case .failure(let failure): return Answer(lines: [failure.description])
    case .success(let filter):
      first = 0
      for effect in browser.setFilter(filter) {
        guard case .filter(let request, let tree) = effect else { continue }
        if let sums = FilterSums(request, of: tree) { browser.accept(sums) }
      }
      return Answer(listsDirectory: true)
    }
  }

  private mutating func sort(_ word: String) -> Answer {
    let keys: [String: RowOrder.Key] = [
      "size": .size, "other": .otherSize, "name": .name, "items": .items, "time": .time,
      "owner": .owner, "mode": .mode,
    ]
    guard let key = keys[word] else {
      return Answer(lines: ["Sort by size, other (size), name, items, time, owner or mode."])
    }
    browser.sort(by: key)
    first = 0
    return Answer(listsDirectory: true)
  }

  private mutating func compare(_ word: String) -> Answer {
    let isComparing = browser.comparison != nil
    first = 0
    switch word {
    case "off":
      if isComparing { browser.leaveComparison() }
      return Answer(listsDirectory: true)
    case "", "older": return Answer(effects: [.loadSnapshot(isComparing ? .older : .first)])
    case "newer" where isComparing: return Answer(effects: [.loadSnapshot(.newer)])
    case "newer": return Answer(lines: ["Nothing is compared with."])
    default: return unknown()
    }
  }

  private mutating func info(_ rest: String) -> Answer {
    guard let index = row(rest), let tree = browser.tree else {
      return Answer(lines: ["There is no entry \(rest)."])
    }
    browser.select(index)
    let row = browser.list.rows[index]
    guard let id = row.id else { return Answer(lines: ["It was left out of the scan."]) }
    let facts = EntryFacts(row, id, in: tree, of: browser)
    var lines = [
      browser.text(browser.selectedPath), facts.kind, "on disk \(facts.size(.allocated))",
      "apparent \(facts.size(.apparent))",
      "changed \(browser.settings.clock.long(facts.modified))", "inode \(facts.inode)",
    ]
    if row.isDirectory { lines.append(facts.contents) }
    if let links = facts.links { lines.append("links \(links)") }
    return Answer(lines: lines)
  }

  // MARK: Marks and removing

  private mutating func mark(_ rest: String, isMarked: Bool) -> Answer {
    guard let index = row(rest) else { return Answer(lines: ["There is no entry \(rest)."]) }
    browser.select(index)
    if browser.marks.contains(browser.selectedPath) != isMarked {
      // The key that marks also moves on.
      _ = isMarked ? browser.pressMarkKey(" ") : browser.pressMarkKey("u")
    }
    return Answer(lines: [NumberFormat.counted(browser.marks.count, "mark")])
  }

  private func markLines() -> [String] {
    browser.marks.isEmpty
      ? ["Nothing is marked."]
      : browser.marks.marks.map { "\(browser.text($0.path))  \(sizes.string($0.size))" }
  }

  private func issueLines() -> [String] {
    guard let tree = browser.tree, !tree.issues.isEmpty else {
      return ["Everything could be read."]
    }
    return tree.issues.prefix(100).map { issue in
      "\(browser.text(tree.path(of: issue))): \(browser.settings.reason(issue.code)) (\(issue.call))"
    }
  }

  private mutating func remove(_ rest: String, isPermanent: Bool) -> Answer {
    if !rest.isEmpty {
      guard let index = row(rest) else { return Answer(lines: ["There is no entry \(rest)."]) }
      browser.select(index)
      browser.marks.removeAll()
    } else if browser.marks.isEmpty {
      return Answer(lines: ["Nothing is marked; say which entry."])
    }
    _ = browser.startRemoving(isPermanent: isPermanent)
    guard case .box(.confirm(let asked, _)) = browser.mode, let tree = browser.tree else {
      return Answer(lines: [browser.message ?? ""])
    }
    browser.mode = .browsing
    let examined = asked.examined(in: tree)
    let removal = examined.removal
    guard let estimate = removal.estimate else { return Answer(lines: [examined.objection ?? ""]) }
    self.removal = removal
    var lines = removal.targets.map { browser.text($0.path) }
    lines.append(
      "\(NumberFormat.counted(estimate.items, "item")), \(sizes.string(estimate.onDisk)) on disk"
    )
    if isPermanent {
      lines.append("\(sizes.string(estimate.freed)) will really be freed. This cannot be undone.")
      for path in estimate.keptPaths { lines.append("a hard link stays: \(browser.text(path))") }
      lines.append("Type \(removal.password ?? "") to confirm; anything else keeps it.")
    } else {
      lines.append("It goes to the trash. Type yes to confirm; anything else keeps it.")
    }
    return Answer(lines: lines)
  }

  private mutating func confirm(_ removal: Removal, _ line: String) -> Answer {
    guard let tree = browser.tree, line == (removal.isPermanent ? removal.password : "yes") else {
      return Answer(lines: ["Nothing was removed."])
    }
    return Answer(effects: [.remove(removal, tree)])
  }

  /// Shows what came of a removal.
  internal mutating func finish(_ outcome: Removal.Outcome) -> [String] {
    _ = browser.finishRemoving(outcome)
    browser.mode = .browsing
    first = 0
    let failures = outcome.failures.map { "\(browser.text($0.path)): \($0.reason)" }
    return failures + [browser.message ?? "\(outcome.failures.count) could not be removed."]
  }
}

extension RowChange {
  /// The change in words.
  internal func words(_ sizes: SizeFormat) -> String {
    let size = sizes.string(magnitude)
    return switch kind {
    case .added: "new"
    case .gone: "gone, it had \(size)"
    case .movedHere: "moved here"
    case .movedAway: "moved away, it had \(size)"
    case .kept: grown > 0 ? "grew by \(size)" : "shrank by \(size)"
    }
  }
}

extension RowFlag {
  /// The flag in words.
  internal var words: String {
    switch self {
    case .unreadable: "could not be read"
    case .unreadableBelow: "some of it could not be read"
    case .excluded: "left out"
    case .otherFileSystem: "another file system"
    case .special: "no regular file"
    case .countedElsewhere: "counted at another name"
    case .empty: "empty"
    }
  }
}
