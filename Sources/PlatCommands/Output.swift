import Glibc
import Synchronization

/// A stream of bytes to a file descriptor, or to memory for tests.
///
/// Writing never fails at the call: the first error is kept, and what follows is dropped. Whoever owns
/// the stream asks for the error once, with ``flush()`` or ``close()``. A loop that writes much can ask
/// with ``check()`` now and then, so as not to go on for nobody.
///
/// A stream can be used from any thread. What one call writes stays together.
package final class Output: Sendable {
  /// When buffered bytes are handed to the system.
  package enum Buffering: Sendable {
    /// When there are many, for files and pipes.
    case blocks
    /// After each call, for terminals and messages.
    case none
  }

  private struct State {
    /// Bytes not yet written; in memory, all of them.
    var buffer: [UInt8] = []
    var failure: OutputError?
  }

  /// The file descriptor, or `nil` in memory.
  private let descriptor: CInt?
  private let name: String
  private let buffering: Buffering
  // Threads rarely meet here, so the standard lock serves.
  private let state = Mutex(State())

  private static let capacity = 65_536

  /// Creates a stream to a file descriptor, which stays open when the stream goes away.
  ///
  /// - Parameters:
  ///   - descriptor: The file descriptor.
  ///   - name: What error messages call the stream.
  ///   - buffering: When bytes are handed to the system.
  package init(descriptor: CInt, name: String, buffering: Buffering = .blocks) {
    self.descriptor = descriptor
    self.name = name
    self.buffering = buffering
  }

  /// Creates a stream that keeps what it is given, for ``captured``.
  package init() {
    self.descriptor = nil
    self.name = "memory"
    self.buffering = .blocks
  }

  /// What was written to a stream in memory.
  package var captured: [UInt8] { state.withLock { $0.buffer } }

  /// What was written to a stream in memory, as text.
  package var capturedText: String { String(decoding: captured, as: UTF8.self) }

  /// Writes bytes.
  package func write(_ bytes: some Sequence<UInt8>) {
    state.withLock { state in
      guard state.failure == nil else { return }
      state.buffer.append(contentsOf: bytes)
      if buffering == .none || state.buffer.count >= Self.capacity { drain(&state) }
    }
  }

  /// Writes text.
  package func write(_ text: String) { write(text.utf8) }

  /// Throws the first error, if there was one; costs little.
  package func check() throws(OutputError) {
    if let failure = state.withLock({ $0.failure }) { throw failure }
  }

  /// Hands all bytes to the system.
  ///
  /// - Throws: ``OutputError`` if these bytes or earlier ones could not be written.
  package func flush() throws(OutputError) {
    state.withLock { drain(&$0) }
    try check()
  }

  /// Hands all bytes to the system and closes the descriptor, which can be the first to report that
  /// the disk is full.
  ///
  /// - Throws: ``OutputError`` if anything could not be written.
  package func close() throws(OutputError) {
    state.withLock { state in
      drain(&state)
      guard let descriptor, Glibc.close(descriptor) == -1, state.failure == nil else { return }
      // A stream that was never open and never used has lost nothing.
      if errno != EBADF { state.failure = OutputError(name, "close it", errno: errno) }
    }
    try check()
  }

  /// Writes the buffer out, and drops it if that fails.
  private func drain(_ state: inout State) {
    guard let descriptor, !state.buffer.isEmpty else { return }
    if let code = writeAll(state.buffer, to: descriptor) {
      state.failure = OutputError(name, "write", errno: code)
    }
    state.buffer.removeAll(keepingCapacity: true)
  }
}

/// Writes bytes with as many calls as it takes, and returns the `errno` of the one that failed.
private func writeAll(_ bytes: [UInt8], to descriptor: CInt) -> CInt? {
  bytes.withUnsafeBytes { bytes in
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = Glibc.write(
        descriptor,
        UnsafeRawBufferPointer(rebasing: rest).baseAddress,
        rest.count
      )
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        // Whoever shares the descriptor has made it non-blocking: wait as a blocking one would.
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&waiting, 1, -1)
      } else if errno != EINTR {
        return errno
      }
    }
    return nil
  }
}
