import PlatScan
import PlatSession
import PlatTree
import Testing

@MainActor
@Suite(.timeLimit(.minutes(30)))
struct PartialTreeTests {
  let scanner = ScriptedScanner()
  let clock = ManualClock()
  let session: ScanSession

  init() {
    session = ScanSession(clock: clock, scanner: scanner.scan)
    session.showsPartialTrees = true
  }

  @Test func `A tree grows while its scan goes on, and ends complete`() async throws {
    session.open(ScanTarget("/srv"))
    #expect(session.tree == nil)
    let scan = await scanner.next()
    var revisions: [Int?] = []
    for size in UInt64(1)...3 {
      scan.deliver(.sample(size: size))
      #expect(await clock.nextSleep() == .milliseconds(250))
      #expect(session.shownSize == size)
      #expect(session.phase.shown == nil)
      #expect(session.phase.partial?.revision == session.revision)
      revisions.append(session.revision)
      clock.advance(by: .milliseconds(250))
    }
    #expect(Set(revisions).count == 3)
    scan.finish(.sample(size: 4))
    _ = try await session.result()
    #expect(session.shownSize == 4)
    #expect(session.phase.partial == nil)
    #expect(session.phase.shown?.isStale == false)
  }

  @Test func `Of a burst of trees only the newest is shown, four times a second`() async {
    session.open(ScanTarget("/srv"))
    let scan = await scanner.next()
    scan.deliver(.sample(size: 1))
    _ = await clock.nextSleep()
    for round in UInt64(1)...3 {
      let revision = session.revision
      for step in UInt64(1)...100 { scan.deliver(.sample(size: round * 100 + step)) }
      clock.advance(by: .milliseconds(249))
      for _ in 0..<10 { await Task.yield() }
      #expect(session.revision == revision)
      clock.advance(by: .milliseconds(1))
      _ = await clock.nextSleep()
      #expect(session.shownSize == round * 100 + 100)
    }
    scan.fail(.cancelled())
    await session.cancel()
    #expect(session.tree == nil)
  }

  @Test func `The complete tree does not wait until the next is due`() async throws {
    session.open(ScanTarget("/srv"))
    let scan = await scanner.next()
    scan.deliver(.sample(size: 1))
    _ = await clock.nextSleep()
    scan.deliver(.sample(size: 2))
    scan.finish(.sample(size: 3))
    _ = try await session.result()
    for _ in 0..<100 { await Task.yield() }
    #expect(session.shownSize == 3)
  }

  @Test func `Partial trees are wanted while somebody looks at a first scan`() async throws {
    session.showsPartialTrees = false
    session.open(ScanTarget("/srv"))
    let scan = await scanner.next()
    #expect(!scan.isPartialTreeWanted)
    scan.deliver(.sample(size: 1))
    scan.report(entries: 1)
    _ = await clock.nextSleep()
    #expect(session.tree == nil)

    session.showsPartialTrees = true
    #expect(scan.isPartialTreeWanted)
    session.showsPartialTrees = false
    #expect(!scan.isPartialTreeWanted)
    session.showsPartialTrees = true
    scan.finish(.sample(size: 2))
    _ = try await session.result()
    #expect(!scan.isPartialTreeWanted)

    session.refresh()
    let refresh = await scanner.next()
    #expect(!refresh.isPartialTreeWanted)
    refresh.fail(.cancelled())
    await session.cancel()
  }

  @Test func `During a refresh the old tree is shown, and no part of the new one`() async throws {
    try await session.load(ScanTarget("/srv"), .sample(size: 9), by: scanner)
    let revision = session.revision
    session.refresh()
    let scan = await scanner.next()
    scan.deliver(.sample(size: 1))
    _ = await clock.nextSleep()
    #expect(session.shownSize == 9)
    #expect(session.revision == revision)
    scan.finish(.sample(size: 10))
    _ = try await session.result()
    #expect(session.shownSize == 10)
  }

  @Test func `A stored tree takes the place of a part of the new one`() async throws {
    let store = ScriptedStore()
    let session = ScanSession(store: store, clock: clock, scanner: scanner.scan)
    session.showsPartialTrees = true
    session.open(ScanTarget("/srv"))
    let scan = await scanner.next()
    scan.deliver(.sample(size: 1))
    _ = await clock.nextSleep()
    await store.nextLoad().answer(.sample(size: 9, finishedAt: 7))
    while session.shownSize != 9 { await Task.yield() }
    #expect(session.phase.shown?.staleSince == 7)
    #expect(!scan.isPartialTreeWanted)
    scan.deliver(.sample(size: 2))
    clock.advance(by: .milliseconds(250))
    _ = await clock.nextSleep()
    #expect(session.shownSize == 9)
    scan.finish(.sample(size: 10))
    await store.nextSave().answer(1)
    _ = try await session.result()
    #expect(session.shownSize == 10)
  }

  @Test func `A partial tree of a target that was left is not shown`() async throws {
    session.open(ScanTarget("/a"))
    let old = await scanner.next()
    await Task.yield()
    old.deliver(.sample(size: 1))
    session.open(ScanTarget("/b"))
    let new = await scanner.next()
    old.deliver(.sample(size: 2))
    for _ in 0..<100 { await Task.yield() }
    #expect(session.tree == nil)
    old.fail(.cancelled())
    new.finish(.sample(size: 3))
    #expect(try await session.result() == .sample(size: 3))
    #expect(session.shownSize == 3)
  }

  @Test func `Counts that are shown never get less`() async {
    session.open(ScanTarget("/srv"))
    let scan = await scanner.next()
    for (reported, shown) in [(5, 5), (3, 5), (6, 6)] {
      scan.report(entries: reported)
      _ = await clock.nextSleep()
      #expect(session.phase.progress?.entries == shown)
      clock.advance(by: .milliseconds(100))
    }
    scan.fail(.cancelled())
    await session.cancel()
  }

  @Test func `A scanner is given the scan that the session made, and none of a store`()
    async throws
  {
    let store = ScriptedStore()
    let session = ScanSession(store: store, clock: clock, scanner: scanner.scan)
    session.open(ScanTarget("/srv"))
    let first = await scanner.next()
    await store.nextLoad().answer(.sample(size: 1))
    while session.shownSize != 1 { await Task.yield() }
    first.fail(.denied)
    _ = try? await session.result()

    session.refresh()
    let second = await scanner.next()
    // Nobody knows which options, machine and user a stored scan was made with.
    #expect(second.request.previous == nil)
    second.finish(.sample(size: 2))
    await store.nextSave().answer(1)
    _ = try await session.result()

    session.refresh()
    let third = await scanner.next()
    #expect(third.request.previous == .sample(size: 2))
    third.fail(.cancelled())
    await session.cancel()
  }
}
