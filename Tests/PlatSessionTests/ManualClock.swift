import Synchronization

/// A clock that stands still until it is told to go on.
final class ManualClock: Clock {
  struct Instant: InstantProtocol {
    var offset = Duration.zero

    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (first: Instant, second: Instant) -> Bool { first.offset < second.offset }
  }

  private struct Sleeper {
    let deadline: Instant
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var now = Instant()
    var sleepers: [Int: Sleeper] = [:]
    var cancelled: Set<Int> = []
    var count = 0
  }

  private let state = Mutex(State())
  private let slept = Queue<Swift.Duration>()

  var now: Instant { state.withLock { $0.now } }
  let minimumResolution = Swift.Duration.zero

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let number = state.withLock { state in
      state.count += 1
      return state.count
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        add(Sleeper(deadline: deadline, continuation: continuation), number: number)
      }
    } onCancel: {
      wake(number)
    }
  }

  /// Waits until someone goes to sleep, and returns for how long.
  func nextSleep() async -> Duration { await slept.next() }

  /// Lets time pass, and wakes those whose time has come.
  func advance(by duration: Duration) {
    let due = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let due = state.sleepers.filter { $0.value.deadline <= state.now }
      for number in due.keys { state.sleepers[number] = nil }
      return due.values.map(\.continuation)
    }
    for continuation in due { continuation.resume() }
  }

  private func add(_ sleeper: Sleeper, number: Int) {
    let duration = state.withLock { state -> Duration? in
      guard state.cancelled.remove(number) == nil else { return nil }
      state.sleepers[number] = sleeper
      return state.now.duration(to: sleeper.deadline)
    }
    if let duration {
      slept.add(duration)
    } else {
      sleeper.continuation.resume(throwing: CancellationError())
    }
  }

  private func wake(_ number: Int) {
    let sleeper = state.withLock { state in
      let sleeper = state.sleepers.removeValue(forKey: number)
      if sleeper == nil { state.cancelled.insert(number) }
      return sleeper
    }
    sleeper?.continuation.resume(throwing: CancellationError())
  }
}
