/// The characters that a screen is drawn with, besides names.
internal struct Glyphs: Sendable {
  internal var cursor: Character = "▌"
  internal var mark: Character = "●"
  internal var ellipsis = "…"
  internal var descending: Character = "▾"
  internal var ascending: Character = "▴"
  internal var separator = "›"
  internal var rule: Character = "─"
  internal var progress: Character = "━"
  internal var progressEnd: Character = "╸"
  internal var scrollBar: Character = "┃"
  internal var spinner: [Character] = ["▖", "▘", "▝", "▗"]
  internal var legend: Character = "■"
  internal var atLeast = "≥ "
  internal var minus = "−"
  internal var refresh = "↻"
  internal var moved: Character = "→"
  /// Of a directory that is still being read.
  internal var growing: Character = "…"
  /// What stands between facts.
  internal var between = " · "
  internal var axis: Character = "│"
  internal var corners: [Character] = ["╭", "╮", "╰", "╯"]
  internal var side: Character = "│"
  internal var caret: Character = "▏"
  /// The parts of a bar's cell, from one eighth to seven.
  internal var eighths: [Character] = ["▏", "▎", "▍", "▌", "▋", "▊", "▉"]
  internal var isASCII = false

  internal static let unicode = Glyphs()

  /// What the fonts of the Linux console have.
  internal static let console = Glyphs(
    mark: "*",
    ellipsis: "~",
    descending: "v",
    ascending: "^",
    separator: ">",
    progress: "=",
    progressEnd: "=",
    scrollBar: "│",
    spinner: ["/", "-", "\\", "|"],
    atLeast: ">=",
    minus: "-",
    refresh: "~",
    moved: ">",
    growing: "~",
    corners: ["┌", "┐", "└", "┘"],
    caret: "_",
    // There are halves only.
    eighths: [" ", " ", " ", "▌", "▌", "▌", "█"]
  )

  internal static let ascii = Glyphs(
    cursor: ">",
    mark: "*",
    ellipsis: "~",
    descending: "v",
    ascending: "^",
    separator: ">",
    rule: "-",
    progress: "=",
    progressEnd: "=",
    scrollBar: "|",
    spinner: ["/", "-", "\\", "|"],
    legend: " ",
    atLeast: ">=",
    minus: "-",
    refresh: "~",
    moved: ">",
    growing: "~",
    between: ", ",
    axis: "|",
    corners: ["+", "+", "+", "+"],
    side: "|",
    caret: "_",
    eighths: [],
    isASCII: true
  )
}
