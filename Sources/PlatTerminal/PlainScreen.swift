import Glibc

/// A browser of lines on standard input and output.
package final class PlainScreen: Sendable {
  private let mailbox: Mailbox
  private let options: BrowseOptions
  private let services: BrowseServices

  /// Creates the browser; `nil` if the process has no descriptors left.
  package init?(options: BrowseOptions, services: BrowseServices) {
    guard let mailbox = Mailbox() else { return nil }
    self.mailbox = mailbox
    self.options = options
    self.services = services
  }

  /// Shows what a session is doing.
  package func show(_ state: ShownState) { mailbox.post(.event(.session(state))) }

  /// Reads commands until there are no more, on a thread of its own.
  ///
  /// - Parameters:
  ///   - read: Returns the next line, or `nil` at the end.
  ///   - write: Takes what is said, with newlines.
  /// - Returns: How the browser was left.
  package func run(
    read: @escaping @Sendable () -> String?,
    write: @escaping @Sendable (String) -> Void
  ) async -> BrowseSummary {
    await withCheckedContinuation { continuation in
      startThread { [self] in continuation.resume(returning: loop(read, write)) }
    }
  }

  private func loop(_ read: () -> String?, _ write: (String) -> Void) -> BrowseSummary {
    var settings = options.settings
    settings.isPlain = true
    var plain = PlainBrowser(Browser(settings: settings))
    var summary = BrowseSummary()
    var listsDirectory = true
    while true {
      waitForTree(&plain, write)
      if listsDirectory { for line in plain.listing() { write(line + "\n") } }
      write("> ")
      guard let line = read() else {
        write("\n")
        return summary
      }
      update(&plain)
      let answer = plain.run(line)
      for line in answer.lines { write(line + "\n") }
      listsDirectory = answer.listsDirectory
      for effect in answer.effects {
        switch effect {
        case .end(let end):
          if case .printMarks(let endsWithNUL) = end {
            summary.paths = plain.browser.marks.marks.map(\.path)
            summary.endsWithNUL = endsWithNUL
          }
          return summary
        case .refresh(let path):
          refresh(path, &plain, write)
          listsDirectory = true
        case .loadSnapshot(let step):
          compare(step, &plain, write)
          listsDirectory = true
        case .open(let path):
          plain.browser.shown.tree = nil
          services.open(path)
          listsDirectory = true
        case .remove(let removal, let tree):
          let outcome = services.remove(removal, tree, { _ in }, { false })
          for line in plain.finish(outcome) { write(line + "\n") }
        default: break
        }
      }
    }
  }

  /// Takes what the session has brought.
  ///
  /// - Parameters:
  ///   - plain: The browser.
  ///   - end: What was asked for.
  /// - Returns: Whether that is over.
  @discardableResult
  private func update(_ plain: inout PlainBrowser, until end: Awaited = .scan) -> Bool {
    plain.browser.now = Int64(time(nil))
    var isOver = false
    for case .event(let event) in mailbox.take() {
      for case .compare(let request, let old, let new) in plain.browser.handle(event) {
        plain.browser.accept(ComparedEntries(request, from: old, to: new))
      }
      // Nothing is drawn that would want the kinds of files.
      plain.browser.adoptNow()
      switch event {
      case .rescanned: isOver = isOver || end == .scan
      case .snapshot: isOver = isOver || end == .comparison
      default: break
      }
    }
    return isOver
  }

  /// What a person has asked for that takes a while.
  private enum Awaited {
    case scan, comparison
  }

  private func wait(_ seconds: Int32) {
    var descriptor = pollfd(fd: mailbox.descriptor, events: Int16(POLLIN), revents: 0)
    _ = poll(&descriptor, 1, seconds * 1000)
  }

  /// Waits for something to show, and says now and then that it is on its way.
  private func waitForTree(_ plain: inout PlainBrowser, _ write: (String) -> Void) {
    update(&plain)
    var isSaid = false
    while plain.browser.tree == nil {
      if let failure = plain.browser.shown.failure {
        write("Cannot read \(failure)\n")
        return
      }
      if !isSaid { write("Reading.\n") }
      isSaid = true
      wait(10)
      update(&plain)
    }
  }

  /// Loads a snapshot, compares with it, and waits for the end of that.
  private func compare(
    _ step: Comparison.Step,
    _ plain: inout PlainBrowser,
    _ write: (String) -> Void
  ) {
    let (services, mailbox, root) = (services, mailbox, plain.browser.shown.root)
    let time = plain.browser.comparison?.takenAt ?? plain.browser.shown.checkedAt
    Task {
      mailbox.post(.event(.snapshot(await services.snapshot(step, root, time))))
    }
    plain.browser.message = nil
    while !update(&plain, until: .comparison) { wait(10) }
    if let message = plain.browser.message { write(message + "\n") }
  }

  /// Scans again, and waits for the end of that.
  private func refresh(
    _ path: [UInt8]?,
    _ plain: inout PlainBrowser,
    _ write: (String) -> Void
  ) {
    let (services, mailbox) = (services, mailbox)
    Task { mailbox.post(.event(.rescanned(await services.refresh(path)))) }
    plain.browser.message = nil
    while !update(&plain) { wait(10) }
    if plain.browser.shown.failure != nil { write("The scan failed.\n") }
    if let message = plain.browser.message { write(message + "\n") }
  }
}
