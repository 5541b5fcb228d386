import Glibc
package import PlatRender

/// The terminal that a picture is shown on: how it shows pictures, and how large.
internal struct PictureTerminal {
  /// The way to show pictures; `nil` if there is none.
  internal let graphics: TerminalGraphics?
  /// The size of a picture that leaves room for a prompt, in pixels of that way.
  internal let size: (width: Int, height: Int)

  /// The pixels of a character where the terminal does not know.
  private static let usualCell = (width: 8, height: 16)
  /// The lines that are left to the prompt.
  private static let promptLines = 2

  /// Asks the terminal of the process.
  ///
  /// - Parameter showsColors: Whether it shows 24-bit colours and text in UTF-8.
  internal init(showsColors: Bool) {
    let device = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
    defer { if device >= 0 { close(device) } }
    let answers = device >= 0 ? TerminalAnswers.ask(device) : TerminalAnswers([])
    graphics = answers.graphics ?? (showsColors ? .halfBlocks : nil)

    var window = winsize()
    _ = ioctl(1, UInt(TIOCGWINSZ), &window)
    let columns = window.ws_col > 0 ? Int(window.ws_col) : 80
    let rows = window.ws_row > 0 ? Int(window.ws_row) : 24
    let lines = max(rows - Self.promptLines, 1)
    if graphics == .halfBlocks {
      size = (columns, 2 * lines)
    } else if window.ws_xpixel > 0, window.ws_ypixel > 0 {
      size = (Int(window.ws_xpixel), Int(window.ws_ypixel) * lines / rows)
    } else {
      size = (columns * Self.usualCell.width, lines * Self.usualCell.height)
    }
  }
}

/// What a terminal has answered to the questions whether it shows pictures.
package struct TerminalAnswers {
  private let bytes: [UInt8]

  /// Asks for one pixel by kitty's protocol, then for the attributes that every terminal has, whose
  /// answer comes last.
  private static let questions = "\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\\u{1B}[c"
  /// The longest wait for all answers, in milliseconds; a terminal far away needs some time.
  private static let patience = 500

  /// Creates the answers from what a terminal has sent.
  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The way in which the terminal says that it shows pictures, if it does.
  package var graphics: TerminalGraphics? {
    let text = String(decoding: bytes, as: UTF8.self)
    if text.contains("\u{1B}_Gi=31;OK") { return .kitty }
    return attributes?.dropFirst().contains("4") == true ? .sixel : nil
  }

  /// The numbers of the primary device attributes, the first of which is a class of terminals.
  private var attributes: [Substring]? {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let start = text.firstRange(of: "\u{1B}[?"),
      let end = text[start.upperBound...].firstIndex(of: "c")
    else { return nil }
    return text[start.upperBound..<end].split(separator: ";", omittingEmptySubsequences: false)
  }

  /// Asks a terminal, and waits a bounded time.
  ///
  /// A terminal that another process has in front is not asked, for that would stop this one.
  fileprivate static func ask(_ device: CInt) -> TerminalAnswers {
    var settings = termios()
    guard tcgetpgrp(device) == getpgrp(), tcgetattr(device, &settings) == 0 else {
      return TerminalAnswers([])
    }
    var quiet = settings
    quiet.c_lflag &= ~tcflag_t(ICANON | ECHO)
    tcsetattr(device, TCSADRAIN, &quiet)
    // What comes too late is thrown away, and not taken for something typed.
    defer { tcsetattr(device, TCSAFLUSH, &settings) }
    let questions = Array(Self.questions.utf8)
    guard write(device, questions, questions.count) == questions.count else {
      return TerminalAnswers([])
    }
    var received: [UInt8] = []
    let clock = ContinuousClock()
    let deadline = clock.now + .milliseconds(patience)
    while TerminalAnswers(received).attributes == nil {
      let rest = (deadline - clock.now) / .milliseconds(1)
      var waiting = pollfd(fd: device, events: Int16(POLLIN), revents: 0)
      guard rest > 0, poll(&waiting, 1, CInt(rest.rounded(.up))) > 0 else { break }
      var buffer = [UInt8](repeating: 0, count: 256)
      let count = read(device, &buffer, buffer.count)
      guard count > 0 else { break }
      received += buffer[..<count]
    }
    return TerminalAnswers(received)
  }
}
