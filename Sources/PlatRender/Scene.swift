/// A picture before it is written: what is where, in pixels, and how it looks.
///
/// Both writers, of pixels and of SVG, draw the same scene, in this order: background, panels,
/// tiles, swatches, labels.
internal struct Scene: Sendable {
  internal var size: PixelSize
  /// The width of thin lines, in pixels.
  internal var line: Int
  /// The factor by which the scene is larger than at scale 1.
  internal var scale: Double
  internal var theme: Theme
  internal var fontFamily: String

  /// What the picture shows, as a short name.
  internal var title = ""
  /// What the picture shows, for those who do not see it.
  internal var summary = ""

  /// The directories, one above what it holds.
  internal var panels: [Panel] = []
  /// The files, groups and unopened directories; none overlaps another.
  internal var tiles: [Tile] = []
  /// How tiles look; a tile holds an index.
  internal var styles: [TileStyle] = []
  /// The squares of the legend.
  internal var swatches: [Swatch] = []
  internal var labels: [Label] = []

  /// The surfaces of the tiles, one each, if they are cushions; otherwise there are none.
  internal var surfaces: [CushionSurface] = []
  /// The shades of cushions, by style; `nil` for a style that no tile has.
  internal var shades: [CushionShades?] = []
  /// The grounds of the labels on cushions.
  internal var plates: [Plate] = []
  /// The lines between directories of cushions.
  internal var seams: [PixelRect] = []
}

/// A directory: a filled rectangle with a frame.
internal struct Panel: Hashable, Sendable {
  /// The outer edge of the frame.
  internal var rect: PixelRect
  /// The depth, which decides the colours; that of the root is 0.
  internal var depth: Int
}

/// A rectangle whose area stands for a size.
internal struct Tile: Hashable, Sendable {
  internal var rect: PixelRect
  /// The index of the style in ``Scene/styles``.
  internal var style: Int
  /// The path and the size, where a reader may ask for them.
  internal var description: String?
}

/// A part of a cushion that bears a label: it has no shade on which that could not be read.
internal struct Plate: Hashable, Sendable {
  /// The index of the tile.
  internal var tile: Int
  internal var rect: PixelRect
  /// The levels of light that it may have.
  internal var levels: ClosedRange<Int>
}

/// A square of the legend.
internal struct Swatch: Hashable, Sendable {
  internal var rect: PixelRect
  internal var color: Color
  /// The colour of a line inside the edges, as tiles of the class have it.
  internal var outline: Color?
}

/// A line of text.
internal struct Label: Hashable, Sendable {
  internal var text: String
  internal var font: Font
  internal var color: Color
  /// The left end of the text, in pixels.
  internal var x: Double
  /// The line that letters stand on, in pixels.
  internal var baseline: Double
  /// The width of the text, in pixels.
  internal var width: Double
  /// Whether the right end is where it is, and not the left end, when fonts differ.
  internal var isRightAligned = false
  /// What the text may cover; the rest is cut off.
  internal var box: PixelRect
}

extension Label {
  /// Returns the label with a box that reaches only a little further than its text.
  internal func boxed(margin: Double) -> Label {
    var label = self
    label.box.left = max(box.left, Int((x - margin).rounded(.down)))
    label.box.right = min(box.right, Int((x + width + margin).rounded(.up)))
    return label
  }
}
