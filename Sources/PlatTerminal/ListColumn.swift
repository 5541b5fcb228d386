/// A column of the list besides the name.
internal enum ListColumn: CaseIterable, Hashable, Sendable {
  case bar, share, size
  /// The other of the two sizes.
  case otherSize
  case items, age, owner, mode

  /// The columns that are shown until somebody chooses others.
  internal static let usual: Set<ListColumn> = [.bar, .share, .size, .items, .age]

  /// What a list is sorted by for the column.
  internal var order: RowOrder.Key {
    switch self {
    case .bar, .share, .size: .size
    case .otherSize: .otherSize
    case .items: .items
    case .age: .time
    case .owner: .owner
    case .mode: .mode
    }
  }

  /// What the column shows, in a word or two.
  internal var title: String {
    switch self {
    case .bar: "Bar, by kinds of files"
    case .share: "Share of the directory"
    case .size: "Size"
    case .otherSize: "Apparent size, or that on disk"
    case .items: "Items"
    case .age: "Age"
    case .owner: "Owner"
    case .mode: "Mode"
    }
  }
}

/// The menu of columns: what can be shown or left out, and one choice of the order.
internal enum ColumnMenu {
  /// The number of lines.
  internal static let count = ListColumn.allCases.count + 1

  /// The last line.
  internal static let directoriesFirst = "Directories first"
}

extension Browser {
  /// Does what a key asks for in the menu of columns.
  internal mutating func answerColumns(_ selected: Int, _ input: InputEvent) -> [BrowserEffect] {
    guard case .key(let key) = input else { return [] }
    var selected = selected
    switch key {
    case .up, .character("k"): selected -= 1
    case .down, .character("j"): selected += 1
    case .home, .character("g"): selected = 0
    case .end, .character("G"): selected = ColumnMenu.count - 1
    case .character(" "), .enter: toggleColumn(selected)
    case .character("s"): sort(byColumn: selected)
    default:
      mode = .browsing
      return []
    }
    mode = .box(.columns(selected: min(max(selected, 0), ColumnMenu.count - 1)))
    return []
  }

  private mutating func toggleColumn(_ index: Int) {
    guard index < ListColumn.allCases.count else {
      let name = selectedName
      order.hasDirectoriesFirst.toggle()
      return reload(selecting: name)
    }
    let column = ListColumn.allCases[index]
    guard listColumns.remove(column) != nil else {
      listColumns.insert(column)
      return
    }
    // Nobody would see what the list is sorted by.
    if order.key == column.order, column.order != .size { sort(by: .size) }
  }

  /// Sorts by the column of a line, which is shown then.
  private mutating func sort(byColumn index: Int) {
    guard ListColumn.allCases.indices.contains(index) else { return }
    listColumns.insert(ListColumn.allCases[index])
    sort(by: ListColumn.allCases[index].order)
  }
}

// MARK: The menu on the screen

extension ScreenPainter {
  internal func paintColumnMenu(_ selected: Int, on surface: inout Surface) {
    let items =
      ListColumn.allCases.map { ($0.title, browser.listColumns.contains($0)) }
      + [(ColumnMenu.directoriesFirst, browser.order.hasDirectoriesFirst)]
    let on = glyphs.isASCII ? "x" : "\(glyphs.mark)"
    var lines = items.enumerated().map { index, item in
      let isSelected = index == selected
      let ground = isSelected ? theme.selection : theme.plain
      let cursor = isSelected ? "\(glyphs.cursor)" : " "
      return BoxLine([
        (" \(cursor)", isSelected ? theme.warning.on(ground) : ground),
        (" [\(item.1 ? on : " ")] \(item.0)".padded(to: 40), ground),
      ])
    }
    // In a window with few rows the selected line is among those that are shown.
    let room = max(layout.rows - 5, 1)
    let first = min(max(selected - room + 1, 0), max(lines.count - room, 0))
    lines = Array(lines[first...].prefix(room))
    let close = hints([("space", "show or hide"), ("s", "sort"), ("Esc", "back")])
    frame("Columns", theme.muted, width: 46, lines + [BoxLine(), close], on: &surface)
  }
}
