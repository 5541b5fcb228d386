/// Writes a chart as an SVG document.
internal struct PlotSVGWriter {
  private let scene: PlotScene
  private let fontFamily: String
  private var output: [UInt8] = []

  internal init(_ scene: PlotScene, fontFamily: String) {
    self.scene = scene
    self.fontFamily = fontFamily
  }

  /// Returns the document, which is shown larger by a factor.
  internal mutating func document(scale: Double) -> [UInt8] {
    let (width, height) = (scene.size.width, scene.size.height)
    write("<svg xmlns=\"http://www.w3.org/2000/svg\" ")
    write("width=\"\(text(Double(width) * scale))\" height=\"\(text(Double(height) * scale))\" ")
    write("viewBox=\"0 0 \(width) \(height)\" role=\"img\" ")
    write("aria-labelledby=\"plat-title plat-desc\">\n<title id=\"plat-title\">")
    output.append(xml: scene.title)
    write("</title>\n<desc id=\"plat-desc\">")
    output.append(xml: scene.summary)
    write("</desc>\n<style>text{font-family:\(SVGText.families(fontFamily));")
    write("white-space:pre}</style>\n")
    for shape in scene.shapes { write(shape) }
    for label in scene.labels { write(label) }
    write("</svg>\n")
    return output
  }

  private mutating func write(_ text: String) { output.append(contentsOf: text.utf8) }

  private mutating func write(_ shape: PlotShape) {
    switch shape {
    case .area(let points, let color, let opacity):
      write("<path d=\"\(path(points))z\" fill=\"\(color)\"")
      write(opacity < 1 ? " fill-opacity=\"\(opacity)\"/>\n" : "/>\n")
    case .line(let points, let color, let width, let isDashed):
      write("<path d=\"\(path(points))\" fill=\"none\" stroke=\"\(color)\" ")
      write("stroke-width=\"\(text(width))\" stroke-linejoin=\"round\"")
      if isDashed {
        let dashes = PlotShape.dashes.map { text($0 * width) }.joined(separator: " ")
        write(" stroke-dasharray=\"\(dashes)\"")
      }
      write("/>\n")
    case .dot(let center, let radius, let color, let ring):
      write("<circle cx=\"\(text(center.x))\" cy=\"\(text(center.y))\" ")
      write("r=\"\(text(radius * 1.25))\" fill=\"\(color)\" stroke=\"\(ring)\" ")
      write("stroke-width=\"\(text(radius * 0.5))\"/>\n")
    }
  }

  private mutating func write(_ label: Label) {
    write("<text x=\"\(text(label.isRightAligned ? label.x + label.width : label.x))\" ")
    write("y=\"\(text(label.baseline))\" fill=\"\(label.color)\" ")
    write("font-size=\"\(text(label.font.size))\"")
    if label.font.isBold { write(" font-weight=\"bold\"") }
    if label.isRightAligned { write(" text-anchor=\"end\"") }
    write(">")
    output.append(xml: label.text)
    write("</text>\n")
  }

  private func path(_ points: [PlotPoint]) -> String {
    "M" + points.map { "\(text($0.x)) \(text($0.y))" }.joined(separator: "L")
  }

  /// Returns a number with at most two decimals.
  private func text(_ number: Double) -> String {
    let hundredths = Int((number * 100).rounded())
    return hundredths.isMultiple(of: 100)
      ? "\(hundredths / 100)" : "\(Double(hundredths) / 100)"
  }
}
