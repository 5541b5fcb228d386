/// A queue that gives the largest value first, and of equal ones the first in an order of the places,
/// then by step, then in the order they were put in.
///
/// A search that puts in what a directory holds when the directory is taken out finds the values
/// in their final order, because nothing in a directory is larger, or earlier, than the directory.
internal struct BestFirst<Value> {
  /// Which of two places comes first.
  internal enum PlaceOrder {
    /// That of the lesser level, and of one level by the names on the way: the canonical order.
    case levels
    /// By the names on the way, and a directory before what it holds.
    case paths
  }

  /// A value with what decides when it comes out.
  internal struct Item {
    internal var value: Value
    internal var size: Int64
    /// The names of the directories on the way to the value.
    internal var place: [[UInt8]]
    fileprivate var step: Int
    fileprivate var position: Int

    fileprivate func comesBefore(_ other: Item, _ order: PlaceOrder) -> Bool {
      if size != other.size { return size > other.size }
      let (level, otherLevel) = (place.count, other.place.count)
      if order == .levels, level != otherLevel { return level < otherLevel }
      for (name, another) in zip(place, other.place) where name != another {
        return name.lexicographicallyPrecedes(another)
      }
      if level != otherLevel { return level < otherLevel }
      return (step, position) < (other.step, other.position)
    }
  }

  private var heap: [Item] = []
  private var inserted = 0

  private let order: PlaceOrder

  /// Creates an empty queue.
  internal init(_ order: PlaceOrder) { self.order = order }

  /// Puts in a value.
  ///
  /// - Complexity: O(log *n*)
  internal mutating func insert(
    _ value: Value,
    size: Int64,
    _ place: [[UInt8]],
    step: Int = 0
  ) {
    heap.append(Item(value: value, size: size, place: place, step: step, position: inserted))
    inserted += 1
    var index = heap.count - 1
    while index > 0, heap[index].comesBefore(heap[(index - 1) / 2], order) {
      heap.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  /// Takes out the first value.
  ///
  /// - Complexity: O(log *n*)
  internal mutating func popFirst() -> Item? {
    guard let first = heap.first, let last = heap.popLast() else { return nil }
    guard !heap.isEmpty else { return first }
    heap[0] = last
    var index = 0
    while true {
      var best = index
      for child in [2 * index + 1, 2 * index + 2]
      where child < heap.count && heap[child].comesBefore(heap[best], order) {
        best = child
      }
      guard best != index else { return first }
      heap.swapAt(index, best)
      index = best
    }
  }
}
