import Observation
import PlatScan
import PlatSession
import Testing

@MainActor
@Suite(.timeLimit(.minutes(30)))
struct StoreTests {
  let scanner = ScriptedScanner()
  let store = ScriptedStore()
  let session: ScanSession

  init() {
    session = ScanSession(store: store, clock: ManualClock(), scanner: scanner.scan)
  }

  @Test func `The stored scan is shown, as stale, until the scan is complete`() async throws {
    session.open(ScanTarget("/srv"))
    let scan = await scanner.next()
    await store.nextLoad().answer(.sample(size: 1, finishedAt: 7))
    let shown = await session.firstShown()
    #expect(shown.result == .sample(size: 1, finishedAt: 7))
    #expect(shown.isStale)
    #expect(session.phase == .refreshing(shown, ScanProgress()))

    scan.finish(.sample(size: 2, finishedAt: 8))
    await store.nextSave().answer(42)
    #expect(try await session.result() == .sample(size: 2, finishedAt: 8))
    #expect(session.shownSize == 2)
    #expect(session.phase.shown?.isStale == false)
  }

  @Test func `A stored scan that arrives late does not replace the finished one`() async throws {
    session.open(ScanTarget("/srv"))
    let load = await store.nextLoad()
    await scanner.next().finish(.sample(size: 2))
    await store.nextSave().answer(42)
    await load.cancelled()
    let phase = session.phase
    load.answer(.sample(size: 1))
    #expect(try await session.result() == .sample(size: 2))
    #expect(session.phase == phase)
    #expect(session.shownSize == 2)
  }

  @Test func `A stored scan of a target that was left is not shown`() async throws {
    session.open(ScanTarget("/a"))
    let load = await store.nextLoad()
    let old = await scanner.next()
    session.open(ScanTarget("/b"))
    await store.nextLoad().answer(nil)
    let new = await scanner.next()
    await load.cancelled()
    load.answer(.sample(size: 1))
    old.fail(.cancelled())
    for _ in 0..<100 { await Task.yield() }
    #expect(session.phase == .scanning(ScanProgress()))
    new.fail(.cancelled())
    await session.cancel()
  }

  @Test func `When the scan fails, the stored scan is shown all the same`() async throws {
    session.open(ScanTarget("/srv"))
    let load = await store.nextLoad()
    await scanner.next().fail(.denied)
    for await phase in session.phases where phase == .failed(.denied, nil) { break }
    for _ in 0..<100 { await Task.yield() }
    #expect(!load.isCancelled)
    load.answer(.sample(size: 1))
    await #expect(throws: ScanError.denied) { try await session.result() }
    #expect(session.shownSize == 1)
    #expect(session.phase.shown?.isStale == true)
  }

  @Test func `A store that cannot be read does not keep the scan from being shown`() async throws {
    session.open(ScanTarget("/srv"))
    let scan = await scanner.next()
    await store.nextLoad().fail("the disk is full of holes")
    for await storage in session.storages where storage != .none { break }
    #expect(session.storage == .failed(reason: "the disk is full of holes"))
    #expect(session.phase == .scanning(ScanProgress()))

    scan.finish(.sample(size: 1))
    await store.nextSave().answer(42)
    _ = try await session.result()
    #expect(session.shownSize == 1)
    #expect(session.storage == .saved(snapshot: 42))
  }

  @Test func `A store that cannot be read in the end does not hide what becomes of the scan`()
    async throws
  {
    session.open(ScanTarget("/srv"))
    let load = await store.nextLoad()
    await scanner.next().finish(.sample(size: 1))
    let save = await store.nextSave()
    await load.cancelled()
    load.fail("the disk is full of holes")
    for _ in 0..<100 { await Task.yield() }
    #expect(session.storage == .saving)
    save.answer(42)
    _ = try await session.result()
    #expect(session.storage == .saved(snapshot: 42))
  }

  @Test func `The scan is shown while it is saved, and its result waits for that`() async throws {
    session.open(ScanTarget("/srv"))
    await store.nextLoad().answer(nil)
    await scanner.next().finish(.sample(size: 1))
    let save = await store.nextSave()
    #expect(save.target.id == ScanTarget("/srv").id)
    #expect(save.result == .sample(size: 1))
    #expect(session.shownSize == 1)
    #expect(session.storage == .saving)
    save.answer(42)
    _ = try await session.result()
    #expect(session.storage == .saved(snapshot: 42))
  }

  @Test func `A scan that cannot be saved is shown all the same`() async throws {
    session.open(ScanTarget("/srv"))
    await store.nextLoad().answer(nil)
    await scanner.next().finish(.sample(size: 1))
    await store.nextSave().fail("No space left on device")
    #expect(try await session.result() == .sample(size: 1))
    #expect(session.shownSize == 1)
    #expect(session.storage == .failed(reason: "No space left on device"))
  }

  @Test func `A refresh while the scan is being saved begins when it is`() async throws {
    session.open(ScanTarget("/srv"))
    await store.nextLoad().answer(nil)
    await scanner.next().finish(.sample(size: 1))
    let save = await store.nextSave()
    for _ in 0..<3 { session.refresh(.directory(Array("/srv/a".utf8))) }
    #expect(session.phase.progress == nil)
    #expect(session.storage == .saving)
    save.answer(42)
    let scan = await scanner.next()
    #expect(scan.request.scope == .directory(Array("/srv/a".utf8)))
    #expect(session.shownSize == 1)
    #expect(session.phase.progress != nil)
    scan.finish(.sample(size: 2))
    await store.nextSave().answer(43)
    #expect(try await session.result() == .sample(size: 2))
    await session.cancel()
    #expect(scanner.starts == 2)
    #expect(session.storage == .saved(snapshot: 43))
  }

  @Test(arguments: [true, false])
  func `A refresh that waits for a scan to be saved is given up with it`(
    isCancelled: Bool
  ) async throws {
    session.open(ScanTarget("/a"))
    await store.nextLoad().answer(nil)
    await scanner.next().finish(.sample(size: 1))
    let save = await store.nextSave()
    session.refresh()
    if isCancelled {
      async let cancelled: Void = session.cancel()
      await save.cancelled()
      save.answer(42)
      await cancelled
    } else {
      session.open(ScanTarget("/b"))
      await store.nextLoad().answer(nil)
      save.answer(42)
      await scanner.next().finish(.sample(size: 2))
      await store.nextSave().answer(43)
      _ = try await session.result()
      await session.cancel()
    }
    #expect(scanner.starts == (isCancelled ? 1 : 2))
  }

  @Test func `Cancelling while the scan is saved waits for the store, and keeps what is shown`()
    async
  {
    session.open(ScanTarget("/srv"))
    await store.nextLoad().answer(nil)
    await scanner.next().finish(.sample(size: 1))
    let save = await store.nextSave()
    var hasEnded = false
    let cancelling = Task {
      await session.cancel()
      return hasEnded
    }
    await save.cancelled()
    hasEnded = true
    save.answer(42)
    #expect(await cancelling.value)
    #expect(session.shownSize == 1)
    #expect(session.storage == .none)
    await #expect(throws: ScanError.cancelled()) { try await session.result() }
  }

  @Test func `A refresh does not look into the store`() async throws {
    session.open(ScanTarget("/srv"))
    await store.nextLoad().answer(nil)
    await scanner.next().finish(.sample(size: 1))
    await store.nextSave().answer(42)
    _ = try await session.result()
    session.refresh()
    await scanner.next().finish(.sample(size: 2))
    await store.nextSave().answer(43)
    // A question to the store would never be answered.
    _ = try await session.result()
    #expect(session.storage == .saved(snapshot: 43))
  }
}

extension ScanSession {
  fileprivate var phases: some AsyncSequence<Phase, Never> { Observations { self.phase } }

  fileprivate var storages: some AsyncSequence<Storage, Never> { Observations { self.storage } }

  fileprivate func firstShown() async -> ShownScan {
    for await phase in phases { if let shown = phase.shown { return shown } }
    fatalError("an observation does not end while its session lives")
  }
}
