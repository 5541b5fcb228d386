import CPlatCairo

/// A picture in memory that Cairo draws text on, freed when its owner goes away.
@safe
internal struct Canvas: ~Copyable {
  // Safety: `surface` and `context` are valid from `init` to `deinit`, and only methods of this
  // type use them. Pixels and the context are lent to a closure for one call.
  private let surface: OpaquePointer
  private let context: OpaquePointer

  internal let size: PixelSize
  /// The family of all text.
  private let fontFamily: String

  /// The number of pixels from the start of one row to that of the next.
  internal let rowLength: Int

  /// Creates a black picture.
  ///
  /// The family of fonts is a name that fontconfig knows, or `@cairo:` for the font built into
  /// Cairo, which Cairo takes by itself where there are no fonts.
  internal init(size: PixelSize, fontFamily: String) throws(RenderError) {
    let surface = cairo_image_surface_create(
      CAIRO_FORMAT_RGB24,
      CInt(size.width),
      CInt(size.height)
    )
    let status = cairo_surface_status(surface)
    guard let surface, status == CAIRO_STATUS_SUCCESS else {
      cairo_surface_destroy(surface)
      throw RenderError(status)
    }
    guard let context = cairo_create(surface) else {
      cairo_surface_destroy(surface)
      throw .outOfMemory
    }
    self.surface = surface
    self.context = context
    self.size = size
    self.fontFamily = fontFamily
    rowLength = Int(cairo_image_surface_get_stride(surface)) / MemoryLayout<UInt32>.size
    setFontOptions(of: context)
  }

  deinit {
    cairo_destroy(context)
    cairo_surface_destroy(surface)
  }

  /// Throws what has failed so far: Cairo remembers, and does nothing from then on.
  internal borrowing func check() throws(RenderError) {
    let status = cairo_status(context)
    guard status == CAIRO_STATUS_SUCCESS else { throw RenderError(status) }
  }
}

// MARK: Pixels

extension Canvas {
  /// Calls a closure with the pixels, rows from top to bottom, each `0x00RRGGBB`.
  ///
  /// Row `y` starts at `y * rowLength`.
  internal borrowing func withPixels<Result, Failure>(
    _ body: (inout MutableSpan<UInt32>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    cairo_surface_flush(surface)
    defer { cairo_surface_mark_dirty(surface) }
    let count = rowLength * size.height
    let data = UnsafeMutableRawPointer(cairo_image_surface_get_data(surface))
    let pixels = UnsafeMutableBufferPointer(
      start: data?.assumingMemoryBound(to: UInt32.self),
      count: data == nil ? 0 : count
    )
    var span = MutableSpan(_unsafeElements: pixels)
    return try body(&span)
  }
}

// MARK: Drawing

extension Canvas {
  /// Calls a closure with what Cairo draws by, which must not leave it.
  internal borrowing func withContext(_ body: (OpaquePointer) -> Void) {
    cairo_save(context)
    body(context)
    cairo_restore(context)
  }
}

// MARK: Text

extension Canvas {
  /// Draws a label, and cuts off what would be outside its box.
  internal borrowing func draw(_ label: Label) {
    label.draw(on: context, family: fontFamily)
  }

  /// Returns how far a text moves the pen, in pixels.
  internal borrowing func advance(of text: String, _ font: Font) -> Double {
    if let pango = Pango.forText(text, family: fontFamily),
      let width = pango.width(of: text, font, family: fontFamily, on: context)
    {
      return width
    }
    font.select(on: context, family: fontFamily)
    var extents = cairo_text_extents_t()
    cairo_text_extents(context, text, &extents)
    return extents.x_advance
  }
}

extension RenderError {
  /// The error that a status of Cairo stands for.
  internal init(_ status: cairo_status_t) {
    self =
      status == CAIRO_STATUS_NO_MEMORY
      ? .outOfMemory
      : .cairo(message: String(cString: cairo_status_to_string(status)))
  }
}
