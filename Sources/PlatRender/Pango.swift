import Glibc

/// The functions of Pango that draw text whose letters join, combine, or run from right to left.
///
/// Pango is looked for when the program runs and not linked to, for there may be machines without
/// it; text is then drawn by Cairo, letter by letter.
internal struct Pango: Sendable {
  /// Pango, if this machine has it.
  internal static let shared = Pango()

  private typealias Create = @convention(c) @Sendable (OpaquePointer) -> OpaquePointer?
  private typealias Change = @convention(c) @Sendable (OpaquePointer, OpaquePointer?) -> Void
  private typealias Release = @convention(c) @Sendable (OpaquePointer) -> Void
  private typealias SetNumber = @convention(c) @Sendable (OpaquePointer, CInt) -> Void
  private typealias SetText =
    @convention(c) @Sendable (OpaquePointer, UnsafePointer<CChar>, CInt)
    -> Void
  private typealias MakeDescription = @convention(c) @Sendable () -> OpaquePointer?
  private typealias SetFamily =
    @convention(c) @Sendable (OpaquePointer, UnsafePointer<CChar>) ->
    Void
  private typealias SetSize = @convention(c) @Sendable (OpaquePointer, Double) -> Void
  private typealias GetLine = @convention(c) @Sendable (OpaquePointer, CInt) -> OpaquePointer?
  private typealias GetSize =
    @convention(c) @Sendable (
      OpaquePointer, UnsafeMutablePointer<CInt>?, UnsafeMutablePointer<CInt>?
    ) -> Void

  private let createLayout: Create
  private let contextOfLayout: Create
  private let setRounding: SetNumber
  private let setText: SetText
  private let setSingleParagraph: SetNumber
  private let setDescription: Change
  private let makeDescription: MakeDescription
  private let setFamily: SetFamily
  private let setSize: SetSize
  private let setWeight: SetNumber
  private let freeDescription: Release
  private let lineOfLayout: GetLine
  private let sizeOfLayout: GetSize
  private let showLine: Change
  private let release: Release

  /// The parts of a pixel that Pango counts in.
  private static let unitsPerPixel = 1_024.0

  private init?() {
    // The library stays in memory: fonts that were used once are kept until the program ends.
    guard let library = dlopen("libpangocairo-1.0.so.0", RTLD_NOW | RTLD_LOCAL) else { return nil }
    /// Finds a function, also in the libraries that this one needs.
    func find<Function>(_ name: String, _: Function.Type = Function.self) -> Function? {
      // Safety: the types are those of the headers of Pango 1.44, which later versions keep.
      dlsym(library, name).map { unsafeBitCast($0, to: Function.self) }
    }
    guard let createLayout: Create = find("pango_cairo_create_layout"),
      let contextOfLayout: Create = find("pango_layout_get_context"),
      let setRounding: SetNumber = find("pango_context_set_round_glyph_positions"),
      let setText: SetText = find("pango_layout_set_text"),
      let setSingleParagraph: SetNumber = find("pango_layout_set_single_paragraph_mode"),
      let setDescription: Change = find("pango_layout_set_font_description"),
      let makeDescription: MakeDescription = find("pango_font_description_new"),
      let setFamily: SetFamily = find("pango_font_description_set_family"),
      let setSize: SetSize = find("pango_font_description_set_absolute_size"),
      let setWeight: SetNumber = find("pango_font_description_set_weight"),
      let freeDescription: Release = find("pango_font_description_free"),
      let lineOfLayout: GetLine = find("pango_layout_get_line_readonly"),
      let sizeOfLayout: GetSize = find("pango_layout_get_size"),
      let showLine: Change = find("pango_cairo_show_layout_line"),
      let release: Release = find("g_object_unref")
    else { return nil }
    self.createLayout = createLayout
    self.contextOfLayout = contextOfLayout
    self.setRounding = setRounding
    self.setText = setText
    self.setSingleParagraph = setSingleParagraph
    self.setDescription = setDescription
    self.makeDescription = makeDescription
    self.setFamily = setFamily
    self.setSize = setSize
    self.setWeight = setWeight
    self.freeDescription = freeDescription
    self.lineOfLayout = lineOfLayout
    self.sizeOfLayout = sizeOfLayout
    self.showLine = showLine
    self.release = release
  }
}

extension Pango {
  /// Returns Pango if a text needs it and it is there.
  ///
  /// Cairo draws the letters of most names alike, in a fraction of the time.
  internal static func forText(_ text: some StringProtocol, family: String) -> Pango? {
    text.needsShaping && family != builtInFamily ? shared : nil
  }

  /// The family of the font that is built into Cairo, which Pango does not know.
  internal static let builtInFamily = "@cairo:"
}

// MARK: Lines

extension Pango {
  /// Returns how far a line of text reaches, in pixels, or `nil` without memory.
  internal func width(
    of text: String,
    _ font: Font,
    family: String,
    on context: OpaquePointer
  ) -> Double? {
    guard let layout = layout(text, font, family, context) else { return nil }
    defer { release(layout) }
    var width: CInt = 0
    sizeOfLayout(layout, &width, nil)
    return Double(width) / Self.unitsPerPixel
  }

  /// Draws a line of text from the current point on, which is on the line that letters stand on.
  internal func show(
    _ text: String,
    _ font: Font,
    family: String,
    on context: OpaquePointer
  ) {
    guard let layout = layout(text, font, family, context) else { return }
    defer { release(layout) }
    if let line = lineOfLayout(layout, 0) { showLine(context, line) }
  }

  private func layout(
    _ text: String,
    _ font: Font,
    _ family: String,
    _ context: OpaquePointer
  ) -> OpaquePointer? {
    guard let layout = createLayout(context), let description = makeDescription() else {
      return nil
    }
    defer { freeDescription(description) }
    setFamily(description, family)
    setSize(description, font.size * Self.unitsPerPixel)
    setWeight(description, font.isBold ? 700 : 400)
    setDescription(layout, description)
    if let settings = contextOfLayout(layout) { setRounding(settings, 0) }
    setSingleParagraph(layout, 1)
    setText(layout, text, -1)
    return layout
  }
}

extension StringProtocol {
  /// Whether drawing the text letter by letter could be wrong: all but the alphabets of Europe and
  /// some punctuation.
  internal var needsShaping: Bool {
    !unicodeScalars.allSatisfy { scalar in
      switch scalar.value {
      case ..<0x300, 0x370..<0x483, 0x48A..<0x530, 0x2010...0x2027, 0xFFFD: true
      default: false
      }
    }
  }
}
