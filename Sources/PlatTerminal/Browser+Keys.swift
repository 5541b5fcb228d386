import PlatTree

extension Browser {
  /// Does what a key asks for while a directory is shown.
  internal mutating func browse(with key: Key) -> [BrowserEffect] {
    if move(key) { return [] }
    switch key {
    case .character(let character): return browse(with: character)
    case .escape:
      if heldSearch != nil || filter != nil || comparison != nil {
        heldSearch = nil
        if comparison != nil { leaveComparison() }
        return filter == nil ? [] : setFilter(nil)
      }
      return shown.progress == nil ? [] : [.stopScan]
    default: return []
    }
  }

  /// Moves, and returns whether the key asks for that.
  private mutating func move(_ key: Key) -> Bool {
    let page = max(layout.body.count - 1, 1)
    let isInMap = pane == .map && map != nil && layout.mapColumns != nil
    switch key {
    case .up, .character("k"): isInMap ? moveInMap(rows: -1) : select(selected - 1)
    case .down, .character("j"): isInMap ? moveInMap(rows: 1) : select(selected + 1)
    case .right where isInMap: moveInMap(columns: 1)
    case .left where isInMap: moveInMap(columns: -1)
    case .pageUp, .control("b"): select(selected - page)
    case .pageDown, .control("f"): select(selected + page)
    case .control("u"): select(selected - page / 2)
    case .control("d"): select(selected + page / 2)
    case .home, .character("g"): select(0)
    case .end, .character("G"): select(list.rows.count - 1)
    case .character("H"): select(top)
    case .character("L"): select(top + layout.body.count - 1)
    case .right, .character("l"), .enter: openSelected()
    case .left, .character("h"), .character("<"), .backspace: goUp()
    case .tab, .backTab:
      if mapStyle != .off, layout.rows >= 12 { pane = pane == .list ? .map : .list }
    default: return false
    }
    return true
  }

  private mutating func browse(with character: Character) -> [BrowserEffect] {
    switch character {
    case "q": return quit()
    case "Q": return [.end(.printDirectory)]
    case "?": mode = .box(.help(scroll: 0))
    case "|": mode = .box(.columns(selected: 0))
    case "i":
      (mode, largerCount) = (.box(.info), nil)
      if let request = rankRequest, let tree { return [.rank(request, tree)] }
    case "e": mode = .issues(selected: 0)
    case "s": sort(by: .size)
    case "n":
      if heldSearch != nil { goToHit(step: 1) } else { sort(by: .name) }
    case "N": goToHit(step: -1)
    case "C": sort(by: .items)
    case "M": sort(by: .time)
    case "a": return toggleMeasure()
    case "t": cycleMapStyle()
    case "c": cycleColors()
    case "/": return startSearch()
    case "f": mode = .typing(Prompt(.filter, (filter?.text ?? "").utf8))
    case "o": mode = .typing(Prompt(.root, shown.root))
    case "w": mode = .typing(Prompt(.picture, "map.svg".utf8))
    case "r": return refresh()
    case "R": return refresh(everything: true)
    case "{": moveSplit(by: -2)
    case "}": moveSplit(by: 2)
    case "y": return [.copy(selectedPath)]
    case "b": return [.runShell(in: tree.map { $0.path(of: directory) } ?? shown.root)]
    case "v": return view()
    case "x": return toggleComparison()
    case "[": return comparison == nil ? [] : [.loadSnapshot(.older)]
    case "]": return comparison == nil ? [] : [.loadSnapshot(.newer)]
    default: return pressMarkKey(character)
    }
    return []
  }

  private mutating func quit() -> [BrowserEffect] {
    guard marks.isEmpty else {
      mode = .box(.quit)
      return []
    }
    return [.end(.normal)]
  }

  /// Scans the directory that is shown again, or everything.
  internal func refresh(everything: Bool = false) -> [BrowserEffect] {
    guard shown.progress == nil else { return [] }
    // What was only seen in part is no base for the rest.
    guard let tree, !everything, !shown.isPartial, directory != tree.root else {
      return [.refresh(nil)]
    }
    return [.refresh(tree.path(of: directory))]
  }

  private mutating func view() -> [BrowserEffect] {
    guard selectedRow?.kind == .file else {
      message = "Only a file can be viewed."
      return []
    }
    return [.view(selectedPath)]
  }

  private mutating func cycleMapStyle() {
    switch mapStyle {
    case .nested: mapStyle = .flat
    case .flat: mapStyle = .off
    case .off: mapStyle = .nested
    }
    if mapStyle == .off { pane = .list }
    scrollToSelection()
  }

  private mutating func cycleColors() {
    guard comparison == nil else {
      message = "While snapshots are compared the map shows growth."
      return
    }
    switch colorKey {
    case .type, .growth: colorKey = .age
    case .age: colorKey = .owner
    case .owner: colorKey = .depth
    case .depth: colorKey = .type
    }
    let word =
      switch colorKey {
      case .type, .growth: "type"
      case .age: "age"
      case .owner: "owner"
      case .depth: "depth"
      }
    message = "The map shows colours by \(word)."
  }

  internal mutating func moveSplit(by columns: Int) {
    guard let width = layout.list?.width, layout.mapColumns != nil, !layout.isSingle else { return }
    split = min(max(width + columns, 20), self.columns - 22)
  }
}
