import Foundation

/// The limits that stable layouts keep to, each a ratio to the same layouts without memory if nothing
/// else is said.
struct Gates {
  private(set) var lines: [String] = []
  private(set) var allHold = true

  init(_ all: [Series], versions: Int) {
    func mean(_ value: (Series) -> Double) -> Double {
      all.map(value).reduce(0, +) / Double(all.count)
    }
    func ratio(_ value: (Means) -> Double) -> Double {
      mean { value($0.stable) } / mean { value($0.fresh) }
    }
    func worst(_ value: (Means) -> Double) -> Double {
      all.map { value($0.stable) / max(value($0.fresh), 1e-9) }.max() ?? 0
    }
    // Shapes get worse over many versions, up to a point.
    let isLong = versions > 10
    add("corner travel", ratio(\.travel), 0.30)
    add("corner travel, worst tree", worst(\.travel), 0.50)
    add("moved files", ratio(\.moved), 0.20)
    add("moved files, worst tree", worst(\.moved), 0.35)
    add("corner travel against d3", mean { $0.stable.travel } / mean { $0.d3.travel }, 0.40)
    add("moved files against d3", mean { $0.stable.moved } / mean { $0.d3.moved }, 0.25)
    add("aspect ratio", ratio(\.ratio), isLong ? 1.10 : 1.06)
    add("aspect ratio, worst tree", worst(\.ratio), isLong ? 1.20 : 1.12)
    if !isLong { add("aspect ratio by area", ratio(\.weightedRatio), 1.15) }
    add("longer than 4:1", ratio(\.slivers), 2)
    add("visible files, inverse", 1 / ratio(\.visible), 1 / 0.98)
    add("variation of area per byte", all.map { $0.stable.variation }.max() ?? 0, 0.005)
    add(
      "aspect ratio at the end, worst tree",
      all.map { $0.last.stable.ratio / $0.last.fresh.ratio }.max() ?? 0,
      1.20
    )
    add(
      "the same by area",
      all.map { $0.last.stable.weightedRatio / $0.last.fresh.weightedRatio }.max() ?? 0,
      1.40
    )
    add("header flips", ratio(\.headerFlips), 0.30)
    add("header flips a scan, worst tree", all.map { $0.stable.headerFlips }.max() ?? 0, 2)
    add("appearances of files", ratio(\.appearances), 0.50)
    add("rounds", Double(all.map(\.rounds).max() ?? 0), 7)
    add("layouts that are not repeatable", Double(all.map(\.differences).reduce(0, +)), 0)
    addViews(all.flatMap(\.viewFigures))
    // Versions that are far apart have little in common to stay near.
    if !isLong { addGrowth(all.map(\.growth)) }
    add("bytes a rectangle, deflated", mean(\.bytesPerCell.1), 1)
    add("bytes a rectangle, worst tree", all.map(\.bytesPerCell.1).max() ?? 0, 2.5)
  }

  private mutating func addGrowth(_ figures: [Series.GrowthFigure]) {
    func mean(_ value: (Series.GrowthFigure) -> Double) -> Double {
      figures.map(value).reduce(0, +) / Double(figures.count)
    }
    add("growth: corner travel", mean(\.travel) / mean(\.freshTravel), 0.55)
    add("growth: moved files", mean(\.moved) / mean(\.freshMoved), 0.65)
    for (side, name) in ["before", "after"].enumerated() {
      add("growth: aspect ratio \(name)", mean { $0.ratios[side] }, 1.15)
    }
  }

  private mutating func addViews(_ figures: [Series.ViewFigure]) {
    func mean(_ name: String, _ value: (Series.ViewFigure) -> Double) -> Double {
      let chosen = figures.filter { $0.name == name }
      return chosen.map(value).reduce(0, +) / Double(max(chosen.count, 1))
    }
    for (name, limit) in [("1500x1000", 1.0), ("1200x1000", 2)] {
      add("\(name): moved %", mean(name, \.moved), limit)
      add("\(name): aspect ratio", mean(name, \.ratioToFresh), 1.05)
    }
    add("zoom: moved files", mean("zoom", \.moved) / mean("zoom", \.freshMoved), 0.35)
    add("zoom: aspect ratio", mean("zoom", \.ratioToFresh), 1.25)
  }

  private mutating func add(_ name: String, _ value: Double, _ limit: Double) {
    let holds = value <= limit
    allHold = allHold && holds
    lines.append(
      "\(name.padded(40))" + String(format: "%.4f", value).padded(10)
        + String(format: "<= %.3f  ", limit) + (holds ? "ok" : "MISSED")
    )
  }
}
