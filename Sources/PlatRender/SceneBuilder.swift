import PlatLayout
import PlatTree

/// Makes the scene of a picture of a tree.
internal struct SceneBuilder: ~Copyable {
  internal let tree: FileTree
  internal let top: DirectoryID
  internal let options: RenderOptions
  internal let frame: PictureFrame
  internal let growth: TreeGrowth?
  internal let selection: Selection
  private let treemap: NestedTreemap
  private let layout: NestedLayout
  internal let scheme: ColorScheme
  internal var labels: LabelMaker
  internal var scene: Scene
  /// The surfaces of the nodes, if they are cushions.
  private var surfaces: [CushionSurface] = []

  /// Selects what is worth a tile, lays it out, and finds its colours.
  internal init(
    _ tree: FileTree,
    top: DirectoryID,
    options: RenderOptions,
    culling: CullingRule,
    memory: PictureMemory? = nil,
    growth: TreeGrowth? = nil
  ) throws(RenderError) {
    let frame = try PictureFrame(options)
    labels = try LabelMaker(options, scale: frame.scale)
    self.frame = frame
    self.tree = tree
    self.top = top
    self.options = options
    self.growth = growth

    let bounds = Rect(width: frame.map.width / frame.scale, height: frame.map.height / frame.scale)
    let total = tree.size(of: top, options.measure)
    // The arrangement of a picture of quite another shape would be a bad one.
    let suits = memory?.layout.suits(width: bounds.width, height: bounds.height) == true
    let memory = suits ? memory?.layout : nil
    let selector = Selector(
      tree,
      top: top,
      measure: options.measure,
      threshold: culling.wholeThreshold(total: Double(total), in: bounds),
      depthLimit: max(options.depth ?? .max, 0),
      classes: FileClasses(
        options.colorKey,
        now: options.now ?? tree.newestModification(of: tree.root),
        growth: growth
      ),
      kept: KeptNodes(memory),
      opening: memory
    )
    selection = selector.select()
    let subdirectories = tree.subdirectories(of: top)
    scheme = ColorScheme(selection.classes, ownerNames: options.ownerNames) { position in
      NameDisplay.label(tree.name(of: DirectoryID(subdirectories.startIndex + position)))
    }

    var treemap = NestedTreemap()
    treemap.isDecorated = options.style == .nested && options.showsHeaders
    treemap.scale = frame.scale
    self.treemap = treemap
    layout = treemap.layout(
      selection.layoutTree,
      identities: selection.identities,
      in: frame.map,
      remembering: memory,
      for: top == tree.root ? .resize : .zoom
    ).snappedToPixels()
    scene = Scene(
      size: frame.size,
      line: max(1, Int(frame.scale.rounded())),
      scale: frame.scale,
      theme: options.theme,
      fontFamily: options.fontFamily
    )
  }

  /// Returns the scene.
  ///
  /// Tiles of at least `describedArea` pixels get a description, or none if it is `nil`.
  internal consuming func build(describedArea: Int? = nil) -> Scene {
    for (position, color) in scheme.colors.enumerated() {
      for isGroup in [false, true] {
        var style = TileStyle(color, in: options.theme, isGroup: isGroup)
        if position == scheme.outlined { style.outline = options.theme.outline }
        scene.styles.append(style)
      }
    }
    scene.panels.append(Panel(rect: PixelRect(frame.map), depth: 0))
    if options.style == .cushion {
      scene.shades = [CushionShades?](repeating: nil, count: scene.styles.count)
      surfaces = cushionSurfaces()
    }
    for node in selection.nodes.indices {
      let rect = rect(of: node)
      if rect.isEmpty { continue }
      if selection.childCounts[node] > 0 {
        addPanel(node, rect)
      } else {
        addTile(node, rect, describedArea)
      }
    }
    addTitle()
    if frame.hasLegend { addLegend() }
    return scene
  }
}

// MARK: Directories and tiles

extension SceneBuilder {
  /// Returns the rectangle of a node.
  internal func rect(of node: Int) -> PixelRect { PixelRect(layout.rects[node]) }

  private mutating func addPanel(_ node: Int, _ rect: PixelRect) {
    if options.style == .cushion { return addSeam(node, rect) }
    let depth = selection.nodes[node].depth
    switch layout.decorations[node] {
    case .none: return
    case .frame: scene.panels.append(Panel(rect: rect, depth: depth))
    case .header:
      // The outermost line is left to the directory above, so that neighbours do not touch.
      let rect = rect.inset(by: scene.line)
      scene.panels.append(Panel(rect: rect, depth: depth))
      guard options.showsLabels else { return }
      scene.labels += labels.header(
        name: NameDisplay.label(selection.name(of: node)),
        size: SizeFormat.iec.string(selection.nodes[node].size),
        depth: depth,
        rect: rect,
        height: treemap.headerHeight(atDepth: depth)
      )
    }
  }

  private mutating func addTile(_ node: Int, _ rect: PixelRect, _ describedArea: Int?) {
    let item = selection.nodes[node]
    var isGroup = item.kind != .file
    if node == 0 {
      // A tree without anything to draw.
      guard item.size > 0 else { return }
      isGroup = true
    }
    let position = scheme.position(ofClass: item.classIndex)
    var tile = Tile(rect: rect, style: position * 2 + (isGroup ? 1 : 0))
    if let describedArea, rect.area >= describedArea {
      tile.description = "\(description(of: node)) \(sizeText(of: node))"
    }
    scene.tiles.append(tile)
    if options.style == .cushion {
      scene.surfaces.append(surfaces[node])
      if scene.shades[tile.style] == nil {
        scene.shades[tile.style] = CushionShades(scene.styles[tile.style].fill)
      }
    }
    guard options.showsLabels, labels.hasRoom(in: rect) else { return }
    let names = labelCandidates(for: node)
    let size = sizeText(of: node)
    let texts = labels.tile(names: names, size: size, style: scene.styles[tile.style], rect)
    if options.style == .cushion, let shades = scene.shades[tile.style] {
      addLabels(texts, onTile: scene.tiles.count - 1, shades, surfaces[node])
    } else {
      scene.labels += texts
    }
  }

  /// Returns the path of a tile below the top, or what a group holds and where.
  private func description(of node: Int) -> String {
    let path = NameDisplay.label(selection.path(of: node))
    guard case .group(let files) = selection.nodes[node].kind else { return path }
    // What is no file is not counted: links, and the blocks of directories.
    let count = files == 0 ? "smaller items" : NumberFormat.counted(files, "smaller item")
    return path.isEmpty ? count : "\(path): \(count)"
  }

  /// Returns what a label may say, the longest first.
  private func labelCandidates(for node: Int) -> [String] {
    let item = selection.nodes[node]
    guard case .group(let files) = item.kind else {
      return [NameDisplay.label(selection.name(of: node))]
    }
    // A directory that shows no name of its own, and nothing but this group, gives it its name.
    let isAlone = selection.childCounts[item.parent] == 1
    if isAlone, item.parent != 0, layout.decorations[item.parent] != .header {
      return [NameDisplay.label(selection.name(of: item.parent))]
    }
    if files == 0 { return [] }
    let count = NumberFormat.grouped(files)
    return [NumberFormat.counted(files, "smaller item"), "\(count) smaller", "+\(count)"]
  }
}
