import PlatScan
import PlatSession
import PlatTestSupport
import PlatTree
import Testing

@MainActor
@Suite(.timeLimit(.minutes(30)))
struct TreeChangesTests {
  let scanner = ScriptedScanner()
  let clock = ManualClock()
  let session: ScanSession

  init() { session = ScanSession(clock: clock, scanner: scanner.scan) }

  private static let sample = Sample(
    "/srv",
    [
      Sample("a", files: ["f"], [Sample("b"), Sample("c", files: ["g"])]),
      Sample("d", [Sample("e")]),
    ]
  )

  @Test func `A change in one directory changes its totals and those above it, and nothing else`()
    async throws
  {
    let before = try await show(Self.sample)
    var sample = Self.sample
    sample.directories[0].directories[1].files.append("h")
    try await show(sample)
    let changes = try #require(session.changes(since: before))
    #expect(
      try described(changes) == [
        "/srv": .totals, "/srv/a": .totals, "/srv/a/c": [.totals, .listing],
      ]
    )
  }

  @Test func `Directories that come and go change the one that holds them`() async throws {
    let before = try await show(Self.sample)
    var sample = Self.sample
    sample.directories[0].directories.removeFirst()
    sample.directories[1].directories.append(Sample("x", [Sample("y")]))
    try await show(sample)
    let changes = try #require(session.changes(since: before))
    #expect(
      try described(changes) == [
        "/srv": .totals, "/srv/a": [.totals, .subdirectories],
        "/srv/d": [.totals, .subdirectories],
        "/srv/d/x": .added, "/srv/d/x/y": .added,
      ]
    )
  }

  @Test func `A directory that was only touched has new details`() async throws {
    let before = try await show(Self.sample)
    var sample = Self.sample
    sample.directories[1].directories[0].size = 512
    try await show(sample)
    let changes = try #require(session.changes(since: before))
    #expect(
      try described(changes)
        == ["/srv": .totals, "/srv/d": .totals, "/srv/d/e": [.totals, .details]]
    )
  }

  @Test func `Nothing has changed since the tree that is shown`() async throws {
    let revision = try await show(Self.sample)
    let changes = try #require(session.changes(since: revision))
    #expect(changes.changed == [])
    #expect(changes.origin(of: DirectoryID(3)) == DirectoryID(3))
  }

  @Test(arguments: 0..<20)
  func `Changes over several trees tell what is different from the first to the last`(
    seed: Int
  ) async throws {
    var generator = SplitMix64(seed: UInt64(seed))
    var sample = Self.sample
    var (trees, revisions): ([FileTree], [Int]) = ([], [])
    for _ in 0..<4 {
      revisions.append(try await show(sample))
      trees.append(try #require(session.tree))
      for _ in 0..<2 { sample.change(using: &generator) }
    }
    let last = trees[3]
    for (tree, revision) in zip(trees, revisions) {
      let changes = try #require(session.changes(since: revision))
      for directory in last.directories {
        let kinds = changes.kinds(of: directory)
        let path = last.path(of: directory)
        guard let origin = tree.directory(atPath: path) else {
          #expect(kinds == .added)
          #expect(changes.origin(of: directory) == nil)
          continue
        }
        guard !kinds.contains(.added) else { continue }  // It was away in between.
        #expect(changes.origin(of: directory) == origin)
        #expect(kinds.contains(.totals) || tree.totals(of: origin) == last.totals(of: directory))
        #expect(
          kinds.contains(.listing) || tree.listing(of: origin) == last.listing(of: directory)
        )
        let names = tree.subdirectories(of: origin).map { tree.name(of: $0) }
        #expect(
          kinds.contains(.subdirectories)
            || names == last.subdirectories(of: directory).map { last.name(of: $0) }
        )
        #expect(revision != session.revision || kinds.isEmpty)
      }
    }
  }

  @Test func `Changes that are too long ago are not known, nor those of another target`()
    async throws
  {
    var revisions: [Int] = []
    for size in UInt64(0)...5 { revisions.append(try await show(Sample("/srv", size: size))) }
    #expect(
      revisions.map { session.changes(since: $0) != nil } == [false]
        + Array(repeating: true, count: 5)
    )
    session.open(ScanTarget("/other"))
    #expect(revisions.allSatisfy { session.changes(since: $0) == nil })
    await scanner.next().fail(.cancelled())
    await session.cancel()
  }

  @Test func `What a growing tree has more is a change`() async throws {
    session.showsPartialTrees = true
    session.open(ScanTarget("/srv"))
    let scan = await scanner.next()
    scan.deliver(.sample(Sample("/srv", [Sample("a")])))
    _ = await clock.nextSleep()
    let before = try #require(session.revision)
    scan.finish(.sample(Sample("/srv", [Sample("a"), Sample("b")])))
    _ = try await session.result()
    let changes = try #require(session.changes(since: before))
    #expect(
      try described(changes) == ["/srv": [.totals, .subdirectories], "/srv/b": .added]
    )
  }

  /// Shows a tree, and returns its revision.
  @discardableResult
  private func show(_ sample: Sample) async throws -> Int {
    if session.target == nil { session.open(ScanTarget("/srv")) } else { session.refresh() }
    await scanner.next().finish(.sample(sample))
    _ = try await session.result()
    return try #require(session.revision)
  }

  private func described(_ changes: TreeChanges) throws -> [String: TreeChanges.Kinds] {
    let tree = try #require(session.tree)
    var described: [String: TreeChanges.Kinds] = [:]
    for directory in changes.changed {
      described[String(decoding: tree.path(of: directory), as: UTF8.self)] = changes.kinds(
        of: directory
      )
    }
    return described
  }
}

extension Sample {
  /// Adds or removes a file or a directory somewhere, or changes a size.
  fileprivate mutating func change(using generator: inout SplitMix64) {
    if !directories.isEmpty, Bool.random(using: &generator) {
      let index = Int.random(in: directories.indices, using: &generator)
      return directories[index].change(using: &generator)
    }
    let name = ["a", "m", "x", "z"].randomElement(using: &generator) ?? ""
    switch Int.random(in: 0..<5, using: &generator) {
    case 0: size += 512
    case 1 where !files.contains(name): files.append(name)
    case 2 where !files.isEmpty: files.removeLast()
    case 3 where !directories.isEmpty: directories.removeFirst()
    default:
      if !directories.contains(where: { $0.name == name }) { directories.append(Sample(name)) }
    }
  }
}
