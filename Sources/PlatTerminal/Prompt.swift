import PlatTree

/// A line that a person types, in place of the detail line.
internal struct Prompt: Hashable, Sendable {
  internal enum Purpose: Hashable, Sendable {
    case filter
    case root
    case picture
  }

  internal let purpose: Purpose
  internal var text: String
  /// What is wrong with the line.
  internal var complaint: String?

  internal init(_ purpose: Purpose, text: String) {
    self.purpose = purpose
    self.text = text
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
    case .key(.tab) where prompt.purpose == .root: complete(&prompt)
    case .mouse: break
    default:
      prompt.text = edited(prompt.text, input)
      prompt.complaint = nil
    }
    mode = .typing(prompt)
    return []
  }

  private mutating func finish(_ prompt: Prompt) -> [BrowserEffect] {
    mode = .browsing
    switch prompt.purpose {
    case .filter:
      switch ListFilter.parse(prompt.text) {
      case .success(let filter): return setFilter(filter)
      case .failure(let failure):
        var prompt = prompt
        prompt.complaint = failure.description
        mode = .typing(prompt)
        return []
      }
    case .root: return prompt.text.isEmpty ? [] : [.open(Array(prompt.text.utf8))]
    case .picture: return prompt.text.isEmpty ? [] : [.writeMap(Array(prompt.text.utf8))]
    }
  }

  /// Completes a path as far as the directories that are known agree.
  private func complete(_ prompt: inout Prompt) {
    guard let tree else { return }
    let slash = prompt.text.lastIndex(of: "/") ?? prompt.text.startIndex
    let folder = prompt.text[..<slash]
    let start = Array(prompt.text[slash...].dropFirst().utf8)
    let parent = folder.isEmpty ? "/" : String(folder)
    guard let directory = tree.directory(atPath: Array(parent.utf8)) else { return }
    let names = tree.subdirectories(of: directory).map { tree.name(of: $0) }
      .filter { $0.starts(with: start) }
    guard let first = names.first, let last = names.last else { return }
    // Names are sorted, so that what the first and the last share is shared by all.
    let common = zip(first, last).prefix { $0 == $1 }.map { $0.0 }
    guard let text = String(validating: common, as: UTF8.self) else { return }
    prompt.text = folder + "/" + text + (names.count == 1 ? "/" : "")
  }
}
