internal import PlatScan
internal import PlatTree

/// One scan on behalf of a session, from looking into the store to saving the result.
///
/// It does not keep the session alive. What it brings goes through one method of the session, which
/// drops what is no longer wanted.
@MainActor
internal struct ScanWork {
  /// Something that a scan brings.
  internal enum Event {
    case progress(ScanProgress)
    /// What was found so far.
    case partial(FileTree, ChangeLog.Step?)
    /// The newest scan in the store.
    case stored(ScanResult, ChangeLog.Step?)
    /// The complete scan, which is about to be stored or not; it keeps the revision if the tree is the
    /// one that is shown.
    case finished(ScanResult, revision: Int?, ChangeLog.Step?, ScanSession.Storage)
    case failed(ScanError)
    case storage(ScanSession.Storage)
  }

  /// The time from one report of progress to the next: people do not read faster.
  private static let progressInterval = Duration.milliseconds(100)
  /// The time from one partial tree to the next: each is laid out and drawn.
  private static let treeInterval = Duration.milliseconds(250)

  internal weak var session: ScanSession?
  internal let turn: ScanSession.Turn
  internal let target: ScanTarget
  internal let scope: ScanScope
  internal let scanner: ScanSession.Scanner
  internal let store: (any ScanStore)?
  internal let wantsPartialTrees: Switch
  internal let clock: any Clock<Duration>

  /// Does the work, and returns when nothing of it is left.
  ///
  /// - Returns: What the scan came to; a cancellation, whatever it came to, if it was not wanted.
  internal func run() async -> Result<ScanResult, ScanError> {
    // A root is not even looked at when the next was opened already.
    guard !Task.isCancelled else { return .failure(.cancelled()) }
    let loading = Task { await load() }
    return await withTaskCancellationHandler {
      await finish(loading)
    } onCancel: {
      loading.cancel()
    }
  }

  private func finish(_ loading: Task<Void, Never>) async -> Result<ScanResult, ScanError> {
    do throws(ScanError) {
      let result = try await show(scan())
      // The answer of the store is of no use any more.
      loading.cancel()
      try await save(result)
      _ = await loading.value
      return .success(result)
    } catch {
      let isWanted = deliver(.failed(error))
      _ = await loading.value
      if case .cancelled = error { return .failure(error) }
      return .failure(isWanted ? error : .cancelled())
    }
  }

  @discardableResult
  private func deliver(_ event: Event) -> Bool {
    session?.receive(event, from: turn) ?? false
  }

  // MARK: - Scanning

  private func scan() async throws(ScanError) -> ScanResult {
    // One place is enough: what counts is the newest, and that none comes after the result.
    let (progress, toProgress) = AsyncStream<ScanProgress>.makeStream(
      bufferingPolicy: .bufferingNewest(1)
    )
    let (trees, toTrees) = AsyncStream<FileTree>.makeStream(bufferingPolicy: .bufferingNewest(1))
    // Leaving the function cancels these and waits for them.
    async let _: Void = report(progress, every: Self.progressInterval) { .progress($0) }
    async let _: Void = report(trees, every: Self.treeInterval) {
      .partial($0, await step(to: $0))
    }
    let request = ScanRequest(
      target: target,
      scope: scope,
      previous: session?.phase.shown.flatMap { $0.isOwn ? $0.result : nil },
      partialTrees: PartialTrees(areWanted: { [wantsPartialTrees] in wantsPartialTrees.isOn }) {
        toTrees.yield($0)
      },
      onProgress: { toProgress.yield($0) }
    )
    return try await scanner(request)
  }

  private func report<Value: Sendable>(
    _ values: AsyncStream<Value>,
    every interval: Duration,
    as event: (Value) async -> Event
  ) async {
    for await value in values {
      deliver(await event(value))
      do { try await clock.sleep(for: interval) } catch { return }
    }
  }

  private func show(_ result: ScanResult) async throws(ScanError) -> ScanResult {
    var result = result
    var revision: Int?
    if let shown = session?.phase.shown, await areEqual(shown.tree, result.tree) {
      // One copy of the tree is enough, and who watches it need not look again.
      result.tree = shown.tree
      revision = shown.revision
    }
    let step = revision == nil ? await step(to: result.tree) : nil
    let storage = store == nil ? ScanSession.Storage.none : .saving
    guard deliver(.finished(result, revision: revision, step, storage)) else {
      throw .cancelled()
    }
    return result
  }

  /// Compares a tree that is to be shown with the one that is.
  private func step(to tree: FileTree) async -> ChangeLog.Step? {
    guard let phase = session?.phase, let shown = phase.tree, let revision = phase.revision,
      let changes = await compare(shown, tree)
    else { return nil }
    return ChangeLog.Step(from: revision, changes: changes)
  }

  // MARK: - Storing

  /// Shows the newest scan in the store.
  private func load() async {
    guard let store, session?.phase.shown == nil else { return }
    do {
      guard let stored = try await store.newestScan(of: target) else { return }
      deliver(.stored(stored, await step(to: stored.tree)))
    } catch {
      // What becomes of the new scan says more about the store.
      guard session?.storage == ScanSession.Storage.none else { return }
      deliver(.storage(.failed(reason: "\(error)")))
    }
  }

  private func save(_ result: ScanResult) async throws(ScanError) {
    guard let store else { return }
    let storage: ScanSession.Storage
    do {
      storage = .saved(snapshot: try await store.save(result, of: target))
    } catch {
      storage = .failed(reason: "\(error)")
    }
    guard deliver(.storage(storage)) else { throw .cancelled() }
  }
}

/// Compares two trees of any size, not on the actor of the caller.
@concurrent
private func areEqual(_ first: FileTree, _ second: FileTree) async -> Bool { first == second }

/// Finds what is different between two trees, not on the actor of the caller.
@concurrent
private func compare(_ first: FileTree, _ second: FileTree) async -> TreeChanges? {
  TreeChanges(from: first, to: second)
}
