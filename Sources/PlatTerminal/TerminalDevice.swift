import Glibc
import Synchronization

/// A terminal that is taken over for a screen, and given back as it was.
///
/// Keys arrive one by one and unechoed, and the screen that was there comes back at the end: also when
/// the process is told to end, is suspended, or crashes.
internal final class TerminalDevice: Sendable {
  private let input: Int32
  private let output: Int32
  private let usesMouse: Bool
  /// The settings that the terminal came with.
  private let settings: termios

  /// Begins a screen of its own, with the cursor hidden, without wrapping, with the mouse.
  private static let enterSequence = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[?2004h"
  private static let mouseSequence = "\u{1B}[?1000h\u{1B}[?1002h\u{1B}[?1006h"
  fileprivate static let leaveSequence =
    "\u{1B}[0m\u{1B}[?1006l\u{1B}[?1002l\u{1B}[?1000l\u{1B}[?2004l\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

  /// Opens the terminal of the process; `nil` if there is none.
  ///
  /// Keys come from standard input. What is drawn goes to standard output if that is a terminal, and
  /// else to the terminal that controls the process, so that results can go into a pipe.
  internal init?(usesMouse: Bool) {
    var settings = termios()
    guard isatty(0) == 1, tcgetattr(0, &settings) == 0 else { return nil }
    let output = isatty(1) == 1 ? 1 : open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    guard output >= 0 else { return nil }
    input = 0
    self.output = output
    self.settings = settings
    self.usesMouse = usesMouse
  }

  deinit { if output > 2 { close(output) } }

  /// The descriptor that keys are read from.
  internal var inputDescriptor: Int32 { input }

  /// The size of the window in cells; 80 by 24 where the terminal does not know.
  internal var size: (columns: Int, rows: Int) {
    var size = winsize()
    guard ioctl(output, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return (80, 24)
    }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Takes the terminal over.
  internal func enter() {
    var raw = settings
    cfmakeraw(&raw)
    // Output stays as it is but for the translation of newlines, which nothing here relies on.
    EmergencyExit.arm(output: output, input: input, settings: settings)
    tcsetattr(input, TCSADRAIN, &raw)
    write(Self.enterSequence + (usesMouse ? Self.mouseSequence : ""))
  }

  /// Gives the terminal back.
  internal func leave() {
    write(Self.leaveSequence)
    var settings = settings
    tcsetattr(input, TCSADRAIN, &settings)
    EmergencyExit.disarm()
  }

  /// Writes bytes, all of them or none if the terminal is gone.
  internal func write(_ bytes: some Sequence<UInt8>) {
    let bytes = Array(bytes)
    bytes.withUnsafeBytes { buffer in
      var rest = buffer[...]
      while !rest.isEmpty {
        let part = UnsafeRawBufferPointer(rebasing: rest)
        let count = Glibc.write(output, part.baseAddress, part.count)
        if count > 0 {
          rest = rest.dropFirst(count)
        } else if errno == EAGAIN {
          var waiting = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
          _ = poll(&waiting, 1, 1000)
        } else if errno != EINTR {
          return
        }
      }
    }
  }

  private func write(_ text: String) { write(text.utf8) }

  /// Reads what has been typed; `nil` if the terminal is gone.
  internal func read() -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(input, &buffer, buffer.count)
    if count > 0 { return Array(buffer[..<count]) }
    return count == -1 && (errno == EINTR || errno == EAGAIN) ? [] : nil
  }
}

/// Gives the terminal back when the process ends in a way that leaves no time for anything else.
///
/// What a signal handler needs is prepared beforehand: it only calls `write(2)` and `tcsetattr(3)`.
package enum EmergencyExit {
  private struct State {
    var output: Int32
    var input: Int32
    var settings: termios
    var length: Int
    var bytes: UnsafeMutablePointer<UInt8>
  }

  /// The address of what is prepared, or 0.
  private static let state = Atomic<UInt>(0)
  private static let isInstalled = Atomic<Bool>(false)
  /// What was to happen on each signal before; Swift's backtraces are made there.
  // Safety: written before the handlers that read it are in place, and never freed.
  private nonisolated(unsafe) static let usualActions: UnsafeMutablePointer<sigaction> = {
    let actions = UnsafeMutablePointer<sigaction>.allocate(capacity: 65)
    actions.initialize(repeating: sigaction(), count: 65)
    return actions
  }()
  private static let signals = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE]

  fileprivate static func arm(output: Int32, input: Int32, settings: termios) {
    let text = Array(TerminalDevice.leaveSequence.utf8)
    // Safety: the memory is never freed, as a handler may read it at any time. It is made once for
    // each time that the terminal is taken over, which is seldom.
    let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: text.count)
    bytes.initialize(from: text, count: text.count)
    let prepared = UnsafeMutablePointer<State>.allocate(capacity: 1)
    prepared.initialize(
      to: State(
        output: output,
        input: input,
        settings: settings,
        length: text.count,
        bytes: bytes
      )
    )
    state.store(UInt(bitPattern: prepared), ordering: .releasing)
    guard !isInstalled.exchange(true, ordering: .relaxed) else { return }
    for signal in signals {
      var action = sigaction()
      action.__sigaction_handler.sa_sigaction = { @Sendable signal, info, _ in
        EmergencyExit.restore()
        sigaction(signal, EmergencyExit.usualActions + Int(signal), nil)
        // A fault happens again when the handler returns; a signal that was sent does not.
        if let info, info.pointee.si_code <= 0 {
          unblock(signal)
          raise(signal)
        }
      }
      action.sa_flags = SA_SIGINFO
      sigaction(signal, &action, usualActions + Int(signal))
    }
  }

  fileprivate static func disarm() { state.store(0, ordering: .releasing) }

  /// Gives the terminal back, if it was taken over; may be called from a signal handler.
  package static func restore() {
    let address = state.exchange(0, ordering: .acquiring)
    guard let prepared = UnsafeMutablePointer<State>(bitPattern: address) else { return }
    _ = Glibc.write(prepared.pointee.output, prepared.pointee.bytes, prepared.pointee.length)
    tcsetattr(prepared.pointee.input, TCSANOW, &prepared.pointee.settings)
  }
}
