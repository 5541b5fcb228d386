import Synchronization

/// Something that comes once, and is waited for whether the waiting task is cancelled or not.
final class Gate<Value: Sendable>: Sendable {
  private struct State {
    var value: Value?
    var waiting: [CheckedContinuation<Value, Never>] = []
  }

  private let state = Mutex(State())

  /// Lets those through who wait and who will; what is given after the first value is ignored.
  func open(_ value: Value) {
    let waiting = state.withLock { state -> [CheckedContinuation<Value, Never>] in
      guard state.value == nil else { return [] }
      state.value = value
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume(returning: value) }
  }

  func wait() async -> Value {
    await withCheckedContinuation { continuation in
      let value = state.withLock { state in
        if state.value == nil { state.waiting.append(continuation) }
        return state.value
      }
      if let value { continuation.resume(returning: value) }
    }
  }
}

/// Values that are waited for one after the other.
final class Queue<Element: Sendable>: Sendable {
  private let stream = AsyncStream<Element>.makeStream()

  func add(_ element: Element) { stream.continuation.yield(element) }

  func next() async -> Element {
    var iterator = stream.stream.makeAsyncIterator()
    guard let element = await iterator.next() else {
      fatalError("the time limit of the test has passed")
    }
    return element
  }
}
