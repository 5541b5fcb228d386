import PlatScan
import PlatTree
import Testing

@testable import PlatSession

@MainActor
@Suite(.timeLimit(.minutes(30)))
struct RecentScanTests {
  let scanner = ScriptedScanner()
  let session: ScanSession

  init() { session = ScanSession(clock: ManualClock(), scanner: scanner.scan) }

  @Test func `A target that is opened again is shown at once, and not scanned again`() async throws
  {
    try await session.load(ScanTarget("/a"), .sample(size: 1, finishedAt: 7), by: scanner)
    let phase = session.phase
    try await session.load(ScanTarget("/b"), .sample(size: 2), by: scanner)
    session.open(ScanTarget("/a/"))
    #expect(session.phase == phase)
    #expect(session.shownSize == 1)
    #expect(session.storage == .none)
    #expect(try await session.result() == .sample(size: 1, finishedAt: 7))
    #expect(scanner.starts == 2)

    session.refresh()
    await scanner.next().finish(.sample(size: 3))
    #expect(try await session.result() == .sample(size: 3))
    #expect(session.shownSize == 3)
  }

  @Test func `A target comes back with its place and its options`() async throws {
    let sample = Sample("/a", [Sample("b", files: ["f"])])
    try await session.load(ScanTarget("/a"), .sample(sample), by: scanner)
    session.select(EntryID(DirectoryID(1), ordinal: 0))
    session.zoom(to: DirectoryID(1))
    session.view.sortKey = .entries
    let selection = session.selection
    session.open(ScanTarget("/b"))
    #expect(session.view == ViewOptions())
    #expect(session.selection == nil)
    await scanner.next().fail(.denied)
    session.open(ScanTarget("/a"))
    #expect(session.selection == selection)
    #expect(session.selectedEntry == EntryID(DirectoryID(1), ordinal: 0))
    #expect(session.zoomedDirectory == DirectoryID(1))
    #expect(session.view.sortKey == .entries)
    await session.cancel()
  }

  @Test func `A scan that was interrupted by leaving is made up for`() async throws {
    try await session.load(ScanTarget("/a"), .sample(size: 1, finishedAt: 7), by: scanner)
    session.refresh()
    let interrupted = await scanner.next()
    session.open(ScanTarget("/b"))
    interrupted.fail(.cancelled())
    await scanner.next().fail(.denied)
    session.open(ScanTarget("/a"))
    #expect(session.shownSize == 1)
    #expect(session.phase.shown?.staleSince == 7)
    #expect(session.phase.progress != nil)
    await scanner.next().finish(.sample(size: 2))
    _ = try await session.result()
    #expect(session.shownSize == 2)
    #expect(session.phase.shown?.isStale == false)
  }

  @Test func `A refresh that failed leaves its mark on a target that comes back`() async throws {
    try await session.load(ScanTarget("/a"), .sample(size: 1, finishedAt: 7), by: scanner)
    session.refresh()
    await scanner.next().fail(.denied)
    _ = try? await session.result()
    session.open(ScanTarget("/b"))
    await scanner.next().fail(.denied)
    session.open(ScanTarget("/a"))
    #expect(session.phase.shown?.staleSince == 7)
    #expect(session.phase.progress == nil)
    await session.cancel()
    #expect(scanner.starts == 3)
  }

  @Test func `Of many targets the last four are kept`() async throws {
    for number in 0...5 {
      try await session.load(
        ScanTarget("/\(number)"),
        .sample(size: UInt64(number)),
        by: scanner
      )
    }
    // Number 5 is shown, and leaves when another is opened.
    for number in [1, 2, 3, 4] {
      session.open(ScanTarget("/\(number)"))
      #expect(session.shownSize == UInt64(number))
    }
    #expect(scanner.starts == 6)
    session.open(ScanTarget("/0"))
    #expect(session.tree == nil)
    await scanner.next().fail(.cancelled())
    await session.cancel()
  }

  @Test func `Large trees are kept as long as they are not too many entries`() {
    var recents = RecentScans(scans: 4, entries: 10)
    func item(_ path: String, entries: Int) -> RecentScans.Item {
      let sample = Sample("/srv", files: (1..<entries).map { "\($0)" })
      return RecentScans.Item(
        target: ScanTarget(path).id,
        shown: ShownScan(.sample(sample), revision: 0, isStale: false, isOwn: true),
        isInterrupted: false,
        selected: nil,
        zoomed: ScanSession.Place(),
        view: ViewOptions()
      )
    }
    func has(_ path: String) -> Bool {
      var copy = recents
      return copy.take(ScanTarget(path).id) != nil
    }
    recents.keep(item("/a", entries: 4))
    recents.keep(item("/b", entries: 6))
    #expect(has("/a") && has("/b"))
    recents.keep(item("/c", entries: 1))
    #expect(!has("/a") && has("/b") && has("/c"))
    recents.keep(item("/d", entries: 11))
    #expect(!has("/b") && !has("/c") && !has("/d"))
  }
}
