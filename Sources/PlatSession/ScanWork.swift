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
    /// The newest scan in the store.
    case stored(ScanResult)
    /// The complete scan; it keeps the revision if the tree is the one that is shown.
    case finished(ScanResult, revision: Int?)
    case failed(ScanError)
    case storage(ScanSession.Storage)
  }

  /// The time from one report of progress to the next: people do not read faster.
  private static let progressInterval = Duration.milliseconds(100)

  internal weak var session: ScanSession?
  internal let turn: ScanSession.Turn
  internal let target: ScanTarget
  internal let scanner: ScanSession.Scanner
  internal let store: (any ScanStore)?
  internal let clock: any Clock<Duration>

  /// Does the work, and returns when nothing of it is left.
  ///
  /// - Returns: What the scan came to; a cancellation, whatever it came to, if it was not wanted.
  internal func run() async -> Result<ScanResult, ScanError> {
    // A root is not even looked at when the next was opened already.
    guard !Task.isCancelled else { return .failure(.cancelled()) }
    async let loading: Void = load()
    do throws(ScanError) {
      let result = try await finish(scan())
      try await save(result)
      return .success(result)
    } catch {
      let isWanted = deliver(.failed(error))
      await loading
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
    // One place is enough: what counts is the newest progress, and that none comes after the result.
    let (progress, continuation) = AsyncStream<ScanProgress>.makeStream(
      bufferingPolicy: .bufferingNewest(1)
    )
    // Leaving the function cancels this and waits for it.
    async let _: Void = report(progress)
    return try await scanner(target) { continuation.yield($0) }
  }

  private func report(_ progress: AsyncStream<ScanProgress>) async {
    for await progress in progress {
      guard deliver(.progress(progress)) else { return }
      do { try await clock.sleep(for: Self.progressInterval) } catch { return }
    }
  }

  private func finish(_ result: ScanResult) async throws(ScanError) -> ScanResult {
    var result = result
    var revision: Int?
    if let shown = session?.phase.shown, await areEqual(shown.tree, result.tree) {
      // One copy of the tree is enough, and who watches it need not look again.
      result.tree = shown.tree
      revision = shown.revision
    }
    guard deliver(.finished(result, revision: revision)) else { throw .cancelled() }
    return result
  }

  // MARK: - Storing

  private func load() async {
    guard let store, session?.phase.shown == nil else { return }
    do {
      guard let stored = try await store.newestScan(of: target) else { return }
      deliver(.stored(stored))
    } catch {
      // What becomes of the new scan says more about the store.
      guard !Task.isCancelled, session?.storage == ScanSession.Storage.none else { return }
      deliver(.storage(.failed(reason: "\(error)")))
    }
  }

  private func save(_ result: ScanResult) async throws(ScanError) {
    guard let store else { return }
    guard deliver(.storage(.saving)) else { throw .cancelled() }
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
