import PlatLayout

/// Paints the rectangles of a scene into pixels.
internal struct PixelPainter: Sendable {
  internal let scene: Scene
  internal let rowLength: Int

  internal init(_ scene: Scene, rowLength: Int) {
    self.scene = scene
    self.rowLength = rowLength
  }

  /// Paints everything but the labels.
  internal func paint(_ pixels: inout MutableSpan<UInt32>) {
    let whole = PixelRect(left: 0, top: 0, right: scene.size.width, bottom: scene.size.height)
    fill(whole, scene.theme.background, &pixels)
    let fills = (0...Theme.deepestShade).map { scene.theme.fill(depth: $0) }
    let frames = (0...Theme.deepestShade).map { scene.theme.frame(depth: $0) }
    for panel in scene.panels {
      let shade = min(panel.depth, Theme.deepestShade)
      if panel.depth > 0 { fill(panel.rect, frames[shade], &pixels) }
      let inside = panel.depth > 0 ? panel.rect.inset(by: scene.line) : panel.rect
      fill(inside, fills[shade], &pixels)
    }
    if scene.surfaces.isEmpty {
      for tile in scene.tiles { paint(tile, &pixels) }
    } else {
      paintCushions(&pixels)
    }
    for swatch in scene.swatches {
      fill(swatch.rect, swatch.color, &pixels)
      outline(swatch.rect, swatch.outline, &pixels)
    }
  }

  internal func fill(_ rect: PixelRect, _ color: Color, _ pixels: inout MutableSpan<UInt32>) {
    guard !rect.isEmpty else { return }
    let pixel = color.hex
    for y in rect.top..<rect.bottom {
      let start = y * rowLength
      for index in start + rect.left..<start + rect.right { pixels[index] = pixel }
    }
  }
}

// MARK: Tiles

extension PixelPainter {
  /// Paints a tile: shaded, with a seam at the right and bottom edge, and dots if it is a group.
  ///
  /// The seam is inside the tile, so that areas stay true.
  private func paint(_ tile: Tile, _ pixels: inout MutableSpan<UInt32>) {
    let style = scene.styles[tile.style]
    let rect = tile.rect
    let line = scene.line
    shade(rect, style, &pixels)
    if let dots = style.dots { dot(rect, dots, &pixels) }

    let side = Double(rect.shortSide) / scene.scale
    if scene.theme.isShaded, side >= 8 {
      let top = PixelRect(
        left: rect.left,
        top: rect.top,
        right: rect.right,
        bottom: rect.top + line
      )
      change(top, &pixels) { $0.raised(by: 14) }
    }
    let strength = scene.theme.seamStrength * min(1, side / 10 + 0.15)
    let black = Color(hex: 0)
    // A tile thinner than the seam is all seam.
    let right = max(rect.right - line, rect.left)
    let bottom = max(rect.bottom - line, rect.top)
    change(PixelRect(left: right, top: rect.top, right: rect.right, bottom: bottom), &pixels) {
      $0.mixed(with: black, share: strength)
    }
    change(PixelRect(left: rect.left, top: bottom, right: rect.right, bottom: rect.bottom), &pixels)
    {
      $0.mixed(with: black, share: strength)
    }
    outline(rect, style.outline, &pixels)
  }

  /// Draws the line inside the edges of a tile, if it has one and is large enough.
  internal func outline(_ rect: PixelRect, _ color: Color?, _ pixels: inout MutableSpan<UInt32>) {
    let line = scene.line
    guard let color, rect.shortSide >= 6 * line else { return }
    let inside = rect.inset(by: line)
    for edge in [
      PixelRect(left: rect.left, top: rect.top, right: rect.right, bottom: inside.top),
      PixelRect(left: rect.left, top: inside.bottom, right: rect.right, bottom: rect.bottom),
      PixelRect(left: rect.left, top: inside.top, right: inside.left, bottom: inside.bottom),
      PixelRect(left: inside.right, top: inside.top, right: rect.right, bottom: inside.bottom),
    ] {
      fill(edge, color, &pixels)
    }
  }

  /// Fills a tile with shades from light at the top left to dark at the bottom right.
  private func shade(_ rect: PixelRect, _ style: TileStyle, _ pixels: inout MutableSpan<UInt32>) {
    guard scene.theme.isShaded else { return fill(rect, style.fill, &pixels) }
    let shades = style.shades.map(\.hex)
    let side = Double(rect.shortSide) / scene.scale
    let depth = min(1, side / 24 + 0.35) * 1.48 * Double(TileStyle.reach)
    // The shade of a pixel is a fixed-point number with 16 bits of fraction, so that a step to the
    // right is an addition.
    let one = 65_536.0
    let across = 0.45 * depth / Double(rect.width) * one
    let down = 0.9 * depth / Double(rect.height) * one
    let corner = (0.675 * depth + Double(TileStyle.reach) + 0.5) * one - (across + down) / 2
    let step = Int32(across)
    let last = Int32(shades.count - 1)
    for y in 0..<rect.height {
      var level = Int32(corner - down * Double(y))
      let start = (rect.top + y) * rowLength
      for index in start + rect.left..<start + rect.right {
        pixels[index] = shades[Int(min(max(level >> 16, 0), last))]
        level -= step
      }
    }
  }

  /// Puts a dot on every fourth pixel of every fourth row.
  private func dot(_ rect: PixelRect, _ color: Color, _ pixels: inout MutableSpan<UInt32>) {
    let line = scene.line
    for top in stride(from: rect.top + 2 * line, to: rect.bottom - line, by: 4 * line) {
      for left in stride(from: rect.left + 2 * line, to: rect.right - line, by: 4 * line) {
        let dot = PixelRect(
          left: left,
          top: top,
          right: min(left + line, rect.right),
          bottom: min(top + line, rect.bottom)
        )
        fill(dot, color, &pixels)
      }
    }
  }

  /// Replaces the colour of every pixel of a rectangle.
  internal func change(
    _ rect: PixelRect,
    _ pixels: inout MutableSpan<UInt32>,
    _ body: (Color) -> Color
  ) {
    guard !rect.isEmpty else { return }
    for y in rect.top..<rect.bottom {
      let start = y * rowLength
      for index in start + rect.left..<start + rect.right {
        pixels[index] = body(Color(hex: pixels[index])).hex
      }
    }
  }
}
