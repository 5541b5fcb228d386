import PlatLayout
import PlatTree

/// What a picture has in place of frames and headers if its tiles are cushions.
extension SceneBuilder {
  /// Finds the surface of every node: that of its directory, and ridges of its own.
  ///
  /// What is alone in its directory has the same rectangle, and gets no ridges, for two of them would
  /// look like one that is steeper.
  internal func cushionSurfaces() -> [CushionSurface] {
    var surfaces = [CushionSurface](repeating: CushionSurface(), count: selection.nodes.count)
    var ranks = [Int](repeating: 0, count: selection.nodes.count)
    for node in selection.nodes.indices.dropFirst() {
      let parent = selection.nodes[node].parent
      surfaces[node] = surfaces[parent]
      ranks[node] = ranks[parent]
      if parent != 0, selection.childCounts[parent] == 1 { continue }
      // A place that was a group's is no directory.
      if selection.nodes[node].kind == .openedGroup { continue }
      ranks[node] += 1
      surfaces[node].addRidges(over: rect(of: node), rank: ranks[node])
    }
    return surfaces
  }

  /// Adds the lines that part a directory at the top, or right below one, from its neighbours.
  internal mutating func addSeam(_ node: Int, _ rect: PixelRect) {
    let depth = selection.nodes[node].depth
    guard case .directory = selection.nodes[node].kind, (1...2).contains(depth) else { return }
    let width = min((depth == 1 ? 2 : 1) * scene.line, rect.shortSide)
    let map = PixelRect(frame.map)
    var (right, bottom) = (rect, rect)
    right.left = rect.right - width
    bottom.top = rect.bottom - width
    if rect.right < map.right { scene.seams.append(right) }
    if rect.bottom < map.bottom { scene.seams.append(bottom) }
  }

  /// Gives labels the colour that can be read on a cushion, and the cushion shades on which it can.
  internal mutating func addLabels(
    _ labels: [Label],
    onTile tile: Int,
    _ shades: CushionShades,
    _ surface: CushionSurface
  ) {
    guard let first = labels.first else { return }
    let margin = (2 * frame.scale).rounded()
    var ground = first.boxed(margin: margin).box
    ground.right = labels.map { $0.boxed(margin: margin).box.right }.max() ?? ground.right
    let last = labels[labels.count - 1]
    ground.bottom = min(ground.bottom, Int(last.baseline + 0.3 * last.font.size + margin))

    var light = 0.0
    for part in 0..<15 {
      let x = ground.left + ground.width * (2 * (part % 5) + 1) / 10
      let y = ground.top + ground.height * (2 * (part / 5) + 1) / 6
      light += surface.light(x: x, y: y) / 15
    }
    let mean = Color(hex: shades.pixels[CushionShades.level(of: light)])
    let colors = options.theme.cushionLabels.sorted { one, two in
      one.contrast(with: mean) > two.contrast(with: mean)
    }
    for color in colors {
      guard let levels = shades.levels(legible: color) else { continue }
      scene.plates.append(Plate(tile: tile, rect: ground, levels: levels))
      scene.labels += labels.map { label in
        var label = label
        label.color = color
        return label
      }
      return
    }
  }
}

extension Theme {
  /// The colours of labels on cushions.
  fileprivate var cushionLabels: [Color] {
    self == .print
      ? [Color(hex: 0x000000), Color(hex: 0xffffff)]
      : [Color(hex: 0x0a1018), Color(hex: 0xfcfcfc)]
  }
}
