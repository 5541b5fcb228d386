import PlatTree

/// A line that a person types, in place of the detail line.
internal struct Prompt: Hashable, Sendable {
  internal enum Purpose: Hashable, Sendable {
    case filter
    case root
    case picture
  }

  internal let purpose: Purpose
  /// What was typed: a path may hold names that are no text.
  internal var line: [UInt8]
  /// What is wrong with the line.
  internal var complaint: String?
  /// What the line may go on with.
  internal var choices: String?

  internal init(_ purpose: Purpose, _ line: some Sequence<UInt8>) {
    self.purpose = purpose
    self.line = Array(line)
  }

  internal var title: String {
    switch purpose {
    case .filter: "Filter"
    case .root: "Open"
    case .picture: "Write the map to"
    }
  }

  internal var hint: String {
    switch purpose {
    case .filter: "*.iso >1G >90d type:archive; empty: all"
    case .root: "Tab completes"
    case .picture: ".png or .svg"
    }
  }
}

extension Browser {
  internal mutating func type(_ input: InputEvent, into prompt: Prompt) -> [BrowserEffect] {
    var prompt = prompt
    switch input {
    case .key(.escape):
      mode = .browsing
      return []
    case .key(.enter): return finish(prompt)
    case .key(.tab) where prompt.purpose == .root: return [.complete(prompt.line)]
    case .mouse: break
    default:
      prompt.line = edited(prompt.line, input)
      (prompt.complaint, prompt.choices) = (nil, nil)
    }
    mode = .typing(prompt)
    return []
  }

  private mutating func finish(_ prompt: Prompt) -> [BrowserEffect] {
    mode = .browsing
    switch prompt.purpose {
    case .filter:
      switch ListFilter.parse(String(decoding: prompt.line, as: UTF8.self)) {
      case .success(let filter): return setFilter(filter)
      case .failure(let failure):
        var prompt = prompt
        prompt.complaint = failure.description
        mode = .typing(prompt)
        return []
      }
    case .root: return prompt.line.isEmpty ? [] : [.open(prompt.line)]
    case .picture: return prompt.line.isEmpty ? [] : [.writeMap(prompt.line)]
    }
  }
}
