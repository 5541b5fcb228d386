/// How many colours a terminal shows.
package enum ColorDepth: Int, Comparable, Sendable {
  /// Bold, underlined and reversed text only.
  case none
  /// The 16 colours of the user's theme.
  case basic
  /// The 256 colours of xterm.
  case palette
  /// Any colour.
  case full

  package static func < (one: ColorDepth, two: ColorDepth) -> Bool { one.rawValue < two.rawValue }
}

extension ColorDepth {
  /// Finds out what a terminal shows, from its names in the environment.
  ///
  /// - Parameter variable: Returns an environment variable, or `nil` if it is not set or empty.
  package init(environment variable: (String) -> String?) {
    let term = variable("TERM") ?? ""
    let colorTerm = variable("COLORTERM") ?? ""
    let capable = ["kitty", "foot", "alacritty", "wezterm", "ghostty", "iterm", "contour"]
    if colorTerm == "truecolor" || colorTerm == "24bit" || term.hasSuffix("-direct")
      || capable.contains(where: { term.lowercased().contains($0) })
    {
      self = .full
    } else if term.contains("256color") {
      self = .palette
    } else if term.hasPrefix("vt") || term == "dumb" || term.isEmpty {
      self = .none
    } else {
      self = .basic
    }
  }
}
