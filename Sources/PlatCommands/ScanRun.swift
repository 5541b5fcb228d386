import PlatScan
import PlatSession
import PlatStore
import PlatTree
import Synchronization

/// One scan of a command: shows its progress, and ends it when a signal asks for that.
internal struct ScanRun: Sendable {
  internal let roots: [[UInt8]]
  internal let options: DirectoryScanner.Options
  /// About how many entries there will be, if an earlier scan tells.
  internal var expectedEntries: Int?
  /// How much it relies on the snapshots there are.
  internal var level = DirectoryScanner.Level.verified
  /// What it builds upon; `nil` for the newest snapshots of the roots.
  internal var baselines: [DirectoryScanner.Baseline]?

  /// What became of it.
  internal enum Outcome: Sendable {
    /// It has come to its end, building upon snapshots.
    case finished(ScanResult, after: [StoredTree])
    case failed(ScanError)
    /// A signal ended it, and that was said.
    case interrupted(ExitStatus)
  }

  /// Scans.
  ///
  /// - Returns: The scan; nothing of an interrupted one is kept.
  @MainActor
  internal func run(in context: CommandContext) async -> Outcome {
    let earlier = Mutex(EarlierScans.Found())
    let session = ScanSession { request throws(ScanError) in
      let target = request.target
      let found =
        baselines.map { EarlierScans.Found(baselines: $0) }
        ?? EarlierScans(context: context)
        .find(target.roots, options: target.options, level: level)
      earlier.withLock { ($0.notes, $0.stored) = (found.notes, found.stored) }
      return try await DirectoryScanner(options: target.options).scan(
        target.roots,
        reusing: found.baselines,
        level: level,
        partialTrees: request.partialTrees,
        onProgress: request.onProgress
      )
    }
    session.open(ScanTarget(roots, options: options))
    let received = ReceivedSignals()
    return await Signals.process.handling { signal in
      received.add(signal)
      guard case .end = signal else { return }
      Task { @MainActor in await session.cancel() }
    } _: {
      let scanner = DirectoryScanner(options: options)
      var line = ProgressLine(
        in: context,
        expectedEntries: expectedEntries ?? scanner.estimatedEntryCount(of: roots)
      )
      session.showsPartialTrees = line.wantsPartialTrees
      var seen = ScanProgress()
      for await progress in session.progress {
        seen = progress
        if received.takeRequestForState() { line.state(progress) }
        line.take(session.tree, revision: session.revision)
        line.show(progress)
      }
      line.erase()
      if context.options.verbosity == .verbose {
        for note in earlier.withLock({ $0.notes }) { context.printError(note) }
      }
      do throws(ScanError) {
        let result = try await session.result()
        return .finished(result, after: earlier.withLock { $0.stored })
      } catch {
        guard case .cancelled(let stuck) = error else { return .failed(error) }
        say(seen, stuck, in: context)
        return .interrupted(received.status ?? .interrupted)
      }
    }
  }

  private func say(_ seen: ScanProgress, _ stuck: [[UInt8]], in context: CommandContext) {
    let entries = NumberFormat.counted(seen.entries, "entry", plural: "entries")
    context.printError(
      "interrupted after \(entries), \(context.shown(size: seen.allocatedSize)); nothing is kept"
    )
    for path in stuck { context.printError("\(context.shown(path)): does not answer") }
  }
}

/// The signals that came during a scan, told by the thread that receives them.
private final class ReceivedSignals: Sendable {
  private struct State {
    var status: ExitStatus?
    var wantsState = false
  }

  private let state = Mutex(State())

  /// The status to end with, if a signal asked for an end.
  var status: ExitStatus? { state.withLock { $0.status } }

  func add(_ signal: Signals.Signal) {
    state.withLock { state in
      switch signal {
      case .end(let status): state.status = status
      case .state: state.wantsState = true
      case .resize, .suspend, .resume: break
      }
    }
  }

  /// Returns whether somebody asked how far the scan is, once a question.
  func takeRequestForState() -> Bool {
    state.withLock { state in
      defer { state.wantsState = false }
      return state.wantsState
    }
  }
}
