import Observation
import PlatScan
import PlatSession
import Synchronization
import Testing

@MainActor
@Suite(.timeLimit(.minutes(30)))
struct ObservationTests {
  /// Whether something that was read has changed since.
  final class Watch: Sendable {
    private let flag = Atomic(false)
    var isInvalid: Bool { flag.load(ordering: .relaxed) }

    @MainActor
    init(_ read: () -> Void) {
      withObservationTracking(read) { [self] in flag.store(true, ordering: .relaxed) }
    }
  }

  let scanner = ScriptedScanner()
  let clock = ManualClock()
  let session: ScanSession

  init() { session = ScanSession(clock: clock, scanner: scanner.scan) }

  @Test func `Progress wakes only who reads it, and never restarts the scan`() async throws {
    try await session.load(ScanTarget("/srv"), .sample(size: 1), by: scanner)
    session.refresh()
    let scan = await scanner.next()
    let phase = Watch { _ = session.phase }
    let others = [
      Watch { _ = session.target }, Watch { _ = session.tree }, Watch { _ = session.revision },
      Watch { _ = session.storage }, Watch { _ = session.selection },
      Watch { _ = session.selectedEntry }, Watch { _ = session.zoomedDirectory },
      Watch { _ = session.view },
    ]

    for entries in 1...1_000 {
      scan.report(entries: entries)
      _ = await clock.nextSleep()
      clock.advance(by: .milliseconds(100))
    }

    #expect(session.phase.progress?.entries == 1_000)
    #expect(phase.isInvalid)
    #expect(others.allSatisfy { !$0.isInvalid })
    #expect(scanner.starts == 2)

    scan.finish(.sample(size: 2))
    _ = try await session.result()
    #expect(others.map(\.isInvalid) == [false, true, true] + Array(repeating: false, count: 5))
  }

  @Test func `Equal progress wakes nobody`() async {
    session.open(ScanTarget("/srv"))
    let scan = await scanner.next()
    scan.report(entries: 5)
    _ = await clock.nextSleep()
    let phase = Watch { _ = session.phase }

    scan.report(entries: 5)
    clock.advance(by: .milliseconds(100))
    _ = await clock.nextSleep()
    #expect(!phase.isInvalid)

    scan.report(entries: 6)
    clock.advance(by: .milliseconds(100))
    _ = await clock.nextSleep()
    #expect(phase.isInvalid)
    scan.fail(.cancelled())
    await session.cancel()
  }

  @Test func `Opening what is open wakes nobody`() async throws {
    try await session.load(ScanTarget("/srv"), .sample(size: 1), by: scanner)
    let watch = Watch { _ = (session.phase, session.target, session.tree, session.storage) }
    session.open(ScanTarget("/srv"))
    #expect(!watch.isInvalid)
  }

  @Test func `A refresh that finds nothing new does not wake who reads the tree`() async throws {
    try await session.load(ScanTarget("/srv"), .sample(size: 1), by: scanner)
    let tree = Watch { _ = session.tree }
    session.refresh()
    await scanner.next().finish(.sample(size: 1, finishedAt: 9))
    _ = try await session.result()
    #expect(!tree.isInvalid)
  }

  @Test func `The tree appears whole, in one change`() async throws {
    session.open(ScanTarget("/srv"))
    let scan = await scanner.next()
    let tree = Watch { _ = session.tree }
    scan.report(entries: 5)
    _ = await clock.nextSleep()
    #expect(!tree.isInvalid)
    scan.finish(.sample(size: 1))
    _ = try await session.result()
    #expect(tree.isInvalid)

    let later = Watch { _ = session.tree }
    await session.cancel()
    #expect(!later.isInvalid)
  }
}
