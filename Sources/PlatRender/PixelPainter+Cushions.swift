/// Tiles that look like cushions, lit pixel by pixel.
extension PixelPainter {
  /// The share of its light that a cushion keeps at its right and bottom edge.
  private static let edgeLight = 0.82
  /// The shortest side of a tile that has such an edge, at scale 1.
  private static let leastSide = 5.0

  /// How far around a label the limits of its ground reach, at scale 1.
  private static let fadingReach = 14.0

  /// Paints all tiles, the grounds of labels, and the lines between directories.
  internal func paintCushions(_ pixels: inout MutableSpan<UInt32>) {
    let shades = scene.shades
    for (tile, surface) in zip(scene.tiles, scene.surfaces) {
      guard let shades = shades[tile.style] else { continue }
      light(tile.rect, surface, shades, &pixels)
      paintEdges(of: tile.rect, &pixels)
      outline(tile.rect, scene.styles[tile.style].outline, &pixels)
    }
    for plate in scene.plates {
      guard let shades = shades[scene.tiles[plate.tile].style] else { continue }
      light(plate, shades, &pixels)
    }
    for seam in scene.seams { fill(seam, scene.theme.background, &pixels) }
  }

  /// Paints a cushion.
  private func light(
    _ rect: PixelRect,
    _ surface: CushionSurface,
    _ shades: CushionShades,
    _ pixels: inout MutableSpan<UInt32>
  ) {
    guard !rect.isEmpty else { return }
    let levels = CushionShades.all
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

  /// Gives the ground of a label no less and no more light than the label can be read on.
  ///
  /// Around it the limits fade away, so that the ground looks like a part of the cushion and has no
  /// edges.
  private func light(
    _ plate: Plate,
    _ shades: CushionShades,
    _ pixels: inout MutableSpan<UInt32>
  ) {
    let all = CushionShades.all
    if plate.levels == all { return }
    let surface = scene.surfaces[plate.tile]
    let rect = plate.rect
    let reach = Self.fadingReach * scene.scale
    let region = rect.inset(by: -Int(reach)).intersection(inside(of: scene.tiles[plate.tile]))
    if region.isEmpty { return }
    let below = Double(plate.levels.lowerBound - all.lowerBound)
    let above = Double(all.upperBound - plate.levels.upperBound)
    for y in region.top..<region.bottom {
      let down = Double(max(rect.top - y, y - rect.bottom + 1, 0))
      for x in region.left..<region.right {
        let across = Double(max(rect.left - x, x - rect.right + 1, 0))
        let share = min((across * across + down * down).squareRoot() / reach, 1)
        let fading = share * share * (3 - 2 * share)
        let lowest = Double(plate.levels.lowerBound) - fading * below
        let highest = Double(plate.levels.upperBound) + fading * above
        let level = surface.light(x: x, y: y) * Double(CushionShades.brightest)
        pixels[y * rowLength + x] = shades.pixels[Int(min(max(level, lowest), highest))]
      }
    }
  }

  /// The part of a tile within its edges and its outline.
  private func inside(of tile: Tile) -> PixelRect {
    var inside = tile.rect
    if hasEdges(tile.rect) {
      inside.right -= scene.line
      inside.bottom -= scene.line
    }
    return scene.styles[tile.style].outline == nil ? inside : tile.rect.inset(by: scene.line)
  }

  private func hasEdges(_ rect: PixelRect) -> Bool {
    Double(rect.shortSide) >= Self.leastSide * scene.scale
  }

  /// Darkens the right and bottom edge, without which tiles of one kind side by side would be one.
  private func paintEdges(of rect: PixelRect, _ pixels: inout MutableSpan<UInt32>) {
    guard hasEdges(rect) else { return }
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
