import PlatScan
import PlatSession
import PlatTree
import Synchronization

/// One scan of a command: shows its progress, and ends it when a signal asks for that.
internal struct ScanRun: Sendable {
  internal let roots: [[UInt8]]
  internal let options: DirectoryScanner.Options

  /// What became of it.
  internal enum Outcome: Sendable {
    case finished(ScanResult)
    case failed(ScanError)
    /// A signal ended it, and that was said.
    case interrupted(ExitStatus)
  }

  /// Scans.
  ///
  /// - Returns: The scan; nothing of an interrupted one is kept.
  @MainActor
  internal func run(in context: CommandContext) async -> Outcome {
    let session = ScanSession()
    session.open(ScanTarget(roots, options: options))
    let received = ReceivedSignal()
    return await Signals.process.handling { status in
      received.set(status)
      Task { @MainActor in await session.cancel() }
    } _: {
      var line = ProgressLine(in: context)
      var seen = ScanProgress()
      for await progress in session.progress {
        seen = progress
        line.show(progress)
      }
      line.erase()
      do throws(ScanError) {
        return .finished(try await session.result())
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

/// The signal that ended a scan, told by the thread that receives signals.
private final class ReceivedSignal: Sendable {
  private let value = Mutex<ExitStatus?>(nil)

  var status: ExitStatus? { value.withLock { $0 } }

  func set(_ status: ExitStatus) { value.withLock { $0 = status } }
}
