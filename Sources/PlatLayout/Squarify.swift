/// The first items of what is left, which together make the next row of a squarified treemap.
internal struct Row {
  /// The index after the last item of the row.
  internal var end: Int
  /// The sum of the weights in the row.
  internal var sum: Double
}

extension Row {
  /// Grows a row from the items from `start` on, as long as its worst aspect ratio does not
  /// increase.
  ///
  /// Every operation is the one that d3-hierarchy 3.1.2 does, in its order, because the two must
  /// take the same decision where two ratios are equal up to rounding.
  ///
  /// - Parameters:
  ///   - items: All siblings.
  ///   - start: The index of the first item of the row.
  ///   - total: The sum of the weights of the items from `start` on.
  ///   - width: The width of the rectangle that these items are to fill.
  ///   - height: Its height.
  ///   - ratio: The aspect ratio to aim for.
  /// - Complexity: O(*n*), where *n* is the number of items in the row.
  internal init(
    growing items: Span<WeightedNode>,
    from start: Int,
    total: Double,
    width: Double,
    height: Double,
    ratio: Double
  ) {
    end = start
    sum = 0
    // A row does not consist of empty items alone, unless nothing else is left.
    repeat {
      sum = items[end].weight
      end += 1
    } while sum == 0 && end < items.count
    if end == items.count { return }

    let alpha = largest(height / width, width / height) / (total * ratio)
    var beta = sum * sum * alpha
    var smallestWeight = sum
    var largestWeight = sum
    var worst = largest(largestWeight / beta, beta / smallestWeight)
    while end < items.count {
      let weight = items[end].weight
      sum += weight
      if weight < smallestWeight { smallestWeight = weight }
      if weight > largestWeight { largestWeight = weight }
      beta = sum * sum * alpha
      let next = largest(largestWeight / beta, beta / smallestWeight)
      if next > worst {
        sum -= weight
        break
      }
      worst = next
      end += 1
    }
  }
}

/// Returns the larger of two numbers, or NaN if `b` is NaN.
///
/// NaN comes from rectangles and weights of 0, and only in both numbers at once. It makes every
/// comparison false, and a row go on, as in d3-hierarchy.
@inline(__always)
private func largest(_ a: Double, _ b: Double) -> Double {
  a > b ? a : b
}

/// Sets the rectangles of items as a squarified treemap.
///
/// - Parameters:
///   - items: The items, in order.
///   - total: The sum of their weights.
///   - box: The rectangle to fill.
///   - ratio: The aspect ratio to aim for.
///   - rects: Where the rectangle of each item is stored.
///   - didPlace: Called for every row, with the indices of its items, and whether they stand side
///     by side rather than one on top of the other.
internal func squarify(
  _ items: Span<WeightedNode>,
  total: Double,
  in box: Rect,
  ratio: Double,
  into rects: inout MutableSpan<Rect>,
  didPlace: (_ row: Range<Int>, _ isDiced: Bool) -> Void
) {
  var free = box
  var remaining = total
  var start = 0
  while start < items.count {
    let isDiced = free.width < free.height
    let row = Row(
      growing: items,
      from: start,
      total: remaining,
      width: free.width,
      height: free.height,
      ratio: ratio
    )
    placeRow(
      items.extracting(start..<row.end),
      sum: row.sum,
      of: remaining,
      isDiced: isDiced,
      in: &free,
      into: &rects
    )
    didPlace(start..<row.end, isDiced)
    remaining -= row.sum
    start = row.end
  }
}

/// Sets the rectangles of one row, and takes its part from what is free.
///
/// - Parameters:
///   - items: The items of the row.
///   - sum: The sum of their weights.
///   - total: The sum of the weights of these items and all that follow.
///   - isDiced: Whether the row runs from left to right along the top of what is free, rather than
///     from top to bottom along its left.
///   - free: What is free before and after.
///   - rects: Where the rectangle of each item is stored.
internal func placeRow(
  _ items: Span<WeightedNode>,
  sum: Double,
  of total: Double,
  isDiced: Bool,
  in free: inout Rect,
  into rects: inout MutableSpan<Rect>
) {
  var box = free
  if isDiced {
    box.y1 = total == 0 ? free.y1 : free.y0 + free.height * sum / total
    free.y0 = box.y1
    dice(items, sum: sum, in: box, into: &rects)
  } else {
    box.x1 = total == 0 ? free.x1 : free.x0 + free.width * sum / total
    free.x0 = box.x1
    slice(items, sum: sum, in: box, into: &rects)
  }
}
