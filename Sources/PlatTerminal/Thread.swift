import Glibc

/// Runs a closure on a thread of its own, which blocks nobody else; where none can be had, at once.
internal func startThread(_ body: @escaping @Sendable () -> Void) {
  final class Box: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
  var thread = pthread_t()
  let box = Unmanaged.passRetained(Box(body))
  let failure = pthread_create(
    &thread,
    nil,
    { @Sendable context in
      if let context { Unmanaged<Box>.fromOpaque(context).takeRetainedValue().body() }
      return nil
    },
    box.toOpaque()
  )
  if failure == 0 {
    pthread_detach(thread)
  } else {
    box.takeRetainedValue().body()
  }
}

/// Lets a signal through to this thread: a process can be started with signals blocked.
internal func unblock(_ signal: Int32) {
  var signals = sigset_t()
  sigemptyset(&signals)
  sigaddset(&signals, signal)
  pthread_sigmask(SIG_UNBLOCK, &signals, nil)
}

/// The time of a clock that is never set, in milliseconds.
internal func monotonicMilliseconds() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
}

/// The time that the processor has spent on this thread, in milliseconds.
internal func threadMilliseconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
}
