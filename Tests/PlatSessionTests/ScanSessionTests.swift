import Observation
import PlatScan
import PlatSession
import PlatTree
import Testing

@MainActor
@Suite(.timeLimit(.minutes(30)))
struct ScanSessionTests {
  let scanner = ScriptedScanner()
  let session: ScanSession

  init() { session = ScanSession(clock: ManualClock(), scanner: scanner.scan) }

  @Test func `A scan leads from idle over scanning to loaded`() async throws {
    #expect(session.phase == .idle)
    session.open(ScanTarget("/srv"))
    #expect(session.phase == .scanning(ScanProgress()))
    #expect(session.target?.id == ScanTarget("/srv").id)

    let scan = await scanner.next()
    #expect(scan.target.roots == [Array("/srv".utf8)])
    scan.finish(.sample(size: 1, finishedAt: 7))

    let result = try await session.result()
    #expect(result == .sample(size: 1, finishedAt: 7))
    guard case .loaded(let shown) = session.phase else {
      Issue.record("\(session.phase)")
      return
    }
    #expect(shown.result == result)
    #expect(!shown.isStale)
    #expect(session.shownSize == 1)
    #expect(session.revision == shown.revision)
  }

  @Test func `An empty directory is loaded, neither idle nor failed`() async throws {
    try await session.load(ScanTarget("/srv"), .sample(size: 0), by: scanner)
    guard case .loaded(let shown) = session.phase else {
      Issue.record("\(session.phase)")
      return
    }
    #expect(shown.tree.totals(of: shown.tree.root).entries == 1)
  }

  @Test func `Of targets that are opened in a row, only the last is shown`() async throws {
    var scans: [ScriptedScanner.Scan] = []
    for path in ["/a", "/b", "/b/", "/c"] {
      session.open(ScanTarget(path))
      if path != "/b/" { scans.append(await scanner.next()) }
    }

    scans[2].finish(.sample(size: 3))
    #expect(try await session.result() == .sample(size: 3))
    scans[1].finish(.sample(size: 2))
    scans[0].fail(.denied)
    await session.cancel()

    #expect(session.shownSize == 3)
    #expect(scanner.starts == 3)
  }

  @Test func `Opening another target cancels the scan in progress`() async {
    session.open(ScanTarget("/a"))
    let scan = await scanner.next()
    session.open(ScanTarget("/b"))
    await scan.cancelled()
    scan.fail(.cancelled())
    #expect(session.phase == .scanning(ScanProgress()))
    await scanner.next().fail(.cancelled())
    await session.cancel()
  }

  @Test func `Another target does not show the tree of the one before`() async throws {
    try await session.load(ScanTarget("/a"), .sample(size: 1), by: scanner)
    session.open(ScanTarget("/b"))
    #expect(session.phase == .scanning(ScanProgress()))
    #expect(session.tree == nil)
    await scanner.next().finish(.sample(size: 2))
    _ = try await session.result()
    #expect(session.shownSize == 2)
  }

  @Test func `The target that is shown is not scanned again when it is opened again`() async throws
  {
    try await session.load(ScanTarget("/srv"), .sample(size: 1), by: scanner)
    session.open(ScanTarget("/srv/"))
    #expect(session.shownSize == 1)
    _ = try await session.result()
    await session.cancel()
    #expect(scanner.starts == 1)
  }

  @Test func `Ten requests at once make one scan`() async throws {
    for _ in 0..<10 {
      session.open(ScanTarget("/srv"))
      session.refresh()
    }
    let scan = await scanner.next()
    for _ in 0..<10 { session.refresh() }
    scan.finish(.sample(size: 1))
    _ = try await session.result()
    await session.cancel()
    #expect(scanner.starts == 1)
  }

  @Test func `A failure says what failed, and the scan can be tried again`() async throws {
    session.open(ScanTarget("/srv"))
    await scanner.next().fail(.denied)
    await #expect(throws: ScanError.denied) { try await session.result() }
    #expect(session.phase == .failed(.denied, nil))
    #expect(session.phase.failure == .denied)

    session.refresh()
    #expect(session.phase == .scanning(ScanProgress()))
    await scanner.next().finish(.sample(size: 1))
    #expect(try await session.result() == .sample(size: 1))
  }

  @Test func `What could not be read is no failure, and stays with the tree`() async throws {
    var result = ScanResult.sample(size: 1)
    var builder = FileTree.Builder(rootPath: Array("/srv".utf8))
    builder.insert(.unreadable)
    result.tree = builder.makeTree()
    try await session.load(ScanTarget("/srv"), result, by: scanner)
    #expect(session.phase.failure == nil)
    #expect(session.phase.shown?.tree.issues.count == 1)
  }

  @Test func `Who waits for the result gets that of the target opened last`() async throws {
    session.open(ScanTarget("/a"))
    let first = await scanner.next()
    let result = Task { try await session.result() }
    await Task.yield()
    session.open(ScanTarget("/b"))
    first.finish(.sample(size: 1))
    await scanner.next().finish(.sample(size: 2))
    #expect(try await result.value == .sample(size: 2))
  }

  @Test func `Without a target there is no result to wait for`() async {
    session.refresh()
    await #expect(throws: ScanError.cancelled()) { try await session.result() }
    #expect(scanner.starts == 0)
  }
}
