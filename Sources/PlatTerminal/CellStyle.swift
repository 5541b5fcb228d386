/// A colour as a terminal is told it.
internal enum TerminalColor: Hashable, Sendable {
  /// What the terminal uses by itself.
  case standard
  /// One of the 16 colours of the user's theme.
  case basic(UInt8)
  /// One of the 240 fixed colours of xterm, from 16 to 255.
  case palette(UInt8)
  case rgb(RGB)
}

/// How a cell of the screen looks, apart from its character.
internal struct CellStyle: Hashable, Sendable {
  internal struct Attributes: OptionSet, Hashable, Sendable {
    internal let rawValue: UInt8

    internal static let bold = Attributes(rawValue: 1)
    internal static let underline = Attributes(rawValue: 2)
    internal static let reverse = Attributes(rawValue: 4)
  }

  internal var foreground = TerminalColor.standard
  internal var background = TerminalColor.standard
  internal var attributes: Attributes = []

  /// The style of a terminal that was told nothing.
  internal static let plain = CellStyle()

  internal init(
    _ foreground: TerminalColor = .standard,
    on background: TerminalColor = .standard,
    _ attributes: Attributes = []
  ) {
    self.foreground = foreground
    self.background = background
    self.attributes = attributes
  }

  /// This style, and bold.
  internal var bold: CellStyle { adding(.bold) }

  /// Returns this style with attributes added.
  internal func adding(_ attributes: Attributes) -> CellStyle {
    var style = self
    style.attributes.formUnion(attributes)
    return style
  }

  /// Returns this style on the background of another.
  internal func on(_ other: CellStyle) -> CellStyle {
    var style = self
    style.background = other.background
    if other.attributes.contains(.reverse) { style.attributes.insert(.reverse) }
    return style
  }
}
