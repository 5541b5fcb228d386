import PlatScan
import PlatSession
import PlatTree
import Testing

@MainActor
@Suite(.timeLimit(.minutes(30)))
struct PlaceTests {
  let scanner = ScriptedScanner()
  let session: ScanSession

  private static let deep = Sample(
    "/srv",
    [Sample("a"), Sample("b", files: ["x"], [Sample("c", files: ["f", "g"])])]
  )

  init() async throws {
    session = ScanSession(clock: ManualClock(), scanner: scanner.scan)
    try await session.load(ScanTarget("/srv"), .sample(Self.deep), by: scanner)
  }

  @Test func `At first nothing is selected, and the top is shown`() {
    #expect(session.selection == nil)
    #expect(session.selectedEntry == nil)
    #expect(session.zoom == EntryPath())
    #expect(session.zoomedDirectory == session.tree?.root)
  }

  @Test func `A selection survives a refresh that moves it`() async throws {
    try select("b", "c", "g")
    try zoom("b")
    var changed = Self.deep
    changed.directories.insert(Sample("aa", [Sample("c")]), at: 1)
    changed.directories[2].directories[0].files.insert("e", at: 0)
    try await refresh(changed)
    #expect(session.selection == path("b", "c", "g"))
    #expect(session.zoom == path("b"))
    let tree = try #require(session.tree)
    let entry = try #require(session.selectedEntry)
    #expect(tree.path(of: entry) == Array("/srv/b/c/g".utf8))
    #expect(entry.ordinal == 2)
    #expect(tree.path(of: try #require(session.zoomedDirectory)) == Array("/srv/b".utf8))
  }

  @Test func `When a selection is gone, the nearest directory that is left is selected`()
    async throws
  {
    try select("b", "c", "g")
    try zoom("b", "c")
    var changed = Self.deep
    changed.directories[1].directories[0].files = ["f"]
    try await refresh(changed)
    #expect(session.selection == path("b", "c"))

    changed.directories[1].directories = []
    try await refresh(changed)
    #expect(session.selection == path("b"))
    #expect(session.zoom == path("b"))

    changed.directories = []
    try await refresh(changed)
    #expect(session.selection == path())
    #expect(session.zoom == path())
  }

  @Test func `A refresh that fails moves nothing`() async throws {
    try select("b", "x")
    session.refresh()
    await scanner.next().fail(.denied)
    _ = try? await session.result()
    #expect(session.selection == path("b", "x"))
    #expect(session.selectedEntry?.ordinal == 0)
  }

  @Test func `Another target begins with no selection, and with other options`() async throws {
    try select("a")
    try zoom("b")
    session.view.sortKey = .name
    session.view.filter = [0x61]
    session.open(ScanTarget("/other"))
    #expect(session.selection == nil)
    #expect(session.zoom == EntryPath())
    #expect(session.view == ViewOptions())
    await scanner.next().fail(.cancelled())
    await session.cancel()
  }

  @Test func `Options of the view survive a refresh`() async throws {
    session.view.sortKey = .modification
    session.view.isReversed = true
    let view = session.view
    try await refresh(Sample("/srv"))
    #expect(session.view == view)
  }

  @Test func `What is selected may be selected no more`() throws {
    try select("a")
    session.select(nil)
    #expect(session.selection == nil)
  }

  private func path(_ names: String...) -> EntryPath { EntryPath(names.map { Array($0.utf8) }) }

  private func entry(_ names: [String]) throws -> EntryID {
    let path = EntryPath(names.map { Array($0.utf8) })
    let tree = try #require(session.tree)
    let entry = tree.nearestEntry(to: path)
    try #require(tree.entryPath(of: entry) == path)
    return entry
  }

  private func select(_ names: String...) throws { session.select(try entry(names)) }

  private func zoom(_ names: String...) throws { session.zoom(to: try entry(names).directory) }

  private func refresh(_ sample: Sample) async throws {
    session.refresh()
    await scanner.next().finish(.sample(sample))
    _ = try await session.result()
  }
}
