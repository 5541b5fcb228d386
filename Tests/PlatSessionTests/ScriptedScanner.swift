import PlatScan
import PlatSession
import Synchronization

/// A scanner whose scans do only what the test tells them to; they do not end when cancelled.
final class ScriptedScanner: Sendable {
  struct Scan: Sendable {
    let request: ScanRequest
    fileprivate let outcome = Gate<Result<ScanResult, ScanError>>()
    fileprivate let cancellation = Queue<Void>()

    var target: ScanTarget { request.target }

    /// Reports that a number of entries was seen.
    func report(entries: Int) {
      var progress = ScanProgress()
      progress.entries = entries
      request.onProgress(progress)
    }

    /// Whether somebody wants to see what was found so far.
    var isPartialTreeWanted: Bool { request.partialTrees.areWanted() }

    /// Delivers what was found so far.
    func deliver(_ result: ScanResult) { request.partialTrees.deliver(result.tree) }

    func finish(_ result: ScanResult) { outcome.open(.success(result)) }

    func fail(_ error: ScanError) { outcome.open(.failure(error)) }

    /// Waits until the scan is told to end.
    func cancelled() async { await cancellation.next() }
  }

  private let started = Queue<Scan>()
  private let count = Atomic(0)

  /// How many scans were started.
  var starts: Int { count.load(ordering: .relaxed) }

  @concurrent
  @Sendable func scan(_ request: ScanRequest) async throws(ScanError) -> ScanResult {
    count.add(1, ordering: .relaxed)
    let scan = Scan(request: request)
    started.add(scan)
    let outcome = await withTaskCancellationHandler {
      await scan.outcome.wait()
    } onCancel: {
      scan.cancellation.add(())
    }
    return try outcome.get()
  }

  /// Waits for the next scan to be started.
  func next() async -> Scan { await started.next() }
}
