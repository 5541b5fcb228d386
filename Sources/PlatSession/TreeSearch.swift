public import Observation
public import PlatTree

/// Finds entries by their names while a person types.
///
/// A search begins when no more is typed for a moment, and is cancelled when the next letter comes.
/// What an older search finds never replaces what a newer one has found. Until there is something
/// newer to show, what was found before stays.
///
/// ```swift
/// let search = TreeSearch()
/// Task { await search.follow(session) }
/// search.query = Array("iso".utf8)
/// ```
@MainActor
@Observable
public final class TreeSearch {
  /// What a search has found.
  public struct Hits: Sendable {
    /// What was looked for.
    public let query: [UInt8]
    /// The tree that was searched, which may not be the newest.
    public let tree: FileTree
    /// The number that stands for ``tree``.
    public let revision: Int
    /// The entries whose names contain the query, in canonical order.
    public let entries: [EntryID]
  }

  /// Looks for a query in a tree; cancelled when the result is of no use any more.
  public typealias Finder = @concurrent @Sendable (FileTree, _ query: [UInt8]) async -> [EntryID]

  internal struct Subject {
    internal var tree: FileTree
    internal var revision: Int
    internal var isPartial: Bool
  }

  private struct Request: Equatable {
    var query: [UInt8]
    var revision: Int?
  }

  /// What the newest search that has ended has found; `nil` without a query.
  public private(set) var hits: Hits?

  /// Whether a search is going on, or about to begin.
  public private(set) var isSearching = false

  /// What names have to contain; nothing is looked for if it is empty.
  public var query: [UInt8] = [] {
    didSet { if query != oldValue { start(after: pause) } }
  }

  /// What is searched.
  @ObservationIgnored internal private(set) var subject: Subject?
  @ObservationIgnored private let slot = TaskSlot<Request, Void>()
  @ObservationIgnored private let pause: Duration
  @ObservationIgnored private let clock: any Clock<Duration>
  @ObservationIgnored private let find: Finder

  /// Creates a search without a query.
  ///
  /// - Parameters:
  ///   - pause: How long nothing is typed before a search begins.
  ///   - clock: What the pause is measured with.
  ///   - finder: What searches.
  public init(
    pause: Duration = .milliseconds(150),
    clock: any Clock<Duration> = ContinuousClock(),
    finder: @escaping Finder = { await entries(of: $0, containing: $1) }
  ) {
    (self.pause, self.clock, find) = (pause, clock, finder)
  }

  /// Searches the tree that a session shows, and each that comes after it, until the task is cancelled.
  ///
  /// The session is kept for as long.
  /// A tree that grows is searched again when the search before has ended.
  public func follow(_ session: ScanSession) async {
    // The revision stands for the tree and for whether it is complete.
    for await revision in Observations({ session.revision }) {
      let tree = revision == nil ? nil : session.tree
      let isPartial = session.phase.partial != nil
      subject = tree.map {
        Subject(tree: $0, revision: session.revision ?? 0, isPartial: isPartial)
      }
      if !isPartial || !isSearching { start() }
    }
  }

  private func start(after pause: Duration = .zero) {
    let request = Request(query: query, revision: subject?.revision)
    let isStarted = slot.start(id: request) { [weak self, clock, find, subject] turn in
      if pause > .zero { do { try await clock.sleep(for: pause) } catch { return } }
      guard let subject, !request.query.isEmpty else { return }
      let entries = await find(subject.tree, request.query)
      guard let self, slot.isCurrent(turn) else { return }
      hits = Hits(
        query: request.query,
        tree: subject.tree,
        revision: subject.revision,
        entries: entries
      )
      isSearching = false
      // Meanwhile the tree may have grown.
      if self.subject?.revision != subject.revision { start() }
    }
    guard isStarted else { return }
    isSearching = subject != nil && !query.isEmpty
    if !isSearching { hits = nil }
  }
}

/// Returns the entries whose names contain bytes, letters of ASCII in either case.
///
/// - Parameters:
///   - tree: The tree to search.
///   - query: The bytes.
/// - Returns: At most 10,000 entries, in canonical order; what was found so far if the task is
///   cancelled.
@concurrent
public func entries(of tree: FileTree, containing query: [UInt8]) async -> [EntryID] {
  let limit = 10_000
  let query = query.map(\.lowercased)
  var found: [EntryID] = []
  for directory in tree.directories where !Task.isCancelled {
    if contains(tree.name(of: directory), query) { found.append(EntryID(directory)) }
    var cursor = tree.listing(of: directory).makeCursor()
    while cursor.advance() {
      if contains(cursor.name[...], query) {
        found.append(EntryID(directory, ordinal: cursor.ordinal))
      }
    }
    if found.count >= limit { return Array(found.prefix(limit)) }
  }
  return found
}

private func contains(_ name: ArraySlice<UInt8>, _ query: [UInt8]) -> Bool {
  guard let first = query.first else { return true }
  var rest = name
  while rest.count >= query.count {
    if rest.first?.lowercased == first,
      zip(rest, query).allSatisfy({ $0.lowercased == $1 })
    {
      return true
    }
    rest.removeFirst()
  }
  return false
}

extension UInt8 {
  fileprivate var lowercased: UInt8 {
    self >= UInt8(ascii: "A") && self <= UInt8(ascii: "Z") ? self | 0x20 : self
  }
}
