/// Sets the rectangles of siblings from their rows, so that they fill a rectangle exactly.
///
/// The last row, and the last member of every row, end where the rectangle does, not where rounding
/// takes them. *Last* means the last with a need: those without get an empty rectangle.
///
/// - Parameters:
///   - children: The siblings.
///   - rows: The rows, of the whole tree.
///   - needs: What each node of the tree is to get, in proportion to its siblings.
///   - total: The sum of the needs of the siblings.
///   - box: The rectangle to fill.
///   - rects: Where the rectangle of each node is stored.
internal func placeSiblings(
  _ children: Range<Int>,
  in rows: borrowing TreemapRows,
  needs: [Double],
  total: Double,
  box: Rect,
  into rects: inout [Rect]
) {
  guard total > 0 else {
    let empty = Rect(x0: box.x0, y0: box.y0, x1: box.x0, y1: box.y0)
    for child in children { rects[child] = empty }
    return
  }
  if children.count == 1 { return rects[children.lowerBound] = box }
  let order = rows.order.span
  let needs = needs.span
  var rects = rects.mutableSpan
  let last = lastPlaceWithNeed(in: children, order: order, needs: needs)
  var free = box
  var remaining = total
  var place = children.lowerBound
  while place < children.upperBound {
    let row = rows.row(from: place, in: children)
    var sum = 0.0
    for place in row { sum += needs[Int(order[place])] }
    let share = row.upperBound <= last && sum < remaining ? sum / remaining : 1
    let isDiced = rows.isDiced(at: place)
    var strip = free
    if isDiced {
      strip.y1 = share < 1 ? min(free.y0 + free.height * share, free.y1) : free.y1
      free.y0 = strip.y1
    } else {
      strip.x1 = share < 1 ? min(free.x0 + free.width * share, free.x1) : free.x1
      free.x0 = strip.x1
    }
    if row.count == 1 {
      rects[Int(order[place])] = strip
    } else {
      fill(strip, with: row, order: order, needs: needs, sum: sum, isDiced: isDiced, into: &rects)
    }
    remaining = max(remaining - sum, 0)
    place = row.upperBound
  }
}

/// Sets the rectangles of the members of a row, so that they fill its strip exactly.
private func fill(
  _ strip: Rect,
  with row: Range<Int>,
  order: Span<Int32>,
  needs: Span<Double>,
  sum: Double,
  isDiced: Bool,
  into rects: inout MutableSpan<Rect>
) {
  let last = lastPlaceWithNeed(in: row, order: order, needs: needs)
  let end = isDiced ? strip.x1 : strip.y1
  var edge = isDiced ? strip.x0 : strip.y0
  let scale = sum > 0 ? (end - edge) / sum : 0
  for place in row {
    let node = Int(order[place])
    let next = place < last ? min(edge + needs[node] * scale, end) : end
    rects[node] =
      isDiced
      ? Rect(x0: edge, y0: strip.y0, x1: next, y1: strip.y1)
      : Rect(x0: strip.x0, y0: edge, x1: strip.x1, y1: next)
    edge = next
  }
}

/// Returns the last place in a range whose node has a need, or the first place if none has.
private func lastPlaceWithNeed(
  in places: Range<Int>,
  order: Span<Int32>,
  needs: Span<Double>
) -> Int {
  var last = places.upperBound - 1
  while last > places.lowerBound, needs[Int(order[last])] == 0 { last -= 1 }
  return last
}
