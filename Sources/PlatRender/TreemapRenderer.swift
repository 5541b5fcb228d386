import PlatLayout
public import PlatTree

/// Draws trees as treemaps: every file is a rectangle whose area is in proportion to its size.
///
/// What is too small to be seen is drawn in groups ("18,495 smaller items") that have the area of
/// what they hold; nothing is left out. The same tree, options and memory give the same bytes, with
/// the same fonts. A renderer never changes, so one value serves any number of pictures and threads.
///
/// ```swift
/// var options = RenderOptions()
/// options.theme = .light
/// let file = try TreemapRenderer(options: options).png(of: tree)
/// ```
public struct TreemapRenderer: Sendable {
  /// The choices for the pictures.
  public var options: RenderOptions
  /// How the tree is arranged; `nil` to arrange it afresh.
  public let memory: PictureMemory?
  /// What has grown, for pictures that are coloured by it, and pages; without it, nothing has.
  public var growth: TreeGrowth?

  /// The smallest tile of an SVG picture that can be asked for its path, in pixels of area.
  private static let describedArea = 120

  /// Creates a renderer.
  ///
  /// - Parameters:
  ///   - options: The choices for the pictures.
  ///   - memory: How the tree is arranged, best by the memory of the tree itself; `nil` to arrange
  ///     it afresh.
  public init(options: RenderOptions = RenderOptions(), memory: PictureMemory? = nil) {
    self.options = options
    self.memory = memory
  }

  /// Returns a picture as a PNG file.
  ///
  /// - Parameters:
  ///   - tree: The tree.
  ///   - top: The directory to draw with all below it; `nil` is the top of the tree.
  /// - Returns: The file.
  /// - Throws: ``RenderError``; before anything is allocated, if the size or scale is impossible.
  /// - Precondition: `top` came from `tree`.
  /// - Complexity: O(*n* + *p*), where *n* is the number of entries below `top` and *p* the number
  ///   of pixels. Memory is 4 bytes a pixel and does not grow with the tree.
  public func png(of tree: FileTree, from top: DirectoryID? = nil) throws(RenderError) -> [UInt8] {
    let canvas = try draw(tree, from: top)
    let (size, rowLength) = (canvas.size, canvas.rowLength)
    return try canvas.withPixels { (pixels) throws(RenderError) in
      try PNGEncoder().encode(pixels.span, size: size, rowLength: rowLength)
    }
  }

  /// Draws a picture in memory.
  internal func draw(_ tree: FileTree, from top: DirectoryID?) throws(RenderError) -> Canvas {
    let scene = try SceneBuilder(
      tree,
      top: top ?? tree.root,
      options: options,
      culling: options.style == .nested ? .nested : .flat,
      memory: memory,
      growth: growth
    ).build()
    let canvas = try Canvas(size: scene.size, fontFamily: scene.fontFamily)
    let painter = PixelPainter(scene, rowLength: canvas.rowLength)
    canvas.withPixels { painter.paint(&$0) }
    for label in scene.labels { canvas.draw(label) }
    try canvas.check()
    return canvas
  }

  /// Returns a picture as an SVG document.
  ///
  /// The document needs nothing from elsewhere, runs nothing, and has a title, a description and
  /// selectable text. Large tiles tell their path and size when pointed at.
  ///
  /// - Parameters:
  ///   - tree: The tree.
  ///   - top: The directory to draw with all below it; `nil` is the top of the tree.
  /// - Returns: The document, in UTF-8.
  /// - Throws: ``RenderError``; before anything is allocated, if the size or scale is impossible.
  /// - Precondition: `top` came from `tree`.
  /// - Complexity: O(*n*), where *n* is the number of entries below `top`.
  public func svg(of tree: FileTree, from top: DirectoryID? = nil) throws(RenderError) -> [UInt8] {
    let scene = try vectorScene(of: tree, from: top).build(describedArea: Self.describedArea)
    var writer = SVGWriter(scene)
    return writer.document(scale: options.scale)
  }

  /// Returns a picture as a PDF document of one page.
  ///
  /// At scale 1 a page has 72 points where a picture has 96 pixels, so that text has its usual size.
  /// Text can be searched and copied, and the fonts are in the document.
  ///
  /// - Parameters:
  ///   - tree: The tree.
  ///   - top: The directory to draw with all below it; `nil` is the top of the tree.
  /// - Returns: The document.
  /// - Throws: ``RenderError``; before anything is allocated, if the size or scale is impossible.
  /// - Precondition: `top` came from `tree`.
  /// - Complexity: O(*n*), where *n* is the number of entries below `top`.
  public func pdf(of tree: FileTree, from top: DirectoryID? = nil) throws(RenderError) -> [UInt8] {
    let scene = try vectorScene(of: tree, from: top).build()
    let date = options.now ?? tree.newestModification(of: tree.root)
    return try PDFWriter(scene).document(scale: options.scale, date: date)
  }

  /// Returns the builder of a picture that has its size as an attribute, and not in coordinates.
  private func vectorScene(
    of tree: FileTree,
    from top: DirectoryID?
  ) throws(RenderError) -> SceneBuilder {
    _ = try PictureFrame(options)
    var options = options
    options.scale = 1
    if options.style == .cushion { options.style = .flat }
    // A vector picture can be looked at more closely than one of pixels.
    return try SceneBuilder(
      tree,
      top: top ?? tree.root,
      options: options,
      culling: .flat,
      memory: memory,
      growth: growth
    )
  }

  /// Returns an interactive page as one HTML file.
  ///
  /// The page needs nothing from elsewhere and sends nothing. It lays the map out by itself, for any
  /// window, and zooms, searches and filters; of the options that are about one picture it has no use.
  /// It has the ``RenderOptions/pageEntries`` largest entries; what is left out of a directory is
  /// one group with its count and size.
  ///
  /// - Parameters:
  ///   - tree: The tree.
  ///   - top: The directory to show with all below it; `nil` is the top of the tree.
  /// - Returns: The page, in UTF-8.
  /// - Throws: ``RenderError`` if there is not enough memory.
  /// - Precondition: `top` came from `tree`.
  /// - Complexity: O(*n* + *m* log *m*), where *n* is the number of entries below `top`, and *m* the
  ///   number of entries of the page. Memory grows with *m* alone.
  public func html(of tree: FileTree, from top: DirectoryID? = nil) throws(RenderError) -> [UInt8] {
    try PageWriter(tree, top: top ?? tree.root, options: options, growth: growth).document()
  }
}
