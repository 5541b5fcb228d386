import PlatScan
import PlatTree

/// A box over the screen, which takes all keys while it is open.
internal enum Box: Sendable {
  case help(scroll: Int)
  case info
  /// The menu of columns.
  case columns(selected: Int)
  case quit
  /// The last scan brought nothing.
  case failure(ScanError)
  case confirm(Removal, typed: String)
  case removing(Removal.Progress, of: Int?)
  case failures(Removal.Outcome)
}

extension Browser {
  /// Does what a key asks for in a box.
  ///
  /// A click never confirms anything.
  internal mutating func answer(_ box: Box, _ input: InputEvent) -> [BrowserEffect] {
    switch box {
    case .help(let scroll): return answerHelp(scroll, input)
    case .columns(let selected): return answerColumns(selected, input)
    case .info, .failures:
      if case .key = input { mode = .browsing }
      return []
    case .quit:
      guard case .key(let key) = input else { return [] }
      mode = .browsing
      return key == .character("y") ? [.end(.normal)] : []
    case .failure: return answerFailure(input)
    case .confirm(let removal, let typed):
      return removal.isPermanent
        ? confirmForGood(removal, typed, input) : confirmTrash(removal, input)
    case .removing:
      return input == .key(.escape) ? [.stopRemoving] : []
    }
  }

  private mutating func answerHelp(_ scroll: Int, _ input: InputEvent) -> [BrowserEffect] {
    switch input {
    case .key(.down), .key(.character("j")), .key(.pageDown):
      mode = .box(.help(scroll: min(scroll + 1, HelpPage.lineLimit)))
    case .key(.up), .key(.character("k")), .key(.pageUp):
      mode = .box(.help(scroll: max(scroll - 1, 0)))
    case .key: mode = .browsing
    case .mouse, .paste: break
    }
    return []
  }

  private mutating func answerFailure(_ input: InputEvent) -> [BrowserEffect] {
    guard case .key(let key) = input else { return [] }
    mode = .browsing
    switch key {
    case .character("r"): return [.refresh(nil)]
    case .character("e"): mode = .issues(selected: 0)
    case .character("o"):
      mode = .typing(Prompt(.root, shown.root))
    case .character("q"): return [.end(.normal)]
    default: break
    }
    return []
  }

  private mutating func confirmTrash(
    _ removal: Removal,
    _ input: InputEvent
  ) -> [BrowserEffect] {
    guard case .key(let key) = input else { return [] }
    guard key == .character("y") else {
      mode = .browsing
      return []
    }
    return confirmTrash(removal)
  }

  /// Moves entries to the trash, as soon as they have been looked up.
  internal mutating func confirmTrash(_ removal: Removal) -> [BrowserEffect] {
    guard removal.estimate != nil, let tree else {
      mode = .box(.confirm(removal, typed: Removal.yes))
      return []
    }
    mode = .box(.removing(Removal.Progress(), of: removal.targets.count))
    return [.remove(removal, tree)]
  }

  private mutating func confirmForGood(
    _ removal: Removal,
    _ typed: String,
    _ input: InputEvent
  ) -> [BrowserEffect] {
    switch input {
    case .key(.escape): mode = .browsing
    case .key(.character("t")) where typed.isEmpty:
      var removal = removal
      removal.isPermanent = false
      mode = .box(.confirm(removal, typed: ""))
    case .key(.enter):
      // Anything but the very words does nothing.
      guard let password = removal.password, typed == password, let tree else { return [] }
      mode = .box(.removing(Removal.Progress(), of: removal.estimate?.items))
      return [.remove(removal, tree)]
    case .key, .paste:
      mode = .box(.confirm(removal, typed: String(edited(typed, input).prefix(40))))
    case .mouse: break
    }
    return []
  }
}
