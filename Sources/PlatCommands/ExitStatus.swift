/// What the shell learns when `plat` ends.
package enum ExitStatus: Int32, Sendable {
  /// Everything was done.
  case success = 0
  /// Everything was done, but some entries could not be read; `du` and `find` do the same.
  case incomplete = 1
  /// The command line means nothing.
  case usage = 2
  /// A root is missing or cannot be read, or there is no snapshot to answer from.
  case missing = 3
  /// Output or the database could not be written or read.
  case unwritable = 4
  /// A difference was found, or a limit was exceeded, and the command line asked to be told.
  case difference = 6
  /// The terminal went away: 128 and SIGHUP.
  case hungUp = 129
  /// Interrupted from the keyboard: 128 and SIGINT.
  case interrupted = 130
  /// Nobody reads the output any more: 128 and SIGPIPE.
  case pipeClosed = 141
  /// Told to end: 128 and SIGTERM.
  case terminated = 143
}

/// A reason why a command has no result, with the status that says so.
package struct CommandFailure: Error, Hashable, Sendable {
  /// The status to end with.
  package let status: ExitStatus
  /// What a person reads after `plat: `: the path, then what, and the reason in parentheses.
  package let description: String
  /// What the person can do about it, in a line of its own.
  package let hint: String?

  /// Creates a failure.
  package init(_ status: ExitStatus, _ description: String, hint: String? = nil) {
    self.status = status
    self.description = description
    self.hint = hint
  }
}

extension CommandFailure: CustomStringConvertible {}
