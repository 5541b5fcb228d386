import PlatScan
import PlatSession
import Synchronization

/// A store that answers only when the test tells it to, cancelled or not.
final class ScriptedStore: ScanStore {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private final class Flag: Sendable {
    let value = Atomic(false)
  }

  /// A question that waits for its answer.
  struct Question<Answer: Sendable>: Sendable {
    let target: ScanTarget
    let result: ScanResult?
    fileprivate let gate = Gate<Result<Answer, Failure>>()
    fileprivate let cancellation = Queue<Void>()
    private let flag = Flag()

    /// Whether the answer is of no use any more.
    var isCancelled: Bool { flag.value.load(ordering: .relaxed) }

    func answer(_ answer: Answer) { gate.open(.success(answer)) }

    func fail(_ reason: String) { gate.open(.failure(Failure(description: reason))) }

    func cancelled() async { await cancellation.next() }

    fileprivate func wait() async throws(Failure) -> Answer {
      try await withTaskCancellationHandler {
        await gate.wait()
      } onCancel: {
        flag.value.store(true, ordering: .relaxed)
        cancellation.add(())
      }.get()
    }
  }

  private let loading = Queue<Question<ScanResult?>>()
  private let saving = Queue<Question<Int>>()

  @concurrent
  func newestScan(of target: ScanTarget) async throws -> ScanResult? {
    let question = Question<ScanResult?>(target: target, result: nil)
    loading.add(question)
    return try await question.wait()
  }

  @concurrent
  func save(_ result: ScanResult, of target: ScanTarget) async throws -> Int {
    let question = Question<Int>(target: target, result: result)
    saving.add(question)
    return try await question.wait()
  }

  /// Waits until the session asks for a stored scan.
  func nextLoad() async -> Question<ScanResult?> { await loading.next() }

  /// Waits until the session gives a scan to keep.
  func nextSave() async -> Question<Int> { await saving.next() }
}
