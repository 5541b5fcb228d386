import Glibc
import Synchronization

/// What other threads have for the thread of the screen, with a pipe that wakes it.
internal final class Mailbox: Sendable {
  internal enum Message: Sendable {
    case event(BrowserEvent)
    case resized
    case suspend
    case resumed
    case end(BrowseSummary.End)
  }

  private let messages = Mutex<[Message]>([])
  private let readEnd: Int32
  private let writeEnd: Int32

  /// Creates an empty mailbox; `nil` if the process has no descriptors left.
  internal init?() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    (readEnd, writeEnd) = (ends[0], ends[1])
  }

  deinit {
    close(readEnd)
    close(writeEnd)
  }

  /// The descriptor that can be read while there are messages.
  internal var descriptor: Int32 { readEnd }

  /// Adds a message.
  ///
  /// What a session is doing takes the place of what it was doing before.
  internal func post(_ message: Message) {
    messages.withLock { messages in
      if case .event(.session) = message {
        messages.removeAll { if case .event(.session) = $0 { true } else { false } }
      }
      messages.append(message)
    }
    var byte: UInt8 = 0
    // A full pipe has woken the reader already.
    _ = write(writeEnd, &byte, 1)
  }

  /// Takes all messages.
  internal func take() -> [Message] {
    var buffer = [UInt8](repeating: 0, count: 256)
    while read(readEnd, &buffer, buffer.count) > 0 {}
    return messages.withLock { messages in
      defer { messages = [] }
      return messages
    }
  }
}
