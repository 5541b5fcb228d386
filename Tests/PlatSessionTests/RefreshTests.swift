import Observation
import PlatScan
import PlatSession
import Testing

@MainActor
@Suite(.timeLimit(.minutes(30)))
struct RefreshTests {
  let scanner = ScriptedScanner()
  let session: ScanSession

  init() async throws {
    session = ScanSession(clock: ManualClock(), scanner: scanner.scan)
    try await session.load(ScanTarget("/srv"), .sample(size: 1, finishedAt: 7), by: scanner)
  }

  @Test func `The old tree stays until the new one is complete`() async throws {
    let revision = session.revision
    session.refresh()
    let scan = await scanner.next()
    guard case .refreshing(let shown, ScanProgress()) = session.phase else {
      Issue.record("\(session.phase)")
      return
    }
    #expect(shown.result == .sample(size: 1, finishedAt: 7))
    #expect(session.revision == revision)
    scan.finish(.sample(size: 2, finishedAt: 8))
    #expect(try await session.result() == .sample(size: 2, finishedAt: 8))
    #expect(session.shownSize == 2)
    #expect(session.revision != revision)
    #expect(session.phase.shown?.isStale == false)
  }

  @Test func `A refresh that fails leaves the old tree, and says that it is stale`() async throws {
    session.refresh()
    await scanner.next().fail(.denied)
    await #expect(throws: ScanError.denied) { try await session.result() }
    guard case .failed(.denied, let shown?) = session.phase else {
      Issue.record("\(session.phase)")
      return
    }
    #expect(shown.result == .sample(size: 1, finishedAt: 7))
    #expect(shown.isStale)
  }

  @Test func `A refresh that is cancelled leaves the old tree, and says that it is stale`() async {
    session.refresh()
    let scan = await scanner.next()
    let cancelling = Task { await session.cancel() }
    await scan.cancelled()
    scan.fail(.cancelled())
    await cancelling.value
    guard case .loaded(let shown) = session.phase else {
      Issue.record("\(session.phase)")
      return
    }
    #expect(shown.result == .sample(size: 1, finishedAt: 7))
    #expect(shown.isStale)

    session.open(ScanTarget("/srv"))
    #expect(session.phase == .loaded(shown))
    await session.cancel()
    #expect(scanner.starts == 2)
  }

  @Test func `No observer sees an empty session between two trees`() async throws {
    let isEmpty = Observations { [session] in session.tree == nil }
    let watching = Task { () -> [Bool] in
      var seen: [Bool] = []
      for await isEmpty in isEmpty {
        seen.append(isEmpty)
        if session.shownSize == 4 { break }
      }
      return seen
    }
    await Task.yield()

    session.refresh()
    await scanner.next().finish(.sample(size: 2))
    _ = try await session.result()
    session.refresh()
    await scanner.next().fail(.denied)
    _ = try? await session.result()
    session.refresh()
    let scan = await scanner.next()
    scan.fail(.cancelled())
    await session.cancel()
    session.refresh()
    await scanner.next().finish(.sample(size: 4))
    _ = try await session.result()

    #expect(await watching.value.allSatisfy { !$0 })
  }

  @Test func `A refresh that finds nothing new keeps the revision, and brings a new date`()
    async throws
  {
    let revision = session.revision
    session.refresh()
    await scanner.next().finish(.sample(size: 1, finishedAt: 9))
    #expect(try await session.result().finishedAt == 9)
    #expect(session.phase.shown?.result.finishedAt == 9)
    #expect(session.revision == revision)
  }

  @Test func `Every tree has a revision of its own, also in another session`() async throws {
    let other = ScanSession(clock: ManualClock(), scanner: scanner.scan)
    try await other.load(ScanTarget("/srv"), .sample(size: 1), by: scanner)
    #expect(other.revision != session.revision)
  }
}
