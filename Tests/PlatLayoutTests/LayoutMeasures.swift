import PlatLayout

/// A layout of a tree that is drawn.
struct Picture {
  var drawn: DrawnTree
  var layout: NestedLayout
  var bounds: Rect
  var rects: [Rect]

  init(drawn: DrawnTree, layout: NestedLayout, bounds: Rect) {
    self.drawn = drawn
    self.layout = layout
    self.bounds = bounds
    rects = layout.rects
  }

  /// The file at each node, by its identity.
  var files: [UInt64: Int] {
    Dictionary(uniqueKeysWithValues: drawn.files.map { (drawn.identities.entries[$0], $0) })
  }

  /// The directories with children, by their identity.
  var directories: [UInt64: Int] {
    Dictionary(
      uniqueKeysWithValues: (0..<drawn.tree.count)
        .filter { !drawn.tree.isLeaf($0) && !drawn.tree.isAggregate($0) }
        .map { (drawn.identities.parents[$0], $0) }
    )
  }
}

/// How far files are from where they were.
struct LayoutChange {
  /// The mean way of the corners of a file, in percent of the diagonal.
  var travel = 0.0
  /// The files that have moved by more than 5 % of the diagonal, in percent of all.
  var moved = 0.0
  /// The area of those files, in percent of that of all.
  var movedArea = 0.0
  /// The directories that have got or lost a header.
  var headerFlips = 0.0
  /// The directories whose decoration has changed.
  var decorationFlips = 0.0
  /// The files that are drawn in only one of the pictures, though they are in both trees.
  var appearances = 0.0

  /// Compares two pictures, each scaled to the size of the first.
  ///
  /// `isPresent` tells whether a file is in both trees.
  init(from old: Picture, to new: Picture, isPresent: (UInt64) -> Bool = { _ in true }) {
    let oldFiles = old.files
    let newFiles = new.files
    let (width, height) = (old.bounds.width, old.bounds.height)
    let diagonal = (width * width + height * height).squareRoot()
    let stretchX = width / new.bounds.width
    let stretchY = height / new.bounds.height
    var common = 0.0
    var area = 0.0
    // In the order of the tree, so that sums are the same in every run.
    for node in old.drawn.files {
      guard let other = newFiles[old.drawn.identities.entries[node]] else { continue }
      let a = old.rects[node]
      let b = new.rects[other]
      let edges =
        abs(a.x0 - b.x0 * stretchX) + abs(a.x1 - b.x1 * stretchX) + abs(a.y0 - b.y0 * stretchY)
        + abs(a.y1 - b.y1 * stretchY)
      // Each edge has two of the four corners.
      let way = 100 * edges * 2 / 4 / diagonal
      common += 1
      area += a.area
      travel += way
      if way > 5 {
        moved += 1
        movedArea += a.area
      }
    }
    travel /= max(common, 1)
    moved *= 100 / max(common, 1)
    movedArea *= 100 / max(area, 1e-9)
    let newDirectories = new.directories
    for (identity, node) in old.directories {
      guard let other = newDirectories[identity] else { continue }
      let (before, after) = (old.layout.decorations[node], new.layout.decorations[other])
      if (before == .header) != (after == .header) { headerFlips += 1 }
      if before != after { decorationFlips += 1 }
    }
    for identity in oldFiles.keys where newFiles[identity] == nil && isPresent(identity) {
      appearances += 1
    }
    for identity in newFiles.keys where oldFiles[identity] == nil && isPresent(identity) {
      appearances += 1
    }
  }
}

/// How good the shapes of a picture are, over the files that are at least 2 pixels wide and high.
struct LayoutQuality {
  var visible = 0.0
  /// The mean aspect ratio.
  var ratio = 0.0
  /// The mean aspect ratio by area.
  var weightedRatio = 0.0
  /// The files longer than 4 times their width, in percent.
  var slivers = 0.0
  /// The standard deviation of area per byte, divided by its mean, over files of at least 3 pixels.
  var variation = 0.0

  init(_ picture: Picture) {
    var area = 0.0
    var scales: [Double] = []
    for node in picture.drawn.files {
      let rect = picture.rects[node]
      guard rect.shorterSide >= 2 else { continue }
      let ratio = max(rect.width / rect.height, rect.height / rect.width)
      visible += 1
      area += rect.area
      self.ratio += ratio
      weightedRatio += ratio * rect.area
      if ratio > 4 { slivers += 1 }
      if rect.shorterSide >= 3 { scales.append(rect.area / picture.drawn.tree.total(of: node)) }
    }
    guard visible > 0 else { return }
    ratio /= visible
    weightedRatio /= area
    slivers *= 100 / visible
    guard !scales.isEmpty else { return }
    let mean = scales.reduce(0, +) / Double(scales.count)
    let variance = scales.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(scales.count)
    variation = variance.squareRoot() / mean
  }
}

/// The pictures of a tree over its versions, each with the memory of the one before.
struct PictureSeries {
  let bounds: Rect
  var treemap = NestedTreemap()
  private(set) var memory: LayoutMemory?
  private(set) var picture: Picture?

  init(in bounds: Rect) { self.bounds = bounds }

  /// Draws the next version.
  mutating func advance(_ tree: GrowingTree) -> Picture {
    let drawn = tree.draw(in: bounds, keeping: KeptNodes(memory))
    let layout = treemap.layout(
      drawn.tree,
      identities: drawn.identities,
      in: bounds,
      remembering: memory
    )
    memory = treemap.memory(of: layout, drawn.tree, identities: drawn.identities)
    let picture = Picture(drawn: drawn, layout: layout, bounds: bounds)
    self.picture = picture
    return picture
  }

  /// Draws a version without any memory.
  func fresh(_ tree: GrowingTree) -> Picture {
    let drawn = tree.draw(in: bounds)
    return Picture(drawn: drawn, layout: treemap.layout(drawn.tree, in: bounds), bounds: bounds)
  }

  /// Draws a version, or a part of it, at some size; the memory stays as it is.
  func view(
    _ tree: GrowingTree,
    _ top: Int = 0,
    in bounds: Rect,
    for use: LayoutMemory.Use
  ) -> Picture {
    let drawn = tree.draw(top, in: bounds, keeping: KeptNodes(memory), opening: memory)
    let layout = treemap.layout(
      drawn.tree,
      identities: drawn.identities,
      in: bounds,
      remembering: memory,
      for: use
    )
    return Picture(drawn: drawn, layout: layout, bounds: bounds)
  }
}
