import CPlatCairo

extension Canvas {
  /// Draws a shape with smooth edges.
  internal borrowing func draw(_ shape: PlotShape) {
    withContext { context in
      switch shape {
      case .area(let points, let color, let opacity):
        trace(points, context)
        cairo_close_path(context)
        setSource(color, opacity, context)
        cairo_fill(context)
      case .line(let points, let color, let width, let isDashed):
        trace(points, context)
        setSource(color, 1, context)
        cairo_set_line_width(context, width)
        cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
        cairo_set_line_cap(context, isDashed ? CAIRO_LINE_CAP_BUTT : CAIRO_LINE_CAP_ROUND)
        let dashes = isDashed ? PlotShape.dashes.map { $0 * width } : []
        cairo_set_dash(context, dashes, CInt(dashes.count), 0)
        cairo_stroke(context)
      case .dot(let center, let radius, let color, let ring):
        cairo_new_path(context)
        cairo_arc(context, center.x, center.y, radius * 1.5, 0, 2 * .pi)
        setSource(ring, 1, context)
        cairo_fill(context)
        cairo_arc(context, center.x, center.y, radius, 0, 2 * .pi)
        setSource(color, 1, context)
        cairo_fill(context)
      }
    }
  }

  private func trace(_ points: [PlotPoint], _ context: OpaquePointer) {
    cairo_new_path(context)
    for point in points { cairo_line_to(context, point.x, point.y) }
  }

  private func setSource(_ color: Color, _ opacity: Double, _ context: OpaquePointer) {
    cairo_set_source_rgba(
      context,
      Double(color.red) / 255,
      Double(color.green) / 255,
      Double(color.blue) / 255,
      opacity
    )
  }
}

extension PlotShape {
  /// The lengths of a dash and of the gap after it, in widths of the line.
  internal static let dashes = [4.0, 3.0]
}
