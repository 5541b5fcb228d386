import PlatTree

/// The colours of a screen for one kind of terminal.
///
/// Lists and lines are drawn on the terminal's own ground. What a role looks like is decided here and
/// nowhere else, so that every depth of colour is served by one set of painters.
internal struct ScreenTheme: Sendable {
  internal let depth: ColorDepth
  internal let isLight: Bool
  internal let glyphs: Glyphs
  /// Whether it is the console of Linux: of its 16 colours it has 8 for grounds, and fewer blocks.
  internal let isConsole: Bool

  internal init(
    depth: ColorDepth,
    isLight: Bool = false,
    glyphs: Glyphs = .unicode,
    isConsole: Bool = false
  ) {
    self.depth = depth
    self.isLight = isLight
    self.glyphs = glyphs
    self.isConsole = isConsole
  }

  /// The same with 256 colours at most: maps without shades, and two thirds of the bytes.
  internal var withFewerColors: ScreenTheme {
    ScreenTheme(
      depth: min(depth, .palette),
      isLight: isLight,
      glyphs: glyphs,
      isConsole: isConsole
    )
  }

  /// Returns the one of 16 colours that a ground has where another is wanted.
  internal func basicGround(_ index: UInt8) -> UInt8 { isConsole ? index & 7 : index }

  /// Returns a colour as this terminal takes it.
  ///
  /// - Parameters:
  ///   - dark: The colour on a dark ground.
  ///   - light: The colour on a light one.
  ///   - basic: The one of 16 colours that stands for it; `nil` is the terminal's own.
  /// - Returns: The colour.
  internal func color(_ dark: UInt32, _ light: UInt32, basic: UInt8?) -> TerminalColor {
    switch depth {
    case .none: return .standard
    case .basic: return basic.map { .basic($0) } ?? .standard
    case .palette, .full: return color(RGB(isLight ? light : dark))
    }
  }

  /// Returns a colour as this terminal takes it, if it shows more than 16.
  internal func color(_ rgb: RGB) -> TerminalColor {
    switch depth {
    case .none, .basic: .standard
    case .palette: .palette(rgb.paletteIndex)
    case .full: .rgb(rgb)
    }
  }

  /// Returns the colour that the terminal shows when it is told a colour.
  internal func shown(_ rgb: RGB) -> RGB {
    depth == .palette ? RGB(paletteIndex: rgb.paletteIndex) : rgb
  }
}

// MARK: Text

extension ScreenTheme {
  internal var plain: CellStyle { .plain }
  internal var strong: CellStyle { CellStyle(color(0xf2f4f8, 0x10151d, basic: nil), .bold) }
  internal var path: CellStyle { CellStyle(color(0xf2f4f8, 0x10151d, basic: nil)) }
  internal var muted: CellStyle { CellStyle(color(0x8b93a1, 0x5b6472, basic: nil)) }
  internal var directory: CellStyle {
    CellStyle(color(0x9dbcff, 0x1f4fb8, basic: isLight ? 4 : 12), .bold)
  }
  internal var key: CellStyle {
    CellStyle(color(0x9dbcff, 0x1f4fb8, basic: isLight ? 4 : 6), .bold)
  }
  internal var accent: CellStyle {
    CellStyle(color(0xfebe4e, 0x8a5a00, basic: isLight ? 3 : 11), .bold)
  }
  internal var warning: CellStyle { CellStyle(color(0xfebe4e, 0x8a5a00, basic: isLight ? 3 : 11)) }
  internal var good: CellStyle { CellStyle(color(0x9ede9b, 0x1e7a34, basic: 2)) }
  internal var bad: CellStyle { CellStyle(color(0xff8f80, 0xb3261e, basic: isLight ? 1 : 9)) }
  internal var growth: CellStyle { CellStyle(color(0xf58a4b, 0xb8510f, basic: 3)) }
  internal var shrinkage: CellStyle {
    CellStyle(color(0x5aa9ff, 0x1d62b8, basic: isLight ? 4 : 12))
  }
  internal var rule: CellStyle { CellStyle(color(0x3a4252, 0xc3cad6, basic: nil)) }

  // MARK: Grounds

  internal var title: CellStyle {
    depth <= .basic ? CellStyle(.reverse) : CellStyle(on: color(0x1a2030, 0xe3e8f1, basic: nil))
  }
  internal var titleStrong: CellStyle { strong.on(title) }
  internal var titleMuted: CellStyle { muted.on(title) }
  internal var titleSeparator: CellStyle {
    CellStyle(color(0x4a5162, 0xb4bbc7, basic: nil)).on(title)
  }
  // On a reversed title a colour would be a ground; words say what colours say elsewhere.
  internal var titleAccent: CellStyle { depth <= .basic ? title : warning.on(title) }
  internal var titleBad: CellStyle { depth <= .basic ? title.bold : bad.on(title) }

  internal var selection: CellStyle {
    switch depth {
    case .none: CellStyle(.reverse)
    case .basic:
      isLight ? CellStyle(.basic(0), on: .basic(7)) : CellStyle(.basic(15), on: .basic(4))
    case .palette, .full:
      CellStyle(
        color(0xffffff, 0x0a1018, basic: nil),
        on: color(0x2a3a5e, 0xcfdcf8, basic: nil)
      )
    }
  }

  internal var box: CellStyle {
    depth <= .basic ? .plain : CellStyle(on: color(0x161c29, 0xffffff, basic: nil))
  }
  internal var input: CellStyle {
    depth <= .basic ? .plain : CellStyle(on: color(0x262d3a, 0xe8ecf4, basic: nil))
  }
}

extension CellStyle {
  fileprivate init(_ foreground: TerminalColor, _ attributes: Attributes) {
    self.init(foreground, on: .standard, attributes)
  }

  fileprivate init(_ attributes: Attributes) { self.init(.standard, on: .standard, attributes) }
}

// MARK: Kinds of files

extension ScreenTheme {
  /// The colour of a kind of file, before a terminal with fewer colours changes it.
  internal func fill(of category: FileCategory) -> RGB {
    let color = Self.fills[Int(category.rawValue)]
    return isLight ? color.mixed(with: .white, 0.1) : color
  }

  /// Returns the style of a bar or a legend in the colour of a kind of file.
  internal func ink(of category: FileCategory) -> CellStyle {
    switch depth {
    case .none: .plain
    case .basic: CellStyle(.basic(Self.basicFills[Int(category.rawValue)]))
    case .palette, .full: CellStyle(color(fill(of: category)))
    }
  }

  /// Returns the style of a legend in a colour of the map.
  internal func ink(of color: TileColor) -> CellStyle {
    switch depth {
    case .none: .plain
    case .basic: CellStyle(.basic(color.basic))
    case .palette, .full:
      CellStyle(self.color(isLight ? color.rgb.mixed(with: .white, 0.1) : color.rgb))
    }
  }

  /// The colours of the kinds, in their order: those of the pictures that `plat render` draws.
  internal static let fills: [RGB] = [
    0x6bbbb2, 0x7290ef, 0xfebe4e, 0x9ede9b, 0xc473bb, 0x15e6ec, 0xbe6235, 0xbbacff, 0x8aa42d,
    0xe88a7b, 0x7c8088,
  ].map { RGB($0) }

  internal static let basicFills: [UInt8] = [6, 12, 11, 10, 13, 14, 1, 5, 2, 9, 7]

  /// The colour of a directory's head in a map.
  internal func head(depth: Int) -> RGB {
    let colors: [UInt32] =
      isLight
      ? [0xe4e8ee, 0xdde1e7, 0xd6dae0, 0xcfd3d9, 0xc8ccd2, 0xc1c5cb, 0xbabec4]
      : [0x1e232c, 0x252a33, 0x2c313a, 0x333841, 0x3b4049, 0x434851, 0x4b5059]
    return RGB(colors[min(max(depth, 0), colors.count - 1)])
  }
}
