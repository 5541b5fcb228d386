import CPlatCairo
import PlatTree

/// Writes a scene as a PDF document by Cairo, which embeds the letters of fonts that it uses.
internal struct PDFWriter {
  private let scene: Scene

  internal init(_ scene: Scene) { self.scene = scene }

  /// The points of PDF, of which an inch has 72, for a pixel, of which it has 96.
  private static let pointsPerPixel = 0.75

  /// Returns the document.
  ///
  /// `scale` is the factor by which it is larger, and `date` when it was made, in seconds since 1970:
  /// that of the clock would make each document another one.
  internal func document(scale: Double, date: Int64) throws(RenderError) -> [UInt8] {
    var output: [UInt8] = []
    let factor = Self.pointsPerPixel * scale
    let status = withUnsafeMutablePointer(to: &output) { output in
      let surface = cairo_pdf_surface_create_for_stream(
        { closure, data, count in
          guard let closure else { return CAIRO_STATUS_WRITE_ERROR }
          let bytes = UnsafeBufferPointer(start: data, count: Int(count))
          closure.assumingMemoryBound(to: [UInt8].self).pointee.append(contentsOf: bytes)
          return CAIRO_STATUS_SUCCESS
        },
        output,
        Double(scene.size.width) * factor,
        Double(scene.size.height) * factor
      )
      defer { cairo_surface_destroy(surface) }
      setMetadata(of: surface, date)
      if let context = cairo_create(surface) {
        setFontOptions(of: context)
        cairo_scale(context, factor, factor)
        draw(on: context)
        cairo_destroy(context)
      }
      // Safety: nothing is written after this, so that nothing keeps the pointer to the output.
      cairo_surface_finish(surface)
      return cairo_surface_status(surface)
    }
    guard status == CAIRO_STATUS_SUCCESS else { throw RenderError(status) }
    return output
  }

  private func setMetadata(of surface: OpaquePointer?, _ date: Int64) {
    let created = CivilDate.timestamp(secondsSince1970: date)
    for (key, text) in [
      (CAIRO_PDF_METADATA_TITLE, scene.title), (CAIRO_PDF_METADATA_SUBJECT, scene.summary),
      (CAIRO_PDF_METADATA_CREATOR, "plat"), (CAIRO_PDF_METADATA_CREATE_DATE, created),
    ] {
      cairo_pdf_surface_set_metadata(surface, key, text)
    }
  }
}

// MARK: Drawing

extension PDFWriter {
  private func draw(on context: OpaquePointer) {
    let whole = PixelRect(left: 0, top: 0, right: scene.size.width, bottom: scene.size.height)
    fill([whole], scene.theme.background, on: context)
    for panel in scene.panels {
      let shade = min(panel.depth, Theme.deepestShade)
      if panel.depth > 0 { fill([panel.rect], scene.theme.frame(depth: shade), on: context) }
      let inside = panel.depth > 0 ? panel.rect.inset(by: scene.line) : panel.rect
      fill([inside], scene.theme.fill(depth: shade), on: context)
    }
    // All tiles of a style are one path: a colour is set once, and not for every file.
    let styles = Dictionary(grouping: scene.tiles, by: \.style).sorted { $0.key < $1.key }
    for (index, tiles) in styles {
      let style = scene.styles[index]
      fill(tiles.map(\.rect), style.fill, on: context)
      let seam = style.fill.mixed(with: Color(hex: 0), share: scene.theme.seamStrength)
      stroke(tiles.map(\.rect), style.outline ?? seam, on: context)
    }
    for swatch in scene.swatches {
      fill([swatch.rect], swatch.color, on: context)
      if let outline = swatch.outline { stroke([swatch.rect], outline, on: context) }
    }
    for label in scene.labels { label.draw(on: context, family: scene.fontFamily) }
  }

  private func fill(_ rects: [PixelRect], _ color: Color, on context: OpaquePointer) {
    trace(rects, on: context)
    setSource(color, of: context)
    cairo_fill(context)
  }

  private func stroke(_ rects: [PixelRect], _ color: Color, on context: OpaquePointer) {
    trace(rects, on: context)
    setSource(color, of: context)
    cairo_set_line_width(context, 0.5)
    cairo_stroke(context)
  }

  private func trace(_ rects: [PixelRect], on context: OpaquePointer) {
    cairo_new_path(context)
    for rect in rects where !rect.isEmpty {
      cairo_rectangle(
        context,
        Double(rect.left),
        Double(rect.top),
        Double(rect.width),
        Double(rect.height)
      )
    }
  }
}
