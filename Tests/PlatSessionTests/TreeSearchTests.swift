import PlatScan
import PlatTree
import Testing

@testable import PlatSession

@MainActor
@Suite(.timeLimit(.minutes(30)))
struct TreeSearchTests {
  /// A search that waits for its result.
  struct Question: Sendable {
    let tree: FileTree
    let query: String
    let answer = Gate<[EntryID]>()
    let cancellation = Queue<Void>()
  }

  let questions = Queue<Question>()
  let clock = ManualClock()
  let sessionClock = ManualClock()
  let scanner = ScriptedScanner()
  let session: ScanSession
  let search: TreeSearch
  let following: Task<Void, Never>

  init() async throws {
    session = ScanSession(clock: sessionClock, scanner: scanner.scan)
    search = TreeSearch(clock: clock) { [questions] tree, query in
      let question = Question(tree: tree, query: String(decoding: query, as: UTF8.self))
      questions.add(question)
      return await withTaskCancellationHandler {
        await question.answer.wait()
      } onCancel: {
        question.cancellation.add(())
      }
    }
    following = Task { [search, session] in await search.follow(session) }
    try await session.load(ScanTarget("/srv"), .sample(size: 1), by: scanner)
    await followed()
  }

  @Test func `A search begins when no more is typed`() async {
    search.query = Array("a".utf8)
    #expect(search.isSearching)
    #expect(await clock.nextSleep() == .milliseconds(150))
    clock.advance(by: .milliseconds(149))
    search.query = Array("ab".utf8)
    _ = await clock.nextSleep()
    clock.advance(by: .milliseconds(150))
    let question = await questions.next()
    #expect(question.query == "ab")
    question.answer.open([entry(0)])
    await finish()
    #expect(search.hits?.query == Array("ab".utf8))
    #expect(search.hits?.entries == [entry(0)])
    #expect(search.hits?.revision == session.revision)
    following.cancel()
  }

  @Test func `What an older search finds does not replace what a newer one found`() async {
    let old = await ask("a")
    let new = await ask("ab")
    await old.cancellation.next()
    new.answer.open([entry(0)])
    await finish()
    old.answer.open([])
    for _ in 0..<100 { await Task.yield() }
    #expect(search.hits?.query == Array("ab".utf8))
    #expect(search.hits?.entries == [entry(0)])
    following.cancel()
  }

  @Test func `What an older search finds is not shown while a newer one goes on`() async {
    let old = await ask("a")
    let new = await ask("ab")
    old.answer.open([])
    for _ in 0..<100 { await Task.yield() }
    #expect(search.hits == nil)
    #expect(search.isSearching)
    new.answer.open([])
    await finish()
    following.cancel()
  }

  @Test func `What was found stays until there is something newer`() async {
    await ask("a").answer.open([entry(0)])
    await finish()
    let question = await ask("ab")
    #expect(search.hits?.query == Array("a".utf8))
    question.answer.open([])
    await finish()
    #expect(search.hits?.entries == [])
    following.cancel()
  }

  @Test func `Without a query nothing is found`() async {
    await ask("a").answer.open([entry(0)])
    await finish()
    search.query = []
    #expect(search.hits == nil)
    #expect(!search.isSearching)
    following.cancel()
  }

  @Test func `Another tree is searched at once, and takes the place of the search before`()
    async throws
  {
    let old = await ask("a")
    session.refresh()
    await scanner.next().finish(.sample(size: 2))
    _ = try await session.result()
    let new = await questions.next()
    #expect(new.tree == session.tree)
    await old.cancellation.next()
    old.answer.open([entry(0)])
    new.answer.open([])
    await finish()
    #expect(search.hits?.entries == [])
    #expect(search.hits?.revision == session.revision)
    following.cancel()
  }

  @Test func `A tree that grows is searched again when the search before has ended`() async {
    session.showsPartialTrees = true
    session.open(ScanTarget("/other"))
    let scan = await scanner.next()
    scan.deliver(.sample(size: 2))
    _ = await sessionClock.nextSleep()
    await followed()
    let first = await ask("a")
    scan.deliver(.sample(size: 3))
    sessionClock.advance(by: .milliseconds(250))
    _ = await sessionClock.nextSleep()
    await followed()
    first.answer.open([entry(0)])
    let second = await questions.next()
    #expect(search.hits?.tree == ScanResult.sample(size: 2).tree)
    #expect(search.hits?.entries == [entry(0)])
    #expect(second.tree == ScanResult.sample(size: 3).tree)
    second.answer.open([])
    await finish()
    #expect(search.hits?.entries == [])
    scan.fail(.cancelled())
    await session.cancel()
    following.cancel()
  }

  @Test func `Names are found by any part of them, in either case`() async {
    let sample = Sample(
      "/srv",
      files: ["Readme.md", "note"],
      [Sample("READ", files: ["x"]), Sample("a", files: ["bread", "rea"])]
    )
    let tree = sample.makeTree()
    func found(_ query: String) async -> [String] {
      await entries(of: tree, containing: Array(query.utf8))
        .map { String(decoding: tree.path(of: $0), as: UTF8.self) }
    }
    #expect(await found("reaD") == ["/srv/Readme.md", "/srv/READ", "/srv/a/bread"])
    #expect(await found("note") == ["/srv/note"])
    #expect(await found("notes") == [])
    #expect(await found("/srv") == ["/srv"])
  }

  private func entry(_ index: Int) -> EntryID { EntryID(DirectoryID(index)) }

  private func ask(_ query: String) async -> Question {
    search.query = Array(query.utf8)
    _ = await clock.nextSleep()
    clock.advance(by: .milliseconds(150))
    return await questions.next()
  }

  /// Waits until the search knows the tree that the session shows.
  private func followed() async {
    while search.subject?.revision != session.revision { await Task.yield() }
  }

  private func finish() async {
    while search.isSearching { await Task.yield() }
  }
}
