/// Tiles that look like cushions, lit pixel by pixel.
extension PixelPainter {
  /// The share of its light that a cushion keeps at its right and bottom edge.
  private static let edgeLight = 0.82
  /// The shortest side of a tile that has such an edge, at scale 1.
  private static let leastSide = 5.0

  /// Paints all tiles, the grounds of labels, and the lines between directories.
  internal func paintCushions(_ pixels: inout MutableSpan<UInt32>) {
    let shades = scene.shades
    for (tile, surface) in zip(scene.tiles, scene.surfaces) {
      guard let shades = shades[tile.style] else { continue }
      light(tile.rect, surface, shades, CushionShades.all, &pixels)
      paintEdges(of: tile.rect, &pixels)
      outline(tile.rect, scene.styles[tile.style].outline, &pixels)
    }
    for plate in scene.plates {
      guard let shades = shades[scene.tiles[plate.tile].style] else { continue }
      light(plate.rect, scene.surfaces[plate.tile], shades, plate.levels, &pixels)
    }
    for seam in scene.seams { fill(seam, scene.theme.background, &pixels) }
  }

  /// Paints a part of a cushion, with no less and no more light than some levels.
  private func light(
    _ rect: PixelRect,
    _ surface: CushionSurface,
    _ shades: CushionShades,
    _ levels: ClosedRange<Int>,
    _ pixels: inout MutableSpan<UInt32>
  ) {
    guard !rect.isEmpty else { return }
    let (lowest, highest) = (Float(levels.lowerBound), Float(levels.upperBound))
    let ambient = Float(CushionSurface.ambient) * Float(CushionShades.brightest)
    let direct = Float(CushionShades.brightest) - ambient
    let light = CushionSurface.light
    let (lightAcross, lightUp) = (Float(light.x), Float(light.z))
    let first = Float(surface.slopeAcross(rect.left))
    let step = Float(surface.stepAcross)
    let table = shades.pixels.span
    for y in rect.top..<rect.bottom {
      let down = Float(surface.slopeDown(y))
      let fixed = lightUp - down * Float(light.y)
      let square = down * down + 1
      let start = y * rowLength + rect.left
      for column in 0..<rect.width {
        let across = first + step * Float(column)
        let cosine = (fixed - across * lightAcross) / (across * across + square).squareRoot()
        let level = min(max(ambient + direct * max(cosine, 0), lowest), highest)
        pixels[start + column] = table[Int(level)]
      }
    }
  }

  /// Darkens the right and bottom edge, without which tiles of one kind side by side would be one.
  private func paintEdges(of rect: PixelRect, _ pixels: inout MutableSpan<UInt32>) {
    guard Double(rect.shortSide) >= Self.leastSide * scene.scale else { return }
    var (right, bottom) = (rect, rect)
    right.left = rect.right - scene.line
    right.bottom = rect.bottom - scene.line
    bottom.top = rect.bottom - scene.line
    let black = Color(hex: 0)
    for edge in [right, bottom] {
      change(edge, &pixels) { $0.mixed(with: black, share: 1 - Self.edgeLight) }
    }
  }
}
