import Observation
import PlatScan
import PlatSession
import Testing

@MainActor
@Suite(.timeLimit(.minutes(30)))
struct ProgressTests {
  let scanner = ScriptedScanner()
  let clock = ManualClock()
  let session: ScanSession

  init() { session = ScanSession(clock: clock, scanner: scanner.scan) }

  @Test func `Of a burst of progress only the newest is shown, ten times a second`() async {
    session.open(ScanTarget("/srv"))
    let scan = await scanner.next()
    scan.report(entries: 1)
    #expect(await clock.nextSleep() == .milliseconds(100))
    #expect(session.phase.progress?.entries == 1)

    for round in 1...3 {
      let phase = session.phase
      for step in 1...10_000 { scan.report(entries: round * 10_000 + step) }
      clock.advance(by: .milliseconds(99))
      for _ in 0..<10 { await Task.yield() }
      #expect(session.phase == phase)
      clock.advance(by: .milliseconds(1))
      #expect(await clock.nextSleep() == .milliseconds(100))
      #expect(session.phase.progress?.entries == round * 10_000 + 10_000)
    }
    scan.fail(.cancelled())
    await session.cancel()
  }

  @Test func `A scan ends without waiting for the next progress to be due`() async throws {
    session.open(ScanTarget("/srv"))
    let scan = await scanner.next()
    scan.report(entries: 1)
    _ = await clock.nextSleep()
    scan.report(entries: 2)
    scan.finish(.sample(size: 1))
    #expect(try await session.result() == .sample(size: 1))
    #expect(session.phase.progress == nil)
  }

  @Test func `The sequence of progress ends with the scan`() async throws {
    session.open(ScanTarget("/srv"))
    let scan = await scanner.next()
    scan.report(entries: 1)
    _ = await clock.nextSleep()
    var entries: [Int] = []
    for await progress in session.progress {
      entries.append(progress.entries)
      switch progress.entries {
      case 1:
        scan.report(entries: 2)
        clock.advance(by: .milliseconds(100))
      default:
        scan.finish(.sample(size: 1))
      }
    }
    #expect(entries == [1, 2])
    #expect(session.shownSize == 1)
  }

  @Test func `Without a scan the sequence of progress is empty`() async {
    for await progress in session.progress { Issue.record("\(progress)") }
    #expect(session.phase == .idle)
  }
}
