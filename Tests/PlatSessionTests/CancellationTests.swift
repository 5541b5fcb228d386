import PlatScan
import PlatSession
import Testing

@MainActor
@Suite(.timeLimit(.minutes(30)))
struct CancellationTests {
  /// What a scan brings although it was cancelled.
  enum Ending: CaseIterable {
    case finished, failed, cancelled

    @MainActor
    func end(_ scan: ScriptedScanner.Scan) {
      scan.report(entries: 99)
      switch self {
      case .finished: scan.finish(.sample(size: 99))
      case .failed: scan.fail(.denied)
      case .cancelled: scan.fail(.cancelled())
      }
    }
  }

  let scanner = ScriptedScanner()
  let clock = ManualClock()

  @Test func `Cancelling returns after the scan has returned`() async {
    let session = ScanSession(clock: clock, scanner: scanner.scan)
    session.open(ScanTarget("/srv"))
    let scan = await scanner.next()
    var hasEnded = false
    let cancelling = Task {
      await session.cancel()
      return hasEnded
    }
    await scan.cancelled()
    #expect(session.phase == .idle)
    hasEnded = true
    scan.fail(.cancelled())
    #expect(await cancelling.value)
  }

  @Test func `A session that goes away cancels its scan`() async {
    var session: ScanSession? = ScanSession(clock: clock, scanner: scanner.scan)
    session?.open(ScanTarget("/srv"))
    let scan = await scanner.next()
    weak let watched = session
    session = nil
    #expect(watched == nil)
    await scan.cancelled()
    scan.fail(.cancelled())
  }

  @Test func `Cancelling who waits for the result cancels the scan`() async {
    let session = ScanSession(clock: clock, scanner: scanner.scan)
    session.open(ScanTarget("/srv"))
    let scan = await scanner.next()
    let waiting = Task { try await session.result() }
    waiting.cancel()
    await scan.cancelled()
    let stuck = ScanError.cancelled(stuckIn: [Array("/srv/nfs".utf8)])
    scan.fail(stuck)
    await #expect(throws: stuck) { try await waiting.value }
    #expect(session.phase == .idle)
  }

  @Test(arguments: Ending.allCases)
  func `Nothing that a cancelled scan brings is shown or stored`(ending: Ending) async throws {
    let store = ScriptedStore()
    let session = ScanSession(store: store, clock: clock, scanner: scanner.scan)
    session.open(ScanTarget("/srv"))
    await store.nextLoad().answer(nil)
    let scan = await scanner.next()
    let cancelling = Task { await session.cancel() }
    await scan.cancelled()
    ending.end(scan)
    // A scan given to the store would never be answered.
    await cancelling.value
    #expect(session.phase == .idle)
    #expect(session.storage == .none)
    await #expect(throws: ScanError.cancelled()) { try await session.result() }
  }

  @Test(arguments: Ending.allCases)
  func `A cancelled scan has no result, whatever it comes to`(ending: Ending) async throws {
    let session = ScanSession(clock: clock, scanner: scanner.scan)
    session.open(ScanTarget("/srv"))
    let scan = await scanner.next()
    let cancelling = Task { await session.cancel() }
    await scan.cancelled()
    ending.end(scan)
    await cancelling.value
    await #expect(throws: ScanError.cancelled()) { try await session.result() }
  }

  @Test(arguments: Ending.allCases)
  func `A scan that was replaced brings nothing, even if it ends last`(ending: Ending) async throws
  {
    let session = ScanSession(clock: clock, scanner: scanner.scan)
    session.open(ScanTarget("/a"))
    let old = await scanner.next()
    session.open(ScanTarget("/b"))
    let new = await scanner.next()
    old.report(entries: 5)
    new.finish(.sample(size: 2))
    _ = try await session.result()
    let phase = session.phase

    ending.end(old)
    await session.cancel()

    #expect(session.phase == phase)
    #expect(session.shownSize == 2)
  }

  @Test(arguments: Ending.allCases)
  func `A scan that was replaced and ends first brings nothing`(ending: Ending) async throws {
    let session = ScanSession(clock: clock, scanner: scanner.scan)
    session.open(ScanTarget("/a"))
    let old = await scanner.next()
    session.open(ScanTarget("/b"))
    let new = await scanner.next()
    ending.end(old)
    // Its task ends on the main actor, in several steps.
    for _ in 0..<100 { await Task.yield() }
    #expect(session.phase == .scanning(ScanProgress()))
    new.finish(.sample(size: 2))
    #expect(try await session.result() == .sample(size: 2))
  }

  @Test func `Progress on its way when a scan is cancelled is not shown`() async {
    let session = ScanSession(clock: clock, scanner: scanner.scan)
    session.open(ScanTarget("/a"))
    let old = await scanner.next()
    await Task.yield()
    old.report(entries: 5)
    session.open(ScanTarget("/b"))
    old.fail(.cancelled())
    let new = await scanner.next()
    for _ in 0..<100 { await Task.yield() }
    #expect(session.phase == .scanning(ScanProgress()))
    new.fail(.cancelled())
    await session.cancel()
  }

  @Test func `Of targets that are opened at once, only the last is scanned`() async {
    let session = ScanSession(clock: clock, scanner: scanner.scan)
    for path in ["/a", "/b", "/c"] { session.open(ScanTarget(path)) }
    let scan = await scanner.next()
    #expect(scan.target.id == ScanTarget("/c").id)
    scan.fail(.cancelled())
    await session.cancel()
    #expect(scanner.starts == 1)
  }

  @Test func `A scanner that gives up by itself is no failure, and may go on`() async throws {
    let session = ScanSession(clock: clock, scanner: scanner.scan)
    session.open(ScanTarget("/srv"))
    await scanner.next().fail(.cancelled())
    await #expect(throws: ScanError.cancelled()) { try await session.result() }
    #expect(session.phase == .idle)
    try await session.load(ScanTarget("/srv"), .sample(size: 1), by: scanner)
    #expect(session.shownSize == 1)
  }

  @Test func `A target whose scan was cancelled can be opened again`() async throws {
    let session = ScanSession(clock: clock, scanner: scanner.scan)
    session.open(ScanTarget("/srv"))
    let scan = await scanner.next()
    scan.fail(.cancelled())
    await session.cancel()
    try await session.load(ScanTarget("/srv"), .sample(size: 1), by: scanner)
    #expect(session.shownSize == 1)
  }

  @Test func `Cancelling when nothing goes on changes nothing`() async throws {
    let session = ScanSession(clock: clock, scanner: scanner.scan)
    await session.cancel()
    #expect(session.phase == .idle)
    try await session.load(ScanTarget("/srv"), .sample(size: 1), by: scanner)
    let phase = session.phase
    await session.cancel()
    #expect(session.phase == phase)
    #expect(try await session.result() == .sample(size: 1))
  }
}
