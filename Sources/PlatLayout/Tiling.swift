/// A way to divide the rectangle of a node among its children.
public enum Tiling: Hashable, Sendable {
  /// Rows that are filled as long as the shapes of their rectangles do not get worse.
  ///
  /// The algorithm is that of Bruls, Huizing and van Wijk, *Squarified Treemaps* (2000),
  /// <https://doi.org/10.1007/978-3-7091-6783-0_4>. It works best when weights descend.
  ///
  /// `ratio` is the aspect ratio to aim for, whichever side is longer. 1 is that of the paper;
  /// d3-hierarchy takes the golden ratio, unless it is told otherwise. It is at least 1.
  case squarify(ratio: Double)
  /// Halves of about equal weight, split across the longer side, and so on with each half.
  case binary
  /// One on top of the other, over the full width.
  case slice
  /// Side by side, over the full height.
  case dice
  /// Alternately ``dice`` and ``slice``, from level to level; the root is diced.
  case sliceDice

  /// The ratio that d3-hierarchy squarifies with, unless it is told otherwise: (1 + √5) / 2.
  public static let goldenRatio = (1 + 5.0.squareRoot()) / 2
}

/// Sets the rectangles of items side by side, from left to right.
///
/// `sum` is the sum of the weights of `items`, as the caller reckons it.
internal func dice(
  _ items: Span<WeightedNode>,
  sum: Double,
  in box: Rect,
  into rects: inout MutableSpan<Rect>
) {
  let scale = sum == 0 ? 0 : box.width / sum
  var x = box.x0
  for index in items.indices {
    let item = items[index]
    let next = x + item.weight * scale
    rects[Int(item.node)] = Rect(x0: x, y0: box.y0, x1: next, y1: box.y1)
    x = next
  }
}

/// Sets the rectangles of items one on top of the other, from top to bottom.
///
/// `sum` is the sum of the weights of `items`, as the caller reckons it.
internal func slice(
  _ items: Span<WeightedNode>,
  sum: Double,
  in box: Rect,
  into rects: inout MutableSpan<Rect>
) {
  let scale = sum == 0 ? 0 : box.height / sum
  var y = box.y0
  for index in items.indices {
    let item = items[index]
    let next = y + item.weight * scale
    rects[Int(item.node)] = Rect(x0: box.x0, y0: y, x1: box.x1, y1: next)
    y = next
  }
}

/// Sets the rectangles of items by halving them again and again.
///
/// `sum` is the sum of the weights of `items`, as the caller reckons it. There is at least one
/// item.
internal func bisect(
  _ items: Span<WeightedNode>,
  sum: Double,
  in box: Rect,
  into rects: inout MutableSpan<Rect>
) {
  var sums = [0.0]
  sums.reserveCapacity(items.count + 1)
  var running = 0.0
  for index in items.indices {
    running += items[index].weight
    sums.append(running)
  }

  var waiting = [(range: 0..<items.count, sum: sum, box: box)]
  while let (range, sum, box) = waiting.popLast() {
    guard range.count > 1 else {
      rects[Int(items[range.lowerBound].node)] = box
      continue
    }
    let middle = middle(of: range, sum: sum, sums: sums)
    let firstSum = sums[middle] - sums[range.lowerBound]
    let secondSum = sum - firstSum
    var first = box
    var second = box
    if box.width > box.height {
      first.x1 = sum == 0 ? box.x1 : (box.x0 * secondSum + box.x1 * firstSum) / sum
      second.x0 = first.x1
    } else {
      first.y1 = sum == 0 ? box.y1 : (box.y0 * secondSum + box.y1 * firstSum) / sum
      second.y0 = first.y1
    }
    waiting.append((range.lowerBound..<middle, firstSum, first))
    waiting.append((middle..<range.upperBound, secondSum, second))
  }
}

/// Returns where to split a range of items, so that both parts are about equally heavy.
private func middle(of range: Range<Int>, sum: Double, sums: [Double]) -> Int {
  let target = sum / 2 + sums[range.lowerBound]
  var low = range.lowerBound + 1
  var high = range.upperBound - 1
  while low < high {
    let middle = (low + high) / 2
    if sums[middle] < target { low = middle + 1 } else { high = middle }
  }
  if target - sums[low - 1] < sums[low] - target, range.lowerBound + 1 < low { low -= 1 }
  return low
}
