import Glibc
import PlatTree

/// A reason why output was not written.
package struct OutputError: Error, Hashable, Sendable {
  /// What was to be written: a path, safe to show, or `standard output`.
  package let target: String
  /// What was being done, as the sentence `cannot …`.
  package let action: String
  /// The value that the call left in `errno`.
  package let errno: CInt

  /// Whether nobody reads the output any more, which is no fault and needs no message.
  package var isClosedPipe: Bool { errno == EPIPE }

  /// The status to end with.
  package var status: ExitStatus { isClosedPipe ? .pipeClosed : .unwritable }

  internal init(_ target: String, _ action: String, errno: CInt) {
    self.target = target
    self.action = action
    self.errno = errno
  }

  internal init(path: [UInt8], _ action: String, errno: CInt) {
    self.init(NameDisplay.terminalText(path), action, errno: errno)
  }
}

extension OutputError: CustomStringConvertible {
  /// The error as a person reads it after `plat: `.
  package var description: String {
    "\(target): cannot \(action) (\(String(cString: strerror(errno))))"
  }
}
