import Glibc

/// The claim of a thread to a processor.
package enum ThreadClaim: Sendable {
  /// That of the thread which starts it.
  case asCaller
  /// Behind the thread of a screen, which a person waits for.
  case behind

  /// The least nice value of threads that stand behind; see setpriority(2).
  ///
  /// They get a tenth of a processor that another thread of ours wants all the time.
  package static let niceValue: Int32 = 10
}

/// Runs a closure on a thread of its own, which blocks nobody else; where none can be had, at once.
internal func startThread(
  _ claim: ThreadClaim = .asCaller,
  _ body: @escaping @Sendable () -> Void
) {
  final class Box: Sendable {
    private let claim: ThreadClaim
    private let body: @Sendable () -> Void
    init(_ claim: ThreadClaim, _ body: @escaping @Sendable () -> Void) {
      (self.claim, self.body) = (claim, body)
    }

    func run() {
      if claim == .behind {
        // On Linux every thread has a value of its own.
        let which = __priority_which_t(PRIO_PROCESS.rawValue)
        setpriority(which, 0, max(getpriority(which, 0), ThreadClaim.niceValue))
      }
      body()
    }
  }
  var thread = pthread_t()
  let box = Unmanaged.passRetained(Box(claim, body))
  let failure = pthread_create(
    &thread,
    nil,
    { @Sendable context in
      if let context { Unmanaged<Box>.fromOpaque(context).takeRetainedValue().run() }
      return nil
    },
    box.toOpaque()
  )
  if failure == 0 {
    pthread_detach(thread)
  } else {
    box.release()
    body()
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
