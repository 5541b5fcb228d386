import PlatTree

extension Browser {
  /// Does what a key asks for in the list of what could not be read.
  internal mutating func chooseIssue(_ input: InputEvent, _ selected: Int) -> [BrowserEffect] {
    guard case .key(let key) = input else { return [] }
    let count = tree?.issues.count ?? 0
    let page = max(layout.body.count - 6, 1)
    var selected = selected
    switch key {
    case .escape, .character("e"), .left, .character("h"):
      mode = .browsing
      return []
    case .character("q"): return [.end(.normal)]
    case .character("r"):
      mode = .browsing
      return [.refresh(nil)]
    case .character("p"): return [.end(.printIssues)]
    case .enter, .right, .character("l"):
      mode = .browsing
      showIssue(selected)
      return []
    case .up, .character("k"): selected -= 1
    case .down, .character("j"): selected += 1
    case .pageUp: selected -= page
    case .pageDown: selected += page
    case .home, .character("g"): selected = 0
    case .end, .character("G"): selected = count - 1
    default: break
    }
    mode = .issues(selected: min(max(selected, 0), max(count - 1, 0)))
    return []
  }

  /// Shows in the tree what an issue is about.
  private mutating func showIssue(_ index: Int) {
    guard let tree, tree.issues.indices.contains(index) else { return }
    let issue = tree.issues[index]
    if let name = issue.name {
      go(to: issue.directory, selecting: name)
    } else if let parent = tree.parent(of: issue.directory) {
      go(to: parent, selecting: Array(tree.name(of: issue.directory)))
    }
  }
}
