import Foundation
import Glibc
import PlatTestSupport

/// A terminal that a program believes in: keys go in, and screens come out.
///
/// A test waits for what it expects to see; how long that takes does not matter.
final class Tmux {
  /// A screen that never came to what a test expects.
  struct Surprise: Error, CustomStringConvertible {
    let expected: String
    let screen: String

    var description: String { "waited in vain for \(expected); the screen is\n\(screen)" }
  }

  /// Far longer than anything takes on the busiest machine: only a test that fails waits so long.
  private static let patience = Duration.seconds(1200)

  /// Where tmux is called: the path of its socket, which can have 107 bytes at most, is relative to that.
  private let folder: String
  private var server: Int32?

  /// Whether tmux is installed; `Scripts/bootstrap --tests` does that.
  static let isInstalled = (try? run(["tmux", "-V"]).status) == 0

  /// Starts a shell in a window, with the real program in its path.
  ///
  /// - Parameters:
  ///   - columns: The columns of the window.
  ///   - rows: Its rows.
  ///   - folder: The working directory, and where the program keeps its files.
  ///   - environment: More variables for the shell.
  /// - Throws: An error if tmux cannot be run.
  init(columns: Int, rows: Int, in folder: String, environment: [String: String] = [:]) async throws
  {
    self.folder = folder
    let build = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().path
    var variables = [
      "PATH": "\(build):/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "HOME": folder,
      "XDG_STATE_HOME": folder + "/state", "LC_ALL": "C.UTF-8", "PS1": "shell> ",
      "COLORTERM": "truecolor", "TERM": "tmux-256color", "SWIFT_BACKTRACE": "enable=no",
    ]
    variables.merge(environment) { _, new in new }
    let settings = variables.map { "\($0)=\($1)" }.sorted()
    let command =
      ["-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", "-c", folder]
      + ["env", "-i"] + settings + ["bash", "--norc", "--noprofile"]
    // On a busy machine it has been seen that a shell never showed its prompt; then another has to.
    for _ in 0..<10 {
      try tmux(command)
      server = Int32(
        try run(["-C", folder, "tmux", "-u", "-S", "tmux", "display-message", "-p", "#{pid}"]).text
          .trimmingCharacters(in: .whitespacesAndNewlines)
      )
      try tmux(["set", "-g", "status", "off"])
      try resize(columns: columns, rows: rows)
      if try await shows("shell>", within: .seconds(30)) { return }
      endServer()
    }
    throw Surprise(expected: "a shell", screen: "")
  }

  /// Waits until the screen has a text, for as long as given.
  private func shows(_ text: String, within limit: Duration) async throws -> Bool {
    let deadline = ContinuousClock.now + limit
    repeat {
      if try screen().contains(text) { return true }
      await Task.yield()
    } while ContinuousClock.now < deadline
    return false
  }

  private func endServer() {
    if let server { kill(server, SIGKILL) }
    server = nil
    unlink(folder + "/tmux")
  }

  // The command to end the server sends it a signal that a thread of the tests has blocked, and so it, too.
  deinit { endServer() }

  @discardableResult
  private func tmux(_ words: [String]) throws -> ProgramOutput {
    // The server outlives its first client, and would keep open whatever that was given: pipes of this
    // test and of others, whose readers would wait for it.
    let script = """
      for file in /proc/$$/fd/*; do
        number=${file##*/}
        if [ "$number" -gt 2 ]; then eval "exec $number>&-"; fi
      done
      exec tmux "$@" </dev/null >/dev/null 2>&1
      """
    return try run(["-C", folder, "bash", "-c", script, "tmux", "-u", "-S", "tmux"] + words)
  }

  /// Types text, and presses keys by tmux's names for them.
  func send(_ keys: String...) throws { try tmux(["send-keys"] + keys) }

  /// Types text as it stands.
  func type(_ text: String) throws { try tmux(["send-keys", "-l", text]) }

  /// Makes the window another size.
  func resize(columns: Int, rows: Int) throws {
    try tmux(["resize-window", "-x", "\(columns)", "-y", "\(rows)"])
  }

  /// The screen as text.
  func screen() throws -> String {
    try run(["-C", folder, "tmux", "-u", "-S", "tmux", "capture-pane", "-p"]).text
  }

  /// Waits until the screen meets a condition, and returns it.
  ///
  /// - Parameters:
  ///   - what: What is waited for, in words.
  ///   - condition: Looks at the screen as text.
  /// - Returns: The first screen that was seen to meet the condition.
  /// - Throws: ``Surprise`` if that never happens.
  @discardableResult
  func wait(for what: String, until condition: (String) throws -> Bool) async throws -> String {
    let deadline = ContinuousClock.now + Self.patience
    var screen = ""
    repeat {
      screen = try self.screen()
      if try condition(screen) { return screen }
      // The threads of the tests are few, and this has one for as long as it runs.
      await Task.yield()
    } while ContinuousClock.now < deadline
    throw Surprise(expected: what, screen: screen)
  }

  /// Waits until the screen has texts, and others no more.
  ///
  /// All that is expected of a screen belongs into one condition: tmux draws what it has received, which
  /// may be half a frame.
  @discardableResult
  func wait(_ texts: String..., without others: String...) async throws -> String {
    try await wait(for: "\(texts) without \(others)") { screen in
      texts.allSatisfy { screen.contains($0) } && !others.contains { screen.contains($0) }
    }
  }
}
