import Synchronization

/// Work that takes long, one piece at a time of each kind: a new piece takes the place of the last.
internal final class BackgroundWork: Sendable {
  internal enum Kind: Int, CaseIterable, Sendable {
    case preparation, list, map, search, filter, estimate, rank, snapshot, comparison, removal,
      picture, completion
  }

  private let turns = Mutex([Int](repeating: 0, count: Kind.allCases.count))
  private let mailbox: Mailbox

  internal init(_ mailbox: Mailbox) { self.mailbox = mailbox }

  /// Starts a piece of work on a thread of its own, and posts what it returns unless it was replaced.
  internal func start(
    _ kind: Kind,
    _ work: @escaping @Sendable (_ isCancelled: () -> Bool) -> BrowserEvent?
  ) {
    let turn = begin(kind)
    // A frame waits for its map.
    startThread(kind == .map ? .asCaller : .behind) { [self] in
      guard let event = work({ !isCurrent(turn, kind) }), isCurrent(turn, kind) else { return }
      mailbox.post(.event(event))
    }
  }

  /// Starts a piece of work on a thread of its own, and posts what it returns also if it was cancelled.
  internal func startToTheEnd(
    _ kind: Kind,
    _ work: @escaping @Sendable (_ isCancelled: @escaping @Sendable () -> Bool) -> BrowserEvent
  ) {
    let turn = begin(kind)
    startThread(.behind) { [self] in
      mailbox.post(.event(work { [self] in !isCurrent(turn, kind) }))
    }
  }

  /// Starts a piece of asynchronous work, and posts what it returns.
  internal func start(
    _ kind: Kind,
    awaiting work:
      @escaping @Sendable (_ isCancelled: @escaping @Sendable () -> Bool) async
      -> BrowserEvent
  ) {
    let turn = begin(kind)
    Task { [self] in
      let event = await work { [self] in !isCurrent(turn, kind) }
      mailbox.post(.event(event))
    }
  }

  /// Cancels the work of a kind.
  internal func cancel(_ kind: Kind) { _ = begin(kind) }

  private func begin(_ kind: Kind) -> Int {
    turns.withLock { turns in
      turns[kind.rawValue] += 1
      return turns[kind.rawValue]
    }
  }

  private func isCurrent(_ turn: Int, _ kind: Kind) -> Bool {
    turns.withLock { $0[kind.rawValue] == turn }
  }
}
