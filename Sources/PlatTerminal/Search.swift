import PlatTree

/// A search for names below a directory, as far as it has come.
internal struct Search: Sendable {
  /// What is to be found.
  internal struct Request: Hashable, Sendable {
    internal var text: String
    /// Whether the whole path below the directory is compared, and not only the name.
    internal var usesPath = false
    internal var directory: DirectoryID
    internal var revision: Int
    internal var measure: SizeMeasure
  }

  internal struct Hit: Sendable {
    internal var id: EntryID
    internal var size: UInt64
    /// The path below the directory of the search.
    internal var path: [UInt8]
    internal var isDirectory: Bool { id.ordinal == nil }
  }

  internal struct Result: Sendable {
    internal var request: Request
    /// The largest hits.
    internal var hits: [Hit] = []
    /// How many names match, and how many were looked at.
    internal var matches = 0
    internal var names = 0
  }

  /// Nobody reads more; what is found beyond is counted.
  fileprivate static let limit = 10_000

  internal var request: Request
  internal var result: Result?
  internal var selected = 0
  internal var top = 0

  internal var hits: [Hit] { result?.hits ?? [] }

  /// The pattern that is typed.
  internal var pattern: NamePattern { request.pattern }
}

extension Search.Request {
  fileprivate var pattern: NamePattern {
    NamePattern(typed: Array(text.utf8), matchesPaths: usesPath)
  }

  /// Looks at every name below the directory.
  ///
  /// - Parameters:
  ///   - tree: The tree.
  ///   - isCancelled: Asked once a directory; if it says so there is no result.
  /// - Returns: What was found.
  internal func run(in tree: FileTree, isCancelled: () -> Bool = { false }) -> Search.Result? {
    var result = Search.Result(request: self)
    guard !text.isEmpty else { return result }
    let pattern = pattern
    var found: [(id: EntryID, size: UInt64)] = []
    for directory in tree.directories(below: self.directory) {
      if isCancelled() { return nil }
      let prefix = usesPath ? relativePath(of: EntryID(directory), in: tree) : []
      if directory != self.directory {
        result.names += 1
        if pattern.matches(usesPath ? prefix[...] : tree.name(of: directory)) {
          found.append((EntryID(directory), tree.size(of: directory, measure)))
        }
      }
      var cursor = tree.listing(of: directory).makeCursor()
      while cursor.advance() {
        result.names += 1
        var name = cursor.name
        if usesPath {
          name = prefix
          name.appendComponent(cursor.name[...])
        }
        guard pattern.matches(name) else { continue }
        found.append(
          (
            EntryID(directory, ordinal: cursor.ordinal),
            tree.chargedSize(of: cursor, in: directory, measure)
          )
        )
      }
    }
    result.matches = found.count
    // Equal sizes stay in the order of the tree.
    let largest = found.enumerated()
      .sorted { one, two in
        one.element.size != two.element.size
          ? one.element.size > two.element.size : one.offset < two.offset
      }
      .prefix(Search.limit)
    let paths = relativePaths(of: largest.map(\.element.id), in: tree)
    result.hits = zip(largest, paths).map { item, path in
      Search.Hit(id: item.element.id, size: item.element.size, path: path)
    }
    return result
  }

  /// Returns the paths of entries; each listing is read once, however many of its names are among them.
  private func relativePaths(of entries: [EntryID], in tree: FileTree) -> [[UInt8]] {
    var paths = [[UInt8]](repeating: [], count: entries.count)
    let order = entries.indices.sorted { one, two in
      let (one, two) = (entries[one], entries[two])
      return one.directory == two.directory
        ? one.ordinal ?? -1 < two.ordinal ?? -1 : one.directory.index < two.directory.index
    }
    var directory: DirectoryID?
    var prefix: [UInt8] = []
    var cursor = tree.listing(of: tree.root).makeCursor()
    for index in order {
      let id = entries[index]
      if id.directory != directory {
        directory = id.directory
        prefix = relativePath(of: EntryID(id.directory), in: tree)
        cursor = tree.listing(of: id.directory).makeCursor()
      }
      paths[index] = prefix
      guard let ordinal = id.ordinal else { continue }
      while cursor.ordinal < ordinal, cursor.advance() {}
      paths[index].appendComponent(cursor.name[...])
    }
    return paths
  }

  private func relativePath(of id: EntryID, in tree: FileTree) -> [UInt8] {
    let path = tree.path(of: id)
    let base = tree.path(of: directory)
    var rest = path.dropFirst(base.count)
    if rest.first == UInt8(ascii: "/") { rest = rest.dropFirst() }
    return Array(rest)
  }
}

// MARK: Typing a search

extension Browser {
  internal mutating func startSearch() -> [BrowserEffect] {
    guard tree != nil else { return [] }
    mode = .searching(
      Search(
        request: Search.Request(
          text: "",
          directory: directory,
          revision: shown.revision,
          measure: measure
        )
      )
    )
    return []
  }

  internal mutating func type(_ input: InputEvent, into search: Search) -> [BrowserEffect] {
    var search = search
    let page = max(layout.body.count - 1, 1)
    let text = search.request.text
    switch input {
    case .key(.escape):
      mode = .browsing
      return []
    case .key(.enter):
      go(to: search)
      return []
    case .key(.up): search.select(search.selected - 1, layout)
    case .key(.down): search.select(search.selected + 1, layout)
    case .key(.pageUp): search.select(search.selected - page, layout)
    case .key(.pageDown): search.select(search.selected + page, layout)
    case .key(.home): search.select(0, layout)
    case .key(.end): search.select(search.hits.count - 1, layout)
    case .key(.tab): search.request.usesPath.toggle()
    case .mouse(let event): search.click(event, layout)
    default: search.request.text = edited(text, input)
    }
    mode = .searching(search)
    guard search.request.text != text || input == .key(.tab), let tree else { return [] }
    return [.search(search.request, tree)]
  }

  /// Takes what a search found, unless something else has been typed since.
  internal mutating func accept(_ result: Search.Result) {
    guard case .searching(var search) = mode, search.request == result.request else { return }
    search.result = result
    search.select(0, layout)
    mode = .searching(search)
  }

  private mutating func go(to search: Search) {
    mode = .browsing
    guard search.hits.indices.contains(search.selected) else { return }
    heldSearch = search
    show(search.hits[search.selected])
  }

  private mutating func show(_ hit: Search.Hit) {
    guard let tree, heldSearch?.request.revision == shown.revision else { return }
    let parent = hit.isDirectory ? tree.parent(of: hit.id.directory) : hit.id.directory
    guard let parent else { return }
    let name = hit.path.split(separator: UInt8(ascii: "/")).last.map { Array($0) }
    go(to: parent, selecting: name)
  }

  /// Goes to the next hit of the search that is held, or the previous one.
  internal mutating func goToHit(step: Int) {
    guard var search = heldSearch, !search.hits.isEmpty else { return }
    let count = search.hits.count
    search.selected = (search.selected + step + count) % count
    heldSearch = search
    show(search.hits[search.selected])
    message = "\(search.selected + 1) of \(NumberFormat.grouped(count)): \(search.request.text)"
  }
}

extension Search {
  internal mutating func select(_ index: Int, _ layout: ScreenLayout) {
    selected = min(max(index, 0), max(hits.count - 1, 0))
    let height = max(layout.body.count, 1)
    top = max(min(top, selected), selected - height + 1)
  }

  fileprivate mutating func click(_ event: MouseEvent, _ layout: ScreenLayout) {
    switch event.kind {
    case .wheelUp: select(selected - 3, layout)
    case .wheelDown: select(selected + 3, layout)
    case .press where layout.body.contains(event.row):
      select(top + event.row - layout.body.lowerBound, layout)
    default: break
    }
  }
}
