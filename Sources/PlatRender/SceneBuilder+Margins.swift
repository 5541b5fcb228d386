import PlatLayout
import PlatTree

/// The title line, the legend, and the words for those who do not see the picture.
extension SceneBuilder {
  /// Adds the title, and what the picture shows in words.
  internal mutating func addTitle() {
    let totals = tree.totals(of: top)
    let size = SizeFormat.iec.string(totals.size(options.measure))
    let files = NumberFormat.counted(totals.files, "file")
    let isOfChanges = options.area == .change
    var facts = [
      isOfChanges ? "\(size) of changes" : size,
      isOfChanges ? "\(files) changed or new" : files,
      options.measure == .allocated ? "on-disk size" : "apparent size",
    ]
    if let growthFact { facts.insert(growthFact, at: 1) }
    if let date = options.date { facts.append(NameDisplay.label(date.utf8)) }
    scene.title = title
    scene.summary = "Treemap of \(title): \(facts.joined(separator: ", ")). \(largestParts)"
    guard frame.hasTitle else { return }

    let box = PixelRect(left: 0, top: 0, right: frame.size.width, bottom: Int(frame.map.y0))
    let theme = options.theme
    let baseline = 31 * frame.scale
    let gap = 16 * frame.scale
    var end = frame.map.x0
    let titleFont = labels.font(17, isBold: true)
    let factsFont = labels.font(12.5)
    let shortest = labels.width(of: facts[0], factsFont)
    if let name = labels.fit(title, titleFont, into: frame.map.width - gap - shortest) {
      let label = labels.text(name, titleFont, theme.text, x: end, baseline: baseline, box: box)
      end += label.width + gap
      scene.labels.append(label.boxed(margin: gap / 2))
    }
    // The last facts are those that a narrow picture can do without.
    var line = facts.joined(separator: labels.separator)
    while facts.count > 1, end + labels.width(of: line, factsFont) > frame.map.x1 {
      facts.removeLast()
      line = facts.joined(separator: labels.separator)
    }
    let color = theme.secondaryText
    let label = labels.text(line, factsFont, color, x: end, baseline: baseline, box: box)
    scene.labels.append(label.boxed(margin: gap / 2))
  }

  private var title: String { options.title(of: tree, top: top) }

  /// The largest things at the top, in words.
  private var largestParts: String {
    let parts = selection.nodes.indices.dropFirst().prefix(Int(selection.childCounts[0]))
      .filter { !selection.nodes[$0].name.isEmpty }
      .sorted { (selection.nodes[$0].size, $1) > (selection.nodes[$1].size, $0) }
      .prefix(5)
      .map { node in
        let size = SizeFormat.iec.string(selection.nodes[node].size)
        return "\(NameDisplay.label(selection.name(of: node))) (\(size))"
      }
    return parts.isEmpty ? "It is empty." : "Largest: \(parts.joined(separator: ", "))."
  }

  /// Adds what colours mean, as far as it fits, and how much of the tree has a tile.
  internal mutating func addLegend() {
    let scale = frame.scale
    let theme = options.theme
    let font = labels.font(11.5)
    let baseline = Double(frame.size.height) - 20 * scale
    let box = PixelRect(
      left: 0,
      top: Int(frame.map.y1),
      right: frame.size.width,
      bottom: frame.size.height
    )
    let gap = 20 * scale
    var free = frame.map.x1
    if let counts = labels.fit(counts, font, into: frame.map.width) {
      let color = theme.secondaryText
      let label = labels.text(counts, font, color, end: free, baseline: baseline, box: box)
      free = label.x - gap
      scene.labels.append(label.boxed(margin: gap / 2))
    }

    let side = Int((10 * scale).rounded())
    var x = frame.map.x0
    let whole = selection.classes.sizes.reduce(UInt64(0)) { $0.addingSaturated($1) }
    for entry in scheme.legend {
      let text = "\(entry.title) \(NumberFormat.share(entry.size, of: whole))"
      let start = x + Double(side) + 5 * scale
      let label = labels.text(text, font, theme.text, x: start, baseline: baseline, box: box)
      if start + label.width > free { break }
      let left = Int(x.rounded())
      let top = Int((baseline - 9 * scale).rounded())
      let rect = PixelRect(left: left, top: top, right: left + side, bottom: top + side)
      var swatch = Swatch(rect: rect, color: theme.adapted(entry.color).color)
      if entry.isOutlined { swatch.outline = theme.outline }
      scene.swatches.append(swatch)
      scene.labels.append(label.boxed(margin: gap / 2))
      x = start + label.width + gap
    }
    addRemovals(from: x, to: free, baseline: baseline, box: box)
  }

  private var counts: String {
    let drawn = "\(NumberFormat.counted(selection.drawnFiles, "file")) drawn"
    let grouped = tree.totals(of: top).files - selection.drawnFiles
    return grouped > 0 ? "\(drawn), \(NumberFormat.grouped(grouped)) in groups" : drawn
  }
}
