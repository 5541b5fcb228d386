/// A queue that gives the largest value first, and of equal ones the first in canonical order: by
/// level, then by the names on the way, then by step, then in the order they were put in.
///
/// A search that puts in what a directory holds when the directory is taken out finds the values
/// in their final order, because nothing in a directory is larger, or earlier, than the directory.
internal struct BestFirst<Value> {
  /// A value with what decides when it comes out.
  internal struct Item {
    internal var value: Value
    internal var size: Int64
    /// The names of the directories on the way to the value.
    internal var place: [[UInt8]]
    fileprivate var step: Int
    fileprivate var order: Int

    fileprivate func comesBefore(_ other: Item) -> Bool {
      if size != other.size { return size > other.size }
      if place.count != other.place.count { return place.count < other.place.count }
      for (name, another) in zip(place, other.place) where name != another {
        return name.lexicographicallyPrecedes(another)
      }
      return (step, order) < (other.step, other.order)
    }
  }

  private var heap: [Item] = []
  private var inserted = 0

  /// Creates an empty queue.
  internal init() {}

  /// Puts in a value.
  ///
  /// - Complexity: O(log *n*)
  internal mutating func insert(
    _ value: Value,
    size: Int64,
    _ place: [[UInt8]],
    step: Int = 0
  ) {
    heap.append(Item(value: value, size: size, place: place, step: step, order: inserted))
    inserted += 1
    var index = heap.count - 1
    while index > 0, heap[index].comesBefore(heap[(index - 1) / 2]) {
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
      where child < heap.count && heap[child].comesBefore(heap[best]) {
        best = child
      }
      guard best != index else { return first }
      heap.swapAt(index, best)
      index = best
    }
  }
}
