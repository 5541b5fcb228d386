import Glibc
import PlatTree

/// What a stream is connected to, and what can be drawn there.
package struct Terminal: Hashable, Sendable {
  /// Whether the stream is a terminal.
  package let isTerminal: Bool
  /// The columns of the terminal, if it knows.
  package let columns: Int?
  /// The rows of the terminal, if it knows.
  package let rows: Int?

  /// Creates a description, for tests.
  package init(isTerminal: Bool, columns: Int? = nil, rows: Int? = nil) {
    self.isTerminal = isTerminal
    self.columns = columns
    self.rows = rows
  }

  /// Asks the system about a file descriptor.
  package init(descriptor: CInt) {
    isTerminal = isatty(descriptor) == 1
    var size = winsize()
    let answers = isTerminal && ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0
    // A serial line answers 0 columns.
    columns = answers && size.ws_col > 0 ? Int(size.ws_col) : nil
    rows = answers && size.ws_row > 0 ? Int(size.ws_row) : nil
  }

  /// Returns whether to write colour to the stream.
  ///
  /// The command line decides first. Then `NO_COLOR` says no, `FORCE_COLOR` or `CLICOLOR_FORCE` (unless
  /// `0`) says yes, and else colour is for a terminal whose `TERM` is set and not `dumb`.
  ///
  /// See <https://no-color.org>, <https://force-color.org> and <https://bixense.com/clicolors>.
  package func usesColor(_ choice: CommonOptions.Color, _ environment: Environment) -> Bool {
    switch choice {
    case .always: return true
    case .never: return false
    case .auto:
      if environment["NO_COLOR"] != nil { return false }
      let force = [environment["FORCE_COLOR"], environment["CLICOLOR_FORCE"]]
      if force.contains(where: { $0 != nil && $0 != "0" }) { return true }
      guard isTerminal, let term = environment["TERM"] else { return false }
      return term != "dumb"
    }
  }
}
