import Glibc
import PlatTree

/// The loop of a screen: waits for keys and news, and draws a frame when something has changed.
///
/// Every frame ends in a question to the terminal. The next is not sent before the answer, so that on a
/// slow line frames never queue up, and a key is always answered with the newest state. On such a line
/// the list comes first, the map after a rest, and neither in more than 256 colours.
internal struct BrowserLoop {
  /// The times of the loop, in milliseconds.
  private enum Pace {
    /// The least time between two frames that answer keys: some thirty a second.
    static let frame: Int64 = 33
    /// The longest that a frame waits for its map, so that usually both are seen at once.
    static let map: Int64 = 12
    /// An escape that nothing follows for this long is a key.
    static let escape: Int64 = 50
    /// The longest wait for the answer to a frame.
    static let answer: Int64 = 1000
    static let spinner: Int64 = 250
    /// Ages are shown in minutes.
    static let clock: Int64 = 20_000
    static let slowFrame: Int64 = 500
    static let late: Int64 = 50
  }

  private let device: TerminalDevice
  private let mailbox: Mailbox
  private let options: BrowseOptions
  private let services: BrowseServices
  private let work: BackgroundWork

  private var browser: Browser
  private var theme: ScreenTheme
  private var parser = InputParser()
  private var encoder = FrameEncoder()
  private var summary = BrowseSummary()
  private var pace: LinePace
  /// The last screen with a map of its own, which a slow line keeps for a while.
  private var mapScreen: (surface: Surface, layout: ScreenLayout)?
  /// Whether the last frame left the map for later.
  private var isMapDue = false

  private var isDirty = true
  private var isEnding = false
  private var lastFrame: Int64 = 0
  /// When the last frame was begun that answered a key.
  private var lastAnswer: Int64 = 0
  /// The map that is being made.
  private var mapInMaking: MapModel.Request?
  private var lastInput: Int64 = 0
  /// When a key was pressed last, or the screen begun.
  private var lastKey: Int64 = 0
  /// When the oldest key came whose effect is not on the screen yet.
  private var oldestKey: Int64?
  private var questionTime: Int64?
  /// A terminal that never answers is not asked any more.
  private var unanswered = 0
  /// Whether the terminal was asked how wide it draws a character that some draw in two columns.
  private var isProbing = false

  internal init(
    device: TerminalDevice,
    mailbox: Mailbox,
    options: BrowseOptions,
    services: BrowseServices
  ) {
    self.device = device
    self.mailbox = mailbox
    self.options = options
    self.services = services
    work = BackgroundWork(mailbox)
    pace = LinePace(isSlow: options.isSlow)
    theme = ScreenTheme(
      depth: options.depth ?? .basic,
      isLight: options.isLight ?? false,
      glyphs: options.usesASCII ? .ascii : options.isConsole ? .console : .unicode,
      isConsole: options.isConsole
    )
    let size = device.size
    browser = Browser(settings: options.settings, columns: size.columns, rows: size.rows)
  }

  /// Runs until the screen is left.
  internal mutating func run() -> BrowseSummary {
    device.enter()
    if options.showsCursor { device.write("\u{1B}[?25h".utf8) }
    askForTheme()
    probeWidth()
    lastKey = monotonicMilliseconds()
    tick()
    while !isEnding {
      let before = threadMilliseconds()
      wait()
      drawIfDue()
      // Waiting takes no time of the processor.
      summary.longestWork = max(summary.longestWork, Int(threadMilliseconds() - before))
    }
    device.leave()
    summary.issueCount = browser.tree?.issues.count ?? 0
    return summary
  }

  // MARK: Waiting

  private mutating func wait() {
    var descriptors = [
      pollfd(fd: device.inputDescriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: mailbox.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    let count = poll(&descriptors, 2, timeout())
    let now = monotonicMilliseconds()
    if count > 0, descriptors[0].revents != 0 {
      guard let bytes = device.read() else {
        summary.end = .lost
        isEnding = true
        return
      }
      lastInput = now
      take(parser.take(bytes), at: now)
    } else if parser.isWaiting, now - lastInput >= Pace.escape {
      take(parser.flush(), at: now)
    }
    for message in mailbox.take() { handle(message) }
    tick()
  }

  /// How long there is nothing to do, in milliseconds.
  private func timeout() -> Int32 {
    let now = monotonicMilliseconds()
    var wait = Pace.clock
    if parser.isWaiting { wait = min(wait, lastInput + Pace.escape - now) }
    if isDirty { wait = min(wait, nextFrame() - now) }
    if isMapDue { wait = min(wait, pace.mapWait(at: now, lastKey: lastKey)) }
    if showsSpinner { wait = min(wait, Pace.spinner) }
    return Int32(max(wait, 1))
  }

  private func nextFrame() -> Int64 {
    // What moves by itself does not keep a key waiting.
    let paced =
      oldestKey != nil
      ? lastAnswer + Pace.frame : lastFrame + (pace.isSlow ? Pace.slowFrame : Pace.frame)
    return questionTime.map { max(paced, $0 + Pace.answer) } ?? paced
  }

  /// Whether a spinner turns, for want of numbers that move.
  private var showsSpinner: Bool { browser.shown.progress != nil && !pace.isSlow }

  private mutating func tick() {
    let milliseconds = monotonicMilliseconds()
    let seconds = Int64(time(nil))
    let spin = showsSpinner ? Int(milliseconds / Pace.spinner) : 0
    if isMapDue, pace.mapWait(at: milliseconds, lastKey: lastKey) == 0 {
      (isMapDue, isDirty) = (false, true)
    }
    if seconds / 20 != browser.now / 20 || (showsSpinner && spin != browser.spin) { isDirty = true }
    perform(browser.handle(.clock(seconds: seconds, milliseconds: milliseconds, spin: spin)))
  }

  // MARK: Taking

  private mutating func take(_ items: [InputParser.Item], at now: Int64) {
    for item in items {
      switch item {
      case .input(let input):
        if oldestKey == nil { oldestKey = now }
        lastKey = now
        isDirty = true
        perform(browser.handle(.input(input)))
      case .reply(let reply): take(reply, at: now)
      }
    }
  }

  private mutating func take(_ reply: TerminalReply, at now: Int64) {
    switch reply {
    case .cursor(0, let column) where isProbing && (1...2).contains(column):
      isProbing = false
      guard column == 2 else { return }
      theme = ScreenTheme(
        depth: theme.depth,
        isLight: theme.isLight,
        glyphs: .ascii,
        isConsole: theme.isConsole
      )
      encoder.forget()
      isDirty = true
    case .cursor:
      guard let asked = questionTime else { return }
      pace.answered(after: now - asked)
      questionTime = nil
      unanswered = 0
    case .background(let color):
      guard options.isLight == nil else { return }
      theme = ScreenTheme(
        depth: theme.depth,
        isLight: color.luminance > 0.4,
        glyphs: theme.glyphs,
        isConsole: theme.isConsole
      )
      isDirty = true
    case .attributes: break
    }
  }

  private mutating func handle(_ message: Mailbox.Message) {
    switch message {
    case .event(let event):
      // Wanted or not: it may be wanted again.
      if case .mapped(let map) = event, map.request == mapInMaking { mapInMaking = nil }
      isDirty = true
      perform(browser.handle(event))
    case .resized: resize()
    case .suspend: suspend()
    case .resumed:
      device.enter()
      resize()
    case .end(let end):
      summary.end = end
      isEnding = true
    }
  }

  private mutating func resize() {
    let size = device.size
    perform(browser.handle(.resized(columns: size.columns, rows: size.rows)))
    encoder.forget()
    isDirty = true
  }

  /// Asks for the colour of the ground, and for something that every terminal answers.
  private func askForTheme() {
    guard options.isLight == nil, theme.depth > .basic else { return }
    device.write("\u{1B}]11;?\u{1B}\\\u{1B}[c".utf8)
  }

  /// Asks how far a character moves the cursor that some terminals draw in two columns.
  ///
  /// East Asian ones may; then they do so with most that screens are drawn with. The first frame draws
  /// over it.
  private mutating func probeWidth() {
    guard !theme.glyphs.isASCII else { return }
    isProbing = true
    device.write("\u{1B}[1;1H·\u{1B}[6n".utf8)
  }

  // MARK: Drawing

  private mutating func drawIfDue() {
    guard isDirty, !isEnding else { return }
    let now = monotonicMilliseconds()
    if let asked = questionTime {
      guard now - asked >= Pace.answer else { return }
      questionTime = nil
      unanswered += 1
    }
    guard now >= nextFrame() else { return }
    isMapDue = pace.mapWait(at: now, lastKey: lastKey) > 0
    if !isMapDue { prepareMap() }
    guard !isEnding else { return }
    let bytes = encoder.encode(paint())
    isDirty = false
    lastFrame = monotonicMilliseconds()
    if let key = oldestKey {
      let delay = lastFrame - key
      summary.longestDelay = max(summary.longestDelay, Int(delay))
      if delay > Pace.late { summary.lateFrames += 1 }
      (oldestKey, lastAnswer) = (nil, now)
    }
    guard !bytes.isEmpty else { return }
    let asks = unanswered < 2
    device.write(asks ? bytes + Array("\u{1B}[6n".utf8) : bytes)
    if asks { questionTime = lastFrame }
    summary.frames += 1
    summary.bytes += bytes.count
  }

  /// Draws the screen, with the map or with the one before while the line is to be spared.
  private mutating func paint() -> Surface {
    let isInMaking = pace.isSlow && browser.map == nil && mapInMaking != nil
    let holdsMap = isMapDue || isInMaking
    var painter = ScreenPainter(browser, theme: pace.isSlow ? theme.withFewerColors : theme)
    let layout = painter.layout
    if holdsMap { painter.map = .held(mapScreen?.layout == layout ? mapScreen?.surface : nil) }
    let surface = painter.paint()
    if !holdsMap, browser.showsBareMap { mapScreen = (surface, layout) }
    return surface
  }

  /// Has the map made on another thread, and waits for it no longer than nobody notices.
  private mutating func prepareMap() {
    guard let making = browser.mapMaking(isOutlined: theme.depth == .none || theme.glyphs.isASCII)
    else { return }
    let deadline = monotonicMilliseconds() + Pace.map
    if mapInMaking != making.request {
      mapInMaking = making.request
      work.start(.map) { _ in .mapped(making.run()) }
    } else if browser.map != nil {
      return
    }
    while browser.newestMap?.request != making.request, !isEnding {
      let left = deadline - monotonicMilliseconds()
      var descriptor = pollfd(fd: mailbox.descriptor, events: Int16(POLLIN), revents: 0)
      guard left > 0, poll(&descriptor, 1, Int32(left)) > 0 else { return }
      for message in mailbox.take() { handle(message) }
    }
  }

  // MARK: Doing what was asked for

  private mutating func perform(_ effects: [BrowserEffect]) {
    for effect in effects { perform(effect) }
  }

  private mutating func perform(_ effect: BrowserEffect) {
    switch effect {
    case .end(let end): finish(end)
    case .suspend: suspend()
    case .refresh(let path): refresh(path)
    case .stopScan: services.stop()
    case .open(let path): services.open(path)
    case .complete(let path):
      let services = services
      work.start(.completion) { isCancelled in
        let names = services.directories(path, isCancelled)
        return .completed(PathCompletion(of: path, among: names))
      }
    case .prepare(let preparation):
      work.start(.preparation) { preparation.run(isCancelled: $0).map { .prepared($0) } }
    case .list(let making): work.start(.list) { _ in .listed(making.run()) }
    case .search(let request, let tree):
      work.start(.search) { request.run(in: tree, isCancelled: $0).map { .found($0) } }
    case .filter(let request, let tree):
      work.start(.filter) { FilterSums(request, of: tree, isCancelled: $0).map { .filtered($0) } }
    case .estimate(let removal, let tree):
      work.start(.estimate) { _ in .estimated(removal.examined(in: tree)) }
    case .rank(let request, let tree):
      work.start(.rank) { isCancelled in
        request.run(in: tree, isCancelled: isCancelled).map { .ranked(request, larger: $0) }
      }
    case .stopRemoving: work.cancel(.removal)
    case .remove(let removal, let tree): remove(removal, from: tree)
    case .loadSnapshot(let step):
      let (services, root) = (services, browser.shown.root)
      let time = browser.comparison?.takenAt ?? browser.shown.checkedAt
      work.start(
        .snapshot,
        awaiting: { _ in
          .snapshot(await services.snapshot(step, root, time))
        }
      )
    case .compare(let request, let old, let new):
      work.start(.comparison) { _ in
        .compared(ComparedEntries(request, from: old, to: new))
      }
    case .copy(let path):
      // The terminal puts it on the clipboard, also from afar.
      device.write("\u{1B}]52;c;\(Base64.encode(path))\u{07}".utf8)
      browser.message = "Copied \(browser.text(path))"
    case .runShell(let path):
      runProgram(["sh", "-c", "cd -- \"$1\" && exec \"${SHELL:-/bin/sh}\"", "sh", path])
    case .view(let path): runProgram(["sh", "-c", "exec ${PAGER:-less} \"$1\"", "sh", path])
    case .writeMap(let path): writeMap(path)
    }
  }

  private mutating func finish(_ end: BrowserEffect.End) {
    isEnding = true
    switch end {
    case .normal: break
    case .interrupted: summary.end = .interrupted
    case .printMarks(let endsWithNUL):
      summary.paths = browser.marks.marks.map(\.path)
      summary.endsWithNUL = endsWithNUL
    case .printDirectory:
      summary.paths = browser.tree.map { [$0.path(of: browser.directory)] } ?? []
    case .printIssues:
      summary.paths = browser.tree.map { tree in tree.issues.map { tree.path(of: $0) } } ?? []
    }
  }

  private func refresh(_ path: [UInt8]?) {
    let (services, mailbox) = (services, mailbox)
    Task { mailbox.post(.event(.rescanned(await services.refresh(path)))) }
  }

  private func remove(_ removal: Removal, from tree: FileTree) {
    let (services, mailbox) = (services, mailbox)
    work.startToTheEnd(.removal) { isStopped in
      let report: @Sendable (Removal.Progress) -> Void = { mailbox.post(.event(.removing($0))) }
      return .removed(services.remove(removal, tree, report, isStopped))
    }
  }

  private func writeMap(_ path: [UInt8]) {
    guard let tree = browser.tree else { return }
    let (services, directory) = (services, browser.directory)
    work.start(
      .picture,
      awaiting: { _ in
        .said(await services.writeMap(path, tree, directory))
      }
    )
  }

  // MARK: Giving the terminal away for a while

  private mutating func suspend() {
    device.leave()
    var (ours, usual) = (sigaction(), sigaction())
    usual.__sigaction_handler.sa_handler = SIG_DFL
    sigaction(SIGTSTP, &usual, &ours)
    // The process stops here, unless no shell is there that could continue it.
    unblock(SIGTSTP)
    raise(SIGTSTP)
    sigaction(SIGTSTP, &ours, nil)
    device.enter()
    resize()
  }

  private mutating func runProgram(_ words: [any ProgramWord]) {
    device.leave()
    let failure = Subprogram.run(words.map(\.bytes))
    device.enter()
    resize()
    browser.message = failure
  }
}
