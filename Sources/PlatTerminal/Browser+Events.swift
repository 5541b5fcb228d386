import PlatTree

extension Browser {
  /// Takes an event, and returns what has to be done outside.
  internal mutating func handle(_ event: BrowserEvent) -> [BrowserEffect] {
    let effects = take(event)
    defer { pending = [] }
    return effects + pending
  }

  private mutating func take(_ event: BrowserEvent) -> [BrowserEffect] {
    switch event {
    case .input(let input): return handle(input)
    case .resized(let columns, let rows):
      (self.columns, self.rows) = (max(columns, 1), max(rows, 1))
      scrollToSelection()
      return []
    case .session(let state): return show(state)
    case .rescanned(let state):
      sayWhatWasLeft(by: state)
      return show(state)
    case .prepared(let prepared): return accept(prepared)
    case .listed(let made):
      accept(made)
      return []
    case .mapped(let map):
      accept(map)
      return []
    case .found(let result):
      accept(result)
      return []
    case .filtered(let sums):
      accept(sums)
      return []
    case .estimated(let examined): return accept(examined)
    case .ranked(let request, let larger):
      if case .box(.info) = mode, request == rankRequest { largerCount = larger }
      return []
    case .clock(let seconds, let milliseconds, let spin):
      now = seconds
      self.milliseconds = milliseconds
      self.spin = spin
      return adoptIfDue()
    case .removing(let progress):
      if case .box(.removing(_, let total)) = mode { mode = .box(.removing(progress, of: total)) }
      return []
    case .removed(let outcome): return finishRemoving(outcome)
    case .snapshot(let loaded): return compare(with: loaded)
    case .compared(let entries):
      accept(entries)
      return []
    case .completed(let completion):
      accept(completion)
      return []
    case .said(let text):
      message = text
      return []
    }
  }

  private mutating func handle(_ input: InputEvent) -> [BrowserEffect] {
    message = nil
    lastKey = milliseconds
    isUntouched = false
    if case .key(.control("c")) = input { return [.end(.interrupted)] }
    if layout.isTooSmall {
      if case .key(.character("q")) = input { return [.end(.normal)] }
      return []
    }
    if case .key(.control("z")) = input { return [.suspend] }
    switch mode {
    case .browsing: return browse(input)
    case .searching(let search): return type(input, into: search)
    case .box(let box): return answer(box, input)
    case .marks(let selected): return chooseMark(input, selected)
    case .issues(let selected): return chooseIssue(input, selected)
    case .typing(let prompt): return type(input, into: prompt)
    }
  }

  private mutating func browse(_ input: InputEvent) -> [BrowserEffect] {
    switch input {
    case .key(let key): browse(with: key)
    case .mouse(let event): mouse(event)
    case .paste: []
    }
  }

  /// The bytes of the name of the selected row.
  internal var selectedName: [UInt8] {
    list.rows.indices.contains(selected) ? Array(list.name(at: selected)) : []
  }
}
