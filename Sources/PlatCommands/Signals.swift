import Glibc
import Synchronization

/// The signals that end a program, received by a thread of their own.
///
/// A handler that runs amid other code can do next to nothing; here the signals are blocked in every
/// thread, and one thread waits for them. What it does on the first is up to the command in hand; a
/// second one ends the process at once.
internal final class Signals: Sendable {
  /// The signals of this process.
  internal static let process = Signals()

  private typealias Handler = @Sendable (ExitStatus) -> Void

  private let handler = Mutex<Handler?>(nil)

  /// Begins to receive SIGINT and SIGTERM; to be called before any thread is started.
  ///
  /// A signal that the process was started to ignore (`nohup`, a job in the background) stays so.
  internal func receive() {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in [SIGINT, SIGTERM] where !isIgnored(signal) { sigaddset(&set, signal) }
    pthread_sigmask(SIG_BLOCK, &set, nil)
    var thread = pthread_t()
    let argument = UnsafeMutablePointer<sigset_t>.allocate(capacity: 1)
    argument.initialize(to: set)
    let failure = pthread_create(
      &thread,
      nil,
      { @Sendable argument in
        if let set = argument?.assumingMemoryBound(to: sigset_t.self) {
          while true { Signals.process.waitForOne(of: set) }
        }
        return nil
      },
      argument
    )
    if failure == 0 {
      pthread_detach(thread)
    } else {
      // Without the thread the default action is the right one.
      pthread_sigmask(SIG_UNBLOCK, &set, nil)
      argument.deallocate()
    }
  }

  /// Calls `body`, and `onSignal` with the status to end with if a signal arrives meanwhile.
  internal func handling<Result>(
    _ onSignal: @escaping @Sendable (ExitStatus) -> Void,
    _ body: () async throws -> Result
  ) async rethrows -> Result {
    handler.withLock { $0 = onSignal }
    defer { handler.withLock { $0 = nil } }
    return try await body()
  }

  private func isIgnored(_ signal: Int32) -> Bool {
    var action = sigaction()
    sigaction(signal, nil, &action)
    // The pointer of SIG_IGN is 1.
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
  }

  private func waitForOne(of set: UnsafeMutablePointer<sigset_t>) {
    var signal: Int32 = 0
    guard sigwait(set, &signal) == 0 else { return }
    let status: ExitStatus = signal == SIGTERM ? .terminated : .interrupted
    // The handler is used up: a second signal is for those who do not want to wait.
    let onSignal = handler.withLock { $0.take() }
    if let onSignal { onSignal(status) } else { _exit(status.rawValue) }
  }
}
