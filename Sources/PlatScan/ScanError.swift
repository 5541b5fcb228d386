import Glibc
import PlatTree

/// A reason why a scan produced no tree.
///
/// Trouble with an entry below a root is not a reason: the scan goes on, and the trouble is kept in
/// `FileTree.issues`.
public enum ScanError: Error, Hashable, Sendable {
  /// A system call on a root failed.
  ///
  /// `call` is spelled as in its manual page, and `code` is the error number that it left.
  case system(call: String, path: [UInt8], code: Int32)
  /// An exclusion pattern that cannot match anything.
  case pattern([UInt8])
  /// The scan was cancelled before it finished.
  ///
  /// `stuckIn` names directories whose reading the kernel does not end; their threads were left
  /// behind.
  case cancelled(stuckIn: [[UInt8]] = [])
}

extension ScanError: CustomStringConvertible {
  /// The error as a person reads it after `plat: `, with the path first and then the reason.
  public var description: String {
    switch self {
    case .system(_, let path, let code):
      "\(NameDisplay.terminalText(path)): \(message(forErrno: code))"
    case .pattern(let pattern):
      "the pattern '\(NameDisplay.terminalText(pattern))' matches nothing"
    case .cancelled: "the scan was cancelled"
    }
  }
}

/// Returns what an error number means, as `strerror(3)` says it.
public func message(forErrno code: Int32) -> String {
  withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
    guard let start = buffer.baseAddress, strerror_r(code, start, buffer.count) == 0 else {
      return "error \(code)"
    }
    return String(cString: start)
  }
}
