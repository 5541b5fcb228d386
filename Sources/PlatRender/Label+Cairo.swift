import CPlatCairo

extension Label {
  /// Draws the label, and cuts off what would be outside its box.
  internal func draw(on context: OpaquePointer, family: String) {
    cairo_save(context)
    cairo_rectangle(
      context,
      Double(box.left),
      Double(box.top),
      Double(box.width),
      Double(box.height)
    )
    cairo_clip(context)
    setSource(color, of: context)
    cairo_move_to(context, x, baseline)
    if let pango = Pango.forText(text, family: family) {
      pango.show(text, font, family: family, on: context)
    } else {
      font.select(on: context, family: family)
      cairo_show_text(context, text)
    }
    cairo_restore(context)
  }
}

extension Font {
  /// Makes this the font of what is drawn next.
  internal func select(on context: OpaquePointer, family: String) {
    let weight = isBold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL
    cairo_select_font_face(context, family, CAIRO_FONT_SLANT_NORMAL, weight)
    cairo_set_font_size(context, size)
  }
}

/// Sets grey edges and whole-pixel stems; widths that do not depend on the size.
internal func setFontOptions(of context: OpaquePointer) {
  let options = cairo_font_options_create()
  cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
  cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_SLIGHT)
  cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
  cairo_set_font_options(context, options)
  cairo_font_options_destroy(options)
}

/// Makes a colour that of what is drawn next.
internal func setSource(_ color: Color, of context: OpaquePointer) {
  cairo_set_source_rgb(
    context,
    Double(color.red) / 255,
    Double(color.green) / 255,
    Double(color.blue) / 255
  )
}
