/// What is left of a rectangle while rows are taken from it one after the other, as extents alone.
///
/// Where a row is does not matter for its shape, and so not for any choice of rows.
internal struct RowSpace {
  internal var width: Double
  internal var height: Double
  /// The sum of the needs of everything that is not placed yet.
  internal var need: Double

  /// The strip that a row fills.
  internal struct Strip {
    internal var width: Double
    internal var height: Double
    /// The sum of the needs of the row.
    internal var need: Double
    /// Whether the members stand side by side, rather than one on top of the other.
    internal var isDiced: Bool
  }
}

extension RowSpace {
  /// Takes the strip of the next row.
  internal mutating func take(_ sum: Double, isDiced: Bool) -> Strip {
    var strip = Strip(width: width, height: height, need: sum, isDiced: isDiced)
    let share = sum < need ? sum / need : 1
    if isDiced {
      strip.height = height * share
      height -= strip.height
    } else {
      strip.width = width * share
      width -= strip.width
    }
    need = max(need - sum, 0)
    return strip
  }

  /// Takes the strips of squarified rows of all items.
  ///
  /// `body` gets the indices of the members of each row, their needs and their strip.
  internal mutating func squarify(
    _ items: Span<WeightedNode>,
    _ body: (_ row: Range<Int>, _ items: Span<WeightedNode>, _ strip: Strip) -> Void
  ) {
    var start = 0
    while start < items.count {
      let (end, strip) = takeRow(of: items, from: start)
      body(start..<end, items, strip)
      start = end
    }
  }

  /// Takes the strip of the squarified row that starts at an index of some items.
  @inline(__always)
  internal mutating func takeRow(
    of items: Span<WeightedNode>,
    from start: Int
  ) -> (end: Int, strip: Strip) {
    let isDiced = width < height
    let row = Row(
      growing: items,
      from: start,
      total: need,
      width: width,
      height: height,
      ratio: 1
    )
    return (row.end, take(row.sum, isDiced: isDiced))
  }

  /// Takes the strips of rows that there are, from the first child of a node to a place.
  internal mutating func take(
    _ rows: borrowing TreemapRows,
    of children: Range<Int>,
    upTo end: Int,
    needs: [Double],
    _ body: (_ row: Range<Int>, _ strip: Strip) -> Void = { _, _ in }
  ) {
    let order = rows.order.span
    var place = children.lowerBound
    while place < end {
      let row = rows.row(from: place, in: children)
      var sum = 0.0
      for place in row { sum += needs[Int(order[place])] }
      body(row, take(sum, isDiced: rows.isDiced(at: place)))
      place = row.upperBound
    }
  }
}

/// How far the shapes of siblings are from squares: 1 is best.
///
/// A mean of two means. By area alone, slivers beside a large neighbour would go unnoticed; by
/// number alone, the large ones would pay for the many small ones.
internal struct ShapeCost {
  /// The part of the plain mean in the cost.
  private static let plainPart = 0.3

  private var weighted = 0.0
  private var plain = 0.0
  private var need = 0.0
  private var count = 0.0

  internal init() {}

  /// What the shapes of the members of a strip have in common.
  internal struct Strip {
    /// The length of a member with a need of 1, in breadths of the strip.
    fileprivate let length: Double

    internal init(_ strip: RowSpace.Strip) {
      let length = strip.isDiced ? strip.width : strip.height
      let breadth = strip.isDiced ? strip.height : strip.width
      self.length = length / (strip.need * breadth)
    }
  }

  /// Adds a member of a row, by its need; one without need has no shape.
  @inline(__always)
  internal mutating func add(_ need: Double, in strip: Strip) {
    guard need > 0 else { return }
    let shape = need * strip.length
    let ratio = max(shape, 1 / shape)
    weighted += need * ratio
    plain += ratio
    self.need += need
    count += 1
  }

  /// The cost; NaN, which is neither better nor worse than anything, without a member.
  internal var value: Double {
    (1 - Self.plainPart) * (weighted / need) + Self.plainPart * (plain / count)
  }
}
