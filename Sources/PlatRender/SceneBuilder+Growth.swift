import PlatTree

/// What a picture that is coloured by growth says in words.
extension SceneBuilder {
  /// The change of the whole and since when, for the title line.
  internal var growthFact: String? {
    guard options.colorKey == .growth, let growth else { return nil }
    return growth.words
  }

  /// Returns the size of a node in words: with a sign, where it is that of a change of one kind.
  internal func sizeText(of node: Int) -> String {
    let item = selection.nodes[node]
    let size = SizeFormat.iec.string(item.size)
    guard options.area == .change, item.kind == .file else { return size }
    let strength = GrowthClass(rawValue: item.classIndex)?.strength ?? 0
    let change = Int64(clamping: item.size)
    return SizeFormat.iec.string(change: strength < 0 ? -change : change)
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
    var text = growth.removalWords(names: 0)
    for count in 1...20 {
      let longer = growth.removalWords(names: count)
      if start + labels.width(of: longer, font) > end { break }
      text = longer
      if count >= growth.removals.count { break }
    }
    guard start + labels.width(of: text, font) <= end else { return }
    let color = options.theme.text
    let label = labels.text(text, font, color, x: start, baseline: baseline, box: box)
    scene.labels.append(label.boxed(margin: 10 * frame.scale))
  }
}

extension TreeGrowth {
  /// The change of the whole, and since when.
  internal var words: String {
    let change = SizeFormat.iec.string(change: change)
    return "\(change) since \(NameDisplay.label(since.utf8))"
  }

  /// What was removed, with the largest by name; empty if nothing was.
  internal func removalWords(names: Int) -> String {
    if removals.isEmpty { return "" }
    let size = removals.reduce(UInt64(0)) { $0.addingSaturated($1.size) }
    let whole = "removed \(SizeFormat.iec.string(size))"
    if names == 0 { return whole }
    let list = removals.prefix(names).map { NameDisplay.label($0.path) }.joined(separator: ", ")
    let left = removals.count - names
    return "\(whole): \(list)\(left > 0 ? " and \(NumberFormat.grouped(left)) more" : "")"
  }
}
