/// What the help says: groups of keys with what they do.
internal enum HelpPage {
  /// A group of keys.
  internal struct Group: Sendable {
    internal let title: String
    internal let lines: [(keys: String, effect: String)]
  }

  internal static let move = Group(
    title: "Move",
    lines: [
      ("↑ ↓ j k", "one row"),
      ("PgUp PgDn", "a page"),
      ("g G Home End", "first, last"),
      ("→ l Enter", "open"),
      ("← h Backspace <", "up"),
      ("Tab", "list or map"),
      ("click, wheel", "select, scroll"),
      ("double click", "open"),
    ]
  )

  internal static let show = Group(
    title: "Show",
    lines: [
      ("s n C M", "size, name, items, age"),
      ("", "again: turn round"),
      ("a", "apparent or on disk"),
      ("t", "map: nested, flat, off"),
      ("c", "colour: type age owner"),
      ("|", "columns of the list"),
      ("f", "filter: *.iso >1G >90d"),
      ("/ then n N", "find, next, previous"),
      ("x", "compare with a snapshot"),
    ]
  )

  internal static let act = Group(
    title: "Act",
    lines: [
      ("space", "mark"),
      ("m", "list of marks"),
      ("d", "to the trash"),
      ("D", "delete for good"),
      ("p", "quit, print marks"),
      ("b", "shell here"),
      ("v", "view the file"),
      ("y", "copy the path"),
    ]
  )

  internal static let scan = Group(
    title: "Scan",
    lines: [
      ("r R", "rescan here, everything"),
      ("Esc", "stop, keep what is seen"),
      ("o", "another root"),
      ("i e", "information, issues"),
      ("w", "write the map: PNG, SVG"),
      ("q Q", "quit, quit and print dir"),
    ]
  )

  /// No help has more lines.
  internal static let lineLimit = 40

  /// Returns the lines of the help in one column.
  internal static var singleColumn: [(isTitle: Bool, keys: String, effect: String)] {
    var lines: [(Bool, String, String)] = []
    for group in [move, show, act, scan] {
      if !lines.isEmpty { lines.append((false, "", "")) }
      lines.append((true, group.title, ""))
      lines += group.lines.map { (false, $0.keys, $0.effect) }
    }
    return lines
  }
}
