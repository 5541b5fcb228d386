import Glibc
import PlatTerminal
import Synchronization

/// The signals that end a program or ask how far it is, handled on a thread of their own.
///
/// A handler that runs amid other code can do next to nothing: it writes the number of the signal into
/// a pipe, and one thread reads it there. (Blocking the signals and waiting for them does not work with
/// Dispatch, whose main thread waits with none blocked.) What is done on the first signal is up to the
/// command in hand; a second one ends the process at once. SIGUSR1 asks for one line about the state.
internal final class Signals: Sendable {
  /// The signals of this process.
  internal static let process = Signals()

  /// What a signal asks for.
  internal enum Signal: Sendable {
    /// To end with this status.
    case end(ExitStatus)
    /// To say how far the work is.
    case state
    /// To look at the size of the window again.
    case resize
    /// To give the terminal back and stop, and to take it over again.
    case suspend, resume
  }

  private typealias Handler = @Sendable (Signal) -> Void

  private let handler = Mutex<Handler?>(nil)

  /// Begins to receive SIGINT, SIGTERM and SIGUSR1.
  ///
  /// A signal that the process was started to ignore (`nohup`, a job in the background) stays so.
  internal func receive() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    signalPipe.store(ends[1], ordering: .releasing)
    guard startThread(reading: ends[0]) else { return }
    receive([SIGINT, SIGTERM, SIGUSR1])
  }

  /// Begins to receive what matters to a program that has the whole screen: SIGHUP, SIGWINCH, SIGTSTP
  /// and SIGCONT.
  internal func receiveScreenSignals() { receive([SIGHUP, SIGWINCH, SIGTSTP, SIGCONT]) }

  private func receive(_ signals: [Int32]) {
    guard signalPipe.load(ordering: .acquiring) != -1 else { return }
    for signal in signals where !isIgnored(signal) {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { @Sendable signal in
        let reason = errno
        var byte = UInt8(truncatingIfNeeded: signal)
        _ = write(signalPipe.load(ordering: .acquiring), &byte, 1)
        errno = reason
      }
      action.sa_flags = SA_RESTART
      sigaction(signal, &action, nil)
    }
  }

  private func startThread(reading end: Int32) -> Bool {
    var thread = pthread_t()
    let failure = pthread_create(
      &thread,
      nil,
      { @Sendable end in
        let end = Int32(truncatingIfNeeded: Int(bitPattern: end))
        var byte: UInt8 = 0
        while read(end, &byte, 1) != 0 { Signals.process.handle(Int32(byte)) }
        return nil
      },
      UnsafeMutableRawPointer(bitPattern: Int(end))
    )
    if failure == 0 { pthread_detach(thread) }
    return failure == 0
  }

  /// Calls `body`, and `onSignal` if a signal arrives meanwhile.
  internal func handling<Result>(
    _ onSignal: @escaping @Sendable (Signal) -> Void,
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

  private func handle(_ signal: Int32) {
    // Where there is nothing to say, a question about it is no reason to end.
    let status: ExitStatus
    switch signal {
    case SIGUSR1: return tell(.state)
    case SIGWINCH: return tell(.resize)
    case SIGTSTP: return tell(.suspend)
    case SIGCONT: return tell(.resume)
    case SIGINT: status = .interrupted
    case SIGTERM: status = .terminated
    case SIGHUP: status = .hungUp
    default: return
    }
    // The handler is used up: a second signal is for those who do not want to wait.
    let onSignal = handler.withLock { $0.take() }
    if let onSignal { return onSignal(.end(status)) }
    EmergencyExit.restore()
    _exit(status.rawValue)
  }

  private func tell(_ signal: Signal) { handler.withLock { $0 }?(signal) }
}

/// Where a signal handler writes the number of the signal, or -1.
private let signalPipe = Atomic<Int32>(-1)
