public import Observation
public import PlatScan
public import PlatTree

/// The scan that a program shows, to be observed.
///
/// A session shows one target at a time. Opening another cancels the scan in progress; nothing that
/// the cancelled scan brings afterwards is shown or stored. While a target is scanned again, what is
/// known of it stays.
///
/// ```swift
/// let session = ScanSession()
/// session.open(ScanTarget("/srv"))
/// for await progress in session.progress { draw(progress) }
/// let result = try await session.result()
/// ```
///
/// A program that shows more than a line follows `Observations({ session.phase })`. Whoever reads
/// only ``target``, ``tree``, ``revision`` or ``selection`` is not woken by progress.
///
/// The scan belongs to the session: it is cancelled when the session goes away. A program that has to
/// know that no thread and no descriptor of it is left calls ``cancel()``.
@MainActor
@Observable
public final class ScanSession {
  /// Scans a target, as `DirectoryScanner` does.
  public typealias Scanner =
    @concurrent @Sendable (ScanRequest) async throws(ScanError) -> ScanResult

  /// One scan of a target; it is done again only with another number.
  internal struct Request: Equatable {
    fileprivate let target: ScanTarget.ID
    fileprivate let attempt: Int
  }

  /// Tells one scan from those before and after it.
  internal typealias Turn = TaskSlot<Request, Result<ScanResult, ScanError>>.Turn

  private static var lastRevision = 0

  /// What is shown or being scanned; `nil` before the first ``open(_:)``.
  public private(set) var target: ScanTarget?

  /// What became of the newest complete scan in the store.
  public private(set) var storage = Storage.none

  /// How the tree is shown; other options come with another target.
  public var view = ViewOptions()

  internal var selected: Place?
  internal var zoomed = Place()

  /// Whether the tree of a first scan is shown while it grows.
  ///
  /// To make partial trees takes time, so they are made only while this is set; at most four a second
  /// are shown. A scan that is complete, though older, is always shown instead.
  @ObservationIgnored public var showsPartialTrees = false {
    didSet { updateWants() }
  }

  // `phase` and `tree` are views of this one value that are observed apart.
  @ObservationIgnored private var state = Phase.idle
  @ObservationIgnored private var log = ChangeLog()
  @ObservationIgnored private var recents = RecentScans()
  @ObservationIgnored private var attempt = 0
  /// What to scan again when the scan that is being stored is.
  @ObservationIgnored private var waiting: ScanScope?
  @ObservationIgnored private let slot = TaskSlot<Request, Result<ScanResult, ScanError>>()
  @ObservationIgnored private let scanner: Scanner
  @ObservationIgnored private let store: (any ScanStore)?
  @ObservationIgnored private let clock: any Clock<Duration>
  @ObservationIgnored private let wantsPartialTrees = Switch()

  /// Creates a session that shows nothing yet.
  ///
  /// - Parameters:
  ///   - store: Where complete scans are kept and looked for, or `nil` for nowhere.
  ///   - clock: What the time between two reports of progress is measured with.
  ///   - scanner: What scans.
  public init(
    store: (any ScanStore)? = nil,
    clock: any Clock<Duration> = ContinuousClock(),
    scanner: @escaping Scanner = { request throws(ScanError) in try await request.scan() }
  ) {
    self.scanner = scanner
    self.store = store
    self.clock = clock
  }
}

// MARK: - What is shown

extension ScanSession {
  /// What the session is doing, and what it has to show.
  ///
  /// While a scan is in progress this changes at most ten times a second.
  public var phase: Phase {
    access(keyPath: \.phase)
    return state
  }

  /// The tree that is shown; that of a first scan that is not complete yet if
  /// ``showsPartialTrees`` is set.
  public var tree: FileTree? {
    access(keyPath: \.tree)
    return state.tree
  }

  /// The number that stands for the tree that is shown; see ``ShownScan/revision``.
  public var revision: Int? {
    // Both change together.
    access(keyPath: \.tree)
    return state.revision
  }

  /// The progress of the scan that is going on; ends when that does.
  ///
  /// A consumer that falls behind misses progress, and never the end.
  public var progress: some AsyncSequence<ScanProgress, Never> & Sendable {
    Observations.untilFinished { [weak self] in
      self?.phase.progress.map { .next($0) } ?? .finish
    }
  }

  /// Returns what changed in the tree since another was shown.
  ///
  /// - Parameter revision: The revision of a tree that was shown before.
  /// - Returns: The changes to ``tree``; `nil` if that was too long ago, or there is no tree.
  /// - Complexity: O(*n*), where *n* is the number of directories.
  public func changes(since revision: Int) -> TreeChanges? {
    if revision == self.revision { return tree.map { TreeChanges(unchanged: $0) } }
    return log.changes(since: revision)
  }

  private func enter(_ next: Phase, _ step: ChangeLog.Step? = nil) {
    guard next != state else { return }
    let changesTree = next.revision != state.revision
    if changesTree { log.add(step, to: next.revision) }
    withMutation(keyPath: \.phase) {
      guard changesTree else { return state = next }
      withMutation(keyPath: \.tree) { state = next }
    }
    if changesTree { movePlaces(to: state.tree) }
    updateWants()
  }

  private func updateWants() {
    var isScanning: Bool { if case .scanning = state { true } else { false } }
    wantsPartialTrees.isOn = showsPartialTrees && isScanning
  }
}

// MARK: - What a program asks for

extension ScanSession {
  /// Shows a target, and scans it.
  ///
  /// The newest stored scan is shown until the scan is complete. If the target is the one that is
  /// open already nothing happens, unless its scan was cancelled with nothing to show.
  ///
  /// A target that was left not long ago is shown at once as it was, and not scanned again unless it
  /// was left while it was scanned: the last four are kept, if they have no more than four million
  /// entries together.
  public func open(_ target: ScanTarget) {
    guard target.id != self.target?.id else { return start(target, from: state) }
    // First, so that it is not given up for the one that is left.
    let recent = recents.take(target.id)
    leave()
    waiting = nil
    self.target = target
    // Here and nowhere else what belongs to a target is given up for the next.
    (selected, zoomed) = (recent?.selected, recent?.zoomed ?? Place())
    view = recent?.view ?? ViewOptions()
    guard let recent else { return start(target, from: .idle) }
    guard !recent.isInterrupted else { return start(target, from: .loaded(recent.shown)) }
    slot.start(id: request(for: target)) { _ in .success(recent.shown.result) }
    enter(.loaded(recent.shown))
    storage = .none
  }

  /// Scans the target again, and meanwhile shows what is known of it.
  ///
  /// If a scan is in progress its result is new enough, and nothing happens. One that is being stored
  /// is stored first.
  ///
  /// - Parameter scope: What to look at closely, if there is an earlier scan to rely on for the rest.
  public func refresh(_ scope: ScanScope = .everything) {
    guard let target, state.progress == nil else { return }
    guard storage != .saving else {
      waiting = waiting.map { $0.joined(with: scope) } ?? scope
      return
    }
    attempt += 1
    start(target, scope, from: state)
  }

  /// Waits until the scan is over and stored, also one that is started while this waits.
  ///
  /// Cancelling the calling task cancels the scan, as ``cancel()`` does.
  ///
  /// - Returns: The newest scan of the target that is open at the end.
  /// - Throws: `ScanError`; that of a cancellation if no target was opened.
  public func result() async throws(ScanError) -> ScanResult {
    let outcome = await withTaskCancellationHandler {
      await slot.output()
    } onCancel: {
      Task { await self.cancel() }
    }
    guard let outcome else { throw .cancelled() }
    return try outcome.get()
  }

  /// Cancels what is going on, and goes back to what was shown before.
  ///
  /// That is shown at once. This returns when every scan of this session has returned, and with it
  /// its threads and descriptors.
  public func cancel() async {
    waiting = nil
    end(by: .cancelled())
    if storage == .saving { storage = .none }
    await slot.cancel()
  }

  private func request(for target: ScanTarget) -> Request {
    Request(target: target.id, attempt: attempt)
  }

  /// Scans a target, of which there may be something to show, unless that is being done already.
  private func start(
    _ target: ScanTarget,
    _ scope: ScanScope = .everything,
    from phase: Phase
  ) {
    let isStarted = slot.start(id: request(for: target)) {
      [weak self, scanner, store, wantsPartialTrees, clock] turn in
      await ScanWork(
        session: self,
        turn: turn,
        target: target,
        scope: scope,
        scanner: scanner,
        store: store,
        wantsPartialTrees: wantsPartialTrees,
        clock: clock
      ).run()
    }
    guard isStarted else { return }
    enter(phase.beginning)
    storage = .none
  }

  /// Keeps what is shown for when the target is opened again.
  private func leave() {
    guard let target, var shown = state.shown else { return }
    let isInterrupted = state.progress != nil
    if isInterrupted { shown.isStale = true }
    recents.keep(
      RecentScans.Item(
        target: target.id,
        shown: shown,
        isInterrupted: isInterrupted,
        selected: selected,
        zoomed: zoomed,
        view: view
      )
    )
  }
}

// MARK: - What a scan brings

extension ScanSession {
  /// Takes what a scan brings, unless the scan was cancelled or replaced.
  ///
  /// - Returns: Whether it was taken.
  @discardableResult
  internal func receive(_ event: ScanWork.Event, from turn: Turn) -> Bool {
    guard slot.isCurrent(turn) else { return false }
    switch event {
    case .progress(let progress):
      enter(state.advanced(to: progress))
    case .partial(let tree, let step):
      guard showsPartialTrees else { break }
      enter(state.adding(PartialScan(tree: tree, revision: Self.nextRevision())), step)
    case .stored(let result, let step):
      let stored = ShownScan(
        result,
        revision: Self.nextRevision(),
        isStale: true,
        isOwn: false
      )
      enter(state.adding(stored), step)
    case .finished(let result, let revision, let step, let storage):
      let shown = ShownScan(
        result,
        revision: revision ?? Self.nextRevision(),
        isStale: false,
        isOwn: true
      )
      enter(.loaded(shown), step)
      self.storage = storage
    case .failed(let error):
      end(by: error)
    case .storage(let storage):
      self.storage = storage
      if let scope = waiting.take() { refresh(scope) }
    }
    return true
  }

  private static func nextRevision() -> Int {
    lastRevision += 1
    return lastRevision
  }

  private func end(by error: ScanError) {
    enter(state.ended(by: error))
    // With nothing to show, the same target can be opened again.
    if state == .idle { attempt += 1 }
  }
}
