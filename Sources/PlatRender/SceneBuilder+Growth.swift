import PlatTree

/// What a picture that is coloured by growth says in words.
extension SceneBuilder {
  /// The change of the whole and since when, for the title line.
  internal var growthFact: String? {
    guard options.colorKey == .growth, let growth else { return nil }
    let change = SizeFormat.iec.string(change: growth.change)
    return "\(change) since \(NameDisplay.label(growth.since.utf8))"
  }

  /// Adds what was removed to the legend, as many names as fit.
  internal mutating func addRemovals(
    from start: Double,
    to end: Double,
    baseline: Double,
    box: PixelRect
  ) {
    guard options.colorKey == .growth, let growth, !growth.removals.isEmpty else { return }
    let font = labels.font(11.5)
    let size = growth.removals.reduce(UInt64(0)) { $0.addingSaturated($1.size) }
    let whole = "removed \(SizeFormat.iec.string(size))"
    var text = whole
    var names = ""
    for (index, removal) in growth.removals.prefix(20).enumerated() {
      names += "\(index == 0 ? ": " : ", ")\(NameDisplay.label(removal.path))"
      let left = growth.removals.count - index - 1
      let rest = left > 0 ? " and \(NumberFormat.grouped(left)) more" : ""
      let longer = whole + names + rest
      if start + labels.width(of: longer, font) > end { break }
      text = longer
    }
    guard start + labels.width(of: text, font) <= end else { return }
    let color = options.theme.text
    let label = labels.text(text, font, color, x: start, baseline: baseline, box: box)
    scene.labels.append(label.boxed(margin: 10 * frame.scale))
  }
}
