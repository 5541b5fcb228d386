import Foundation
import PlatLayout

/// The versions of one tree, drawn with and without memory.
struct Series {
  let name: String
  var fresh = Means()
  var stable = Means()
  /// The same trees as d3-hierarchy lays them out, with the padding of its examples.
  var d3 = Means()
  var last = (fresh: Means(), stable: Means())
  /// Layouts that were not the same when they were made again.
  var differences = 0
  /// The most rounds of a layout with memory.
  var rounds = 0
  /// The bytes of memory for each rectangle, deflated: first and last version.
  var bytesPerCell = (0.0, 0.0)
  var identityBytesPerCell = 0.0
  var views: [String] = []
  var viewFigures: [ViewFigure] = []
  /// The first and the last version side by side.
  var growth = GrowthFigure()

  /// How two versions compare that are drawn in the arrangement of all that is in either, against two
  /// that are drawn without regard to each other.
  struct GrowthFigure {
    var travel = 0.0
    var freshTravel = 0.0
    var moved = 0.0
    var freshMoved = 0.0
    /// The aspect ratios of the older and the newer picture, each divided by that of a fresh one.
    var ratios: [Double] = []
  }

  struct ViewFigure {
    var name: String
    var moved: Double
    var freshMoved: Double
    var ratioToFresh: Double
  }

  static let bounds = Rect(width: 1600, height: 1000)

  init(
    _ name: String,
    _ first: GrowingTree,
    versions: Int,
    generator: inout SplitMix64
  ) {
    self.name = name
    var tree = first
    var series = PictureSeries(in: Self.bounds)
    var stablePicture = series.advance(tree)
    var freshPicture = series.fresh(tree)
    var d3Picture = freshPicture.laidOutByD3
    addViews(series, tree, stablePicture)
    bytesPerCell.0 = deflatedBytesPerCell(series, stablePicture)
    for _ in 0..<versions {
      let identitiesBefore = tree.fileIdentities
      tree.change(using: &generator)
      let before = series
      let stableNext = series.advance(tree)
      let freshNext = series.fresh(tree)
      let common = identitiesBefore.intersection(tree.fileIdentities)
      stable.add(stablePicture, stableNext, common)
      fresh.add(freshPicture, freshNext, common)
      let d3Next = freshNext.laidOutByD3
      d3.add(d3Picture, d3Next, common)
      rounds = max(rounds, stableNext.layout.rounds)
      differences += countDifferences(before, series, tree, stableNext, &generator)
      (stablePicture, freshPicture, d3Picture) = (stableNext, freshNext, d3Next)
    }
    addGrowth(from: first, to: tree)
    last.stable.add(stablePicture, stablePicture, [])
    last.fresh.add(freshPicture, freshPicture, [])
    bytesPerCell.1 = deflatedBytesPerCell(series, stablePicture)
    if let memory = series.memory {
      let encoded = EncodedLayoutMemory(memory, kept: stablePicture.drawn.kept)
      identityBytesPerCell =
        Double(encoded.bytes.count - encoded.withoutIdentities.bytes.count)
        / Double(memory.cellCount)
    }
  }

  /// Makes a layout again, from its own memory and from shuffled directories.
  private func countDifferences(
    _ before: PictureSeries,
    _ series: PictureSeries,
    _ tree: GrowingTree,
    _ picture: Picture,
    _ generator: inout SplitMix64
  ) -> Int {
    var count = 0
    var again = series
    if again.advance(tree).layout.rects != picture.layout.rects { count += 1 }
    var shuffled = tree
    var other = SplitMix64(seed: generator.state)
    shuffled.shuffle(using: &other)
    var repeated = before
    if repeated.advance(shuffled).layout.rects != picture.layout.rects { count += 1 }
    if let memory = series.memory {
      let encoded = EncodedLayoutMemory(memory, kept: picture.drawn.kept)
      if EncodedLayoutMemory(encoded.bytes)?.memory != memory { count += 1 }
      let short = encoded.withoutIdentities
      let drawn = tree.draw(in: Self.bounds, keeping: KeptNodes(short))
      if short.memory(drawn.tree, identities: drawn.identities) != memory { count += 1 }
    }
    return count
  }

  private mutating func addViews(
    _ series: PictureSeries,
    _ tree: GrowingTree,
    _ picture: Picture
  ) {
    let fresh = series.fresh(tree)
    for (width, height) in [
      (1500.0, 1000.0), (1200, 1000), (1000, 1000), (1600, 700), (3200, 2000), (800, 500),
    ] {
      let bounds = Rect(width: width, height: height)
      addView(
        "\(Int(width))x\(Int(height))",
        picture,
        series.view(tree, in: bounds, for: .resize),
        fresh,
        PictureSeries(in: bounds).fresh(tree)
      )
    }
    let largest = picture.directories.values
      .filter { $0 > 0 && picture.layout.decorations[$0] != .none }
      .sorted { (picture.layout.rects[$0].area, $1) > (picture.layout.rects[$1].area, $0) }
      .prefix(12)
    var identities: [UInt64: Int] = [:]
    for node in tree.nodes.indices { identities[tree.nodes[node].identity] = node }
    for node in largest {
      guard let top = identities[picture.drawn.identities.parents[node]] else { continue }
      addView(
        "zoom",
        part(picture, node),
        series.view(tree, top, in: Self.bounds, for: .zoom),
        part(fresh, fresh.directories[picture.drawn.identities.parents[node]] ?? 0),
        Picture(
          drawn: tree.draw(top, in: Self.bounds),
          layout: NestedTreemap().layout(tree.draw(top, in: Self.bounds).tree, in: Self.bounds),
          bounds: Self.bounds
        )
      )
    }
  }

  private mutating func addGrowth(from first: GrowingTree, to last: GrowingTree) {
    var series = PictureSeries(in: Self.bounds)
    _ = series.advance(last.union(first))
    let pictures = [first, last].map { series.view($0, in: Self.bounds, for: .resize) }
    let fresh = [first, last].map { series.fresh($0) }
    let change = LayoutChange(from: pictures[0], to: pictures[1])
    let freshChange = LayoutChange(from: fresh[0], to: fresh[1])
    growth.travel = change.travel
    growth.freshTravel = freshChange.travel
    growth.moved = change.moved
    growth.freshMoved = freshChange.moved
    growth.ratios = zip(pictures, fresh).map { LayoutQuality($0).ratio / LayoutQuality($1).ratio }
    views.append(
      String(
        format:
          "%@  first to last version side by side: moved %.1f (apart %.1f)  ratio %.2fx %.2fx",
        name.padded(10),
        growth.moved,
        growth.freshMoved,
        growth.ratios[0],
        growth.ratios[1]
      )
    )
  }

  /// The part of a picture below a node, with its rectangle as the picture.
  private func part(_ picture: Picture, _ top: Int) -> Picture {
    var part = picture
    let box = picture.layout.contents[top]
    part.bounds = Rect(width: box.width, height: box.height)
    for node in part.rects.indices {
      part.rects[node].x0 -= box.x0
      part.rects[node].x1 -= box.x0
      part.rects[node].y0 -= box.y0
      part.rects[node].y1 -= box.y0
    }
    return part
  }

  private mutating func addView(
    _ name: String,
    _ old: Picture,
    _ view: Picture,
    _ freshOld: Picture,
    _ freshView: Picture
  ) {
    let figure = ViewFigure(
      name: name,
      moved: LayoutChange(from: old, to: view).moved,
      freshMoved: LayoutChange(from: freshOld, to: freshView).moved,
      ratioToFresh: LayoutQuality(view).ratio / LayoutQuality(freshView).ratio
    )
    viewFigures.append(figure)
    guard name != "zoom" else { return }
    views.append(
      String(
        format: "%@  %@  moved %.1f (no memory %.1f)  ratio %.2fx",
        self.name.padded(10),
        name.padded(10),
        figure.moved,
        figure.freshMoved,
        figure.ratioToFresh
      )
    )
  }
}

extension Picture {
  /// The picture with the rectangles of d3-hierarchy: nested, with a header for every directory, and
  /// areas that are not true.
  fileprivate var laidOutByD3: Picture {
    var treemap = FlatTreemap()
    treemap.padding = FlatTreemap.Padding(inner: 2, outer: 3, top: 19)
    var picture = self
    picture.rects = treemap.rects(of: drawn.tree, in: bounds)
    return picture
  }
}

/// Means over the steps of a series.
struct Means {
  private var sums: [Double] = Array(repeating: 0, count: 11)
  private var count = 0.0
  /// The largest variation of area per byte.
  private(set) var variation = 0.0

  static let columns = [
    "ratio", "by area", ">4:1 %", "travel", "moved %", "area %", "visible", "headers", "frames",
    "appear", "cells",
  ]

  /// Adds a step; `common` are the files that are in both trees, drawn or not.
  mutating func add(_ old: Picture, _ new: Picture, _ common: Set<UInt64>) {
    let change = LayoutChange(from: old, to: new, isPresent: common.contains)
    let quality = LayoutQuality(new)
    let values = [
      quality.ratio, quality.weightedRatio, quality.slivers, change.travel, change.moved,
      change.movedArea, quality.visible, change.headerFlips, change.decorationFlips,
      change.appearances, Double(new.drawn.tree.count),
    ]
    for index in values.indices { sums[index] += values[index] }
    variation = max(variation, quality.variation)
    count += 1
  }

  var values: [Double] { sums.map { $0 / max(count, 1) } }
  var ratio: Double { values[0] }
  var weightedRatio: Double { values[1] }
  var slivers: Double { values[2] }
  var travel: Double { values[3] }
  var moved: Double { values[4] }
  var visible: Double { values[6] }
  var headerFlips: Double { values[7] }
  var appearances: Double { values[9] }
}

extension Series {
  static var header: String {
    "tree        memory  " + Means.columns.map { $0.padded(9) }.joined() + "variation"
  }

  var lines: [String] {
    [("d3", d3), ("no", fresh), ("yes", stable)].map { label, means in
      name.padded(12) + label.padded(8)
        + means.values.map { String(format: "%.3f", $0).padded(9) }.joined()
        + String(format: "%.5f", means.variation)
    } + [
      String(
        format: "            rounds <= %d, %d not repeatable, %.2f to %.2f B a rectangle (+ %.1f)",
        rounds,
        differences,
        bytesPerCell.0,
        bytesPerCell.1,
        identityBytesPerCell
      )
    ]
  }

  /// Returns the deflated bytes of a memory without identities for each rectangle.
  private func deflatedBytesPerCell(_ series: PictureSeries, _ picture: Picture) -> Double {
    guard let memory = series.memory else { return 0 }
    let encoded = EncodedLayoutMemory(memory, kept: picture.drawn.kept).withoutIdentities
    return Double(deflatedCount(encoded.bytes)) / Double(memory.cellCount)
  }
}

/// Returns how many bytes gzip makes of some, without its header and trailer.
private func deflatedCount(_ bytes: [UInt8]) -> Int {
  let file = URL(filePath: NSTemporaryDirectory()).appending(path: "layout-\(getpid())")
  defer { try? FileManager.default.removeItem(at: file) }
  let process = Process()
  let pipe = Pipe()
  process.executableURL = URL(filePath: "/usr/bin/env")
  process.arguments = ["gzip", "-9nc", file.path]
  process.standardOutput = pipe
  do {
    try Data(bytes).write(to: file)
    try process.run()
  } catch { return bytes.count }
  let data = pipe.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  return max(data.count - 18, 0)
}

extension String {
  func padded(_ width: Int) -> String {
    count < width ? self + String(repeating: " ", count: width - count) : self + " "
  }
}
