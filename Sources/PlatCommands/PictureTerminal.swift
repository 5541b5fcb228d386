package import Glibc
package import PlatRender

/// The terminal that a picture is shown on: how it shows pictures, and how large.
internal struct PictureTerminal {
  /// The way to show pictures; `nil` if there is none.
  internal let graphics: TerminalGraphics?
  /// The size of a picture that leaves room for a prompt, in pixels of that way.
  internal let size: (width: Int, height: Int)
  /// The most colours that the terminal has for sixels.
  internal let sixelColors: Int

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
    size = TerminalWindow(window).pictureSize(by: graphics, limit: answers.sixelLimit)
    sixelColors = min(answers.colorRegisters ?? 256, 256)
  }
}

/// How large the window of a terminal is, and a picture in it.
package struct TerminalWindow {
  private let columns: Int
  private let rows: Int
  /// The size in pixels, or what is usual for as many characters where the terminal does not know.
  private let pixels: (width: Int, height: Int)

  /// The pixels of a character where the terminal does not know.
  private static let usualCell = (width: 8, height: 16)
  /// The lines that are left to the prompt.
  private static let promptLines = 2

  /// Takes over what the system says, with 80 by 24 characters if that is nothing.
  package init(_ window: winsize) {
    columns = window.ws_col > 0 ? Int(window.ws_col) : 80
    rows = window.ws_row > 0 ? Int(window.ws_row) : 24
    let isKnown = window.ws_xpixel > 0 && window.ws_ypixel > 0
    pixels =
      isKnown
      ? (Int(window.ws_xpixel), Int(window.ws_ypixel))
      : (columns * Self.usualCell.width, rows * Self.usualCell.height)
  }

  /// Returns the size of a picture that leaves room for a prompt.
  ///
  /// - Parameters:
  ///   - graphics: The way it is shown.
  ///   - limit: The largest picture by sixels: a larger one would not be shown at all.
  /// - Returns: The width and height in pixels of that way.
  package func pictureSize(
    by graphics: TerminalGraphics?,
    limit: (width: Int, height: Int)?
  ) -> (width: Int, height: Int) {
    let lines = max(rows - Self.promptLines, 1)
    let height = pixels.height * lines / rows
    switch graphics {
    case .halfBlocks: return (columns, 2 * lines)
    // The cursor is put at the right of the picture. Behind the last column it would be in the next
    // line, and the newline that follows would be one too many.
    case .kitty: return (pixels.width * max(columns - 1, 1) / columns, height)
    case .sixel, nil:
      return (min(pixels.width, limit?.width ?? .max), min(height, limit?.height ?? .max))
    }
  }
}

/// What a terminal has answered to the questions whether it shows pictures.
package struct TerminalAnswers {
  private let bytes: [UInt8]

  /// The attributes that every terminal has: what is asked before is answered before, if at all.
  private static let attributesQuestion = "\u{1B}[c"
  /// Asks for one pixel by kitty's protocol.
  private static let pixelQuestion = "\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\"
  /// Asks for the number of colours and the largest picture by sixels: XTSMGRAPHICS of xterm's
  /// *Control Sequences*.
  private static let limitsQuestion = "\u{1B}[?1;1;0S\u{1B}[?2;1;0S"
  /// The longest wait for the answers to a question, in milliseconds; a terminal far away needs some time.
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
  private var attributes: [Substring]? { answers(endingIn: "c").first }

  /// The most colours of a picture by sixels, from 2, if the terminal tells.
  package var colorRegisters: Int? {
    limits(ofItem: 1).flatMap { $0.count == 1 && $0[0] >= 2 ? $0[0] : nil }
  }

  /// The size in pixels of the largest picture by sixels, if the terminal tells.
  package var sixelLimit: (width: Int, height: Int)? {
    limits(ofItem: 2).flatMap {
      $0.count == 2 && min($0[0], $0[1]) > 0 ? ($0[0], $0[1]) : nil
    }
  }

  /// Returns what the terminal says of an item of its graphics, if it says so without an error.
  private func limits(ofItem item: Int) -> [Int]? {
    let answer = answers(endingIn: "S").first { $0.prefix(2) == [Substring("\(item)"), "0"] }
    return answer?.dropFirst(2).map { Int($0) ?? 0 }
  }

  /// Returns the numbers of each private answer that ends in a letter.
  private func answers(endingIn letter: Character) -> [[Substring]] {
    String(decoding: bytes, as: UTF8.self).split(separator: "\u{1B}[?").compactMap { answer in
      let numbers = answer.prefix { $0.isNumber || $0 == ";" }
      guard answer.dropFirst(numbers.count).first == letter else { return nil }
      return numbers.split(separator: ";", omittingEmptySubsequences: false)
    }
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
    let first = exchange(pixelQuestion, with: device)
    guard TerminalAnswers(first).graphics == .sixel else { return TerminalAnswers(first) }
    return TerminalAnswers(first + exchange(limitsQuestion, with: device))
  }

  /// Asks a question, and returns what the terminal sends until it has told its attributes.
  private static func exchange(_ question: String, with device: CInt) -> [UInt8] {
    let text = Array((question + attributesQuestion).utf8)
    guard write(device, text, text.count) == text.count else { return [] }
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
    return received
  }
}
